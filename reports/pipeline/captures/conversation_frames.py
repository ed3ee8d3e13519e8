"""Conversations of discovery from DataFrame to DataFrame: who answered whom, when and how often (MS-MQSD 3.1, 3.2).

Spark brings the packets of one identifier together. Replies that answer no captured request are compared with the open
requests of their clients by windows of Spark.
"""

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa
from pyspark.sql import Window
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import from_arrow_schema

from mqconform.reference.mqbr.bulk_compiled import Masks
from mqconform.reference.mqsd.audit.bulk_exchange import WAIT, Knowledge
from mqconform.reference.mqsd.audit.conversation_rules import ConversationRule
from mqconform.reports.pipeline.captures.addresses import pair_of
from mqconform.reports.pipeline.captures.conversations import CONVERSATIONS, READ, RULE_NAMES, conversation_table
from mqconform.reports.pipeline.captures.judging import HostFacts
from mqconform.reports.pipeline.captures.weights import conversation_weights
from mqconform.reports.pipeline.entry import INTEGER, OCTETS, TEXT, check_entry, refuse_stream
from mqconform.reports.pipeline.groups import judge_groups

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

CONVERSATION_VERDICTS: Final = from_arrow_schema(CONVERSATIONS)
"""One row for each identifier; docs/audit-captures.md says what the columns mean."""

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
    rows = _shaped(packets).where(F.length("id") == 16)
    first, last, answered = capture_context(packets) if context is None else context
    servers = [host.server for host in facts]
    sites = np.array([np.frombuffer(server.site, ">u8").astype(np.uint64) for server in servers], np.uint64)
    lists = np.array([bool(server.directory_servers) for server in servers], np.bool_)
    knowledge = Knowledge(answered, last, sites.reshape(-1, 2), lists, first)
    weights = conversation_weights(profile).tobytes()

    def judge(table: pa.Table) -> pa.Table:
        return conversation_table(table, facts, knowledge, np.frombuffer(weights, np.uint8))

    judged = judge_groups(rows, ("id",), judge, CONVERSATION_VERDICTS)
    return _convicted(judged, _with_other_id(rows, first))


def _with_other_id(rows: "DataFrame", since: int) -> "DataFrame":
    """Return ``id`` and ``wrong`` of stray replies: which of them are answers with a wrong identifier.

    A reply with an identifier of no captured request may answer one that was not captured. Where its client had a
    request under way that the same server left unanswered, it is that server's answer with the wrong identifier.
    """
    asked = F.col("message") == "request"
    is_stray = ~F.max(F.when(asked, True).otherwise(False))
    stray_ids = rows.groupBy("id").agg(is_stray.alias("stray")).where("stray")
    of_clients = rows.select(
        *("id", "file", "offset", "message", F.col("nanoseconds").alias("time")),
        F.when(asked, F.col("source")).otherwise(F.col("destination")).alias("client"),
        F.when(asked, F.col("source_port")).otherwise(F.col("destination_port")).alias("port"),
        F.when(~asked, F.col("source")).alias("server"),
    )
    marked = of_clients.where("time is not null").join(stray_ids, "id", "left")
    concerned = marked.where("stray").select("client", "port").distinct()
    of_client = Window.partitionBy("client", "port").orderBy("time")
    sent = F.last(F.when(asked, F.col("time")), ignorenulls=True).over(of_client)
    events = marked.join(concerned, ["client", "port"], "left_semi").withColumn("sent", sent)
    open_strays = F.col("stray") & (F.col("time") - F.col("sent") <= WAIT) & (F.col("time") - since > WAIT)
    queries = events.where(open_strays).withColumn("time", F.col("sent") + WAIT)
    replies = events.where(F.col("stray").isNull() & ~asked)
    of_server = Window.partitionBy("client", "port", "server").orderBy("time")
    last = F.last(F.when(F.col("stray").isNull(), F.col("time")), ignorenulls=True).over(of_server)
    judged = queries.unionByName(replies).withColumn("answered", last)
    wrong = judged.where(F.col("stray") & (F.col("answered").isNull() | (F.col("answered") < F.col("sent"))))
    return wrong.groupBy("id").agg(F.collect_set(_place("file", "offset")).alias("wrong"))


def _convicted(judged: "DataFrame", wrong: "DataFrame") -> "DataFrame":
    """Return conversations, those with answers of a wrong identifier failed."""
    rule = ConversationRule.OTHER_ID

    def is_wrong(finding: "Column") -> "Column":
        return F.array_contains("wrong", _place(finding["file"], finding["offset"]))

    def renamed(finding: "Column") -> "Column":
        return F.when(is_wrong(finding), finding.withField("rule", F.lit(RULE_NAMES[rule]))).otherwise(finding)

    first = F.filter("findings", is_wrong)[0]
    changed = {
        "verdict": F.lit("fail"),  # the text decides this rule
        "rule": F.lit(RULE_NAMES[rule]),
        "requirement": F.lit(rule.requirement),
        **{name: first[name] for name in ("host", "file", "offset")},
        "rules": F.col("rules").bitwiseOR(1 << rule),
        "findings": F.transform("findings", renamed),
    }
    joined = judged.join(wrong, "id", "left")
    has = F.col("wrong").isNotNull() & F.exists("findings", is_wrong)
    columns = (
        (F.when(has, changed[name]).otherwise(F.col(name)) if name in changed else F.col(name)).alias(name)
        for name in judged.columns
    )
    return joined.select(*columns)


def _place(file: "Column | str", offset: "Column | str") -> "Column":
    return F.struct(F.coalesce(file, F.lit("")).alias("file"), F.coalesce(offset, F.lit(0)).alias("offset"))


def _shaped(packets: "DataFrame") -> "DataFrame":
    check_entry(packets, "the packets", _NEEDED, _OPTIONAL)
    return packets.select(*(_column(packets, name).alias(name) for name in READ))


def _column(packets: "DataFrame", name: str) -> "Column":
    kind = {TEXT: "string", OCTETS: "binary", INTEGER: "bigint"}[(_NEEDED | _OPTIONAL)[name]]
    if name in packets.columns:
        return F.col(name).cast(kind)
    if name == "nanoseconds" and "time" in packets.columns:
        return F.unix_micros(F.col("time").cast("timestamp")) * 1_000
    return F.lit(None).cast(kind)
