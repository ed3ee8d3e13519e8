"""Conversations of discovery from DataFrame to DataFrame: who answered whom, when and how often (MS-MQSD 3.1, 3.2).

Spark brings the packets of one identifier together. Replies that answer no captured request are compared with the open
requests of their clients by windows of Spark.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import from_arrow_schema

from mqconform.reference.mqbr.bulk_compiled import Int64s, Masks, Octets
from mqconform.reference.mqsd.audit import bulk_conversations
from mqconform.reference.mqsd.audit.bulk_conversations import NO_TIME, REPLY, WAIT, Exchange, Listed
from mqconform.reference.mqsd.audit.bulk_packets import PASS
from mqconform.reference.mqsd.audit.conversation_rules import CLIENT, CONVERSATION_RULES, ConversationRule
from mqconform.reports.pipeline import arrow_columns
from mqconform.reports.pipeline.captures import judging
from mqconform.reports.pipeline.entry import INTEGER, OCTETS, TEXT, check_entry, column_of, judge_groups, refuse_stream
from mqconform.reports.shapes import columns

GUID: Final = 16
READ: Final = (
    *("file", "offset", "nanoseconds", "source", "source_port", "destination", "destination_port"),
    *("identification", "length", "message", "id", "site", "enterprise", "shown"),
)
"""What matching depends on."""
_TIME: Final = pa.timestamp("us", "UTC")
_FINDING: Final = pa.struct(columns("rule host file offset:int64"))
_PAUSE: Final = pa.struct(columns("client nanoseconds:int64"))
COUNTS: Final = ("requests", "replies", "copies", "networks", "servers")
CONVERSATIONS: Final = columns(
    "id:binary client client_port:int32 first_time last_time requests:int32 replies:int32 copies:int32 "
    "networks:int32 servers:int32 verdict rule requirement host file offset:int64 rules:int64 answer:int64 "
    "answered_by pauses findings",
    **dict.fromkeys(("first_time", "last_time"), _TIME),
    pauses=pa.list_(_PAUSE),
    findings=pa.list_(_FINDING),
)
"""One row for each identifier; docs/audit-captures.md says what the columns mean."""

RULE_NAMES: Final = tuple("" if not rule else rule.name.lower().replace("_", "-") for rule in ConversationRule)
_REQUIREMENTS: Final = [rule.requirement for rule in ConversationRule]
_BY_CLIENT: Final = np.array([rule.at_fault == CLIENT for rule in ConversationRule])


class _Packets:
    """Packets of a table with the columns ``READ``, in the order of captures and places.

    Those of no known address are left out.
    """

    def __init__(self, table: pa.Table, knowledge: "Knowledge") -> None:
        names, file = arrow_columns.texts_of(table["file"])
        self.files = sorted([*names, ""])
        ranks = np.array([self.files.index(name) for name in [*names, ""]], np.int32)
        (source, from_one), (destination, to_one) = (
            arrow_columns.address_numbers(table[end]) for end in ("source", "destination")
        )
        offset, _ = arrow_columns.integers(table["offset"])
        order = np.lexsort((offset, ranks[file]))
        order = order[(from_one & to_one)[order]]
        self.file, self.offset = ranks[file][order], offset[order]
        messages, message = arrow_columns.texts_of(table["message"])
        kinds = np.array(
            [judging.MESSAGES.index(text) if text in judging.MESSAGES else 0 for text in [*messages, ""]], np.uint8
        )
        kind = kinds[message][order]
        reply, source, destination = kind == REPLY, source[order], destination[order]
        ports = [
            arrow_columns.integers(table[name])[0][order].astype(np.int32)
            for name in ("source_port", "destination_port")
        ]
        self.client = np.where(reply[:, None], destination, source)
        self.server = np.where(reply[:, None], source, destination)
        self.id = _guids(table["id"], order)
        configurations = np.full(len(order), -1, np.int32)
        configurations[reply] = judging.known_servers(knowledge.facts, self.server[reply])
        servers = [host.server for host in knowledge.facts]
        own = np.array([np.frombuffer(server.site, ">u8") for server in servers] + [np.zeros(2)], np.uint64)
        sites = arrow_columns.numbered(np.concatenate([_guids(table["site"], order), own]))
        known = configurations >= 0
        self.exchange = Exchange(
            id=arrow_columns.numbered(self.id),
            message=kind,
            time=arrow_columns.integers(table["nanoseconds"], NO_TIME)[0][order],
            client=arrow_columns.numbered(self.client),
            client_port=np.where(reply, *ports[::-1]),
            server=arrow_columns.numbered(self.server),
            server_port=np.where(reply, *ports),
            identification=arrow_columns.integers(table["identification"], -1)[0][order].astype(np.int32),
            length=arrow_columns.integers(table["length"])[0][order].astype(np.int32),
            site=sites[: len(order)],
            enterprise=arrow_columns.integers(table["enterprise"])[0][order],
            shown=arrow_columns.integers(table["shown"])[0][order].astype(np.uint8),
            heard=np.isin(self.client[:, 0] ^ self.client[:, 1], knowledge.answered),
            known_site=np.where(known, sites[len(order) :][configurations], -1).astype(np.int32),
            known_lists=known & np.array([*(bool(one.directory_servers) for one in servers), False])[configurations],
            capture=self.file,
        )


class Knowledge(NamedTuple):
    """What is known beside the packets."""

    facts: Sequence[judging.HostFacts]
    answered: Masks
    """Hashes of clients of whom any reply was captured: half of the address xor the other half."""
    since: int
    until: int
    """Times of the first and of the last packet of the audit."""


def _guids(column: Any, order: Int64s) -> Masks:
    """Return identifiers of two numbers each, zeros where one is absent."""
    runs = arrow_columns.octets_of(column)
    starts, there = runs.starts[order], runs.present[order] & (runs.lengths[order] == GUID)
    octets = np.zeros((len(order), GUID), np.uint8)
    octets[there] = runs.octets[starts[there, None] + np.arange(GUID)]
    numbers: Masks = octets.view(">u8").astype(np.uint64)
    return numbers


def conversation_table(table: pa.Table, knowledge: Knowledge, severities: Octets) -> pa.Table:
    """Return the conversations of a table with the columns ``READ`` as rows of ``CONVERSATIONS``."""
    packets = _Packets(table, knowledge)
    exchange = packets.exchange
    of, findings, pauses = bulk_conversations.judge_conversations(
        exchange, knowledge.since, knowledge.until, severities
    )
    has, answered = of.rule > 0, of.answer != NO_TIME
    row, by = np.where(has, of.row, 0), np.where(answered, of.answer_row, 0)
    verdicts = np.where(of.weight > PASS, of.weight, np.where(of.replies > 0, PASS, 0))
    values: list[Any] = [
        arrow_columns.identifiers(packets.id[of.first].astype(">u8").view(np.uint8), np.ones(len(of.rule), np.bool_)),
        arrow_columns.address_texts(packets.client[of.first]),
        pa.array(exchange.client_port[of.first]),
        _times(exchange.time[of.first]),
        _times(exchange.time[of.last]),
        *(pa.array(getattr(of, name)) for name in COUNTS),
        arrow_columns.words(verdicts, judging.VERDICTS),  # one that is not over when the capture ends has none
        arrow_columns.words(of.rule, RULE_NAMES, has),
        arrow_columns.words(of.rule, _REQUIREMENTS, has),
        pc.if_else(has, arrow_columns.address_texts(_hosts(packets, row, of.rule)), None),
        arrow_columns.words(packets.file[row], packets.files, has),
        pa.array(packets.offset[row], mask=~has),
        pa.array(of.rules.view(np.int64)),
        pa.array(of.answer, mask=~answered),
        pc.if_else(answered, arrow_columns.address_texts(packets.server[by]), None),
        _lists(
            pauses, len(has), [arrow_columns.address_texts(packets.client[pauses.row]), pa.array(pauses.what)], _PAUSE
        ),
        _lists(findings, len(has), _found(packets, findings), _FINDING),
    ]
    return pa.Table.from_arrays(values, schema=CONVERSATIONS)


def _times(nanoseconds: Int64s) -> pa.Array:
    return pa.array(nanoseconds // 1_000, mask=nanoseconds == NO_TIME).cast(_TIME)


def _hosts(packets: _Packets, rows: Int64s, rule: Any) -> Masks:
    """Return the address of whose doing each finding is."""
    hosts: Masks = np.where(_BY_CLIENT[rule][:, None], packets.client[rows], packets.server[rows])
    return hosts


def _found(packets: _Packets, findings: Listed) -> list[pa.Array]:
    hosts = arrow_columns.address_texts(_hosts(packets, findings.row, findings.what))
    files = arrow_columns.words(packets.file[findings.row], packets.files)
    return [arrow_columns.words(findings.what, RULE_NAMES), hosts, files, pa.array(packets.offset[findings.row])]


def _lists(listed: Listed, count: int, values: list[Any], kind: pa.DataType) -> pa.Array:
    """Return lists of what belongs to each of some conversations; null where there is nothing."""
    if not len(listed.row):
        return pa.nulls(count, pa.list_(kind))
    ends = np.append(0, np.cumsum(np.bincount(listed.conversation, minlength=count)))
    structs = pa.StructArray.from_arrays(values, fields=list(kind))
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), structs, type=pa.list_(kind))


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


def judge_conversations(
    packets: DataFrame, *, profile: str = "default", facts: tuple[judging.HostFacts, ...] = ()
) -> DataFrame:
    """Return a row of ``CONVERSATION_VERDICTS`` for each identifier (MS-MQSD 3.1.5, 3.2.5).

    The packets are read several times; where that costs more than memory, cache them first.

    Args:
        packets: what ``judge_packets`` or ``reassembled`` gives; not a stream. Rows that are no packets, or show no
            identifier, are passed over.
        profile: which verdicts of the ambiguity register count: must, default, strict or windows.
        facts: how servers are configured, where that is known; what ``facts_of`` gives.

    Raises:
        UnusableInput: a column is missing or of a wrong type, or the packets are a stream.
    """
    refuse_stream(packets)
    rows = _shaped(packets).where(F.length("id") == 16)
    reply_to = F.when((F.col("message") == "reply") & F.col("id").isNotNull(), F.col("destination"))
    ends = F.min("nanoseconds"), F.max("nanoseconds")
    first, last, answered = _shaped(packets).agg(*ends, F.collect_set(reply_to)).collect()[0]
    hashes = np.unique(np.array([high ^ low for high, low in map(arrow_columns.pair_of, answered)], np.uint64))
    first = first or 0
    knowledge = Knowledge(facts, hashes, first, WAIT if last is None else last)
    weights = judging.weights_of(CONVERSATION_RULES, profile).tobytes()

    def judge(table: pa.Table) -> pa.Table:
        return conversation_table(table, knowledge, np.frombuffer(weights, np.uint8))

    judged = judge_groups(rows, ("id",), judge, CONVERSATION_VERDICTS)
    return _convicted(judged, _with_other_id(rows, first))


def _with_other_id(rows: DataFrame, since: int) -> DataFrame:
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


def _convicted(judged: DataFrame, wrong: DataFrame) -> DataFrame:
    """Return conversations, those with answers of a wrong identifier failed."""
    rule = ConversationRule.OTHER_ID

    def is_wrong(finding: Column) -> Column:
        return F.array_contains("wrong", _place(finding["file"], finding["offset"]))

    def renamed(finding: Column) -> Column:
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
    named = (
        (F.when(has, changed[name]).otherwise(F.col(name)) if name in changed else F.col(name)).alias(name)
        for name in judged.columns
    )
    return joined.select(*named)


def _place(file: Column | str, offset: Column | str) -> Column:
    return F.struct(F.coalesce(file, F.lit("")).alias("file"), F.coalesce(offset, F.lit(0)).alias("offset"))


def _shaped(packets: DataFrame) -> DataFrame:
    check_entry(packets, "the packets", _NEEDED, _OPTIONAL)
    if "time" in packets.columns and "nanoseconds" not in packets.columns:
        packets = packets.withColumn("nanoseconds", F.unix_micros(F.col("time").cast("timestamp")) * 1_000)
    kinds = {TEXT: "string", OCTETS: "binary", INTEGER: "bigint"}
    return packets.select(*(column_of(packets, name, kinds[(_NEEDED | _OPTIONAL)[name]]) for name in READ))
