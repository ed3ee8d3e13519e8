"""Datagrams of discovery, judged: from compiled loops to the columns of a row (MS-MQSD 2.2)."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Int64s, Masks, Octets
from mqconform.reference.mqsd.audit import packet_scan as packet
from mqconform.reference.mqsd.audit.bulk_conversations import COMPLETE, FOLLOWED, HAS_ID, HAS_SITE, LISTS
from mqconform.reference.mqsd.audit.bulk_packets import (
    FAIL,
    INCONCLUSIVE,
    RULES,
    Packets,
    Verdicts,
    judge_packets,
)
from mqconform.reference.mqsd.audit.conversation_rules import ConversationRule
from mqconform.reference.mqsd.audit.wire_rules import WIRE_RULES, Direction, Message, Rule
from mqconform.reference.mqsd.foreign import HEADER, foreign_packet
from mqconform.reference.mqsd.server import DiscoveryServer
from mqconform.reference.mqsd.specification import FACTS
from mqconform.reports.pipeline.arrow_columns import address_texts, identifiers, runs, words
from mqconform.reports.pipeline.captures.bulk_datagrams import Datagrams
from mqconform.reports.pipeline.captures.bulk_records import NO_TIME
from mqconform.reports.shapes import columns

PROFILES: Final = ("must", "default", "strict", "windows")
VERDICTS: Final = ("none", "pass", "inconclusive", "fail")
"""Verdicts in rising order, as everywhere in this project, by weight; ``none`` is what could not be judged."""


@cache
def _register() -> dict[tuple[str, str], dict[str, str]]:
    folder = files("mqconform.features").joinpath("requirements", "ambiguities")
    verdicts = {}
    for file in folder.iterdir():
        if not file.name.endswith(".toml"):
            continue
        for entry in tomllib.loads(file.read_text(encoding="utf-8"))["ambiguity"]:
            for reading in entry.get("reading", ()):
                verdicts[entry["id"], reading["id"]] = reading["verdict"]
    return verdicts


def weights_of(rules: Iterable[Rule | ConversationRule], profile: str) -> Octets:
    """Return for each rule what a finding weighs: 1 pass, 2 inconclusive, 3 fail; 0 where there is no such rule.

    What a capture cannot show is inconclusive in every profile.
    """
    weights = np.zeros(RULES, np.uint8)
    for rule in rules:
        weights[rule] = FAIL if rule.reading is None else VERDICTS.index(_register()[rule.reading][profile])
        if isinstance(rule, ConversationRule) and rule.undecided:
            weights[rule] = INCONCLUSIVE
    return weights


MESSAGES: Final = ("unknown", "request", "reply", "foreign")
FOREIGN: Final = MESSAGES.index("foreign")
RULE_NAMES: Final = tuple("" if rule is Rule.NONE else rule.name.lower().replace("_", "-") for rule in Rule)
_REQUIREMENTS: Final = [rule.requirement for rule in Rule]
_FIELDS: Final = [rule.field for rule in Rule]
_VERDICT_OF_WEIGHT: Final = np.array([1, 1, 2, 3], np.uint8)
"""For each weight of the deciding finding the place of the verdict in ``VERDICTS``."""

JUDGED: Final = columns(
    "message id:binary site:binary enterprise:int64 shown:int32 verdict rule requirement field field_offset:int32 "
    "field_length:int32 rules:int64"
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

    def directions(self, source_ports: Any, destination_ports: Any) -> Octets:
        """Return the value of ``Direction`` for ports, or arrays of them: by which of them are servers'."""
        flags = self.port_flags()
        from_server, to_server = flags[source_ports], flags[destination_ports]
        values: Octets = ((from_server != to_server) * (1 + from_server)).astype(np.uint8)
        return values


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
    values: list[Any] = [
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
    return dict(zip(JUDGED.names, values, strict=True))


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
    directions = settings.directions(datagrams.source_port, datagrams.destination_port)
    foreign = _foreign(octets, datagrams, directions == Direction.TO_SERVER)
    judged = (datagrams.captured == datagrams.length) & ~foreign
    rows = np.flatnonzero(judged)
    packets = Packets(
        octets,
        datagrams.start[rows],
        datagrams.length[rows],
        directions[rows],
        known_servers(settings.facts, datagrams.source[rows]),
    )
    weights = np.frombuffer(weights_of(WIRE_RULES, settings.profile).tobytes(), np.uint8)  # read-only, as the octets
    whole = judge_packets(packets, weights, [host.server for host in settings.facts])
    verdicts = Verdicts(*(np.zeros(len(judged), column.dtype) for column in whole))
    for name in Verdicts._fields:
        getattr(verdicts, name)[rows] = getattr(whole, name)
    verdicts.message[foreign] = FOREIGN
    cut = np.flatnonzero(~judged & ~foreign & (datagrams.captured >= 2))
    kinds = octets[datagrams.start[cut] + 1]
    verdicts.message[cut] = np.where(kinds <= int(Message.REPLY), kinds, 0)
    return verdicts, judged


def _foreign(octets: Octets, datagrams: Datagrams, to_server: Flags) -> Flags:
    """Return which datagrams are none of MS-MQSD; only those without the header of a message are looked at closely."""
    foreign = np.zeros(len(datagrams.start), np.bool_)
    starts, captured = datagrams.start, datagrams.captured
    usual = captured >= len(HEADER)
    for place, expected in HEADER:
        usual[usual] &= np.isin(octets[starts[usual] + place], expected)
    for row in np.flatnonzero(~usual & (captured == datagrams.length)):
        payload = octets[starts[row] : starts[row] + captured[row]].tobytes()
        foreign[row] = bool(foreign_packet(payload, to_server=bool(to_server[row])))
    return foreign


PACKET, FRAGMENT, PROBLEM, COUNTS = "packet", "fragment", "problem", "counts"
"""What a row is."""
OCTETS: Final = 2_048
"""Octets that are kept of the payload of a packet with a failure or a doubt."""

ROWS: Final = pa.schema(
    [
        *columns("kind file frame:int64 offset:int64 time nanoseconds:int64", time=pa.timestamp("us", "UTC")),
        *columns("source source_port:int32 destination destination_port:int32 identification:int32 length:int32"),
        *JUDGED,
        *columns("octets:binary problem"),
        ("fragment", pa.struct(columns("key:binary at:int32 more:bool"))),
        ("counts", pa.map_(pa.string(), pa.int64())),
    ]
)
"""One row for each datagram on a port of discovery, fragment of one, run of octets that could not be read, and for each
part of a file; ``kind`` says which.

``file``, ``offset`` and ``frame`` say where it was captured, ``time`` and ``nanoseconds`` (since 1970) when, null where
the capture has no time. ``identification`` is of IPv4. ``length`` is the payload length in the UDP header; where octets
could not be read (``problem``), their number. ``octets`` has the beginning of the payload of a packet whose verdict is
fail or inconclusive, and all of a fragment. ``counts`` has the frames of a part of a file by what they are, its octets,
and 1 as ``files`` if the part is the first.
"""


class Where(NamedTuple):
    """Where packets stand in their capture; one entry of each array for one packet."""

    frame: Int64s
    offset: Int64s
    time: Int64s


def packet_rows(file: str, octets: Octets, where: Where, datagrams: Datagrams, settings: Settings) -> pa.RecordBatch:
    """Return datagrams in some octets, judged, as rows of ``ROWS``."""
    judged = judged_columns(octets, datagrams, settings)
    verdict = judged["verdict"].to_numpy(zero_copy_only=False)
    not_passed = (verdict == "fail") | (verdict == "inconclusive")
    rows = len(not_passed)
    filled = judged | {
        "kind": pa.repeat(pa.scalar(PACKET, pa.string()), rows),
        "file": pa.repeat(pa.scalar(file, pa.string()), rows),
        "frame": pa.array(where.frame),
        "offset": pa.array(where.offset),
        "time": pa.array(where.time // 1_000, mask=where.time == NO_TIME).cast(ROWS.field("time").type),
        "nanoseconds": pa.array(where.time, mask=where.time == NO_TIME),
        **{name: address_texts(getattr(datagrams, name)) for name in ("source", "destination")},
        **{name: pa.array(getattr(datagrams, name)) for name in ("source_port", "destination_port", "length")},
        "identification": pa.array(datagrams.identification.astype(np.int32), mask=datagrams.identification < 0),
        "octets": runs(octets, datagrams.start, np.minimum(datagrams.captured, OCTETS), not_passed),
    }
    return pa.RecordBatch.from_arrays(
        [filled[field.name] if field.name in filled else pa.nulls(rows, field.type) for field in ROWS], schema=ROWS
    )


def problem_row(file: str, offset: int, length: int, frame: int | None, problem: str) -> dict[str, Any]:
    """Return the row of octets that could not be read."""
    return {"kind": PROBLEM, "file": file, "offset": offset, "frame": frame, "length": length, "problem": problem}


def counts_row(file: str, counts: Mapping[str, int]) -> dict[str, Any]:
    """Return the row of what was counted in a part of a file."""
    return {"kind": COUNTS, "file": file, "counts": list(counts.items())}


def batch_of(rows: Iterable[Mapping[str, Any]]) -> pa.RecordBatch:
    """Return some of these rows as a batch."""
    empty = dict.fromkeys(ROWS.names)
    return pa.RecordBatch.from_pylist([empty | dict(row) for row in rows], ROWS)
