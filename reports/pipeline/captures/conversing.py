"""The task that judges the conversations of one bucket, and its stray replies, which answer no captured request."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mqconform.reference.mqbr.bulk_compiled import Flags, Int64s, Masks, Octets
from mqconform.reference.mqsd.audit.bulk_conversation_rows import NO_TIME, REPLY
from mqconform.reference.mqsd.audit.bulk_conversations import Judged, Knowledge, judge_conversations
from mqconform.reference.mqsd.audit.bulk_findings import PASS
from mqconform.reference.mqsd.audit.bulk_timing import timing_of
from mqconform.reference.mqsd.audit.conversation_rules import CLIENT, CONVERSATION_RULES, ConversationRule
from mqconform.reports.pipeline.captures.columns import (
    TIME,
    WORDS,
    address_texts,
    identifiers,
    times,
    words,
)
from mqconform.reports.pipeline.captures.exchange import Batch, Handed, handed_on, room_for
from mqconform.reports.pipeline.captures.histograms import (
    ANSWER_EDGES,
    RETRY_EDGES,
    Histograms,
    count_times,
    no_histograms,
)
from mqconform.reports.pipeline.captures.host_counts import MOST_HOSTS, OTHERS
from mqconform.reports.pipeline.captures.settings import AuditSettings, HostFacts
from mqconform.reports.pipeline.captures.tally import EXAMPLES
from mqconform.reports.pipeline.captures.weights import VERDICTS
from mqconform.reports.pipeline.commit import attempt_name

CONVERSATIONS: Final = pa.schema(
    [
        ("id", pa.binary(16)),
        ("client", WORDS),
        ("client_port", pa.uint16()),
        ("first_time", TIME),
        ("last_time", TIME),
        ("requests", pa.int32()),
        ("replies", pa.int32()),
        ("copies", pa.int32()),
        ("networks", pa.int32()),
        ("servers", pa.int32()),
        ("verdict", WORDS),
        ("rule", WORDS),
        ("requirement", WORDS),
        ("host", WORDS),
        ("file", WORDS),
        ("offset", pa.int64()),
        ("rules", pa.uint64()),
    ]
)
"""One row for each identifier; docs/audit-captures.md says what the columns mean."""

RULE_NAMES: Final = tuple("" if not rule else rule.name.lower().replace("_", "-") for rule in ConversationRule)
_REQUIREMENTS: Final = tuple(
    CONVERSATION_RULES[rule].requirement if rule in CONVERSATION_RULES else "" for rule in ConversationRule
)
_BY_CLIENT: Final = np.array(
    [rule in CONVERSATION_RULES and CONVERSATION_RULES[rule].at_fault == CLIENT for rule in ConversationRule]
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding shows."""

    file: str
    offset: int
    id: bytes


@dataclass(slots=True)
class ConversationTally:
    """What was counted of conversations.

    Attributes:
        verdicts: conversations by place in ``VERDICTS``.
        packets: requests, replies and copies.
        findings: findings by host at fault and rule.
        examples: for each of those the first packet that shows it.
        times: of answers and of clients' pauses.
    """

    verdicts: Counter[int] = field(default_factory=Counter)
    packets: Counter[str] = field(default_factory=Counter)
    findings: Counter[tuple[bytes, int]] = field(default_factory=Counter)
    examples: dict[tuple[bytes, int], Place] = field(default_factory=dict)
    times: Histograms = field(default_factory=no_histograms)

    def add(self, other: "ConversationTally") -> None:
        """Add what another part counted."""
        self.verdicts.update(other.verdicts)
        self.packets.update(other.packets)
        self.findings.update(other.findings)
        for mine, its in zip(self.times, other.times, strict=True):
            mine.add(its)
        for key, place in other.examples.items():
            example = self.examples.get(key)
            if example is None or (place.file, place.offset) < (example.file, example.offset):
                self.examples[key] = place


class Bucket(NamedTuple):
    """What one task judges."""

    number: int
    batches: tuple[Batch, ...]


class BucketAudit(NamedTuple):
    """What a task left behind; ``conversations`` is a name in the staging folder, empty where there are none."""

    number: int
    conversations: str
    tally: ConversationTally
    strays: Handed
    """Stray replies, not judged yet."""


