"""Datagrams of discovery, judged: from compiled loops to the columns of a row (MS-MQSD 2.2)."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Masks, Octets
from mqconform.reference.mqsd.audit import packet_octets as packet
from mqconform.reference.mqsd.audit.bulk_exchange import COMPLETE, FOLLOWED, HAS_ID, HAS_SITE, LISTS
from mqconform.reference.mqsd.audit.bulk_packets import Packets, Verdicts, judge_packets
from mqconform.reference.mqsd.audit.wire_rules import Direction, Message, Rule
from mqconform.reference.mqsd.foreign import HEADER, foreign_packet
from mqconform.reference.mqsd.server import DiscoveryServer
from mqconform.reference.mqsd.specification import FACTS
from mqconform.reports.pipeline.arrow_columns import identifiers, words
from mqconform.reports.pipeline.captures.bulk_datagrams import Datagrams
from mqconform.reports.pipeline.captures.weights import VERDICTS, wire_weights

MESSAGES: Final = ("unknown", "request", "reply", "foreign")
FOREIGN: Final = MESSAGES.index("foreign")
RULE_NAMES: Final = tuple("" if rule is Rule.NONE else rule.name.lower().replace("_", "-") for rule in Rule)
_REQUIREMENTS: Final = [rule.requirement for rule in Rule]
_FIELDS: Final = [rule.field for rule in Rule]
_VERDICT_OF_WEIGHT: Final = np.array([1, 1, 2, 3], np.uint8)
"""For each weight of the deciding finding the place of the verdict in ``VERDICTS``."""

JUDGED: Final = pa.schema(
    [
        ("message", pa.string()),
        ("id", pa.binary()),
        ("site", pa.binary()),
        ("enterprise", pa.int64()),
        ("shown", pa.int32()),
        ("verdict", pa.string()),
        ("rule", pa.string()),
        ("requirement", pa.string()),
        ("field", pa.string()),
        ("field_offset", pa.int32()),
        ("field_length", pa.int32()),
        ("rules", pa.int64()),
    ]
)
"""What a judged datagram has; docs/audit-captures.md says what the columns mean."""


class HostFacts(NamedTuple):
    """How a server is configured, and which server that is."""

    address: tuple[int, int] | None
    """The address as two numbers, IPv4 as mapped into IPv6; None for every server."""
    server: DiscoveryServer


class Settings(NamedTuple):
    """By what datagrams are judged."""

    profile: str = "default"
    facts: tuple[HostFacts, ...] = ()
    ports: tuple[int, ...] = (FACTS.udp_port,)
    """UDP ports on which servers listen."""

    def port_flags(self) -> Flags:
        """Return 65,536 flags, set for the ports of servers."""
        flags = np.zeros(2**16, np.bool_)
        flags[list(self.ports)] = True
        return flags


def known_servers(facts: Sequence[HostFacts], addresses: Masks) -> Int32s:
    """Return for each address, of two numbers, which of some facts are about it; -1 where none are."""
    numbers = np.full(len(addresses), -1, np.int32)
    for number, host in enumerate(facts):
        if host.address is None:
            numbers[numbers < 0] = number
    for number, host in enumerate(facts):
        if host.address is not None:
            high, low = host.address
            numbers[(addresses[:, 0] == np.uint64(high)) & (addresses[:, 1] == np.uint64(low))] = number
    return numbers


def judged_columns(octets: Octets, datagrams: Datagrams, settings: Settings) -> dict[str, pa.Array]:
    """Return the columns ``JUDGED`` of datagrams that lie in some octets."""
    verdicts, judged = _verdicts(octets, datagrams, settings)
    fields = _fields(octets, datagrams, verdicts.message)
    fields.flags[judged] |= COMPLETE
    has_rule = verdicts.rule > 0
    decided = np.where(judged, _VERDICT_OF_WEIGHT[verdicts.weight], 0)
    columns: list[Any] = [
        words(verdicts.message, MESSAGES),
        identifiers(fields.identifiers, (fields.flags & HAS_ID) != 0),
        identifiers(fields.sites, (fields.flags & HAS_SITE) != 0),
        pa.array(fields.enterprises.view(np.int64)),
        pa.array(fields.flags.astype(np.int32)),
        words(decided, VERDICTS),
        *(words(verdicts.rule, texts, has_rule) for texts in (RULE_NAMES, _REQUIREMENTS, _FIELDS)),
        pa.array(verdicts.offset, mask=~has_rule),
        pa.array(verdicts.length, mask=~has_rule),
        pa.array(verdicts.rules.view(np.int64)),
    ]
    return dict(zip(JUDGED.names, columns, strict=True))


class _Fields(NamedTuple):
    """By what requests and replies are matched (MS-MQSD 2.2.2, 2.2.3); identifiers are zeros where they are absent."""

    identifiers: Octets
    """RequestID or CorrelationID, 16 octets for each packet."""
    sites: Octets
    """SiteID or RespondingSiteID, 16 octets for each packet."""
    enterprises: Masks
    """The octets of EnterpriseID, mixed into one number."""
    flags: Octets
    """What the packet shows, as bits."""


def _fields(octets: Octets, datagrams: Datagrams, message: Octets) -> _Fields:
    """Return the fields of packets as far as they were captured."""
    rows, starts, captured = len(message), datagrams.start, datagrams.captured
    identifiers, sites = (np.zeros((rows, packet.GUID), np.uint8) for _ in range(2))
    fields = _Fields(identifiers, sites, np.zeros(rows, np.uint64), np.zeros(rows, np.uint8))

    def copy(into: Octets, flag: int, chosen: Any, at: Any) -> None:
        places = (starts[chosen] + at)[:, None] + np.arange(packet.GUID)
        into[chosen], fields.flags[chosen] = octets[places], fields.flags[chosen] | flag

    asked = np.flatnonzero((message == Message.REQUEST) & (captured >= packet.REQUEST_ID_AT + packet.GUID))
    copy(fields.identifiers, HAS_ID, asked, packet.REQUEST_ID_AT)
    enterprises = np.full(len(asked), 0xCBF29CE484222325, np.uint64)
    for place in range(packet.GUID):
        enterprises = (enterprises ^ octets[starts[asked] + packet.ENTERPRISE_AT + place]) * np.uint64(0x100000001B3)
    fields.enterprises[asked] = enterprises
    copy(fields.sites, HAS_SITE, asked[captured[asked] >= packet.REQUEST_SIZE], packet.SITE_ID_AT)
    replied = np.flatnonzero((message == Message.REPLY) & (captured >= packet.CORRELATION_AT + packet.GUID))
    copy(fields.identifiers, HAS_ID, replied, packet.CORRELATION_AT)
    replied = replied[captured[replied] >= packet.REPLY_SIZE]
    count, size = (_words(octets, starts[replied] + at) for at in (packet.COUNT_AT, packet.SIZE_AT))
    at = packet.NETWORKS_AT + packet.GUID * count
    behind, lists = captured[replied] - at, size != 0
    fields.flags[replied[lists]] |= LISTS
    for row, begin in zip(
        *(column[~lists & (behind >= packet.GUID)].tolist() for column in (replied, at)), strict=True
    ):
        rest = octets[starts[row] + begin : starts[row] + captured[row]]
        fields.flags[row] |= FOLLOWED if len(rest) == packet.GUID or rest.any() else 0
    has_site = (behind >= packet.GUID) & (lists | (behind == packet.GUID))
    copy(fields.sites, HAS_SITE, replied[has_site], at[has_site])
    return fields


def _words(octets: Octets, at: Any) -> Any:
    """Return the 32-bit integers at some places, low octet first."""
    return octets[at[:, None] + np.arange(4)].view("<u4").ravel().astype(np.int64)


def _verdicts(octets: Octets, datagrams: Datagrams, settings: Settings) -> tuple[Verdicts, Flags]:
    """Return verdicts, and which datagrams were judged; of one of which a part is missing, just what message it is."""
    foreign = _foreign(octets, datagrams)
    judged = (datagrams.captured == datagrams.length) & ~foreign
    rows = slice(None) if judged.all() else np.flatnonzero(judged)
    packets = Packets(
        octets,
        datagrams.start[rows],
        datagrams.length[rows],
        datagrams.direction[rows],
        known_servers(settings.facts, datagrams.source[rows]),
    )
    weights = np.frombuffer(wire_weights(settings.profile).tobytes(), np.uint8)  # read-only, as the octets
    whole = judge_packets(packets, weights, [host.server for host in settings.facts])
    if judged.all():
        return whole, judged
    verdicts = Verdicts(*(np.zeros(len(judged), column.dtype) for column in whole))
    for name in Verdicts._fields:
        getattr(verdicts, name)[rows] = getattr(whole, name)
    verdicts.message[foreign] = FOREIGN
    cut = np.flatnonzero(~judged & ~foreign & (datagrams.captured >= 2))
    kinds = octets[datagrams.start[cut] + 1]
    verdicts.message[cut] = np.where(kinds <= int(Message.REPLY), kinds, 0)
    return verdicts, judged


def _foreign(octets: Octets, datagrams: Datagrams) -> Flags:
    """Return which datagrams are none of MS-MQSD; only those without the header of a message are looked at closely."""
    foreign = np.zeros(len(datagrams.start), np.bool_)
    starts, captured = datagrams.start, datagrams.captured
    usual = captured >= len(HEADER)
    for place, expected in HEADER:
        usual[usual] &= np.isin(octets[starts[usual] + place], expected)
    for row in np.flatnonzero(~usual & (captured == datagrams.length)):
        payload = octets[starts[row] : starts[row] + captured[row]].tobytes()
        to_server = int(datagrams.direction[row]) == int(Direction.TO_SERVER)
        foreign[row] = bool(foreign_packet(payload, to_server=to_server))
    return foreign
