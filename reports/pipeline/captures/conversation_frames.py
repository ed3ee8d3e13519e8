"""Conversations of discovery from DataFrame to DataFrame: who answered whom, when and how often (MS-MQSD 3.1, 3.2).

Spark brings the packets of one identifier together. Stray replies, which answer no captured request, are then compared
with the open requests of their clients, for which Spark brings the packets of those clients together.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import from_arrow_schema

from mqconform.reference.mqbr.bulk_compiled import Masks
from mqconform.reference.mqsd.audit.bulk_conversation_rows import NO_TIME, REPLY, REQUEST, WAIT, Exchange
from mqconform.reference.mqsd.audit.bulk_conversations import Judged, Knowledge
from mqconform.reference.mqsd.audit.bulk_conversations import judge_conversations as judge_exchange
from mqconform.reference.mqsd.audit.bulk_facts import server_table
from mqconform.reference.mqsd.audit.bulk_strays import client_keys, exchange_keys, other_ids
from mqconform.reports.pipeline.captures.auditing import judged_datagrams
from mqconform.reports.pipeline.captures.bulk_fields import COMPLETE, fields_of
from mqconform.reports.pipeline.captures.conversing import CONVERSATIONS, conversation_batch, knowledge_of
from mqconform.reports.pipeline.captures.datagrams import Addresses, datagrams_in, port_flags
from mqconform.reports.pipeline.captures.exchange import Handed, with_identifiers
from mqconform.reports.pipeline.captures.frames import FACTS_PORTS, plain, plain_table, whole_datagrams
from mqconform.reports.pipeline.captures.settings import HostFacts, known_servers
from mqconform.reports.pipeline.captures.strays import convict
from mqconform.reports.pipeline.captures.weights import conversation_weights, wire_weights
from mqconform.reports.pipeline.groups import judge_groups, refuse_stream
from mqconform.reports.pipeline.workers import settle

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PLAIN_CONVERSATIONS: Final = plain(CONVERSATIONS)
CONVERSATION_VERDICTS: Final = from_arrow_schema(PLAIN_CONVERSATIONS)
"""One row for each identifier; docs/audit-captures.md says what the columns mean."""

_SMALL: Final = ("message", "shown", "client_port", "server_port", "identification", "length", "known_server")
PACKETS_OF_IDS: Final = pa.schema(
    [pa.field(name, pa.int32() if name in _SMALL else pa.int64()) for name in Exchange._fields]
    + [("file", pa.string()), ("offset", pa.int64()), ("client_key", pa.int64()), ("exchange_key", pa.int64())]
)
"""Packets with an identifier; unsigned numbers of eight octets are kept as signed ones with the same bits."""

ID: Final = ("id_high", "id_low")
_WITNESS: Final = pa.schema([*PACKETS_OF_IDS, ("witness", pa.bool_())])
_FLAGGED: Final = pa.schema([*PACKETS_OF_IDS, ("other_id", pa.bool_())])
_OCTETS: Final = pa.schema([("first", pa.int64()), ("last", pa.int64()), ("answered", pa.binary())])


class CaptureContext(NamedTuple):
    """What all datagrams together show.

    Attributes:
        first: when the first was captured, in nanoseconds since 1970.
        last: when the last was captured.
        answered: sorted hashes of the clients to whom any reply went.
    """

    first: int
    last: int
    answered: Masks


def capture_context(datagrams: "DataFrame", *, ports: tuple[int, ...] = FACTS_PORTS) -> CaptureContext:
    """Return what conversations are judged by beside their own packets; this reads the datagrams once."""
    flags = port_flags(ports)

    def look(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        addresses, answered, times = Addresses(), [np.empty(0, np.uint64)], list[int]()
        for batch in batches:
            rows, where = _packets(pa.Table.from_batches([batch]), flags, addresses, ())
            replies = rows.exchange.message == REPLY
            clients = rows.exchange.client_high ^ rows.exchange.client_low
            answered.append(np.unique(clients[replies]))
            known_times = where[where != NO_TIME]
            times += [int(known_times.min()), int(known_times.max())] if len(known_times) else []
        if times or len(answered) > 1:
            octets = np.unique(np.concatenate(answered)).tobytes()
            row = [[min(times, default=None)], [max(times, default=None)], [octets]]
            yield pa.RecordBatch.from_arrays(
                [pa.array(*column) for column in zip(row, _OCTETS.types, strict=True)], schema=_OCTETS
            )

    summaries = whole_datagrams(datagrams).mapInArrow(look, from_arrow_schema(_OCTETS)).collect()
    hashes = [np.empty(0, np.uint64), *(np.frombuffer(bytes(row["answered"]), np.uint64) for row in summaries)]
    first = min((row["first"] for row in summaries if row["first"] is not None), default=0)
    last = max((row["last"] for row in summaries if row["last"] is not None), default=WAIT)
    return CaptureContext(first, last, np.unique(np.concatenate(hashes)))


def judge_conversations(
    datagrams: "DataFrame",
    context: CaptureContext | None = None,
    *,
    profile: str = "default",
    facts: tuple[HostFacts, ...] = (),
    ports: tuple[int, ...] = FACTS_PORTS,
) -> "DataFrame":
    """Return a row of ``CONVERSATION_VERDICTS`` for each identifier (MS-MQSD 3.1.5, 3.2.5).

    The datagrams are read several times; where that costs more than memory, cache them first.

    Args:
        datagrams: shape ``DATAGRAMS``; not a stream. Rows with ``problem`` and fragments are passed over.
        context: what ``capture_context`` gives; by default it is computed here, which reads the datagrams once more.
        profile: which verdicts of the ambiguity register count: must, default, strict or windows.
        facts: how servers are configured, where that is known; what ``facts_of`` gives.
        ports: UDP ports on which servers listen.

    Raises:
        UnusableInput: a column is missing, or the datagrams are a stream.
    """
    refuse_stream(datagrams)
    packets = packets_of_ids(datagrams, facts=facts, ports=ports)
    capture = capture_context(datagrams, ports=ports) if context is None else context
    knowledge = knowledge_of(facts, capture.answered, capture.last, capture.first)
    judge = _Judge(knowledge, conversation_weights(profile).tobytes())
    asked = judge_groups(packets, ID, judge.asked, CONVERSATION_VERDICTS)
    return asked.unionByName(judge_groups(_strays(packets, capture.first), ID, judge.strays, CONVERSATION_VERDICTS))


def packets_of_ids(
    datagrams: "DataFrame", *, facts: tuple[HostFacts, ...] = (), ports: tuple[int, ...] = FACTS_PORTS
) -> "DataFrame":
    """Return the packets that have an identifier, shape ``PACKETS_OF_IDS``."""
    flags = port_flags(ports)

    def read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        addresses = Addresses()
        for batch in batches:
            table = pa.Table.from_batches([batch])
            rows, _ = _packets(table, flags, addresses, facts)
            yield _batch(rows, table["file"].take(pa.array(rows.file)), PACKETS_OF_IDS)
        settle()

    return whole_datagrams(datagrams).mapInArrow(read, from_arrow_schema(PACKETS_OF_IDS))


def _strays(packets: "DataFrame", first: int) -> "DataFrame":
    """Return stray replies, shape ``_FLAGGED``: whether each is an answer with the wrong identifier."""
    strays = judge_groups(packets, ID, _stray_replies, from_arrow_schema(PACKETS_OF_IDS))
    clients = strays.select("client_key").distinct()
    concerned = packets.where(F.col("time") != NO_TIME).join(clients, "client_key", "left_semi")
    witnesses = judge_groups(concerned.select(*PACKETS_OF_IDS.names), ID, _witnesses, from_arrow_schema(_WITNESS))
    both = witnesses.unionByName(strays.withColumn("witness", F.lit(False)))

    def flag(rows: pa.Table) -> pa.Table:
        return _flagged(rows, first)

    return judge_groups(both, ("client_key",), flag, from_arrow_schema(_FLAGGED))


def _packets(table: pa.Table, flags: Any, addresses: Addresses, facts: Sequence[HostFacts]) -> tuple[Handed, Any]:
    """Return the packets of datagrams that have an identifier, ``file`` the row of each, and the times of all."""
    octets, where, datagrams = datagrams_in(table, flags, addresses)
    unknown_servers = np.full(len(where.time), -1, np.int32)
    verdicts, judged = judged_datagrams(octets, datagrams, unknown_servers, wire_weights("default"), server_table([]))
    fields = fields_of(octets, datagrams.start, datagrams.captured, verdicts.message)
    fields.flags[judged] |= COMPLETE
    numbers = np.arange(len(where.time), dtype=np.int32)
    packets = with_identifiers(datagrams, fields, verdicts.message, (where.time, where.offset), numbers)
    replies = packets.exchange.message == REPLY
    packets.exchange.known_server[replies] = known_servers(facts, packets.server(replies))
    return packets, where.time


def _batch(rows: Handed, files: Any, schema: pa.Schema) -> pa.RecordBatch:
    exchange, columns = rows.exchange, list[Any](rows.exchange)
    clients = client_keys(exchange.client_high, exchange.client_low, exchange.client_port)
    exchanges = exchange_keys(clients, exchange.server_high, exchange.server_low)
    numbers = [
        pa.array(column.view(np.int64) if column.dtype == np.uint64 else column.astype(np.int32, copy=False))
        if name != "time"
        else pa.array(column)
        for name, column in zip(Exchange._fields, columns, strict=True)
    ]
    named = files.combine_chunks() if isinstance(files, pa.ChunkedArray) else files
    named = named if isinstance(named, pa.Array) else pa.concat_arrays(named.chunks)
    keys = [pa.array(key.view(np.int64)) for key in (clients, exchanges)]
    return pa.RecordBatch.from_arrays([*numbers, named, pa.array(rows.offset), *keys], schema=schema)


def _read(table: pa.Table) -> tuple[Handed, tuple[str, ...], pa.Table]:
    """Return packets in the order of captures and places, the names of the captures, and the rows in that order."""
    table = table.sort_by([("file", "ascending"), ("offset", "ascending")]).combine_chunks()
    column = {name: table[name].to_numpy() for name in table.column_names if name != "file"}
    kinds = {"message": np.uint8, "shown": np.uint8, "time": np.int64}
    exchange = Exchange._make(
        column[name].astype(kinds.get(name, np.int32))
        if name in _SMALL or name == "time"
        else column[name].copy().view(np.uint64)  # for arrays that are read-only numba compiles all loops anew
        for name in Exchange._fields
    )
    coded = table["file"].combine_chunks().dictionary_encode()
    coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
    files = tuple(coded.dictionary.to_pylist())
    return Handed(exchange, coded.indices.to_numpy().astype(np.int32), column["offset"]), files, table


def _asks(packets: Handed) -> tuple[Any, Any]:
    """Return which packets are requests, and which have an identifier that was asked with."""
    exchange = packets.exchange
    identifiers = np.stack([exchange.id_high, exchange.id_low], 1).view("V16").ravel()
    asks = exchange.message == REQUEST
    return asks, np.isin(identifiers, identifiers[asks])


def _stray_replies(table: pa.Table) -> pa.Table:
    packets, _, ordered = _read(table)
    _, asked = _asks(packets)
    return ordered.filter(pa.array(~asked)).select(PACKETS_OF_IDS.names).cast(PACKETS_OF_IDS)


def _witnesses(table: pa.Table) -> pa.Table:
    packets, _, ordered = _read(table)
    asks, asked = _asks(packets)
    witnesses = ordered.filter(pa.array(asks | (asked & (packets.exchange.message == REPLY)))).select(
        PACKETS_OF_IDS.names
    )
    return witnesses.append_column("witness", pa.array(np.ones(witnesses.num_rows, np.bool_))).cast(_WITNESS)


def _flagged(table: pa.Table, first: int) -> pa.Table:
    """Return the stray replies of some clients: whether they answer what their client had under way."""
    packets, _, ordered = _read(table)
    witness = ordered["witness"].to_numpy()
    clients, exchanges = (ordered[name].to_numpy().view(np.uint64) for name in ("client_key", "exchange_key"))
    times, stray = packets.exchange.time, ~witness
    asks, replies = witness & (packets.exchange.message == REQUEST), witness & (packets.exchange.message == REPLY)
    strays = clients[stray], exchanges[stray], times[stray]
    wrong = other_ids(strays, (clients[asks], times[asks]), (exchanges[replies], times[replies]))
    wrong &= times[stray] - first > WAIT
    stray_rows = ordered.filter(pa.array(stray)).select(PACKETS_OF_IDS.names)
    return stray_rows.append_column("other_id", pa.array(wrong)).cast(_FLAGGED)


class _Judge(NamedTuple):
    """What is known when whole conversations are judged."""

    knowledge: Knowledge
    severities: bytes

    def asked(self, table: pa.Table) -> pa.Table:
        """Judge conversations that have a request."""
        packets, files, _ = _read(table)
        judged = self._judged(packets)
        return _conversations(files, packets, judged, judged.conversations.requests > 0)

    def strays(self, table: pa.Table) -> pa.Table:
        """Judge stray replies."""
        packets, files, ordered = _read(table)
        judged = self._judged(packets)
        convict(judged, ordered["other_id"].to_numpy(), np.frombuffer(self.severities, np.uint8))
        return _conversations(files, packets, judged, np.ones(len(judged.conversations.rule), np.bool_))

    def _judged(self, packets: Handed) -> Judged:
        severities = np.frombuffer(self.severities, np.uint8)
        return judge_exchange(packets.exchange, packets.file, self.knowledge, severities)


def _conversations(files: tuple[str, ...], packets: Handed, judged: Judged, selection: Any) -> pa.Table:
    if not selection.any():
        return PLAIN_CONVERSATIONS.empty_table()
    batch = conversation_batch(files, packets, judged, np.flatnonzero(selection))
    return plain_table(pa.Table.from_batches([batch]), PLAIN_CONVERSATIONS)