class Context(NamedTuple):
    """What tasks that judge conversations know beside their packets."""

    settings: AuditSettings
    severities: bytes
    """What each rule of conversations weighs."""
    files: tuple[str, ...]
    """Names of the captures by their numbers."""
    answered: Any
    """As in ``Knowledge``."""
    until: int
    since: int

    def knowledge(self) -> Knowledge:
        """Return it in the form of the oracle."""
        return knowledge_of(self.settings.facts, self.answered, self.until, self.since)


def knowledge_of(facts: Sequence[HostFacts], answered: Any, until: int, since: int) -> Knowledge:
    """Return what is known beside the packets, in the form of the oracle."""
    servers = [host.server for host in facts]
    sites = np.array([np.frombuffer(server.site, ">u8").astype(np.uint64) for server in servers], np.uint64)
    lists = np.array([bool(server.directory_servers) for server in servers], np.bool_)
    return Knowledge(answered, until, sites.reshape(-1, 2), lists, since)


def read_bucket(settings: AuditSettings, bucket: Bucket) -> Handed:
    """Return the packets of a bucket from all files that hold some."""
    handed = handed_on(settings.staging, bucket.batches)
    replies = np.flatnonzero(handed.exchange.message == REPLY) if settings.facts else ()
    if len(replies):
        handed.exchange.known_server[replies] = settings.server_of(handed.server(replies))
    return handed


def audit_bucket(context: Context, bucket: Bucket) -> BucketAudit:
    """Judge the conversations of a bucket; stray replies are judged last."""
    rows = read_bucket(context.settings, bucket)
    severities = np.frombuffer(context.severities, np.uint8)
    judged = judge_conversations(rows.exchange, rows.file, context.knowledge(), severities)
    alone = judged.conversations.requests == 0
    strays = rows.taken(_rows_of(judged, alone)) if alone.any() else room_for(0)
    name, tally = write_conversations(context, bucket.number, rows, judged, ~alone)
    _count_times(tally.times, rows, judged)
    return BucketAudit(bucket.number, name, tally, strays)


def _count_times(times: Histograms, rows: Handed, judged: Judged) -> None:
    timing = timing_of(rows.exchange, judged.groups, judged.copies, judged.conversations)
    answered = np.flatnonzero(timing.answers != NO_TIME)
    servers = rows.server(timing.answer_rows[answered])
    count_times(times.answers, ANSWER_EDGES, servers, timing.answers[answered])
    again = np.flatnonzero(timing.pauses != NO_TIME)
    count_times(times.retries, RETRY_EDGES, rows.client(again), timing.pauses[again])


def _rows_of(judged: Judged, selection: Flags) -> Int64s:
    """Return the rows of the selected conversations, in their order."""
    rows: Int64s = np.sort(judged.groups.order[np.repeat(selection, np.diff(judged.groups.bounds))])
    return rows


def write_conversations(
    context: Context, number: int, rows: Handed, judged: Judged, selection: Flags
) -> tuple[str, ConversationTally]:
    """Write the selected conversations to a file in the staging folder; return its name and the tally."""
    tally = _tally(context, rows, judged, selection)
    if not selection.any():
        return "", tally
    name = attempt_name(number, ".parquet")
    system, path = (context.settings.staging / name).resolve()
    table = pa.Table.from_batches([conversation_batch(context.files, rows, judged, np.flatnonzero(selection))])
    pq.write_table(table, path, filesystem=system, **_PARQUET)
    return name, tally


_COUNTS: Final = ("requests", "replies", "copies", "networks", "servers")
_WIDE: Final = {"id", "first_time", "last_time", "offset"}
_PARQUET: Final[dict[str, Any]] = {
    "use_dictionary": [name for name in CONVERSATIONS.names if name not in _WIDE],
    "column_encoding": dict.fromkeys(("first_time", "last_time", "offset"), "DELTA_BINARY_PACKED"),
    "compression": {name: "none" if name == "id" else "lz4" for name in CONVERSATIONS.names},  # identifiers are random
    "write_statistics": [name for name in CONVERSATIONS.names if name not in {"id", "client", "host"}],
}


