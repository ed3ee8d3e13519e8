"""Packets from DataFrame to DataFrame: datagrams judged, fragments put together and judged (MS-MQSD 2.2)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from mqconform.reference.mqbr.bulk_compiled import Flags, Octets
from mqconform.reports.pipeline.arrow_columns import address_numbers, integers, octets_of, whole
from mqconform.reports.pipeline.captures import bulk_datagrams as datagrams_of
from mqconform.reports.pipeline.captures import judging
from mqconform.reports.pipeline.captures.bulk_datagrams import Datagrams, read_udp, room_for
from mqconform.reports.pipeline.captures.bulk_records import NO_TIME
from mqconform.reports.pipeline.captures.reading import CONTRADICTION, Scan
from mqconform.reports.pipeline.entry import INTEGER, OCTETS, TEXT, check_entry, judge_groups

PATIENCE: Final = 60 * 10**9
"""Nanoseconds after which a fragment belongs to another datagram with the same number (RFC 1122 3.3.2)."""
IPV4: Final = 4
IPV4_KEY: Final = 34
"""Octets of the key of an IPv4 packet; that of an IPv6 one is two longer."""


class Fragment(NamedTuple):
    """A part of the payload of an IP packet."""

    key: bytes
    """Source, destination and number of the packet it is a part of."""
    time: int
    file: str
    offset: int
    """Where its record begins in the capture."""
    frame: int
    at: int
    """First octet of the part."""
    more: bool
    """Whether further parts follow behind it."""
    payload: bytes


class Whole(NamedTuple):
    """The payload of an IP packet, put together; ``last`` is the fragment that completed it."""

    key: bytes
    payload: bytes
    last: Fragment


class Broken(NamedTuple):
    """Fragments that make no whole packet."""

    fragments: tuple[Fragment, ...]
    reason: str


def put_together(fragments: Iterable[Fragment]) -> Iterator[Whole | Broken]:
    """Yield packets made whole, and what could not be; fragments of a packet follow one another in time."""
    group: list[Fragment] = []
    for fragment in fragments:
        if group and (group[0].key != fragment.key or fragment.time - group[0].time > PATIENCE):
            yield Broken(tuple(group), "fragments of this datagram are missing")
            group = []
        if any(other.at == fragment.at and other.payload == fragment.payload for other in group):
            continue  # the same fragment, captured twice
        end = fragment.at + len(fragment.payload)
        if any(other.at < end and fragment.at < other.at + len(other.payload) for other in group):
            yield Broken((*group, fragment), "fragments overlap")
            group = []
            continue
        group.append(fragment)
        payload = _joined(group)
        if payload is not None:
            yield Whole(fragment.key, payload, fragment)
            group = []
    if group:
        yield Broken(tuple(group), "fragments of this datagram are missing")


def _joined(fragments: Sequence[Fragment]) -> bytes | None:
    """Return the payload if all of it is there."""
    if all(fragment.more for fragment in fragments):
        return None
    parts, reached = [], 0
    for part in sorted(fragments, key=lambda fragment: fragment.at):
        if part.at != reached:
            return None
        parts.append(part.payload)
        reached += len(part.payload)
    return b"".join(parts) if reached <= MOST_OCTETS else None


def fragment_rows(scan: Scan, found: Datagrams, file: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of ``ROWS`` of fragments in a scan."""
    for row, frame in enumerate(found.frame.tolist()):
        start, field = int(found.start[row]), int(found.destination_port[row])
        is_ipv4 = found.source_port[row] == IPV4
        ends = np.append(found.source[row], found.destination[row]).astype(">u8").tobytes()
        time = int(scan.frames.times[frame])
        yield {
            "kind": judging.FRAGMENT,
            "file": file,
            "offset": scan.offset + int(scan.frames.records[frame]),
            "frame": scan.number + frame,
            "nanoseconds": None if time == NO_TIME else time,
            "octets": scan.octets[start : start + found.captured[row]].tobytes(),
            "fragment": {
                "key": ends + int(found.identification[row]).to_bytes(2 if is_ipv4 else 4, "big"),
                "at": (field & 0x1FFF) * 8 if is_ipv4 else field & 0xFFF8,
                "more": bool(field & (0x2000 if is_ipv4 else 1)),
            },
        }


