"""Conversations of discovery from DataFrame to DataFrame: who answered whom, when and how often (MS-MQSD 3.1, 3.2).

Spark brings the packets of one identifier together. Stray replies, which answer no captured request, are then compared
with the open requests of their clients, for which Spark brings the packets of those clients together.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import from_arrow_schema

from mqconform.reference.mqbr.bulk_compiled import Flags, Masks, Octets
from mqconform.reference.mqsd.audit.bulk_conversation_rows import NO_TIME, REPLY, REQUEST, WAIT
from mqconform.reference.mqsd.audit.bulk_conversations import Judged, Knowledge
from mqconform.reference.mqsd.audit.bulk_conversations import judge_conversations as judge_exchange
from mqconform.reference.mqsd.audit.bulk_packets import FAIL
from mqconform.reference.mqsd.audit.bulk_strays import other_ids
from mqconform.reference.mqsd.audit.conversation_rules import ConversationRule
from mqconform.reports.pipeline.arrow_columns import whole
from mqconform.reports.pipeline.captures.addresses import pair_of
from mqconform.reports.pipeline.captures.conversation_rows import CONVERSATIONS, conversation_table
from mqconform.reports.pipeline.captures.exchange import READ, Packets, packets_in
from mqconform.reports.pipeline.captures.judging import HostFacts
from mqconform.reports.pipeline.captures.weights import conversation_weights
from mqconform.reports.pipeline.entry import INTEGER, OCTETS, TEXT, check_entry, refuse_stream
from mqconform.reports.pipeline.groups import judge_groups

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

CONVERSATION_VERDICTS: Final = from_arrow_schema(CONVERSATIONS)
"""One row for each identifier; docs/audit-captures.md says what the columns mean."""

OTHER_ID: Final = int(ConversationRule.OTHER_ID)
FEW_STRAYS: Final = 1_000_000
"""Stray replies up to which their clients are sent to every task."""
_TEXTS: Final = ("source", "destination", "message", "file")
_NEEDED: Final = (
    dict.fromkeys(("source", "destination", "message"), TEXT)
    | dict.fromkeys(("source_port", "destination_port", "enterprise", "shown"), INTEGER)
    | {"id": OCTETS}
)
_OPTIONAL: Final = {
    "file": TEXT,
    "site": OCTETS,
    **dict.fromkeys(("offset", "nanoseconds", "identification", "length"), INTEGER),
}


class CaptureContext(NamedTuple):
    """What all packets together show.

    Attributes:
        first: when the first was captured, in nanoseconds since 1970.
        last: when the last was captured.
        answered: sorted hashes of the clients to whom any reply went.
    """

    first: int
    last: int
    answered: Masks


def capture_context(packets: "DataFrame") -> CaptureContext:
    """Return what conversations are judged by beside their own packets; this reads the packets once."""
    shaped = _shaped(packets)
    answered = F.when((F.col("message") == "reply") & F.col("id").isNotNull(), F.col("destination"))
    row = shaped.agg(F.min("nanoseconds"), F.max("nanoseconds"), F.collect_set(answered)).collect()[0]
    hashes = np.array([high ^ low for high, low in map(pair_of, row[2])], np.uint64)
    return CaptureContext(row[0] or 0, WAIT if row[1] is None else row[1], np.unique(hashes))


def judge_conversations(
    packets: "DataFrame",
    context: CaptureContext | None = None,
    *,
    profile: str = "default",
    facts: tuple[HostFacts, ...] = (),
) -> "DataFrame":
    """Return a row of ``CONVERSATION_VERDICTS`` for each identifier (MS-MQSD 3.1.5, 3.2.5).

    The packets are read several times; where that costs more than memory, cache them first.

    Args:
        packets: what ``judge_packets`` or ``reassembled`` gives; not a stream. Rows that are no packets, or show no
            identifier, are passed over.
        context: what ``capture_context`` gives; by default it is computed here.
        profile: which verdicts of the ambiguity register count: must, default, strict or windows.
        facts: how servers are configured, where that is known; what ``facts_of`` gives.

    Raises:
        UnusableInput: a column is missing or of a wrong type, or the packets are a stream.
    """
    refuse_stream(packets)
    judge = ConversationJudge(capture_context(packets) if context is None else context, profile, facts)
    judged = judge.by_identifier(packets)
    strays = judged.where("stray").select("id")
    return judged.where(~F.col("stray")).unionByName(judge.strays(packets, strays)).drop("stray")


class ConversationJudge:
    """Judges conversations, stray replies apart: whether these have a wrong identifier shows only beside others.

    Args:
        context: what all packets together show.
        profile: which verdicts of the ambiguity register count.
        facts: how servers are configured, where that is known.
    """

    def __init__(self, context: CaptureContext, profile: str, facts: Sequence[HostFacts]) -> None:
        servers = [host.server for host in facts]
        sites = np.array([np.frombuffer(server.site, ">u8").astype(np.uint64) for server in servers], np.uint64)
        lists = np.array([bool(server.directory_servers) for server in servers], np.bool_)
        self._knowledge = Knowledge(context.answered, context.last, sites.reshape(-1, 2), lists, context.first)
        self._weights, self._facts = conversation_weights(profile).tobytes(), tuple(facts)

    def by_identifier(self, packets: "DataFrame") -> "DataFrame":
        """Return a row for each identifier, with ``stray`` where no packet is a request."""
        return judge_groups(_of_ids(packets), ("id",), self._judged_table, _WITH_STRAY)

    def strays(self, packets: "DataFrame", strays: "DataFrame", *, few: bool = False) -> "DataFrame":
        """Return the rows of stray replies, compared with what their clients had under way.

        Args:
            packets: all packets.
            strays: ``id`` of the stray replies.
            few: whether these fit into memory.
        """
        hint = F.broadcast if few else _as_it_is
        of_ids = _of_ids(packets).withColumn("client", _client("destination", "source"))
        of_ids = of_ids.withColumn("client_port", _client("destination_port", "source_port"))
        marked = of_ids.join(hint(strays.select("id", F.lit(True).alias("stray"))), "id", "left")
        clients = marked.where("stray").select("client", "client_port").distinct()
        concerned = marked.join(hint(clients), ["client", "client_port"], "left_semi")
        flagged = judge_groups(concerned, ("client", "client_port"), self._flagged, _FLAGGED)
        return judge_groups(flagged, ("id",), self._stray_table, _WITH_STRAY)

    def _judged_table(self, table: pa.Table) -> pa.Table:
        packets = packets_in(table, self._facts)
        return conversation_table(packets, self._judge(packets))

    def _stray_table(self, table: pa.Table) -> pa.Table:
        packets = packets_in(table, self._facts)
        judged = self._judge(packets)
        _convict(judged, np.asarray(whole(table["other_id"]))[packets.rows], self._severities())
        return conversation_table(packets, judged)

    def _flagged(self, table: pa.Table) -> pa.Table:
        """Return the stray replies of some clients: whether they answer what their client had under way."""
        packets = packets_in(table, ())
        stray = np.asarray(whole(table["stray"]).fill_null(False))[packets.rows]
        (clients, exchanges), exchange = packets.keys(), packets.exchange
        witness = ~stray & (exchange.time != NO_TIME)
        asks, replies = witness & (exchange.message == REQUEST), witness & (exchange.message == REPLY)
        times = exchange.time
        wrong = other_ids(
            (clients[stray], exchanges[stray], times[stray]),
            (clients[asks], times[asks]),
            (exchanges[replies], times[replies]),
        )
        wrong &= times[stray] - self._knowledge.since > WAIT  # a request soon before the first packet was not captured
        rows = table.take(pa.array(packets.rows[stray])).select(READ)
        return rows.append_column("other_id", pa.array(wrong))

    def _judge(self, packets: Packets) -> Judged:
        return judge_exchange(packets.exchange, packets.file, self._knowledge, self._severities())

    def _severities(self) -> Octets:
        return np.frombuffer(self._weights, np.uint8)


_WITH_STRAY: Final = from_arrow_schema(pa.schema([*CONVERSATIONS, ("stray", pa.bool_())]))
_FLAGGED: Final = (
    "file string, offset bigint, nanoseconds bigint, source string, source_port bigint, destination string, "
    "destination_port bigint, identification bigint, length bigint, message string, id binary, site binary, "
    "enterprise bigint, shown bigint, other_id boolean"
)


def _convict(judged: Judged, wrong: Flags, severities: Octets) -> None:
    """Note on conversations of stray replies which of them are answers with the wrong identifier."""
    weight = int(severities[OTHER_ID])
    findings, conversations = judged.findings, judged.conversations
    at_fault = wrong[findings.row]
    findings.rule[at_fault] = OTHER_ID
    for number, row in zip(findings.conversation[at_fault].tolist(), findings.row[at_fault].tolist(), strict=True):
        conversations.rules[number] |= np.uint64(1 << OTHER_ID)
        if conversations.rule[number] != OTHER_ID:
            conversations.rule[number], conversations.weight[number] = OTHER_ID, weight
            conversations.row[number] = row
    assert weight == FAIL, "the text decides this rule"


def _of_ids(packets: "DataFrame") -> "DataFrame":
    """Return the packets that show an identifier, with the columns ``READ`` and no others."""
    return _shaped(packets).where(F.length("id") == 16)


def _shaped(packets: "DataFrame") -> "DataFrame":
    check_entry(packets, "the packets", _NEEDED, _OPTIONAL)
    return packets.select(*(_column(packets, name).alias(name) for name in READ))


def _column(packets: "DataFrame", name: str) -> "Column":
    kind = "string" if name in _TEXTS else "binary" if name in {"id", "site"} else "bigint"
    if name in packets.columns:
        return F.col(name).cast(kind)
    if name == "nanoseconds" and "time" in packets.columns:
        return F.unix_micros(F.col("time").cast("timestamp")) * 1_000
    return F.lit(None).cast(kind)


def _client(of_reply: str, of_request: str) -> "Column":
    return F.when(F.col("message") == "reply", F.col(of_reply)).otherwise(F.col(of_request))


def _as_it_is(rows: Any) -> Any:
    return rows