def conversation_batch(files: tuple[str, ...], rows: Handed, judged: Judged, selection: Int64s) -> pa.RecordBatch:
    """Return rows of ``CONVERSATIONS``.

    Args:
        files: names of the captures by their numbers.
        rows: the packets.
        judged: what was found in them.
        selection: numbers of the conversations to return.
    """
    conversations, groups, exchange = judged.conversations, judged.groups, rows.exchange
    first, last = groups.order[groups.bounds[selection]], groups.order[groups.bounds[selection + 1] - 1]
    rule, weight = conversations.rule[selection].astype(np.int32), conversations.weight[selection]
    finding_rows, has = conversations.row[selection], rule > 0
    deciding = finding_rows[has]
    hosts, offset = address_texts(_hosts(rows, deciding, rule[has])), np.zeros(len(selection), np.int64)
    offset[has] = rows.offset[deciding]
    columns = [
        identifiers(rows.id(first), np.ones(len(selection), np.bool_)),
        address_texts(rows.client(first)),
        pa.array(exchange.client_port[first].astype(np.uint16)),
        times(exchange.time[first]),
        times(exchange.time[last]),
        *(pa.array(getattr(conversations, name)[selection]) for name in _COUNTS),
        words(_verdicts(conversations.replies[selection], weight), VERDICTS),
        words(rule, RULE_NAMES, has),
        words(rule, _REQUIREMENTS, has),
        _where(has, hosts.indices.to_numpy(), hosts.dictionary),
        _where(has, rows.file[deciding], pa.array(files)),
        pa.array(offset, mask=~has),
        pa.array(conversations.rules[selection]),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=CONVERSATIONS)


def _where(has: Flags, numbers: Any, texts: Any) -> Any:
    """Return texts by their numbers where there are some, null elsewhere."""
    places = np.zeros(len(has), np.int32)
    places[has] = numbers
    return pa.DictionaryArray.from_arrays(pa.array(places, mask=~has), texts)


def _verdicts(replies: Any, weight: Octets) -> Any:
    """Return verdicts as places in ``VERDICTS``: one that is not over when the capture ends has none."""
    plain = np.where(replies > 0, PASS, 0)
    return np.where(weight > PASS, weight, plain).astype(np.int32)


def _hosts(rows: Handed, deciding: Int64s, rule: Any) -> Masks:
    """Return the address of whose doing each finding is."""
    hosts: Masks = np.where(_BY_CLIENT[rule][:, None], rows.client(deciding), rows.server(deciding))
    return hosts


def _tally(context: Context, rows: Handed, judged: Judged, selection: Flags) -> ConversationTally:
    tally, conversations = ConversationTally(), judged.conversations
    verdicts = _verdicts(conversations.replies[selection], conversations.weight[selection])
    tally.verdicts.update({place: int(count) for place, count in enumerate(np.bincount(verdicts)) if count})
    for name, column in (
        ("requests", conversations.requests),
        ("replies", conversations.replies),
        ("copies", conversations.copies),
    ):
        tally.packets[name] += int(column[selection].sum())
    findings = judged.findings
    in_selection = selection[findings.conversation]
    for rule in np.unique(findings.rule[in_selection]).tolist():
        finding_rows = findings.row[in_selection & (findings.rule == rule)]
        hosts, first, counts = np.unique(
            _hosts(rows, finding_rows, np.full(len(finding_rows), rule)), axis=0, return_index=True, return_counts=True
        )
        texts = hosts.astype(">u8").view(np.uint8).reshape(-1, 16)
        for number, (place, count) in enumerate(zip(first.tolist(), counts.tolist(), strict=True)):
            host = texts[number].tobytes() if number < MOST_HOSTS else OTHERS
            tally.findings[host, rule] += count
            if number < EXAMPLES:
                row = finding_rows[place : place + 1]
                file, offset = context.files[int(rows.file[row[0]])], int(rows.offset[row[0]])
                tally.examples[host, rule] = Place(file, offset, rows.id(row).tobytes())
    return tally
