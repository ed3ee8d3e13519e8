"""Clients that heed wrong replies, or take wrong things from right ones (MS-MQSD 3.1.5.2, 3.1.7)."""

from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mqsd_client.altered_client import (
    SIZE,
    ClientFactory,
    Reaction,
    client,
    following,
    hearing,
    reacting,
    storing,
)
from mqconform.harness.iut.mutants.mutant import altered
from mqconform.harness.iut.reference_iut.discovery_client import ReferenceDiscoveryClient
from mqconform.reference.mqsd.client import ClientState, Complete, DatagramReceived, Result
from mqconform.reference.mqsd.client.readings_of_replies import GrossError, ProtocolFlags, RequestAsReply
from mqconform.reference.mqsd.client.received_reply import has_gross_error
from mqconform.reference.mqsd.messages import REPLY

COUNT = REPLY["ConnectedNetworkCount"]
PLAUSIBLE = 0x10000
"""Numbers from here on are taken for big-endian ones."""
REPLY_RULE = ("MQSD-3.1.5.2-02",)


def _falls_over(_: ClientState, event: DatagramReceived) -> DatagramReceived:
    if has_gross_error(event.datagram):
        raise IndexError("read past the end of the datagram")
    return event


def _with_list(event: DatagramReceived, change: Callable[[str], str]) -> DatagramReceived:
    """Return the event with another text for the server list of a reply that is as long as it says."""
    octets, size = event.datagram, SIZE.number(event.datagram)
    if len(octets) < REPLY.size or not size or len(octets) != REPLY.length(octets):
        return event
    array = len(octets) - size
    listed = change(octets[array:].decode("utf-16-le", "surrogatepass")).encode("utf-16-le", "surrogatepass")
    return replace(event, datagram=SIZE.put_number(octets[:array], len(listed)) + listed)


def _names_with_flags(_: ClientState, event: DatagramReceived) -> DatagramReceived:
    """Put flags before the flags of each name, so that the second pair is taken for a part of the name."""
    return _with_list(event, lambda names: ",".join(f"11{name}" for name in names.split(",")))


def _of_one_network(_: ClientState, event: DatagramReceived) -> DatagramReceived:
    longer = len(event.datagram) > REPLY.size + 16 and not SIZE.number(event.datagram)
    return replace(event, network="") if longer else event


def _from_any_network(client: ClientState, event: DatagramReceived) -> DatagramReceived:
    return replace(event, network=client.current_network.address) if client.current_network else event


def _to_any_request(client: ClientState, event: DatagramReceived) -> DatagramReceived:
    if client.request_id is None:
        return event
    return replace(event, datagram=REPLY["CorrelationID"].put(event.datagram, client.request_id))


def _to_request_alike_at_its_end(client: ClientState, event: DatagramReceived) -> DatagramReceived:
    correlation = REPLY["CorrelationID"].place
    alike = client.request_id is not None and event.datagram[correlation][8:] == bytes(client.request_id)[8:]
    return _to_any_request(client, event) if alike else event


def _big_endian(_: ClientState, event: DatagramReceived) -> DatagramReceived:
    """Take a number that is far too large for one in big-endian order."""
    octets = event.datagram
    for number in (COUNT, SIZE) if len(octets) >= REPLY.size else ():
        if number.number(octets) >= PLAUSIBLE:
            octets = number.put(octets, octets[number.place][::-1])
    return replace(event, datagram=octets)


def _deaf_where(deaf: Callable[[bool], bool]) -> ClientFactory:
    """Return the factory of a client that is deaf to replies by whether they list servers."""

    def hears(_: ClientState, event: DatagramReceived) -> DatagramReceived:
        return replace(event, network="") if deaf(any(event.datagram[SIZE.place])) else event

    return hearing(hears)


def _stops_at_first_foreign(reaction: Reaction) -> Reaction:
    """Be content with the first reply that lists servers, although networks are left."""
    if reaction.to_datagram and reaction.keeps_reply and not reaction.after.on_last_network:
        return reaction.leaving(in_progress=False, wait_for_response_timer=None).doing(Complete(Result.SUCCESS))
    return reaction


def _goes_on_at_first_foreign(self: ReferenceDiscoveryClient, network: str, datagram: str) -> Json:
    """Take the first reply that lists servers for the second."""
    before = self.client
    answer = ReferenceDiscoveryClient.receive(self, network, datagram)
    after = self.client
    if before is None or after is None or answer["effects"] or after.on_last_network:
        return answer
    if before.last_topology_server_reply is not None or after.last_topology_server_reply is None:
        return answer
    self.client = replace(after, wait_for_response_timer=self.now)
    return ReferenceDiscoveryClient.advance_clock(self, 0)


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


