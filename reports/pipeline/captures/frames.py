"""Packets from DataFrame to DataFrame: datagrams judged, fragments put together and judged (MS-MQSD 2.2)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from mqconform.reference.mqbr.bulk_compiled import Flags
from mqconform.reports.pipeline.arrow_columns import integers, octets_of, whole
from mqconform.reports.pipeline.captures import bulk_datagrams as datagrams_of
from mqconform.reports.pipeline.captures.addresses import address_numbers
from mqconform.reports.pipeline.captures.bulk_datagrams import Datagrams, directions
from mqconform.reports.pipeline.captures.bulk_records import NO_TIME
from mqconform.reports.pipeline.captures.fragments import (
    Broken,
    Fragment,
    Whole,
    datagram_in,
    may_be_discovery,
    put_together,
)
from mqconform.reports.pipeline.captures.judging import JUDGED, HostFacts, Settings, judged_columns
from mqconform.reports.pipeline.captures.reading import CONTRADICTION
from mqconform.reports.pipeline.captures.rows import ROWS, Where, batch_of, counts_row, packet_rows, problem_row
from mqconform.reports.pipeline.entry import INTEGER, OCTETS, TEXT, check_entry
from mqconform.reports.pipeline.groups import judge_groups
from mqconform.reports.pipeline.workers import settle

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SERVER_PORTS: Final = Settings().ports
MOST_OCTETS: Final = 65_535
"""Octets of the payload of UDP."""
_NEEDED: Final = {
    "source": TEXT,
    "source_port": INTEGER,
    "destination": TEXT,
    "destination_port": INTEGER,
    "payload": OCTETS,
}
_ADDED: Final = pa.schema([*JUDGED, ("problem", pa.string())])
ADDED: Final = from_arrow_schema(_ADDED)
"""What ``judge_packets`` appends."""


def judge_packets(
    datagrams: "DataFrame",
    *,
    profile: str = "default",
    facts: tuple[HostFacts, ...] = (),
    ports: tuple[int, ...] = SERVER_PORTS,
) -> "DataFrame":
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
    settings = Settings(profile, facts, ports)

    def judge(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield judged_batch(batch, settings)
        settle()

    return datagrams.mapInArrow(judge, StructType([*datagrams.schema.fields, *ADDED.fields]))


def judged_batch(batch: pa.RecordBatch, settings: Settings) -> pa.RecordBatch:
    """Return some datagrams with the columns ``ADDED``."""
    payload = octets_of(batch.column("payload"))
    problems, (source, destination), numbers = _problems(batch, payload.lengths, payload.present)
    good = np.flatnonzero(problems == 0)
    captured = payload.lengths[good].astype(np.int32)
    ports = [numbers[name][good].astype(np.int32) for name in ("source_port", "destination_port")]
    datagrams = Datagrams(
        frame=np.arange(len(good), dtype=np.int32),
        start=payload.starts[good],
        length=numbers["length"][good].astype(np.int32),
        captured=captured,
        source=source[good],
        destination=destination[good],
        source_port=ports[0],
        destination_port=ports[1],
        identification=np.full(len(good), -1, np.int32),
        direction=directions(ports[0], ports[1], settings.port_flags()),
    )
    judged = judged_columns(payload.octets, datagrams, settings)
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
    "source is no address",
    "destination is no address",
    "source_port is no port",
    "destination_port is no port",
    "payload is missing",
    "payload has more octets than a datagram",
    "length is below the payload size or above the size of a datagram",
)
"""Why a row is no datagram, by number."""


def _problems(batch: pa.RecordBatch, captured: Any, present: Flags) -> tuple[Any, list[Any], dict[str, Any]]:
    """Return why each row is no datagram, 0 where it is one; the addresses; and the numbers by name."""
    problems = np.zeros(batch.num_rows, np.int8)
    addresses = []
    for number, name in enumerate(("source", "destination"), start=1):
        address, readable = address_numbers(batch.column(name))
        addresses.append(address)
        problems[~readable & (problems == 0)] = number
    numbers = {}
    for number, name in enumerate(("source_port", "destination_port"), start=3):
        numbers[name], _ = integers(batch.column(name), -1)
        problems[((numbers[name] < 0) | (numbers[name] > 0xFFFF)) & (problems == 0)] = number
    problems[~present & (problems == 0)] = 5
    problems[(captured > MOST_OCTETS) & (problems == 0)] = 6
    numbers["length"] = captured
    if "length" in batch.schema.names:
        stated, has_length = integers(batch.column("length"))
        numbers["length"] = np.where(has_length, stated, captured)
        wrong = (numbers["length"] < captured) | (numbers["length"] > MOST_OCTETS)
        problems[wrong & (problems == 0)] = 7
    return problems, addresses, numbers


_FRAGMENT: Final = ("fragment", "nanoseconds", "file", "offset", "frame", "octets")


def reassembled(
    rows: "DataFrame",
    *,
    profile: str = "default",
    facts: tuple[HostFacts, ...] = (),
    ports: tuple[int, ...] = SERVER_PORTS,
) -> "DataFrame":
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
    made = from_fragments(rows.where(F.col("kind") == "fragment"), Settings(profile, facts, ports))
    return rows.where(F.col("kind") != "fragment").unionByName(made)


def from_fragments(fragments: "DataFrame", settings: Settings) -> "DataFrame":
    """Return what fragments make: packets, problems and counts, shape ``ROWS``."""
    flags = settings.port_flags()

    def join(table: pa.Table) -> pa.Table:
        counts = Counter[str]()
        batches = [
            batch
            for datagram in put_together(_fragments(table))
            for batch in _made_of(datagram, settings, flags, counts)
        ]
        return pa.Table.from_batches([*batches, batch_of([counts_row("", counts)])], ROWS)

    keyed = fragments.select(*_FRAGMENT, F.col("fragment.key").alias("key"))
    return judge_groups(keyed, ("key",), join, from_arrow_schema(ROWS))


def _fragments(table: pa.Table) -> list[Fragment]:
    """Return fragments in order of their datagrams and times."""
    columns = (whole(table[name]).to_pylist() for name in _FRAGMENT)
    fragments = [
        Fragment(part["key"], time or 0, file, offset, frame, part["at"], part["more"], octets)
        for part, time, file, offset, frame, octets in zip(*columns, strict=True)
    ]
    return sorted(fragments, key=lambda fragment: (fragment.key, fragment.time, fragment.file, fragment.offset))


def _made_of(datagram: Whole | Broken, settings: Settings, flags: Flags, counts: Counter[str]) -> Iterator[Any]:
    if isinstance(datagram, Broken):
        if may_be_discovery(datagram, flags):
            yield batch_of(
                problem_row(fragment.file, fragment.offset, len(fragment.payload), fragment.frame, datagram.reason)
                for fragment in datagram.fragments
            )
        return
    kind, octets, datagrams = datagram_in(datagram, flags)
    last = datagram.last
    counts[f"reassembled_{datagrams_of.KINDS[kind]}"] += 1
    if kind == datagrams_of.MALFORMED:
        yield batch_of([problem_row(last.file, last.offset, 0, last.frame, CONTRADICTION)])
    elif kind == datagrams_of.DISCOVERY:
        where = Where(*(np.array([number], np.int64) for number in (last.frame, last.offset, last.time or NO_TIME)))
        yield packet_rows(last.file, octets, where, datagrams, settings)
