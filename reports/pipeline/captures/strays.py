"""Stray replies, which answer no captured request; judged last, since some of them have the wrong identifier."""

from typing import Final

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Flags, Masks, Octets
from mqconform.reference.mqsd.audit.bulk_conversation_rows import WAIT
from mqconform.reference.mqsd.audit.bulk_conversations import Judged, judge_conversations
from mqconform.reference.mqsd.audit.bulk_findings import FAIL
from mqconform.reference.mqsd.audit.bulk_strays import client_keys, exchange_keys, other_ids
from mqconform.reference.mqsd.audit.conversation_rules import ConversationRule
from mqconform.reports.pipeline.captures.conversing import BucketAudit, Context, write_conversations
from mqconform.reports.pipeline.captures.exchange import Handed, room_for
from mqconform.reports.pipeline.captures.witnesses import Witnesses

OTHER_ID: Final = int(ConversationRule.OTHER_ID)


def keys_of(packets: Handed) -> Masks:
    """Return the key of each packet's client."""
    exchange = packets.exchange
    return client_keys(exchange.client_high, exchange.client_low, exchange.client_port)


def audit_strays(context: Context, number: int, strays: Handed, witnesses: Witnesses) -> BucketAudit:
    """Judge stray replies.

    Args:
        context: of the audit.
        number: of the file that is written.
        strays: all stray replies.
        witnesses: what their clients sent and got beside them.
    """
    keys, exchange = keys_of(strays), strays.exchange
    exchanges = exchange_keys(keys, exchange.server_high, exchange.server_low)
    wrong = other_ids((keys, exchanges, exchange.time), witnesses.requests, witnesses.replies)
    wrong &= exchange.time - context.since > WAIT  # a request soon before the first packet was not captured
    severities = np.frombuffer(context.severities, np.uint8)
    judged = judge_conversations(exchange, strays.file, context.knowledge(), severities)
    convict(judged, wrong, severities)
    selection = np.ones(len(judged.conversations.rule), np.bool_)
    name, tally = write_conversations(context, number, strays, judged, selection)
    return BucketAudit(number, name, tally, room_for(0))


def convict(judged: Judged, wrong: Flags, severities: Octets) -> None:
    """Note on conversations of stray replies which of them are answers with the wrong identifier."""
    weight = int(severities[OTHER_ID])
    findings, conversations = judged.findings, judged.conversations
    at_fault = wrong[findings.row]
    findings.rule[at_fault] = OTHER_ID
    for number, row in zip(findings.conversation[at_fault].tolist(), findings.row[at_fault].tolist(), strict=True):
        conversations.rules[number] |= np.uint64(1 << OTHER_ID)
        if conversations.rule[number] != OTHER_ID:
            conversations.rule[number], conversations.weight[number] = OTHER_ID, weight
            conversations.row[number] = row
    assert weight == FAIL, "the text decides this rule"