def _up_to_first_null(_: ClientState, event: DatagramReceived) -> DatagramReceived:
    """Read the names up to the first null."""
    return _with_list(event, lambda names: names.partition("\0")[0] + "\0")


def _second_foreign_ignored(reaction: Reaction) -> Reaction:
    stored = reaction.before.last_topology_server_reply
    second = stored is not None and not stored.local and reaction.to_reply_of_another_site
    return reaction.undone() if second and reaction.effects else reaction


def _second_of_site_ignored(reaction: Reaction) -> Reaction:
    stored, event = reaction.before.last_topology_server_reply, reaction.event
    if stored is None or stored.local or not (isinstance(event, DatagramReceived) and reaction.effects):
        return reaction
    listed = reaction.to_reply_of_another_site
    return reaction.undone() if listed and _site_of(event.datagram) == _site_of(stored.octets) else reaction


def _site_of(reply: bytes) -> bytes:
    """Return the octets of RespondingSiteID."""
    end = len(reply) - SIZE.number(reply)
    return reply[end - 16 : end]


def _first_foreign_lost(reaction: Reaction) -> Reaction:
    """Count the reply and wait, and keep nothing of it."""
    return (
        reaction.leaving(last_topology_server_reply=None) if reaction.keeps_reply and not reaction.sends else reaction
    )


