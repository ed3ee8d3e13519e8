"""What an audit of captures adds up to, as JSON for machines (audit_captures.schema.json)."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import numpy as np
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it

from mqconform.harness.records.printable import shortened, visible
from mqconform.reference.mqsd.audit.conversation_rules import CONVERSATION_RULES
from mqconform.reference.mqsd.audit.wire_judgement import judge_packet
from mqconform.reference.mqsd.audit.wire_rules import WIRE_RULES, Direction, Message
from mqconform.reference.mqsd.guid import guid_text
from mqconform.reference.mqsd.layout import Layout, read_reply_layout, read_request_layout
from mqconform.reports.pipeline.arrow_columns import pair_of
from mqconform.reports.pipeline.captures import judging
from mqconform.reports.pipeline.captures.bulk_datagrams import KINDS
from mqconform.reports.pipeline.captures.conversation_frames import RULE_NAMES as CONVERSATION_RULE_NAMES

SCHEMA_VERSION: Final = 1
WORST: Final = 20
"""Hosts that are listed with examples, and with times of their own."""
EXAMPLES_OF_HOST: Final = 4
MOST_REASONS: Final = 50
PACKET, CONVERSATION = "packet", "conversation"
ANSWER_EDGES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000)
"""Milliseconds; a client stops waiting after the last of them (MS-MQSD 3.1.2.1)."""
RETRY_EDGES: Final = (
    *(100, 1_000, 5_000, 10_000, 14_000, 14_500, 14_900, 15_000, 15_100),
    *(15_500, 16_000, 20_000, 29_500, 30_500, 60_000, 300_000, 1_200_000),
)
"""Milliseconds; fine about 15 s, after which a client asks its next network, and about 30 s, as long as one waits that
was answered by another site at the last moment (3.1.5.2)."""

Record = dict[str, Any]


class Tables(NamedTuple):
    """What an audit has written, and what it counted."""

    packets: DataFrame
    conversations: DataFrame
    quarantine: DataFrame
    counts: dict[str, int]
    """Frames by what they are, files and octets."""


class RuleOfAudit(NamedTuple):
    """A rule with the verdict on what it finds, in one profile."""

    about: str
    rule: str
    requirement: str
    says: str
    reading: tuple[str, str] | None
    verdict: str


def rules_of(profile: str) -> list[RuleOfAudit]:
    """Return all rules, those of packets first."""
    tables: tuple[Any, ...] = (
        (PACKET, WIRE_RULES, judging.RULE_NAMES),
        (CONVERSATION, CONVERSATION_RULES, CONVERSATION_RULE_NAMES),
    )
    return [
        RuleOfAudit(about, names[rule], rule.requirement, rule.says, rule.reading, judging.VERDICTS[weights[rule]])
        for about, rules, names in tables
        for weights in [judging.weights_of(rules, profile)]
        for rule in rules
    ]


def summary_of(tables: Tables, captures: str, settings: judging.Settings) -> Record:
    """Return the summary of an audit."""
    counts, rules = tables.counts, rules_of(settings.profile)
    frames = {name: counts[name] for name in sorted(counts) if name.removeprefix("reassembled_") in KINDS}
    sent = _sent(tables.packets).persist()
    totals = _totals(sent)
    findings = _findings(tables.packets, tables.conversations, rules).persist()
    by_rule = findings.groupBy("about", "rule").agg(F.sum("count").alias("count"), F.count("*").alias("hosts"))
    rows_by_rule = {(row["about"], row["rule"]): row for row in by_rule.collect()}
    answers = tables.conversations.where("answer is not null").select("answered_by", "answer")
    pauses = tables.conversations.where("pauses is not null").select(F.inline("pauses"))
    sums = ("requests", "replies", "copies")
    by_verdict = tables.conversations.groupBy("verdict")
    counted = by_verdict.agg(F.count("*").alias("count"), *(F.sum(name).alias(name) for name in sums)).collect()
    octets = F.coalesce(F.sum("length"), F.lit(0)).alias("octets")
    by_reason = tables.quarantine.groupBy("reason").agg(F.count("*").alias("count"), octets)
    reasons = by_reason.orderBy(F.desc("count"), "reason").collect()
    summary = {
        "schema_version": SCHEMA_VERSION,
        "captures": captures,
        "profile": settings.profile,
        "ports": list(settings.ports),
        "files": counts.get("files", 0),
        "octets": counts.get("octets", 0),
        "frames": {"read": sum(frames.get(kind, 0) for kind in KINDS)} | frames,
        "unknown_link_types": _link_types(reasons),
        "quarantine": {
            "entries": sum(row["count"] for row in reasons),
            "octets": sum(row["octets"] for row in reasons),
            "reasons": {row["reason"]: row["count"] for row in reasons[:MOST_REASONS]},
        },
        **totals,
        "conversations": {
            "verdicts": dict.fromkeys(judging.VERDICTS, 0) | {row["verdict"]: row["count"] for row in counted},
            **{name: sum(row[name] for row in counted) for name in sums},
        },
        "times": {"answers": _histogram(answers, ANSWER_EDGES), "retries": _histogram(pauses, RETRY_EDGES)},
        "requirements": list(_requirements(rules, rows_by_rule)),
        "rules": list(_rules(rules, rows_by_rule)),
        "hosts": {
            "different": sent.agg(F.count_distinct("source")).collect()[0][0],
            "worst": _worst_hosts(tables.packets, sent, findings, settings),
        },
    }
    sent.unpersist()
    findings.unpersist()
    return summary


def _sent(packets: DataFrame) -> DataFrame:
    """Return how many packets of each message and verdict each host sent, and when first and last."""
    times = F.min("nanoseconds").alias("first"), F.max("nanoseconds").alias("last")
    return packets.groupBy("source", "message", "verdict").agg(F.count("*").alias("count"), *times)


def _totals(sent: DataFrame) -> Record:
    ends = F.min("first").alias("first"), F.max("last").alias("last")
    rows = sent.groupBy("message", "verdict").agg(F.sum("count").alias("count"), *ends).collect()

    def total(name: str, value: str) -> int:
        return sum(row["count"] for row in rows if row[name] == value)

    verdicts = {verdict: total("verdict", verdict) for verdict in judging.VERDICTS}
    return {
        "first_time": _time(min((row["first"] for row in rows if row["first"] is not None), default=None)),
        "last_time": _time(max((row["last"] for row in rows if row["last"] is not None), default=None)),
        "packets": {
            "judged": sum(verdicts[verdict] for verdict in judging.VERDICTS[1:]),
            "messages": {message: total("message", message) for message in judging.MESSAGES},
            "verdicts": verdicts,
        },
    }


def _findings(packets: DataFrame, conversations: DataFrame, rules: Sequence[RuleOfAudit]) -> DataFrame:
    """Return how often each rule was found at each host, the verdict, and the first packet that shows it."""
    numbers = F.filter(F.array(*map(F.lit, WIRE_RULES)), lambda rule: F.getbit("rules", rule) == 1)
    judged = packets.where("rules != 0 and verdict != 'none'").withColumn("number", F.explode(numbers))
    named = F.element_at(F.array(*map(F.lit, judging.RULE_NAMES)), F.col("number") + 1).alias("rule")
    where = ("file", "offset", "id")
    in_packets = judged.select(F.lit(PACKET).alias("about"), named, F.col("source").alias("host"), *where)
    explained_talks = conversations.where("findings is not null").select("id", F.inline("findings"))
    in_conversations = explained_talks.select(F.lit(CONVERSATION).alias("about"), "rule", "host", *where)
    verdict = F.lit("pass")
    for name in ("inconclusive", "fail"):
        those = [f"{rule.about} {rule.rule}" for rule in rules if rule.verdict == name]
        verdict = F.when(F.concat_ws(" ", "about", "rule").isin(those), name).otherwise(verdict)
    counted = in_packets.unionByName(in_conversations).groupBy("about", "rule", "host")
    rows = counted.agg(F.count("*").alias("count"), F.min(F.struct(*where)).alias("first"))
    return rows.select("about", "rule", "host", "count", verdict.alias("verdict"), "first.*")


def _order_of_addresses(host: str) -> list[Column]:
    """Return what puts addresses in order: those of IPv4 by their numbers, then those of IPv6 by their text."""
    parts = F.split(F.col(host), r"\.")
    numbers = (F.try_element_at(parts, F.lit(part)).try_cast("int") for part in range(1, 5))
    return [F.col(host).contains(":"), *numbers, F.col(host)]


def _link_types(reasons: Sequence[Any]) -> dict[str, int]:
    """Return the frames that were of no known link type, -1 for those of no described interface."""
    counts: dict[str, int] = {}
    for row in reasons:
        match = re.fullmatch(r"link type (\d+) is not known|no interface is described for this frame", row["reason"])
        if match:
            counts[match[1] or "-1"] = row["count"]
    return dict(sorted(counts.items(), key=lambda item: int(item[0])))


def _time(nanoseconds: int | None) -> str | None:
    if nanoseconds is None:
        return None
    seconds, rest = divmod(nanoseconds, 10**9)
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{rest:09d}Z"
    except (OverflowError, ValueError, OSError):
        return None  # a clock that no calendar knows


def _histogram(times: DataFrame, edges: Sequence[int]) -> Record:
    """Return how many times (nanoseconds) reach which edge (milliseconds), in all and of the hosts with most of them.

    Further hosts are counted together as ``(others)``.
    """
    thresholds = F.array(*(F.lit(edge * 1_000_000) for edge in edges))
    reached = F.size(F.filter(thresholds, lambda edge: F.col("nanoseconds") >= edge)).alias("place")
    counted = times.toDF("host", "nanoseconds").groupBy("host", reached).agg(F.count("*").alias("count")).persist()
    counts = dict.fromkeys(range(len(edges) + 1), 0)
    counts |= {row[0]: row[1] for row in counted.groupBy("place").agg(F.sum("count")).collect()}
    entries = F.map_from_entries(F.collect_list(F.struct("place", "count"))).alias("counts")
    by_host = counted.groupBy("host").agg(entries, F.sum("count").alias("times"))
    order = F.desc("times"), *_order_of_addresses("host")
    ranked = by_host.orderBy(*order).limit(WORST).collect() if any(counts.values()) else []
    counted.unpersist()
    hosts = [{"host": row["host"], "counts": [row["counts"].get(place, 0) for place in counts]} for row in ranked]
    others = [count - sum(host["counts"][place] for host in hosts) for place, count in counts.items()]
    if any(others):
        hosts.append({"host": "(others)", "counts": others})
    return {"edges_ms": list(edges), "counts": list(counts.values()), "hosts": hosts}


def _rules(rules: Sequence[RuleOfAudit], by_rule: Mapping[tuple[str, str], Any]) -> Iterator[Record]:
    for rule in rules:
        if row := by_rule.get((rule.about, rule.rule)):
            reading = "/".join(rule.reading) if rule.reading else None
            yield rule._asdict() | {"reading": reading, "count": row["count"], "hosts": row["hosts"]}


def _requirements(rules: Sequence[RuleOfAudit], by_rule: Mapping[tuple[str, str], Any]) -> Iterator[Record]:
    """Yield every requirement that rules speak of, with what was found; zeros are what was looked for in vain."""
    counts: dict[str, Counter[str]] = {}
    for rule in rules:
        row = by_rule.get((rule.about, rule.rule))
        counts.setdefault(rule.requirement, Counter())[rule.verdict] += row["count"] if row else 0
    for requirement, by_verdict in sorted(counts.items()):
        yield {
            "requirement": requirement,
            "fail": by_verdict["fail"],
            "inconclusive": by_verdict["inconclusive"],
            "by_register": by_verdict["pass"],
        }


def _worst_hosts(packets: DataFrame, sent: DataFrame, findings: DataFrame, settings: judging.Settings) -> list[Record]:
    """Return the hosts with most failures, the worst first, each with examples of what it did."""
    rules = {(rule.about, rule.rule): rule for rule in rules_of(settings.profile)}
    bad = findings.where("verdict != 'pass'")
    sums = (
        F.sum(F.when(F.col("verdict") == verdict, F.col("count")).otherwise(0)).alias(verdict)
        for verdict in ("fail", "inconclusive")
    )
    order = F.desc("fail"), F.desc("inconclusive"), *_order_of_addresses("host")
    worst = bad.groupBy("host").agg(*sums).orderBy(*order).limit(WORST).collect()
    names = [row["host"] for row in worst]
    of_host: dict[str, Counter[str]] = {name: Counter() for name in names}
    for row in sent.where(F.col("source").isin(names)).collect():
        of_host[row["source"]][row["message"]] += row["count"]

    def gravity(row: Any) -> tuple[bool, str, str]:
        return row["verdict"] != "fail", rules[row["about"], row["rule"]].requirement, row["rule"]

    own: dict[str, list[Any]] = {name: [] for name in names}
    for row in sorted(bad.where(F.col("host").isin(names)).collect(), key=gravity):
        own[row["host"]].append(row)
    shown = (row for rows in own.values() for row in rows[:EXAMPLES_OF_HOST] if row["about"] == PACKET)
    examples = _packets_at(packets, set(map(_place, shown)))

    def finding(row: Any, *, with_example: bool) -> Record:
        rule, example = rules[row["about"], row["rule"]], None
        if with_example and row["about"] != PACKET:
            example = {"file": row["file"], "offset": row["offset"], "id": guid_text(bytes(row["id"]))}
        elif with_example and _place(row) in examples:
            example = _explained(examples[_place(row)], row["rule"], settings)
        stated = {name: getattr(rule, name) for name in ("about", "rule", "requirement", "says", "verdict")}
        return stated | {"count": row["count"], "example": example}

    return [
        {
            "host": row["host"],
            "fail": row["fail"],
            "inconclusive": row["inconclusive"],
            "packets": {name: of_host[row["host"]][name] for name in judging.MESSAGES if of_host[row["host"]][name]},
            "findings": [
                finding(found, with_example=place < EXAMPLES_OF_HOST) for place, found in enumerate(own[row["host"]])
            ],
        }
        for row in worst
    ]


def _place(row: Any) -> tuple[str, int]:
    return row["file"], row["offset"]


def _packets_at(packets: DataFrame, places: Collection[tuple[str, int]]) -> dict[tuple[str, int], Any]:
    asked = packets.sparkSession.createDataFrame(sorted(places), "file string, offset bigint")
    return {_place(row): row for row in packets.join(F.broadcast(asked), ["file", "offset"]).collect()}


def _explained(packet: Any, rule: str, settings: judging.Settings) -> Record:
    """Return the account of a packet that shows a rule: its octets, its fields, and everything found in it."""
    octets = bytes(packet["octets"] or b"")
    (known,) = judging.known_servers(settings.facts, np.array([pair_of(packet["source"])], np.uint64))
    server = settings.facts[known].server if known >= 0 else None
    direction = Direction(int(settings.directions(packet["source_port"], packet["destination_port"])))
    judgement = judge_packet(octets, direction, server)
    read = read_reply_layout if judgement.message is Message.REPLY else read_request_layout
    findings = [
        {"rule": judging.RULE_NAMES[finding.rule], "requirement": finding.rule.requirement, "says": finding.rule.says}
        | {"offset": finding.offset, "length": finding.length}
        for finding in judgement.findings
        if packet["length"] == len(octets)
    ]
    shown = [finding for finding in findings if finding["rule"] == rule]
    return {
        **{name: packet[name] for name in ("file", "offset", "frame", "length")},
        "octets": octets.hex(),
        "shown_at": {name: shown[0][name] for name in ("offset", "length")} if shown else None,
        "fields": _fields(read(octets)),
        "findings": findings,
    }


MOST_FIELDS: Final = 60
LONGEST: Final = 160


def _fields(layout: Layout) -> list[dict[str, Any]]:
    flat = [part for field in layout.shown for part in (field, *field.parts)]
    return [
        {
            "field": field.name,
            "offset": field.offset,
            "length": len(field.octets),
            "value": shortened(visible(field.text), LONGEST),
        }
        for field in flat[:MOST_FIELDS]
    ]
