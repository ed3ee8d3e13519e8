"""Captures from DataFrame to DataFrame: datagrams put together, packets judged, conversations judged (MS-MQSD).

Datagrams are rows of ``DATAGRAMS``, such as the format ``mqconform.captures`` reads.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import from_arrow_schema

from mqconform.reference.mqsd.audit.bulk_facts import server_table
from mqconform.reference.mqsd.specification import FACTS
from mqconform.reports.pipeline.captures import bulk_datagrams as datagrams_of
from mqconform.reports.pipeline.captures.auditing import judged_datagrams
from mqconform.reports.pipeline.captures.bulk_addresses import AddressBook
from mqconform.reports.pipeline.captures.bulk_fields import COMPLETE, fields_of
from mqconform.reports.pipeline.captures.columns import PACKETS, packet_batch, with_texts
from mqconform.reports.pipeline.captures.datagrams import (
    DATAGRAMS,
    Addresses,
    batch_of,
    datagram_in,
    datagrams_in,
    may_be_discovery,
    port_flags,
    problem_row,
    rows_of,
)
from mqconform.reports.pipeline.captures.fragments import Broken, Fragment, Whole, put_together
from mqconform.reports.pipeline.captures.reading import CONTRADICTION
from mqconform.reports.pipeline.captures.settings import HostFacts, known_servers
from mqconform.reports.pipeline.captures.weights import wire_weights
from mqconform.reports.pipeline.groups import judge_groups
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.workers import settle

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FACTS_PORTS: Final = (FACTS.udp_port,)


def plain(schema: pa.Schema) -> pa.Schema:
    """Return a schema in types that Spark has: no dictionaries, nothing unsigned, times in microseconds."""
    return pa.schema([pa.field(field.name, _plain_type(field.type)) for field in schema])


def _plain_type(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", "UTC")
    if pa.types.is_fixed_size_binary(kind):
        return pa.binary()
    return {pa.uint16(): pa.int32(), pa.uint64(): pa.int64()}.get(kind, kind)


PLAIN_PACKETS: Final = plain(PACKETS)
PACKET_VERDICTS: Final = from_arrow_schema(PLAIN_PACKETS)
"""One row for each datagram; docs/audit-captures.md says what the columns mean."""

_NEEDED: Final = [name for name in DATAGRAMS.names if name not in {"time", "problem"} and "fragment" not in name]


def judge_packets(
    datagrams: "DataFrame",
    *,
    profile: str = "default",
    facts: tuple[HostFacts, ...] = (),
    ports: tuple[int, ...] = FACTS_PORTS,
) -> "DataFrame":
    """Return a row of ``PACKET_VERDICTS`` for each datagram of discovery, judged by its octets (MS-MQSD 2.2).

    Rows with ``problem`` and fragments are passed over; ``reassembled`` makes datagrams of the latter. A datagram is
    judged by itself, so that ``datagrams`` may be a stream.

    Args:
        datagrams: shape ``DATAGRAMS``.
        profile: which verdicts of the ambiguity register count: must, default, strict or windows.
        facts: how servers are configured, where that is known; what ``facts_of`` gives.
        ports: UDP ports on which servers listen.

    Raises:
        UnusableInput: a column is missing.
    """
    severities, flags = wire_weights(profile), port_flags(ports)

    def judge(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        addresses, servers = Addresses(), server_table([host.server for host in facts])
        for batch in batches:
            table = pa.Table.from_batches([batch])
            read = datagrams_in(table, flags, addresses)
            verdicts, judged = judged_datagrams(
                read.octets, read.datagrams, known_servers(facts, read.datagrams.source), severities, servers
            )
            fields = fields_of(read.octets, read.datagrams.start, read.datagrams.captured, verdicts.message)
            fields.flags[judged] |= COMPLETE
            book = AddressBook()
            packets = packet_batch(0, read.where, read.datagrams, fields, verdicts, judged, book)
            yield _packet_rows(with_texts([packets], book, [""]), table)
        settle()

    return whole_datagrams(datagrams).mapInArrow(judge, PACKET_VERDICTS)


def whole_datagrams(datagrams: "DataFrame") -> "DataFrame":
    """Return the columns that judging needs of rows that are whole datagrams.

    Raises:
        UnusableInput: a column is missing.
    """
    missing = [name for name in DATAGRAMS.names if name not in datagrams.columns]
    if missing:
        raise UnusableInput(
            f"the datagrams: column {', '.join(missing)} is missing; the columns are {', '.join(datagrams.columns)}; "
            "spark.read.format('mqconform.captures') reads captures so"
        )
    return datagrams.where(F.col("problem").isNull() & F.col("fragment_key").isNull()).select(*_NEEDED)


def _packet_rows(packets: pa.Table, rows: pa.Table) -> pa.RecordBatch:
    """Return packets in Spark's types, with the captures that they were in."""
    named = packets.set_column(0, "file", rows.column("file"))
    return plain_table(named, PLAIN_PACKETS).combine_chunks().to_batches()[0]