def datagram_in(whole: Whole, ports: Flags) -> tuple[int, Octets, Datagrams]:
    """Return what a packet of IP is that was put together, its octets, and its datagram if it is one of discovery."""
    octets = np.frombuffer(whole.payload + bytes(8), np.uint8)
    room, address = room_for(1), np.frombuffer(whole.key[:32], ">u8").astype(np.uint64)
    room.source[0], room.destination[0], room.frame[0] = address[:2], address[2:], 0
    room.identification[0] = int.from_bytes(whole.key[32:34], "big") if len(whole.key) == IPV4_KEY else -1
    end = len(whole.payload)
    return read_udp(octets, 0, end, end, ports, room, 0), octets, room


def may_be_discovery(broken: Broken, ports: Flags) -> bool:
    """Return whether fragments may be of discovery: sent to one of its ports, or without the part with the ports."""
    first = next(
        (fragment.payload for fragment in broken.fragments if fragment.at == 0 and len(fragment.payload) >= 4), b""
    )
    return not first or any(bool(ports[int.from_bytes(first[at : at + 2], "big")]) for at in (0, 2))


SERVER_PORTS: Final = judging.Settings().ports
MOST_OCTETS: Final = 65_535
"""Octets of the payload of UDP."""
_PORTS: Final = "source_port", "destination_port"
_NEEDED: Final = dict.fromkeys(("source", "destination"), TEXT) | dict.fromkeys(_PORTS, INTEGER) | {"payload": OCTETS}
_ADDED: Final = pa.schema([*judging.JUDGED, ("problem", pa.string())])
ADDED: Final = from_arrow_schema(_ADDED)
"""What ``judge_packets`` appends."""


