"""What was found at which host, in packets and in conversations: rows that Spark sums up."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it

from mqconform.reference.mqsd.audit.conversation_rules import CONVERSATION_RULES
from mqconform.reference.mqsd.audit.wire_rules import WIRE_RULES
from mqconform.reports.pipeline.captures.conversations import RULE_NAMES as CONVERSATION_RULE_NAMES
from mqconform.reports.pipeline.captures.judging import RULE_NAMES
from mqconform.reports.pipeline.captures.weights import VERDICTS, conversation_weights, wire_weights

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

PACKET, CONVERSATION = "packet", "conversation"


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
    wire, talks = wire_weights(profile), conversation_weights(profile)
    return [
        *(
            RuleOfAudit(PACKET, RULE_NAMES[rule], rule.requirement, rule.says, rule.reading, VERDICTS[wire[rule]])
            for rule in WIRE_RULES
        ),
        *(
            RuleOfAudit(
                CONVERSATION,
                CONVERSATION_RULE_NAMES[number],
                rule.requirement,
                rule.says,
                rule.reading,
                VERDICTS[talks[number]],
            )
            for number, rule in CONVERSATION_RULES.items()
        ),
    ]


def findings_of(packets: "DataFrame", conversations: "DataFrame", rules: Sequence[RuleOfAudit]) -> "DataFrame":
    """Return how often each rule was found at each host, the verdict, and the first packet that shows it."""
    numbers = F.filter(F.array(*map(F.lit, WIRE_RULES)), lambda rule: F.getbit("rules", rule) == 1)
    named = F.element_at(F.array(*map(F.lit, RULE_NAMES)), F.col("number") + 1)
    judged = packets.where("rules != 0 and verdict != 'none'")
    in_packets = judged.select(
        F.lit(PACKET).alias("about"),
        F.col("source").alias("host"),
        "file",
        "offset",
        "id",
        F.explode(numbers).alias("number"),
    )
    in_packets = in_packets.withColumn("rule", named).drop("number")
    explained = conversations.where("findings is not null").select("id", F.explode("findings").alias("finding"))
    in_conversations = explained.select(F.lit(CONVERSATION).alias("about"), "id", "finding.*")
    counted = (
        in_packets.unionByName(in_conversations)
        .groupBy("about", "rule", "host")
        .agg(F.count("*").alias("count"), F.min(F.struct("file", "offset", "id")).alias("first"))
    )
    return counted.select("about", "rule", "host", "count", _verdict(rules).alias("verdict"), "first.*")


def _verdict(rules: Sequence[RuleOfAudit]) -> "Column":
    verdict = F.lit("pass")
    for name in ("inconclusive", "fail"):
        those = [F.lit(f"{rule.about} {rule.rule}") for rule in rules if rule.verdict == name]
        verdict = F.when(F.concat_ws(" ", "about", "rule").isin(*those), name).otherwise(verdict)
    return verdict


def histogram(times: "DataFrame", edges: Mapping[str, Sequence[int]]) -> "DataFrame":
    """Return for each kind and host how many times there are by the number of edges that they reach: ``counts``.

    Args:
        times: ``about``, ``host`` and ``nanoseconds``.
        edges: for each kind, rising, in milliseconds.
    """
    place = F.lit(0)
    for about, own in edges.items():
        above = F.size(F.filter(F.array(*(F.lit(edge * 1_000_000) for edge in own)), _reached))
        place = F.when(F.col("about") == about, above).otherwise(place)
    counted = times.groupBy("about", "host", place.alias("place")).agg(F.count("*").alias("count"))
    entries = F.collect_list(F.struct("place", "count"))
    return counted.groupBy("about", "host").agg(
        F.map_from_entries(entries).alias("counts"), F.sum("count").alias("times")
    )


def _reached(edge: "Column") -> "Column":
    return F.col("nanoseconds") >= edge


def order_of_addresses(host: str) -> "list[Column]":
    """Return what puts addresses in order: those of IPv4 by their numbers, then those of IPv6 by their text."""
    parts = F.split(F.col(host), r"\.")
    return [
        F.col(host).contains(":"),
        *(F.try_element_at(parts, F.lit(part)).try_cast("int") for part in range(1, 5)),
        F.col(host),
    ]
