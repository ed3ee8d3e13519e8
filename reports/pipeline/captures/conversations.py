"""Conversations in some packets, judged: from columns of Arrow through compiled loops to rows (MS-MQSD 3.1, 3.2)."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr.bulk_compiled import Flags, Int64s, Masks, Octets
from mqconform.reference.mqsd.audit.bulk_conversations import judge_conversations
from mqconform.reference.mqsd.audit.bulk_exchange import NO_TIME, REPLY, Exchange, Knowledge, Listed
from mqconform.reference.mqsd.audit.bulk_packets import PASS
from mqconform.reference.mqsd.audit.conversation_rules import CLIENT, ConversationRule
from mqconform.reports.pipeline.arrow_columns import identifiers, integers, octets_of, texts_of, words
from mqconform.reports.pipeline.captures.addresses import address_numbers, address_texts
from mqconform.reports.pipeline.captures.judging import MESSAGES, HostFacts, known_servers
from mqconform.reports.pipeline.captures.weights import VERDICTS

GUID: Final = 16
READ: Final = (
    *("file", "offset", "nanoseconds", "source", "source_port", "destination", "destination_port"),
    *("identification", "length", "message", "id", "site", "enterprise", "shown"),
)
"""What matching depends on."""
_TIME: Final = pa.timestamp("us", "UTC")
_FINDING: Final = pa.struct(
    [("rule", pa.string()), ("host", pa.string()), ("file", pa.string()), ("offset", pa.int64())]
)
_PAUSE: Final = pa.struct([("client", pa.string()), ("nanoseconds", pa.int64())])
COUNTS: Final = ("requests", "replies", "copies", "networks", "servers")
CONVERSATIONS: Final = pa.schema(
    [
        *(("id", pa.binary()), ("client", pa.string()), ("client_port", pa.int32())),
        *(("first_time", _TIME), ("last_time", _TIME), *((name, pa.int32()) for name in COUNTS)),
        *((name, pa.string()) for name in ("verdict", "rule", "requirement", "host", "file")),
        *(("offset", pa.int64()), ("rules", pa.int64()), ("answer", pa.int64()), ("answered_by", pa.string())),
        *(("pauses", pa.list_(_PAUSE)), ("findings", pa.list_(_FINDING))),
    ]
)
"""One row for each identifier; docs/audit-captures.md says what the columns mean."""

RULE_NAMES: Final = tuple("" if not rule else rule.name.lower().replace("_", "-") for rule in ConversationRule)
_REQUIREMENTS: Final = [rule.requirement for rule in ConversationRule]
_BY_CLIENT: Final = np.array([rule.at_fault == CLIENT for rule in ConversationRule])


class _Packets:
    """Packets of a table with the columns ``READ``, in the order of captures and places.

    Those of no known address are left out.
    """

    def __init__(self, table: pa.Table, facts: Sequence[HostFacts]) -> None:
        names, file = texts_of(table["file"])
        self.files = sorted([*names, ""])
        ranks = np.array([self.files.index(name) for name in [*names, ""]], np.int32)
        (source, from_one), (destination, to_one) = (address_numbers(table[end]) for end in ("source", "destination"))
        offset, _ = integers(table["offset"])
        order = np.lexsort((offset, ranks[file]))
        order = order[(from_one & to_one)[order]]
        self.file, self.offset = ranks[file][order], offset[order]
        messages, message = texts_of(table["message"])
        kinds = np.array([MESSAGES.index(text) if text in MESSAGES else 0 for text in [*messages, ""]], np.uint8)
        kind = kinds[message][order]
        reply, source, destination = kind == REPLY, source[order], destination[order]
        ports = [integers(table[name])[0][order].astype(np.int32) for name in ("source_port", "destination_port")]
        self.client = np.where(reply[:, None], destination, source)
        self.server = np.where(reply[:, None], source, destination)
        self.id = _guids(table["id"], order)
        configurations = np.full(len(order), -1, np.int32)
        configurations[reply] = known_servers(facts, self.server[reply])
        self.exchange = Exchange._make(
            [
                *(*self.id.T, kind, integers(table["nanoseconds"], NO_TIME)[0][order]),
                *(*self.client.T, np.where(reply, *ports[::-1]), *self.server.T, np.where(reply, *ports)),
                *(integers(table[name], none)[0][order].astype(np.int32) for name, none in _NUMBERS.items()),
                *(*_guids(table["site"], order).T, integers(table["enterprise"])[0][order].view(np.uint64)),
                *(integers(table["shown"])[0][order].astype(np.uint8), configurations),
            ]
        )


_NUMBERS: Final = {"identification": -1, "length": 0}


def _guids(column: Any, order: Int64s) -> Masks:
    """Return identifiers of two numbers each, zeros where one is absent."""
    runs = octets_of(column)
    starts, there = runs.starts[order], runs.present[order] & (runs.lengths[order] == GUID)
    octets = np.zeros((len(order), GUID), np.uint8)
    octets[there] = runs.octets[starts[there, None] + np.arange(GUID)]
    numbers: Masks = octets.view(">u8").astype(np.uint64)
    return numbers


def conversation_table(
    table: pa.Table, facts: Sequence[HostFacts], knowledge: Knowledge, severities: Octets
) -> pa.Table:
    """Return the conversations of a table with the columns ``READ`` as rows of ``CONVERSATIONS``."""
    packets = _Packets(table, facts)
    exchange = packets.exchange
    of, findings, pauses = judge_conversations(exchange, packets.file, knowledge, severities)
    has, answered = of.rule > 0, of.answer != NO_TIME
    row, by = np.where(has, of.row, 0), np.where(answered, of.answer_row, 0)
    verdicts = np.where(of.weight > PASS, of.weight, np.where(of.replies > 0, PASS, 0))
    columns: list[Any] = [
        identifiers(packets.id[of.first].astype(">u8").view(np.uint8), np.ones(len(of.rule), np.bool_)),
        address_texts(packets.client[of.first]),
        pa.array(exchange.client_port[of.first]),
        _times(exchange.time[of.first]),
        _times(exchange.time[of.last]),
        *(pa.array(getattr(of, name)) for name in COUNTS),
        words(verdicts, VERDICTS),  # one that is not over when the capture ends has none
        words(of.rule, RULE_NAMES, has),
        words(of.rule, _REQUIREMENTS, has),
        _where(address_texts(_hosts(packets, row, of.rule)), has),
        words(packets.file[row], packets.files, has),
        pa.array(packets.offset[row], mask=~has),
        pa.array(of.rules.view(np.int64)),
        pa.array(of.answer, mask=~answered),
        _where(address_texts(packets.server[by]), answered),
        _lists(pauses, len(has), [address_texts(packets.client[pauses.row]), pa.array(pauses.what)], _PAUSE),
        _lists(findings, len(has), _found(packets, findings), _FINDING),
    ]
    return pa.Table.from_arrays(columns, schema=CONVERSATIONS)


def _times(nanoseconds: Int64s) -> pa.Array:
    return pa.array(nanoseconds // 1_000, mask=nanoseconds == NO_TIME).cast(_TIME)


def _where(texts: pa.Array, present: Flags) -> pa.Array:
    return texts.take(pa.array(np.arange(len(texts)), mask=~present))


def _hosts(packets: _Packets, rows: Int64s, rule: Any) -> Masks:
    """Return the address of whose doing each finding is."""
    hosts: Masks = np.where(_BY_CLIENT[rule][:, None], packets.client[rows], packets.server[rows])
    return hosts


def _found(packets: _Packets, findings: Listed) -> list[pa.Array]:
    hosts = address_texts(_hosts(packets, findings.row, findings.what))
    files = words(packets.file[findings.row], packets.files)
    return [words(findings.what, RULE_NAMES), hosts, files, pa.array(packets.offset[findings.row])]


def _lists(listed: Listed, count: int, columns: list[Any], kind: pa.DataType) -> pa.Array:
    """Return lists of what belongs to each of some conversations; null where there is nothing."""
    if not len(listed.row):
        return pa.nulls(count, pa.list_(kind))
    ends = np.append(0, np.cumsum(np.bincount(listed.conversation, minlength=count)))
    values = pa.StructArray.from_arrays(columns, fields=list(kind))
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), values, type=pa.list_(kind))
