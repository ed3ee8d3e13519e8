"""Judged conversations as rows (MS-MQSD 3.1, 3.2)."""

from typing import Any, Final

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr.bulk_compiled import Flags, Int64s, Masks, Octets
from mqconform.reference.mqsd.audit.bulk_conversation_rows import NO_TIME
from mqconform.reference.mqsd.audit.bulk_conversations import Judged
from mqconform.reference.mqsd.audit.bulk_packets import PASS
from mqconform.reference.mqsd.audit.bulk_timing import timing_of
from mqconform.reference.mqsd.audit.conversation_rules import CLIENT, CONVERSATION_RULES, ConversationRule
from mqconform.reports.pipeline.arrow_columns import identifiers, words
from mqconform.reports.pipeline.captures.addresses import address_texts
from mqconform.reports.pipeline.captures.exchange import Packets
from mqconform.reports.pipeline.captures.weights import VERDICTS

_TIME: Final = pa.timestamp("us", "UTC")
_FINDING: Final = pa.struct(
    [("rule", pa.string()), ("host", pa.string()), ("file", pa.string()), ("offset", pa.int64())]
)
_PAUSE: Final = pa.struct([("client", pa.string()), ("nanoseconds", pa.int64())])
COUNTS: Final = ("requests", "replies", "copies", "networks", "servers")

CONVERSATIONS: Final = pa.schema(
    [
        ("id", pa.binary()),
        ("client", pa.string()),
        ("client_port", pa.int32()),
        ("first_time", _TIME),
        ("last_time", _TIME),
        *((name, pa.int32()) for name in COUNTS),
        ("verdict", pa.string()),
        ("rule", pa.string()),
        ("requirement", pa.string()),
        ("host", pa.string()),
        ("file", pa.string()),
        ("offset", pa.int64()),
        ("rules", pa.int64()),
        ("answer", pa.int64()),
        ("answered_by", pa.string()),
        ("pauses", pa.list_(_PAUSE)),
        ("findings", pa.list_(_FINDING)),
    ]
)
"""One row for each identifier; docs/audit-captures.md says what the columns mean."""

RULE_NAMES: Final = tuple("" if not rule else rule.name.lower().replace("_", "-") for rule in ConversationRule)
_REQUIREMENTS: Final = [
    CONVERSATION_RULES[rule].requirement if rule in CONVERSATION_RULES else "" for rule in ConversationRule
]
_BY_CLIENT: Final = np.array(
    [rule in CONVERSATION_RULES and CONVERSATION_RULES[rule].at_fault == CLIENT for rule in ConversationRule]
)


def conversation_table(packets: Packets, judged: Judged) -> pa.Table:
    """Return judged conversations as rows of ``CONVERSATIONS``, with ``stray`` where none has a request."""
    conversations, groups, exchange = judged.conversations, judged.groups, packets.exchange
    first, last = groups.order[groups.bounds[:-1]], groups.order[groups.bounds[1:] - 1]
    rule, has = conversations.rule, conversations.rule > 0
    deciding = np.where(has, conversations.row, 0)
    timing = timing_of(exchange, groups, judged.copies, conversations)
    answered = timing.answers != NO_TIME
    by = np.where(answered, timing.answer_rows, 0)
    columns: list[Any] = [
        identifiers(packets.id(first), np.ones(len(first), np.bool_)),
        address_texts(packets.client(first)),
        pa.array(exchange.client_port[first]),
        _times(exchange.time[first]),
        _times(exchange.time[last]),
        *(pa.array(getattr(conversations, name)) for name in COUNTS),
        words(_verdicts(conversations.replies, conversations.weight), VERDICTS),
        words(rule, RULE_NAMES, has),
        words(rule, _REQUIREMENTS, has),
        _where(address_texts(_hosts(packets, deciding, rule)), has),
        words(packets.file[deciding], packets.files, has),
        pa.array(packets.offset[deciding], mask=~has),
        pa.array(conversations.rules.view(np.int64)),
        pa.array(timing.answers, mask=~answered),
        _where(address_texts(packets.server(by)), answered),
        _pauses(packets, judged, timing.pauses),
        _findings(packets, judged),
        pa.array(conversations.requests == 0),
    ]
    return pa.Table.from_arrays(columns, schema=pa.schema([*CONVERSATIONS, ("stray", pa.bool_())]))


def _times(nanoseconds: Int64s) -> pa.Array:
    return pa.array(nanoseconds // 1_000, mask=nanoseconds == NO_TIME).cast(_TIME)


def _where(texts: pa.Array, present: Flags) -> pa.Array:
    return texts.take(pa.array(np.arange(len(texts)), mask=~present))


def _verdicts(replies: Any, weight: Octets) -> Any:
    """Return verdicts as places in ``VERDICTS``: one that is not over when the capture ends has none."""
    return np.where(weight > PASS, weight, np.where(replies > 0, PASS, 0))


def _hosts(packets: Packets, rows: Int64s, rule: Any) -> Masks:
    """Return the address of whose doing each finding is."""
    hosts: Masks = np.where(_BY_CLIENT[rule][:, None], packets.client(rows), packets.server(rows))
    return hosts


def _findings(packets: Packets, judged: Judged) -> pa.Array:
    conversation, rule, row = judged.findings
    columns = [
        words(rule, RULE_NAMES),
        address_texts(_hosts(packets, row, rule)),
        words(packets.file[row], packets.files),
        pa.array(packets.offset[row]),
    ]
    return _lists(conversation, len(judged.conversations.rule), columns, _FINDING)


def _pauses(packets: Packets, judged: Judged, pauses: Int64s) -> pa.Array:
    order, bounds = judged.groups
    conversation = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    again = np.flatnonzero(pauses[order] != NO_TIME)
    rows = order[again]
    columns = [address_texts(packets.client(rows)), pa.array(pauses[rows])]
    return _lists(conversation[again], len(bounds) - 1, columns, _PAUSE)


def _lists(of: Any, count: int, columns: list[Any], kind: pa.DataType) -> pa.Array:
    """Return lists of what belongs to each of some things, which come in their order; null where there is nothing."""
    if not len(of):
        return pa.nulls(count, pa.list_(kind))
    ends = np.concatenate([[0], np.cumsum(np.bincount(of, minlength=count))])
    values = pa.StructArray.from_arrays(columns, fields=list(kind))
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), values, type=pa.list_(kind))
