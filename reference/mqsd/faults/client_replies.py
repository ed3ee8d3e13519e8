"""Faults of discovery clients in the replies that they receive and what they keep of them (MS-MQSD 3.1.5.2, 3.1.7)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from msgspec import structs

from mqconform.reference.mqsd.client import ClientState, ClockAdvanced, Complete, DatagramReceived, Result
from mqconform.reference.mqsd.client.readings import GrossError, ProtocolFlags, RequestAsReply
from mqconform.reference.mqsd.client.received_reply import has_gross_error
from mqconform.reference.mqsd.client.transition import Transition
from mqconform.reference.mqsd.faults.client_step import SIZE, Change, Step, following, hearing, ignoring, storing
from mqconform.reference.mqsd.faults.fault import fault
from mqconform.reference.mqsd.messages import REPLY

SERVERS, NETWORKS = "directory_server_list", "connected_network_identifier_list"
COUNT, CORRELATION = REPLY["ConnectedNetworkCount"], REPLY["CorrelationID"]
PLAUSIBLE = 0x10000
"""Numbers from here on are taken for big-endian ones."""


def old(before: Any, _: Any) -> Any:
    """Keep the value before."""
    return before


def nothing(*_: Any) -> None:
    """Keep no value."""


def _falls_over(_: ClientState, event: DatagramReceived) -> DatagramReceived:
    if has_gross_error(event.datagram):
        raise IndexError("read past the end of the datagram")
    return event


def _with_list(event: DatagramReceived, change: Callable[[str], str]) -> DatagramReceived:
    """Return the event with another text for the server list of a reply that is as long as it says."""
    octets, size = event.datagram, SIZE.number(event.datagram)
    if len(octets) < REPLY.size or not size or len(octets) != REPLY.length(octets) or size % 2:
        return event
    array = len(octets) - size
    listed = change(octets[array:].decode("utf-16-le", "surrogatepass")).encode("utf-16-le", "surrogatepass")
    return replace(event, datagram=SIZE.put_number(octets[:array], len(listed)) + listed)


def _flags_kept(_: ClientState, event: DatagramReceived) -> DatagramReceived:
    """Put flags before the flags of each name, so that the second pair is taken for a part of the name."""
    return _with_list(event, lambda names: ",".join(f"11{name}" for name in names.split(",")))


def _from_any_network(state: ClientState, event: DatagramReceived) -> DatagramReceived:
    return replace(event, network=state.current_network.address) if state.current_network else event


def _to_any_request(state: ClientState, event: DatagramReceived) -> DatagramReceived:
    if state.request_id is None:
        return event
    return replace(event, datagram=CORRELATION.put(event.datagram, state.request_id))


def _to_request_alike_at_its_end(state: ClientState, event: DatagramReceived) -> DatagramReceived:
    alike = state.request_id is not None and event.datagram[CORRELATION.place][8:] == bytes(state.request_id)[8:]
    return _to_any_request(state, event) if alike else event


def _swapped_numbers(_: ClientState, event: DatagramReceived) -> DatagramReceived:
    """Take a number that is far too large for one in big-endian order."""
    octets = event.datagram
    for number in (COUNT, SIZE) if len(octets) >= REPLY.size else ():
        if number.number(octets) >= PLAUSIBLE:
            octets = number.put(octets, octets[number.place][::-1])
    return replace(event, datagram=octets)


def _wrapping(_: ClientState, event: DatagramReceived) -> DatagramReceived:
    """Multiply and add in 32 bits."""
    octets = event.datagram
    if len(octets) < REPLY.size:
        return event
    count, size = 16 * COUNT.number(octets) % 2**32 // 16, SIZE.number(octets)
    array = REPLY.size + 16 * (count + 1)
    if size >= 1 << 31 and (array + size) % 2**32 <= len(octets):
        size = max(0, len(octets) - array)
    return replace(event, datagram=SIZE.put_number(COUNT.put_number(octets, count), size))


def _deaf_where(deaf: Callable[[bytes], bool]) -> Change:
    return hearing(lambda _, event: replace(event, network="") if deaf(event.datagram) else event)


def _lists_servers(reply: bytes) -> bool:
    return any(reply[SIZE.place])


def _before_last(step: Step) -> bool:
    return step.applies("MQSD-3.1.5.2-21") and not step.right.state.on_last_network and step.before.in_progress


def _stops_at_first_foreign(step: Step) -> Transition | None:
    if not _before_last(step):
        return None
    return structs.replace(
        step.leaving(in_progress=False, wait_for_response_timer=None), effects=(Complete(Result.SUCCESS),)
    )


def _goes_on_at_first_foreign(step: Step) -> Transition | None:
    if not _before_last(step):
        return None
    ended = structs.replace(step.right.state, wait_for_response_timer=step.moment.now)
    return replace(step, before=ended, event=ClockAdvanced(), slack=0).right.by(*step.right.requirements)


def _waits_after_own_site(step: Step) -> Transition | None:
    if not step.concerned:
        return None
    noted = structs.replace(
        step.before,
        topology_server_reply_received=True,
        last_successful_network_address=step.right.state.last_successful_network_address,
        valid_last_successful_network_address=True,
    )
    return Transition(noted, (), step.right.requirements)


def _also_completes(step: Step) -> Transition | None:
    return step.with_effects(*step.right.effects, Complete(Result.SUCCESS)) if step.concerned else None


def _second_of_its_site_ignored(step: Step) -> Transition | None:
    stored, event = step.before.last_topology_server_reply, step.event
    if stored is None or stored.local or not isinstance(event, DatagramReceived):
        return None
    return ignoring(step) if _site_of(event.datagram) == _site_of(stored.octets) else None


def _site_of(reply: bytes) -> bytes:
    """Return the octets of RespondingSiteID."""
    end = len(reply) - SIZE.number(reply)
    return reply[end - 16 : end]


# Laid out as a table: name, what it breaks, what it does, the changed rule.
REPLIES = (
    fault("client-heeds-other-networks", "3.1.5.2-01", "A reply from any network counts.", hearing(_from_any_network)),
    fault("client-heeds-other-ids", "3.1.5.2-03", "A reply to any request counts.", hearing(_to_any_request)),
    fault("client-heeds-ids-alike-at-the-end", "3.1.5.2-03",
        "A reply to any request counts whose id ends in the same eight octets.", hearing(_to_request_alike_at_its_end)),
    fault("client-reads-big-endian", "3.1.5.2-02", "Big-endian numbers are understood.", hearing(_swapped_numbers)),
    fault("client-heeds-cut-replies", "3.1.5.2-02", "A reply that is cut is processed.",
        following(gross_error=GrossError.ACCEPTED)),
    fault("client-heeds-requests", "3.1.5.2-02", "A packet of Type 1 is taken for a reply.",
        following(request_as_reply=RequestAsReply.ACTED_UPON)),
    fault("client-crashes-on-cut-replies", "3.1.5.2-02", "It falls over a reply that is cut.", hearing(_falls_over)),
    fault("client-wraps-in-32-bits", "3.1.5.2-02", "Sizes wrap in 32 bits.", hearing(_wrapping)),
    fault("client-deaf", "3.1.5.2-04", "No reply counts.", _deaf_where(lambda _: True)),
    fault("client-deaf-to-own-site", "3.1.5.2-14 3.1.5.2-04 3.1.5.2-06", "A reply from the own site does not count.",
        _deaf_where(lambda reply: not _lists_servers(reply))),
    fault("client-deaf-to-own-networks", "3.1.5.2-14 3.1.5.2-04 3.1.5.2-06",
        "A reply from the own site does not count if it lists more than one network.",
        _deaf_where(lambda reply: len(reply) > REPLY.size + 16 and not SIZE.number(reply))),
    fault("client-deaf-to-other-sites", "3.1.5.2-21", "A reply from another site does not count.",
        _deaf_where(_lists_servers)),
    fault("client-reads-a-kilobyte", "3.1.5.2-21", "Of a datagram the first 1,024 octets are read.",
        hearing(lambda _, event: replace(event, datagram=event.datagram[:1024]))),
    fault("client-waits-after-own-site", "3.1.5.2-10", "A reply from the own site does not end the wait.",
        _waits_after_own_site),
    fault("client-completes-and-goes-on", "3.1.5.2-11", "A reply from the own site completes the event, which goes on.",
        _also_completes),
    fault("client-completes-at-second-foreign", "3.1.5.2-13",
        "A second reply from another site completes the event on any network, and it goes on.", _also_completes),
    fault("client-stops-at-first-foreign", "3.1.5.2-21 3.1.5.2-27",
        "A first reply from another site completes the event on any network.", _stops_at_first_foreign),
    fault("client-goes-on-at-first-foreign", "3.1.5.2-21 3.1.5.2-26 3.1.5.2-27",
        "A first reply from another site leads to the next network at once.", _goes_on_at_first_foreign),
    fault("client-second-foreign-ignored", "3.1.5.2-12 3.1.5.2-28", "A second reply from another site has no effect.",
        ignoring),
    fault("client-second-of-its-site-ignored", "3.1.5.2-12 3.1.5.2-28",
        "A second reply from the site of the first has no effect.", _second_of_its_site_ignored),
    fault("client-wait-ended-by-foreign", "3.1.5.2-26",
        "A first reply from another site ends the wait, and nothing begins it anew.",
        lambda step: step.leaving(wait_for_response_timer=None) if step.concerned else None),
    fault("client-foreign-not-counted", "3.1.5.2-23", "A reply from another site does not count as received.",
        storing("topology_server_reply_received", old)),
    fault("client-first-foreign-not-kept", "3.1.5.2-22", "The first reply from another site is not kept.",
        storing("last_topology_server_reply", old)),
    fault("client-network-not-noted", "3.1.5.2-07 3.1.5.2-16 3.1.5.2-24 3.1.5.2-32",
        "The last successful network is not noted.", storing("last_successful_network_address", nothing)),
    fault("client-success-not-noted", "3.1.5.2-08 3.1.5.2-17 3.1.5.2-25 3.1.5.2-33",
        "No last successful network is ever known.", storing("valid_last_successful_network_address", old)),
)  # fmt: skip

LISTS = (
    fault("client-keeps-flags", "3.1.7.1-04", "Names keep their flags.", hearing(_flags_kept)),
    fault("client-stops-at-null", "3.1.7.1-03", "Names end with the first null.",
        hearing(lambda _, event: _with_list(event, lambda names: names.partition("\0")[0] + "\0"))),
    fault("client-sixteen-servers", "3.1.7.1-03", "It has room for sixteen servers.",
        storing(SERVERS, lambda _, new: new[:16])),
    fault("client-first-name-only", "3.1.7.1-03", "Only the first server is listed.",
        storing(SERVERS, lambda _, new: new[:1])),
    fault("client-splits-octets", "3.1.7.1-03",
        "Octets are split where characters should be: U+012C is taken for a comma.",
        storing(SERVERS, lambda _, new: tuple(part for name in new for part in name.split("\u012c")))),
    fault("client-servers-never-filled", "3.1.7.1-01 3.1.5.2-30 3.1.6.1-05", "The server list stays.",
        storing(SERVERS, old)),
    fault("client-appends-servers", "3.1.7.1-02", "The server list grows.",
        storing(SERVERS, lambda old, new: old + new)),
    fault("client-servers-twice", "3.1.5.2-18 3.1.7.1-03", "Each server is listed twice.",
        storing(SERVERS, lambda _, new: new * 2)),
    fault("client-ipx-servers-left-out", "3.1.7.1-05", "Servers that speak IPX only are not listed.",
        following(protocol_flags=ProtocolFlags.REACHABLE_NAMES)),
    fault("client-four-connected-networks", "3.1.7.2-03", "It has room for four connected networks.",
        storing(NETWORKS, lambda _, new: new[:4])),
    fault("client-networks-by-first-8", "3.1.7.2-03",
        "Connected networks that agree in their first 8 octets count as one.",
        storing(NETWORKS, lambda _, new: tuple({guid[:8]: guid for guid in new}.values()))),
    fault("client-networks-never-filled", "3.1.7.2-03 3.1.7.2-01 3.1.6.1-06 3.1.5.2-31", "The list of networks stays.",
        storing(NETWORKS, old)),
    fault("client-appends-networks", "3.1.7.2-02", "The list of networks grows.",
        storing(NETWORKS, lambda old, new: old + new)),
    fault("client-networks-twice", "3.1.5.2-19 3.1.7.2-03", "Each connected network is listed twice.",
        storing(NETWORKS, lambda _, new: new * 2)),
)  # fmt: skip