def judge_packets(
    datagrams: DataFrame,
    *,
    profile: str = "default",
    facts: tuple[judging.HostFacts, ...] = (),
    ports: tuple[int, ...] = SERVER_PORTS,
) -> DataFrame:
    """Return datagrams with the columns ``ADDED``, judged by their octets (MS-MQSD 2.2).

    All columns of the datagrams stay. One is judged by itself, so that ``datagrams`` may be a stream. A row that can be
    no datagram has the verdict ``none``, and why in ``problem``.

    Args:
        datagrams: ``source`` and ``destination``, addresses as text, ``source_port``, ``destination_port``, ``payload``
            as far as it was captured, and optionally ``length``, octets of the payload by the header of UDP.
        profile: which verdicts of the ambiguity register count: must, default, strict or windows.
        facts: how servers are configured, where that is known; what ``facts_of`` gives.
        ports: UDP ports on which servers listen.

    Raises:
        UnusableInput: a column is missing or of a wrong type, or one of ``ADDED`` is there already.
    """
    check_entry(datagrams, "the datagrams", _NEEDED, {"length": INTEGER}, ADDED.names)
    settings = judging.Settings(profile, facts, ports)

    def judge(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield judged_batch(batch, settings)

    return datagrams.mapInArrow(judge, StructType([*datagrams.schema.fields, *ADDED.fields]))


def judged_batch(batch: pa.RecordBatch, settings: judging.Settings) -> pa.RecordBatch:
    """Return some datagrams with the columns ``ADDED``."""
    payload = octets_of(batch.column("payload"))
    problems, (source, destination), numbers = _problems(batch, payload.lengths, payload.present)
    good = np.flatnonzero(problems == 0)
    captured = payload.lengths[good].astype(np.int32)
    ports = [numbers[name][good].astype(np.int32) for name in _PORTS]
    datagrams = Datagrams(
        frame=np.arange(len(good), dtype=np.int32),
        start=payload.starts[good],
        length=numbers["length"][good].astype(np.int32),
        captured=captured,
        source=source[good],
        destination=destination[good],
        source_port=ports[0],
        destination_port=ports[1],
        identification=np.full(len(good), -1),
    )
    judged = judging.judged_columns(payload.octets, datagrams, settings)
    places = np.zeros(len(problems), np.int64)
    places[good] = np.arange(len(good))
    taken = pa.array(places, mask=problems > 0)
    added = {name: column.take(taken) for name, column in judged.items()}
    for name, text in (("message", "unknown"), ("verdict", "none")):
        added[name] = added[name].fill_null(text)
    columns = [*added.values(), pa.array(_REASONS, pa.string()).take(pa.array(problems))]
    return pa.RecordBatch.from_arrays([*batch.columns, *columns], names=[*batch.schema.names, *_ADDED.names])


_REASONS: Final = (
    None,
    "source is not an address",
    "destination is not an address",
    "source_port is not a port",
    "destination_port is not a port",
    "payload is missing",
    "payload has more octets than a datagram",
    "length is below the payload size or above the size of a datagram",
)
"""Why a row is not a datagram, by number."""


def _problems(batch: pa.RecordBatch, captured: Any, present: Flags) -> tuple[Any, list[Any], dict[str, Any]]:
    """Return why each row is not a datagram, 0 where it is one; the addresses; and the numbers by name."""
    ends = [address_numbers(batch.column(name)) for name in ("source", "destination")]
    numbers = {name: integers(batch.column(name), -1)[0] for name in _PORTS}
    reasons = [~readable for _, readable in ends] + [(port < 0) | (port > 0xFFFF) for port in numbers.values()]
    stated, has_length = integers(batch.column("length")) if "length" in batch.schema.names else (captured, present)
    length = numbers["length"] = np.where(has_length, stated, captured)
    reasons += [~present, captured > MOST_OCTETS, (length < captured) | (length > MOST_OCTETS)]
    problems = np.select(reasons, [*range(1, len(reasons) + 1)]).astype(np.int8)
    return problems, [address for address, _ in ends], numbers


_FRAGMENT: Final = ("fragment", "nanoseconds", "file", "offset", "frame", "octets")


def reassembled(
    rows: DataFrame,
    *,
    profile: str = "default",
    facts: tuple[judging.HostFacts, ...] = (),
    ports: tuple[int, ...] = SERVER_PORTS,
) -> DataFrame:
    """Return rows of captures of which none is a fragment, shape ``ROWS``.

    Spark brings fragments of one datagram together, whichever captures they are in. Fragments that make no datagram,
    or one that contradicts itself, become rows with ``problem``; those of other ports are passed over.

    Args:
        rows: what the format ``mqconform.captures`` reads; not a stream.
        profile: as in ``judge_packets``, and so are the others.
        facts: likewise.
        ports: likewise.

    Raises:
        UnusableInput: the rows are a stream, or no rows of captures.
    """
    check_entry(rows, "the rows of captures", dict.fromkeys(("kind", "file"), TEXT) | {"octets": OCTETS})
    made = from_fragments(rows.where(F.col("kind") == "fragment"), judging.Settings(profile, facts, ports))
    return rows.where(F.col("kind") != "fragment").unionByName(made)


def from_fragments(fragments: DataFrame, settings: judging.Settings) -> DataFrame:
    """Return what fragments make: packets, problems and counts, shape ``ROWS``."""
    flags = settings.port_flags()

    def join(table: pa.Table) -> pa.Table:
        counts = Counter[str]()
        batches = [
            batch
            for datagram in put_together(_fragments(table))
            for batch in _made_of(datagram, settings, flags, counts)
        ]
        return pa.Table.from_batches([*batches, judging.batch_of([judging.counts_row("", counts)])], judging.ROWS)

    keyed = fragments.select(*_FRAGMENT, F.col("fragment.key").alias("key"))
    return judge_groups(keyed, ("key",), join, from_arrow_schema(judging.ROWS))


def _fragments(table: pa.Table) -> list[Fragment]:
    """Return fragments in order of their datagrams and times."""
    columns = (whole(table[name]).to_pylist() for name in _FRAGMENT)
    fragments = [
        Fragment(part["key"], time or 0, file, offset, frame, part["at"], part["more"], octets)
        for part, time, file, offset, frame, octets in zip(*columns, strict=True)
    ]
    return sorted(fragments, key=lambda fragment: (fragment.key, fragment.time, fragment.file, fragment.offset))


def _made_of(datagram: Whole | Broken, settings: judging.Settings, flags: Flags, counts: Counter[str]) -> Iterator[Any]:
    if isinstance(datagram, Broken):
        if may_be_discovery(datagram, flags):
            yield judging.batch_of(
                judging.problem_row(
                    fragment.file, fragment.offset, len(fragment.payload), fragment.frame, datagram.reason
                )
                for fragment in datagram.fragments
            )
        return
    kind, octets, datagrams = datagram_in(datagram, flags)
    last = datagram.last
    counts[f"reassembled_{datagrams_of.KINDS[kind]}"] += 1
    if kind == datagrams_of.MALFORMED:
        yield judging.batch_of([judging.problem_row(last.file, last.offset, 0, last.frame, CONTRADICTION)])
    elif kind == datagrams_of.DISCOVERY:
        where = judging.Where(
            *(np.array([number], np.int64) for number in (last.frame, last.offset, last.time or NO_TIME))
        )
        yield judging.packet_rows(last.file, octets, where, datagrams, settings)
