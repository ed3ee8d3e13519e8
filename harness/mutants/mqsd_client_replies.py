"""Clients that heed wrong replies, or do the wrong thing with right ones (MS-MQSD 3.1.5.2, 3.1.7)."""

import struct
from collections.abc import Sequence
from dataclasses import replace

from mqconform.harness.builtin.discovery_client import ReferenceDiscoveryClient
from mqconform.harness.iut import Json
from mqconform.harness.mutants.mqsd_client_mutant import (
    ClientMutant,
    Reaction,
    SpoilingClient,
    doing,
    following,
    hearing,
)
from mqconform.reference.mqsd.client import UNDISPUTED, ClientState, Complete, DatagramReceived, Effect, Event, Result
from mqconform.reference.mqsd.client.readings_of_replies import (
    ForeignReplyStored,
    GrossError,
    ProtocolFlags,
    RequestAsReply,
)
from mqconform.reference.mqsd.client.received_reply import has_gross_error
from mqconform.reference.mqsd.reply import REPLY_SIZE

COUNT, SIZE = 20, 28
PLAUSIBLE = 0x10000
"""Numbers from here on are taken for big-endian ones."""


class CrashesOnMalformed(ReferenceDiscoveryClient):
    """Reads past the end of what it receives."""

    def receive(self, network: str, datagram: str) -> Json:
        """Fall over a reply that is cut."""
        if has_gross_error(bytes.fromhex(datagram)):
            raise IndexError("read past the end of the datagram")
        return super().receive(network, datagram)


class KeepsFlags(ReferenceDiscoveryClient):
    """Lists names with the two flags before them."""

    def receive(self, network: str, datagram: str) -> Json:
        """Take the flags for a part of the name."""
        octets = bytes.fromhex(datagram)
        if len(octets) < REPLY_SIZE or not int.from_bytes(octets[SIZE:REPLY_SIZE], "little"):
            return super().receive(network, datagram)
        count, size = (int.from_bytes(octets[at : at + 4], "little") for at in (COUNT, SIZE))
        array = REPLY_SIZE + 16 * (count + 1)
        if len(octets) != array + size:
            return super().receive(network, datagram)
        names = octets[array:].decode("utf-16-le", "surrogatepass")
        longer = ",".join(f"11{one}" for one in names.split(",")).encode("utf-16-le", "surrogatepass")
        told = octets[:SIZE] + struct.pack("<I", len(longer)) + octets[REPLY_SIZE:array] + longer
        return super().receive(network, told.hex())


def _from_any_network(client: ClientState, event: Event) -> Event:
    if isinstance(event, DatagramReceived) and client.current_network:
        return replace(event, network=client.current_network.address)
    return event


def _to_any_request(client: ClientState, event: Event) -> Event:
    if isinstance(event, DatagramReceived) and client.request_id:
        octets = event.datagram
        return replace(event, datagram=octets[:4] + client.request_id + octets[20:])
    return event


def _big_endian(client: ClientState, event: Event) -> Event:
    """Take a number that is far too large for one in big-endian order."""
    del client
    if not isinstance(event, DatagramReceived) or len(event.datagram) < REPLY_SIZE:
        return event
    octets = event.datagram
    for at in (COUNT, SIZE):
        number = octets[at : at + 4]
        if int.from_bytes(number, "little") >= PLAUSIBLE:
            octets = octets[:at] + number[::-1] + octets[at + 4 :]
    return replace(event, datagram=octets)


def _deaf_to(*, foreign: bool, local: bool) -> type[SpoilingClient]:
    def hears(client: ClientState, event: Event) -> Event:
        del client
        if isinstance(event, DatagramReceived):
            lists = bool(event.datagram[SIZE:REPLY_SIZE].strip(b"\0"))
            if (lists and foreign) or (not lists and local):
                return replace(event, network="")
        return event

    class Deaf(SpoilingClient):
        def __init__(self) -> None:
            super().__init__(hears=hears)

    return Deaf


def _keeps_first(before: ClientState, after: ClientState) -> bool:
    return after.last_topology_server_reply is not None and before.last_topology_server_reply is None


def _stops_at_first_foreign(
    before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]
) -> Reaction:
    """Be content with the first reply that lists servers, whatever networks are left."""
    if isinstance(event, DatagramReceived) and _keeps_first(before, after) and not after.on_last_network:
        return replace(after, in_progress=False, wait_for_response_timer=None), [Complete(Result.SUCCESS)]
    return after, effects


class GoesOnAtFirstForeign(ReferenceDiscoveryClient):
    """Does not wait for a second reply that lists servers."""

    def receive(self, network: str, datagram: str) -> Json:
        """Take the first such reply for the second."""
        before = self.client
        answer = super().receive(network, datagram)
        kept = before is not None and self.client is not None and _keeps_first(before, self.client)
        if not kept or answer["effects"] or self.client is None or self.client.on_last_network:
            return answer
        self.client = replace(self.client, wait_for_response_timer=self.now)
        return super().advance_clock(0)


def _second_foreign_ignored(
    before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]
) -> Reaction:
    kept = before.last_topology_server_reply is not None and not before.last_topology_server_reply.local
    foreign = isinstance(event, DatagramReceived) and any(event.datagram[SIZE:REPLY_SIZE])
    return (before, ()) if kept and foreign and effects else (after, effects)


