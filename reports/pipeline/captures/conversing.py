"""The task that judges the conversations of one bucket, and what is done about replies that answer nobody."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mqconform.reference.mqbr.bulk_compiled import Flags, Int64s, Masks, Octets
from mqconform.reference.mqsd.bulk_conversation_rows import NO_TIME, Exchange
from mqconform.reference.mqsd.bulk_conversations import Judged, Knowledge, judge_conversations
from mqconform.reference.mqsd.bulk_findings import PASS
from mqconform.reference.mqsd.bulk_timing import timing_of
from mqconform.reference.mqsd.conversation_rules import CLIENT, CONVERSATION_RULES, ConversationRule
from mqconform.reports.pipeline.captures.columns import (
    TIME,
    WORDS,
    address_texts,
    identifiers,
    times,
    words,
)
from mqconform.reports.pipeline.captures.exchange import Part, Rows, rows_of
from mqconform.reports.pipeline.captures.histograms import (
    ANSWER_EDGES,
    RETRY_EDGES,
    Histograms,
    count_times,
    no_histograms,
)
from mqconform.reports.pipeline.captures.host_counts import MOST_HOSTS, OTHERS
from mqconform.reports.pipeline.captures.settings import AuditSettings
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
            known = self.examples.get(key)
            if known is None or (place.file, place.offset) < (known.file, known.offset):
                self.examples[key] = place


class Bucket(NamedTuple):
    """What one task judges."""

    number: int
    parts: tuple[Part, ...]
    """Each with the bounds of this bucket alone."""


class BucketAudit(NamedTuple):
    """What a task left behind; ``conversations`` is a name in the staging folder, empty where there are none."""

    number: int
    conversations: str
    tally: ConversationTally
    strays: Any
    """Replies to nobody, not judged yet."""


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

    def knowledge(self) -> Knowledge:
        """Return it in the form of the oracle."""
        servers = [facts.server for facts in self.settings.facts]
        sites = np.array([np.frombuffer(one.site, ">u8").astype(np.uint64) for one in servers], np.uint64)
        lists = np.array([bool(one.directory_servers) for one in servers], np.bool_)
        return Knowledge(self.answered, self.until, sites.reshape(-1, 2), lists)


def read_bucket(settings: AuditSettings, bucket: Bucket) -> Rows:
    """Return the packets of a bucket from all files that hold some."""
    opened = {}
    for part in bucket.parts:
        if part.name not in opened:
            system, path = (settings.staging / part.name).resolve()
            opened[part.name] = system.open_input_file(path)
    try:
        return rows_of(opened, list(bucket.parts))
    finally:
        for file in opened.values():
            file.close()


def audit_bucket(context: Context, bucket: Bucket) -> BucketAudit:
    """Judge the conversations of a bucket; replies to nobody are left to the end."""
    rows = read_bucket(context.settings, bucket)
    exchange = exchange_of(rows)
    judged = judge_conversations(exchange, context.knowledge(), np.frombuffer(context.severities, np.uint8))
    alone = judged.conversations.requests == 0
    strays = rows[np.isin(_conversation_of(judged, len(rows)), np.flatnonzero(alone))] if alone.any() else rows[:0]
    name, tally = write_conversations(context, bucket.number, rows, judged, ~alone)
    _count_times(tally.times, exchange, rows, judged)
    return BucketAudit(bucket.number, name, tally, strays)


def _count_times(times: Histograms, exchange: Exchange, rows: Rows, judged: Judged) -> None:
    found = timing_of(exchange, judged.groups, judged.copies, judged.conversations)
    answered = np.flatnonzero(found.answers != NO_TIME)
    servers = rows["server"][found.answer_rows[answered]]
    count_times(times.answers, ANSWER_EDGES, servers, found.answers[answered])
    again = np.flatnonzero(found.pauses != NO_TIME)
    count_times(times.retries, RETRY_EDGES, rows["client"][again], found.pauses[again])


def exchange_of(rows: Rows) -> Exchange:
    """Return packets as arrays."""
    column = np.ascontiguousarray
    return Exchange(
        column(rows["id"][:, 0]),
        column(rows["id"][:, 1]),
        column(rows["message"]),
        column(rows["time"]),
        column(rows["client"][:, 0]),
        column(rows["client"][:, 1]),
        rows["client_port"].astype(np.int32),
        column(rows["server"][:, 0]),
        column(rows["server"][:, 1]),
        rows["server_port"].astype(np.int32),
        column(rows["identification"]),
        column(rows["length"]),
        column(rows["site"][:, 0]),
        column(rows["site"][:, 1]),
        column(rows["enterprise"]),
        column(rows["shown"]),
        rows["known_server"].astype(np.int32),
    )


def _conversation_of(judged: Judged, rows: int) -> Int64s:
    """Return for each row the conversation that it belongs to."""
    numbers = np.empty(rows, np.int64)
    groups = judged.groups
    numbers[groups.order] = np.repeat(np.arange(len(groups.bounds) - 1), np.diff(groups.bounds))
    return numbers


def write_conversations(
    context: Context, number: int, rows: Rows, judged: Judged, wanted: Flags
) -> tuple[str, ConversationTally]:
    """Write the wanted conversations to a file in the staging folder; return its name and what was counted."""
    tally = _tally(context, rows, judged, wanted)
    if not wanted.any():
        return "", tally
    name = attempt_name(number, ".parquet")
    system, path = (context.settings.staging / name).resolve()
    table = pa.Table.from_batches([_batch(context, rows, judged, np.flatnonzero(wanted))])
    pq.write_table(table, path, filesystem=system, **_PARQUET)
    return name, tally


_COUNTS: Final = ("requests", "replies", "copies", "networks", "servers")
_WIDE: Final = {"id", "first_time", "last_time", "offset"}
_PARQUET: Final[dict[str, Any]] = {
    "use_dictionary": [name for name in CONVERSATIONS.names if name not in _WIDE],
    "compression": {name: "none" if name == "id" else "lz4" for name in CONVERSATIONS.names},  # identifiers are random
    "write_statistics": [name for name in CONVERSATIONS.names if name not in {"id", "client", "host"}],
}


def _batch(context: Context, rows: Rows, judged: Judged, wanted: Int64s) -> pa.RecordBatch:
    found, groups = judged.conversations, judged.groups
    first, last = groups.order[groups.bounds[wanted]], groups.order[groups.bounds[wanted + 1] - 1]
    rule, weight = found.rule[wanted].astype(np.int32), found.weight[wanted]
    shown, has = found.row[wanted], rule > 0
    deciding = rows[shown[has]]
    hosts, offset = address_texts(_hosts(deciding, rule[has])), np.zeros(len(wanted), np.int64)
    offset[has] = deciding["offset"]
    present = np.ones(len(wanted), np.bool_)
    ids = rows["id"][first].astype(">u8").view(np.uint8).reshape(-1, 16)
    columns = [
        identifiers(ids, present),
        address_texts(rows["client"][first]),
        pa.array(rows["client_port"][first]),
        times(rows["time"][first]),
        times(rows["time"][last]),
        *(pa.array(getattr(found, name)[wanted]) for name in _COUNTS),
        words(_verdicts(found.replies[wanted], weight), VERDICTS),
        words(rule, RULE_NAMES, has),
        words(rule, _REQUIREMENTS, has),
        _where(has, hosts.indices.to_numpy(), hosts.dictionary),
        _where(has, deciding["file"], pa.array(context.files)),
        pa.array(offset, mask=~has),
        pa.array(found.rules[wanted]),
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


def _hosts(deciding: Rows, rule: Any) -> Masks:
    """Return the address of whose doing each finding is."""
    hosts: Masks = np.where(_BY_CLIENT[rule][:, None], deciding["client"], deciding["server"])
    return hosts


def _tally(context: Context, rows: Rows, judged: Judged, wanted: Flags) -> ConversationTally:
    tally, found = ConversationTally(), judged.conversations
    verdicts = _verdicts(found.replies[wanted], found.weight[wanted])
    tally.verdicts.update({place: int(count) for place, count in enumerate(np.bincount(verdicts)) if count})
    for name, column in (("requests", found.requests), ("replies", found.replies), ("copies", found.copies)):
        tally.packets[name] += int(column[wanted].sum())
    findings = judged.findings
    kept = wanted[findings.conversation]
    for rule in np.unique(findings.rule[kept]).tolist():
        shown = findings.row[kept & (findings.rule == rule)]
        deciding = rows[shown]
        hosts, first, counts = np.unique(
            _hosts(deciding, np.full(len(shown), rule)), axis=0, return_index=True, return_counts=True
        )
        texts = hosts.astype(">u8").view(np.uint8).reshape(-1, 16)
        for number, (place, count) in enumerate(zip(first.tolist(), counts.tolist(), strict=True)):
            host = texts[number].tobytes() if number < MOST_HOSTS else OTHERS
            tally.findings[host, rule] += count
            if number < EXAMPLES:
                row = deciding[place]
                identifier = row["id"].astype(">u8").tobytes()
                tally.examples[host, rule] = Place(context.files[int(row["file"])], int(row["offset"]), identifier)
    return tally
