"""What an audit of captures adds up to, as JSON for machines (audit_captures.schema.json)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from mqconform.reference.mqsd.audit.conversation_rules import CONVERSATION_RULES
from mqconform.reference.mqsd.audit.wire_rules import WIRE_RULES
from mqconform.reference.mqsd.guid import guid_text
from mqconform.reports.pipeline.captures.columns import RULE_NAMES, address_text
from mqconform.reports.pipeline.captures.conversing import RULE_NAMES as CONVERSATION_RULE_NAMES
from mqconform.reports.pipeline.captures.conversing import ConversationTally
from mqconform.reports.pipeline.captures.explaining import explained
from mqconform.reports.pipeline.captures.histograms import ANSWER_EDGES, RETRY_EDGES, histogram_record
from mqconform.reports.pipeline.captures.host_counts import OTHERS
from mqconform.reports.pipeline.captures.settings import HostFacts
from mqconform.reports.pipeline.captures.tally import MESSAGES, Tally
from mqconform.reports.pipeline.captures.weights import VERDICTS, conversation_weights, wire_weights

SCHEMA_VERSION: Final = 1
WORST: Final = 20
"""Hosts that are listed with examples."""
EXAMPLES_OF_HOST: Final = 4
MOST_REASONS: Final = 50

_OF_WEIGHT: Final = {1: "pass", 2: "inconclusive", 3: "fail"}


class Figures(NamedTuple):
    """Everything that a summary is made of."""

    captures: str
    profile: str
    ports: tuple[int, ...]
    tally: Tally
    conversations: ConversationTally
    facts: tuple[HostFacts, ...] = ()


def summary_of(figures: Figures) -> dict[str, Any]:
    """Return the summary of an audit."""
    tally, talks = figures.tally, figures.conversations
    counts = tally.messages.total().reshape(len(MESSAGES), len(VERDICTS))
    by_message, by_verdict = counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist()
    return {
        "schema_version": SCHEMA_VERSION,
        "captures": figures.captures,
        "profile": figures.profile,
        "ports": list(figures.ports),
        "files": tally.files,
        "octets": tally.octets,
        "frames": {"read": sum(_read(tally.frames).values()), **dict(sorted(tally.frames.items()))},
        "unknown_link_types": {str(kind): count for kind, count in sorted(tally.link_types.items())},
        "quarantine": {
            "entries": sum(tally.quarantined.values()),
            "octets": tally.quarantined_octets,
            "reasons": dict(tally.quarantined.most_common(MOST_REASONS)),
        },
        "first_time": _time(tally.first_time),
        "last_time": _time(tally.last_time),
        "packets": {
            "judged": sum(by_verdict[1:]),
            "messages": {name: by_message[place] for place, name in enumerate(MESSAGES)},
            "verdicts": {name: by_verdict[place] for place, name in enumerate(VERDICTS)},
        },
        "conversations": {
            "verdicts": {name: talks.verdicts[place] for place, name in enumerate(VERDICTS)},
            **{name: talks.packets[name] for name in ("requests", "replies", "copies")},
        },
        "times": {
            "answers": histogram_record(talks.times.answers, ANSWER_EDGES),
            "retries": histogram_record(talks.times.retries, RETRY_EDGES),
        },
        "requirements": list(_requirements(figures)),
        "rules": list(_rules(figures)),
        "hosts": {"different": len(tally.messages) + bool(tally.messages.others.any()), "worst": list(_worst(figures))},
    }


def _read(frames: Counter[str]) -> Mapping[str, int]:
    return {kind: count for kind, count in frames.items() if not kind.startswith("reassembled")}


def _time(nanoseconds: int | None) -> str | None:
    if nanoseconds is None:
        return None
    seconds, rest = divmod(nanoseconds, 10**9)
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{rest:09d}Z"
    except (OverflowError, ValueError, OSError):
        return None  # a clock that no calendar knows


class _RuleFindings(NamedTuple):
    """One rule with the hosts at which it was found."""

    about: str
    """``packet`` or ``conversation``."""
    rule: str
    requirement: str
    says: str
    reading: tuple[str, str] | None
    verdict: str
    hosts: Counter[bytes]
    number: int


def _rule_findings(figures: Figures) -> Iterator[_RuleFindings]:
    """Yield the rules that were found, those of packets first, each with how often at which host."""
    wire, talks = wire_weights(figures.profile), conversation_weights(figures.profile)
    for rule in WIRE_RULES:
        hosts = Counter({host: count for (host, number), count in figures.tally.findings.items() if number == rule})
        if hosts:
            verdict = _OF_WEIGHT[int(wire[rule])]
            yield _RuleFindings(
                "packet", RULE_NAMES[rule], rule.requirement, rule.says, rule.reading, verdict, hosts, rule
            )
    for about, other in CONVERSATION_RULES.items():
        findings = figures.conversations.findings.items()
        hosts = Counter({host: count for (host, place), count in findings if place == about})
        if hosts:
            verdict, name = _OF_WEIGHT[int(talks[about])], CONVERSATION_RULE_NAMES[about]
            yield _RuleFindings(
                "conversation", name, other.requirement, other.says, other.reading, verdict, hosts, about
            )


def _rules(figures: Figures) -> Iterator[dict[str, Any]]:
    for finding in _rule_findings(figures):
        yield {
            "about": finding.about,
            "rule": finding.rule,
            "requirement": finding.requirement,
            "says": finding.says,
            "reading": "/".join(finding.reading) if finding.reading else None,
            "verdict": finding.verdict,
            "count": finding.hosts.total(),
            "hosts": len(finding.hosts),
        }


def _requirements(figures: Figures) -> Iterator[dict[str, Any]]:
    """Yield every requirement that rules speak of, with what was found; zeros are what was looked for in vain."""
    counts: dict[str, Counter[str]] = {}
    for wire in WIRE_RULES:
        counts.setdefault(wire.requirement, Counter())
    for rule in CONVERSATION_RULES.values():
        counts.setdefault(rule.requirement, Counter())
    for finding in _rule_findings(figures):
        counts[finding.requirement][finding.verdict] += finding.hosts.total()
    for requirement, by_verdict in sorted(counts.items()):
        yield {
            "requirement": requirement,
            "fail": by_verdict["fail"],
            "inconclusive": by_verdict["inconclusive"],
            "by_register": by_verdict["pass"],
        }


def _worst(figures: Figures) -> Iterator[dict[str, Any]]:
    """Yield the hosts with most failures, each with examples of what it did."""
    findings = list(_rule_findings(figures))
    fails: Counter[bytes] = Counter()
    doubts: Counter[bytes] = Counter()
    for finding in findings:
        if finding.verdict != "pass":
            (fails if finding.verdict == "fail" else doubts).update(finding.hosts)
    ranked = sorted({*fails, *doubts}, key=lambda host: (-fails[host], -doubts[host], host))
    for host in ranked[:WORST]:
        sent = figures.tally.messages.of(host).reshape(len(MESSAGES), len(VERDICTS)).sum(axis=1).tolist()
        own = sorted(
            (finding for finding in findings if host in finding.hosts and finding.verdict != "pass"), key=_gravity
        )
        yield {
            "host": "(others)" if host == OTHERS else address_text(host),
            "fail": fails[host],
            "inconclusive": doubts[host],
            "packets": {name: count for name, count in zip(MESSAGES, sent, strict=True) if count},
            "findings": [
                _finding(figures, host, finding, place < EXAMPLES_OF_HOST) for place, finding in enumerate(own)
            ],
        }


def _gravity(finding: _RuleFindings) -> tuple[bool, str, str]:
    return finding.verdict != "fail", finding.requirement, finding.rule


def _finding(figures: Figures, host: bytes, finding: _RuleFindings, with_example: bool) -> dict[str, Any]:  # noqa: FBT001
    return {
        "about": finding.about,
        "rule": finding.rule,
        "requirement": finding.requirement,
        "says": finding.says,
        "verdict": finding.verdict,
        "count": finding.hosts[host],
        "example": _example(figures, host, finding) if with_example else None,
    }


def _example(figures: Figures, host: bytes, finding: _RuleFindings) -> dict[str, Any] | None:
    if finding.about == "packet":
        packet = figures.tally.examples.get((host, finding.number))
        return explained(packet, finding.number, _facts_of(figures.facts, host)) if packet else None
    place = figures.conversations.examples.get((host, finding.number))
    return {"file": place.file, "offset": place.offset, "id": guid_text(place.id)} if place else None


def _facts_of(facts: tuple[HostFacts, ...], host: bytes) -> HostFacts | None:
    """Return the configuration of a host, where it is known."""
    address = int.from_bytes(host[:8], "big"), int.from_bytes(host[8:], "big")
    own = [host_facts for host_facts in facts if host_facts.address == address]
    return next(iter(own or [host_facts for host_facts in facts if host_facts.address is None]), None)