def _appends(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    del event
    if after.directory_server_list != before.directory_server_list:
        servers = before.directory_server_list + after.directory_server_list
        return replace(after, directory_server_list=servers), effects
    return after, effects


def _appends_networks(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    del event
    if after.connected_network_identifier_list != before.connected_network_identifier_list:
        networks = before.connected_network_identifier_list + after.connected_network_identifier_list
        return replace(after, connected_network_identifier_list=networks), effects
    return after, effects


def _networks_never_filled(
    before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]
) -> Reaction:
    del event
    kept = before.connected_network_identifier_list
    return replace(after, connected_network_identifier_list=kept), effects


def _first_name_only(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    del before, event
    return replace(after, directory_server_list=after.directory_server_list[:1]), effects


def _address_never_noted(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    del before, event
    return replace(after, last_successful_network_address=None), effects


def _flag_never_set(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    del before, event
    return replace(after, valid_last_successful_network_address=False), effects


MUTANTS = (
    ClientMutant(
        "client-heeds-other-networks",
        "A reply from any network counts.",
        hearing(_from_any_network),
        ("MQSD-3.1.5.2-01",),
    ),
    ClientMutant(
        "client-heeds-other-ids",
        "A reply to any request counts.",
        hearing(_to_any_request),
        ("MQSD-3.1.5.2-03",),
    ),
    ClientMutant(
        "client-reads-big-endian",
        "Big-endian numbers are understood.",
        hearing(_big_endian),
        ("MQSD-3.1.5.2-02",),
    ),
    ClientMutant(
        "client-heeds-cut-replies",
        "A reply that is cut is processed.",
        following(replace(UNDISPUTED, gross_error=GrossError.ACCEPTED)),
        ("MQSD-3.1.5.2-02",),
    ),
    ClientMutant(
        "client-heeds-requests",
        "A packet of Type 1 is taken for a reply.",
        following(replace(UNDISPUTED, request_as_reply=RequestAsReply.ACTED_UPON)),
        ("MQSD-3.1.5.2-02",),
    ),
    ClientMutant(
        "client-crashes-on-cut-replies",
        "It falls over a reply that is cut.",
        CrashesOnMalformed,
        ("MQSD-3.1.5.2-02",),
    ),
    ClientMutant("client-deaf", "No reply counts.", _deaf_to(foreign=True, local=True), ("MQSD-3.1.5.2-04",)),
    ClientMutant(
        "client-deaf-to-own-site",
        "A reply from the own site does not count.",
        _deaf_to(foreign=False, local=True),
        ("MQSD-3.1.5.2-14", "MQSD-3.1.5.2-06"),
    ),
    ClientMutant(
        "client-deaf-to-other-sites",
        "A reply from another site does not count.",
        _deaf_to(foreign=True, local=False),
        ("MQSD-3.1.5.2-28",),
    ),
    ClientMutant(
        "client-stops-at-first-foreign",
        "A first reply from another site completes the event on any network.",
        doing(_stops_at_first_foreign),
        ("MQSD-3.1.5.2-21", "MQSD-3.1.5.2-27"),
    ),
    ClientMutant(
        "client-goes-on-at-first-foreign",
        "A first reply from another site leads to the next network at once.",
        GoesOnAtFirstForeign,
        ("MQSD-3.1.5.2-21", "MQSD-3.1.5.2-26", "MQSD-3.1.5.2-27"),
    ),
    ClientMutant(
        "client-second-foreign-ignored",
        "A second reply from another site has no effect.",
        doing(_second_foreign_ignored),
        ("MQSD-3.1.5.2-12",),
    ),
    ClientMutant(
        "client-last-foreign-kept",
        "The last reply from another site supplies the lists.",
        following(replace(UNDISPUTED, foreign_reply_stored=ForeignReplyStored.LAST)),
        ("MQSD-3.1.5.2-22",),
    ),
    ClientMutant("client-keeps-flags", "Names keep their flags.", KeepsFlags, ("MQSD-3.1.7.1-04",)),
    ClientMutant("client-appends-servers", "The server list grows.", doing(_appends), ("MQSD-3.1.7.1-02",)),
    ClientMutant(
        "client-appends-networks",
        "The list of networks grows.",
        doing(_appends_networks),
        ("MQSD-3.1.7.2-02",),
    ),
    ClientMutant(
        "client-networks-never-filled",
        "The list of networks stays.",
        doing(_networks_never_filled),
        ("MQSD-3.1.7.2-03", "MQSD-3.1.7.2-01", "MQSD-3.1.6.1-06", "MQSD-3.1.5.2-31"),
    ),
    ClientMutant(
        "client-first-name-only",
        "Only the first server is listed.",
        doing(_first_name_only),
        ("MQSD-3.1.7.1-03",),
    ),
    ClientMutant(
        "client-ipx-servers-left-out",
        "Servers that speak IPX only are not listed.",
        following(replace(UNDISPUTED, protocol_flags=ProtocolFlags.REACHABLE_NAMES)),
        ("MQSD-3.1.7.1-05",),
    ),
    ClientMutant(
        "client-network-not-noted",
        "The last successful network is not noted.",
        doing(_address_never_noted),
        ("MQSD-3.1.5.2-07", "MQSD-3.1.5.2-16", "MQSD-3.1.5.2-24", "MQSD-3.1.5.2-32"),
    ),
    ClientMutant(
        "client-success-not-noted",
        "No last successful network is ever known.",
        doing(_flag_never_set),
        ("MQSD-3.1.5.2-08", "MQSD-3.1.5.2-17", "MQSD-3.1.5.2-25", "MQSD-3.1.5.2-33"),
    ),
)