MUTANTS = (
    client(
        "client-heeds-other-networks",
        "A reply from any network counts.",
        hearing(_from_any_network),
        ("MQSD-3.1.5.2-01",),
    ),
    client("client-heeds-other-ids", "A reply to any request counts.", hearing(_to_any_request), ("MQSD-3.1.5.2-03",)),
    client(
        "client-heeds-ids-alike-at-the-end",
        "A reply to any request counts whose id ends in the same eight octets.",
        hearing(_to_request_alike_at_its_end),
        ("MQSD-3.1.5.2-03",),
    ),
    client("client-reads-big-endian", "Big-endian numbers are understood.", hearing(_big_endian), REPLY_RULE),
    client(
        "client-heeds-cut-replies",
        "A reply that is cut is processed.",
        following(gross_error=GrossError.ACCEPTED),
        REPLY_RULE,
    ),
    client(
        "client-heeds-requests",
        "A packet of Type 1 is taken for a reply.",
        following(request_as_reply=RequestAsReply.ACTED_UPON),
        REPLY_RULE,
    ),
    client("client-crashes-on-cut-replies", "It falls over a reply that is cut.", hearing(_falls_over), REPLY_RULE),
    client("client-deaf", "No reply counts.", _deaf_where(lambda _: True), ("MQSD-3.1.5.2-04",)),
    client(
        "client-deaf-to-own-site",
        "A reply from the own site does not count.",
        _deaf_where(lambda lists_servers: not lists_servers),
        ("MQSD-3.1.5.2-14", "MQSD-3.1.5.2-04", "MQSD-3.1.5.2-06"),
    ),
    client(
        "client-deaf-to-own-networks",
        "A reply from the own site does not count if it lists more than one network.",
        hearing(_of_one_network),
        ("MQSD-3.1.5.2-14", "MQSD-3.1.5.2-04", "MQSD-3.1.5.2-06"),
    ),
    client(
        "client-deaf-to-other-sites",
        "A reply from another site does not count.",
        _deaf_where(lambda lists_servers: lists_servers),
        ("MQSD-3.1.5.2-21",),
    ),
    client(
        "client-stops-at-first-foreign",
        "A first reply from another site completes the event on any network.",
        reacting(_stops_at_first_foreign),
        ("MQSD-3.1.5.2-21", "MQSD-3.1.5.2-27"),
    ),
    client(
        "client-goes-on-at-first-foreign",
        "A first reply from another site leads to the next network at once.",
        altered(ReferenceDiscoveryClient, receive=_goes_on_at_first_foreign),
        ("MQSD-3.1.5.2-21", "MQSD-3.1.5.2-26", "MQSD-3.1.5.2-27"),
    ),
    client(
        "client-second-foreign-ignored",
        "A second reply from another site has no effect.",
        reacting(_second_foreign_ignored),
        ("MQSD-3.1.5.2-12", "MQSD-3.1.5.2-28"),
    ),
    client(
        "client-second-of-its-site-ignored",
        "A second reply from the site of the first has no effect.",
        reacting(_second_of_site_ignored),
        ("MQSD-3.1.5.2-12", "MQSD-3.1.5.2-28"),
    ),
    client(
        "client-reads-a-kilobyte",
        "Of a datagram the first 1,024 octets are read.",
        hearing(lambda _, event: replace(event, datagram=event.datagram[:1024])),
        ("MQSD-3.1.5.2-21",),
    ),
    client(
        "client-first-foreign-not-kept",
        "The first reply from another site is not kept.",
        reacting(_first_foreign_lost),
        ("MQSD-3.1.5.2-22",),
    ),
    client("client-keeps-flags", "Names keep their flags.", hearing(_names_with_flags), ("MQSD-3.1.7.1-04",)),
    client("client-wraps-in-32-bits", "Sizes wrap in 32 bits.", hearing(_wrapping), REPLY_RULE),
    client("client-stops-at-null", "Names end with the first null.", hearing(_up_to_first_null), ("MQSD-3.1.7.1-03",)),
    client(
        "client-sixteen-servers",
        "It has room for sixteen servers.",
        storing("directory_server_list", lambda _, new: new[:16]),
        ("MQSD-3.1.7.1-03",),
    ),
    client(
        "client-splits-octets",
        "Octets are split where characters should be: U+012C is taken for a comma.",
        storing("directory_server_list", lambda _, new: tuple(part for name in new for part in name.split("\u012c"))),
        ("MQSD-3.1.7.1-03",),
    ),
    client(
        "client-four-connected-networks",
        "It has room for four connected networks.",
        storing("connected_network_identifier_list", lambda _, new: new[:4]),
        ("MQSD-3.1.7.2-03",),
    ),
    client(
        "client-networks-by-first-8",
        "Connected networks that agree in their first 8 octets count as one.",
        storing("connected_network_identifier_list", lambda _, new: tuple({guid[:8]: guid for guid in new}.values())),
        ("MQSD-3.1.7.2-03",),
    ),
    client(
        "client-appends-servers",
        "The server list grows.",
        storing("directory_server_list", lambda old, new: new if new == old else old + new),
        ("MQSD-3.1.7.1-02",),
    ),
    client(
        "client-appends-networks",
        "The list of networks grows.",
        storing("connected_network_identifier_list", lambda old, new: new if new == old else old + new),
        ("MQSD-3.1.7.2-02",),
    ),
    client(
        "client-networks-never-filled",
        "The list of networks stays.",
        storing("connected_network_identifier_list", lambda old, _: old),
        ("MQSD-3.1.7.2-03", "MQSD-3.1.7.2-01", "MQSD-3.1.6.1-06", "MQSD-3.1.5.2-31"),
    ),
    client(
        "client-first-name-only",
        "Only the first server is listed.",
        storing("directory_server_list", lambda _, new: new[:1]),
        ("MQSD-3.1.7.1-03",),
    ),
    client(
        "client-ipx-servers-left-out",
        "Servers that speak IPX only are not listed.",
        following(protocol_flags=ProtocolFlags.REACHABLE_NAMES),
        ("MQSD-3.1.7.1-05",),
    ),
    client(
        "client-network-not-noted",
        "The last successful network is not noted.",
        storing("last_successful_network_address", lambda *_: None),
        ("MQSD-3.1.5.2-07", "MQSD-3.1.5.2-16", "MQSD-3.1.5.2-24", "MQSD-3.1.5.2-32"),
    ),
    client(
        "client-success-not-noted",
        "No last successful network is ever known.",
        storing("valid_last_successful_network_address", lambda *_: False),
        ("MQSD-3.1.5.2-08", "MQSD-3.1.5.2-17", "MQSD-3.1.5.2-25", "MQSD-3.1.5.2-33"),
    ),
    client(
        "client-servers-never-filled",
        "The server list stays.",
        storing("directory_server_list", lambda old, _: old),
        ("MQSD-3.1.7.1-01", "MQSD-3.1.5.2-30", "MQSD-3.1.6.1-05"),
    ),
    client(
        "client-servers-twice",
        "Each server is listed twice.",
        storing("directory_server_list", lambda old, new: new if new == old else new * 2),
        ("MQSD-3.1.5.2-18", "MQSD-3.1.7.1-03"),
    ),
    client(
        "client-networks-twice",
        "Each connected network is listed twice.",
        storing("connected_network_identifier_list", lambda old, new: new if new == old else new * 2),
        ("MQSD-3.1.5.2-19", "MQSD-3.1.7.2-03"),
    ),
)