def plain_table(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return a table in the types of a ``plain`` schema; fractions of a microsecond are cut off."""
    columns = [pc.cast(column, kind, safe=False) for column, kind in zip(table.columns, schema.types, strict=True)]
    return pa.table(columns, schema=schema)


_FRAGMENT: Final = ("fragment_key", "nanoseconds", "file", "offset", "frame", "fragment_at", "fragment_more", "payload")


def reassembled(datagrams: "DataFrame", *, ports: tuple[int, ...] = FACTS_PORTS) -> "DataFrame":
    """Return datagrams of which none is a fragment, shape ``DATAGRAMS``.

    Spark brings fragments of one datagram together, whichever captures they are in. Fragments that make no datagram,
    or one that contradicts itself, become rows with ``problem``; those of other ports are passed over.

    Args:
        datagrams: shape ``DATAGRAMS``; not a stream.
        ports: UDP ports on which servers listen.

    Raises:
        UnusableInput: the datagrams are a stream.
    """
    flags = port_flags(ports)

    def join(table: pa.Table) -> pa.Table:
        columns = [
            pc.fill_null(table["nanoseconds"], 0) if name == "nanoseconds" else table[name] for name in _FRAGMENT
        ]
        rows = zip(*(column.to_pylist() for column in columns), strict=True)
        fragments = [
            Fragment(key, time or 0, file, 0, offset, frame, at, more, payload)
            for key, time, file, offset, frame, at, more, payload in rows
        ]
        ordered = sorted(fragments, key=lambda fragment: (fragment.key, fragment.time, fragment.file, fragment.offset))
        batches = [batch for datagram in put_together(ordered) for batch in _made_of(datagram, flags)]
        return pa.Table.from_batches(batches, DATAGRAMS)

    fragments = datagrams.where(F.col("fragment_key").isNotNull()).select(*_FRAGMENT)
    joined = judge_groups(fragments, ("fragment_key",), join, from_arrow_schema(DATAGRAMS))
    return datagrams.where(F.col("fragment_key").isNull()).select(*DATAGRAMS.names).unionByName(joined)


def _made_of(datagram: Whole | Broken, ports: Any) -> Iterator[pa.RecordBatch]:
    if isinstance(datagram, Broken):
        if may_be_discovery(datagram, ports):
            yield batch_of(
                problem_row(fragment.file, fragment.offset, len(fragment.payload), fragment.frame, datagram.reason)
                for fragment in datagram.fragments
            )
        return
    kind, read = datagram_in(datagram, ports)
    last = datagram.last
    if kind == datagrams_of.MALFORMED:
        yield batch_of([problem_row(last.file, last.offset, 0, last.frame, CONTRADICTION)])
    elif kind == datagrams_of.DISCOVERY:
        yield rows_of(last.file, *read)
