"""What an audit of captures adds up to, as JSON for machines (audit_captures.schema.json)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pyspark.sql import Window
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it

from mqconform.reference.mqsd.audit.wire_rules import Direction
from mqconform.reference.mqsd.guid import guid_text
from mqconform.reports.pipeline.captures.addresses import pair_of
from mqconform.reports.pipeline.captures.bulk_datagrams import KINDS, direction_of
from mqconform.reports.pipeline.captures.explaining import Example, explained
from mqconform.reports.pipeline.captures.findings import (
    PACKET,
    RuleOfAudit,
    findings_of,
    histogram,
    order_of_addresses,
    rules_of,
)
from mqconform.reports.pipeline.captures.judging import MESSAGES, HostFacts, Settings
from mqconform.reports.pipeline.captures.weights import VERDICTS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SCHEMA_VERSION: Final = 1
WORST: Final = 20
"""Hosts that are listed with examples, and with times of their own."""
EXAMPLES_OF_HOST: Final = 4
MOST_REASONS: Final = 50
ANSWER_EDGES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000)
"""Milliseconds; a client stops waiting after the last of them (MS-MQSD 3.1.2.1)."""
RETRY_EDGES: Final = (
    *(100, 1_000, 5_000, 10_000, 14_000, 14_500, 14_900, 15_000, 15_100),
    *(15_500, 16_000, 20_000, 29_500, 30_500, 60_000, 300_000, 1_200_000),
)
"""Milliseconds; fine about 15 s, after which a client asks its next network, and about 30 s, as long as one waits that
was answered by another site at the last moment (3.1.5.2)."""

EDGES: Final = {"answers": ANSWER_EDGES, "retries": RETRY_EDGES}

Record = dict[str, Any]


class Tables(NamedTuple):
    """What an audit has written, and what it counted."""

    packets: "DataFrame"
    conversations: "DataFrame"
    quarantine: "DataFrame"
    counts: dict[str, int]
    """Frames by what they are, files and octets."""


def summary_of(tables: Tables, captures: str, settings: Settings) -> Record:
    """Return the summary of an audit."""
    counts = tables.counts
    frames = {name: counts[name] for name in sorted(counts) if name.removeprefix("reassembled_") in KINDS}
    hosts = _hosts(tables.packets).persist()
    totals = _totals(hosts)
    rules = rules_of(settings.profile)
    findings = findings_of(tables.packets, tables.conversations, rules).persist()
    by_rule = {(row["about"], row["rule"]): row for row in _by_rule(findings)}
    talks = {row["verdict"]: row for row in _talks(tables.conversations)}
    reasons = [row.asDict() for row in _reasons(tables.quarantine)]
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
        "first_time": _time(totals["first"]),
        "last_time": _time(totals["last"]),
        "packets": {
            "judged": sum(_total(totals, verdict=verdict) for verdict in VERDICTS[1:]),
            "messages": {message: _total(totals, message=message) for message in MESSAGES},
            "verdicts": {verdict: _total(totals, verdict=verdict) for verdict in VERDICTS},
        },
        "conversations": {
            "verdicts": {name: talks[name]["count"] if name in talks else 0 for name in VERDICTS},
            **{name: sum(row[name] for row in talks.values()) for name in ("requests", "replies", "copies")},
        },
        "times": _times(tables.conversations),
        "requirements": list(_requirements(rules, by_rule)),
        "rules": list(_rules(rules, by_rule)),
        "hosts": {
            "different": totals["hosts"],
            "worst": _Worst(tables.packets, hosts, findings, rules, settings).hosts(),
        },
    }
    hosts.unpersist()
    findings.unpersist()
    return summary


def _hosts(packets: "DataFrame") -> "DataFrame":
    """Return what each host sent: ``MESSAGE_VERDICT`` for each of both, and the first and last time."""
    kinds = (
        F.count_if((F.col("message") == message) & (F.col("verdict") == verdict)).alias(f"{message}_{verdict}")
        for message in MESSAGES
        for verdict in VERDICTS
    )
    times = F.min("nanoseconds").alias("first"), F.max("nanoseconds").alias("last")
    return packets.groupBy("source").agg(*kinds, *times)


def _totals(hosts: "DataFrame") -> Record:
    sums = (F.coalesce(F.sum(name), F.lit(0)).alias(name) for name in hosts.columns[1:-2])
    extremes = F.min("first").alias("first"), F.max("last").alias("last"), F.count("*").alias("hosts")
    totals: Record = hosts.agg(*sums, *extremes).collect()[0].asDict()
    return totals


def _total(totals: Record, message: str = "", verdict: str = "") -> int:
    messages, verdicts = [message] if message else MESSAGES, [verdict] if verdict else VERDICTS
    return sum(totals[f"{what}_{other}"] for what in messages for other in verdicts)


def _by_rule(findings: "DataFrame") -> Sequence[Any]:
    counted = F.sum("count").alias("count"), F.count("*").alias("hosts")
    return findings.groupBy("about", "rule").agg(*counted).collect()


def _talks(conversations: "DataFrame") -> Sequence[Any]:
    sums = (F.sum(name).alias(name) for name in ("requests", "replies", "copies"))
    return conversations.groupBy("verdict").agg(F.count("*").alias("count"), *sums).collect()


def _reasons(quarantine: "DataFrame") -> Sequence[Any]:
    counted = F.count("*").alias("count"), F.coalesce(F.sum("length"), F.lit(0)).alias("octets")
    return quarantine.groupBy("reason").agg(*counted).orderBy(F.desc("count"), "reason").collect()


def _link_types(reasons: Sequence[Record]) -> dict[str, int]:
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


def _times(conversations: "DataFrame") -> Record:
    """Return histograms in all and of the hosts with most times; further ones together as ``(others)``."""
    answers = conversations.where("answer is not null").select(
        F.lit("answers").alias("about"), F.col("answered_by").alias("host"), F.col("answer").alias("nanoseconds")
    )
    pauses = conversations.where("pauses is not null").select(F.lit("retries").alias("about"), F.inline("pauses"))
    times = answers.unionByName(pauses.withColumnRenamed("client", "host"))
    by_host = histogram(times, EDGES).persist()
    places = (
        by_host.select("about", F.explode("counts").alias("place", "count"))
        .groupBy("about", "place")
        .agg(F.sum("count"))
    )
    totals: dict[str, dict[int, int]] = {about: {} for about in EDGES}
    for about, place, count in places.collect():
        totals[about][place] = count
    order = Window.partitionBy("about").orderBy(F.desc("times"), *order_of_addresses("host"))
    worst = by_host.withColumn("rank", F.row_number().over(order)).where(F.col("rank") <= WORST)
    ranked = worst.orderBy("rank").collect() if any(totals.values()) else []
    by_host.unpersist()
    return {
        about: _histogram(edges, totals[about], [row for row in ranked if row["about"] == about])
        for about, edges in EDGES.items()
    }


def _histogram(edges: tuple[int, ...], counts: dict[int, int], ranked: Sequence[Any]) -> Record:
    places = range(len(edges) + 1)
    total = [counts.get(place, 0) for place in places]
    hosts = [{"host": row["host"], "counts": [row["counts"].get(place, 0) for place in places]} for row in ranked]
    others = [count - sum(host["counts"][place] for host in hosts) for place, count in enumerate(total)]
    if any(others):
        hosts.append({"host": "(others)", "counts": others})
    return {"edges_ms": list(edges), "counts": total, "hosts": hosts}


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


class _Worst:
    """The hosts with most failures, each with examples of what it did."""

    def __init__(
        self,
        packets: "DataFrame",
        hosts: "DataFrame",
        findings: "DataFrame",
        rules: Sequence[RuleOfAudit],
        settings: Settings,
    ) -> None:
        self._packets, self._hosts, self._findings = packets, hosts, findings
        self._rules, self._settings = {(rule.about, rule.rule): rule for rule in rules}, settings

    def hosts(self) -> list[Record]:
        """Return them, the worst first."""
        bad = self._findings.where("verdict != 'pass'").groupBy("host")
        sums = (
            F.sum(F.when(F.col("verdict") == verdict, F.col("count")).otherwise(0)).alias(verdict)
            for verdict in ("fail", "inconclusive")
        )
        ranked = bad.agg(*sums).orderBy(F.desc("fail"), F.desc("inconclusive"), *order_of_addresses("host"))
        worst = ranked.limit(WORST).collect()
        names = [row["host"] for row in worst]
        if not names:
            return []
        sent = {row["source"]: row for row in self._hosts.where(F.col("source").isin(names)).collect()}
        bad_findings = self._findings.where(F.col("host").isin(names) & (F.col("verdict") != "pass")).collect()
        own = {name: sorted((row for row in bad_findings if row["host"] == name), key=self._gravity) for name in names}
        examples = self._examples(
            [row for rows in own.values() for row in rows[:EXAMPLES_OF_HOST] if row["about"] == PACKET]
        )
        return [
            {
                "host": row["host"],
                "fail": row["fail"],
                "inconclusive": row["inconclusive"],
                "packets": self._sent(sent.get(row["host"])),
                "findings": [
                    self._finding(finding, examples, with_example=place < EXAMPLES_OF_HOST)
                    for place, finding in enumerate(own[row["host"]])
                ],
            }
            for row in worst
        ]

    def _gravity(self, row: Any) -> tuple[bool, str, str]:
        return row["verdict"] != "fail", self._rules[row["about"], row["rule"]].requirement, row["rule"]

    def _sent(self, row: Any) -> dict[str, int]:
        counts = {
            message: sum(row[f"{message}_{verdict}"] for verdict in VERDICTS) if row else 0 for message in MESSAGES
        }
        return {message: count for message, count in counts.items() if count}

    def _finding(self, row: Any, examples: Mapping[tuple[str, int], Example], *, with_example: bool) -> Record:
        rule = self._rules[row["about"], row["rule"]]
        stated = {name: getattr(rule, name) for name in ("about", "rule", "requirement", "says", "verdict")}
        return stated | {"count": row["count"], "example": self._example(row, examples) if with_example else None}

    def _example(self, row: Any, examples: Mapping[tuple[str, int], Example]) -> Record | None:
        if row["about"] != PACKET:
            return {"file": row["file"], "offset": row["offset"], "id": guid_text(bytes(row["id"]))}
        example = examples.get((row["file"], row["offset"]))
        return explained(example, row["rule"], self._facts_of(row["host"])) if example else None

    def _examples(self, places: Sequence[Any]) -> dict[tuple[str, int], Example]:
        """Return the packets at some places."""
        if not places:
            return {}
        asked = self._packets.sparkSession.createDataFrame(
            sorted({(row["file"], row["offset"]) for row in places}), "file string, offset bigint"
        )
        ports = self._settings.port_flags()
        return {
            (row["file"], row["offset"]): Example(
                row["file"],
                row["offset"],
                row["frame"],
                bytes(row["octets"] or b""),
                row["length"],
                Direction(direction_of(bool(ports[row["source_port"]]), bool(ports[row["destination_port"]]))),
            )
            for row in self._packets.join(F.broadcast(asked), ["file", "offset"]).collect()
        }

    def _facts_of(self, host: str) -> HostFacts | None:
        """Return the configuration of a host, where it is known."""
        address, facts = pair_of(host), self._settings.facts
        own = [host_facts for host_facts in facts if host_facts.address == address]
        return next(iter(own or [host_facts for host_facts in facts if host_facts.address is None]), None)
