"""Judge millions of conversations of discovery in one pass, by the rules of ``conversation_rules``.

A capture shows what passed one place: what it lacks may have been lost or have passed elsewhere. A rule that rests on
something not being there therefore convicts only where the capture shows that it would have been seen.
"""

from typing import Final, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Int64s, Masks, Octets, compiled_reader
from mqconform.reference.mqsd.audit.bulk_client_events import judge_requests
from mqconform.reference.mqsd.audit.bulk_conversation_rows import (
    WAIT,
    Conversations,
    Exchange,
    Findings,
    last_request,
    no_conversations_judged,
    note,
)
from mqconform.reference.mqsd.audit.bulk_grouping import Groups, grouped
from mqconform.reference.mqsd.audit.bulk_matching import judge_replies
from mqconform.reference.mqsd.audit.conversation_rules import ConversationRule as Rule
from mqconform.reference.mqsd.audit.wire_rules import Message

REQUEST, REPLY = int(Message.REQUEST), int(Message.REPLY)


class Judged(NamedTuple):
    """What was found in conversations."""

    groups: Groups
    conversations: Conversations
    findings: Findings
    """One entry for each thing found, in order of conversations."""
    copies: Flags
    """Whether each packet is one that was captured before."""


class Knowledge(NamedTuple):
    """What is known beside the packets."""

    answered: Masks
    """Sorted hashes of clients of whom any reply was captured: half of the address xor the other half."""
    until: int
    """Time of the last packet of the audit."""
    sites: Masks
    """Site of each server whose configuration is known, as two numbers."""
    lists: Flags
    """Whether each of those has names to list."""
    since: int
    """Time of the first packet of the audit: a request soon before it was not captured."""


def judge_conversations(exchange: Exchange, captures: Int32s, knowledge: Knowledge, severities: Octets) -> Judged:
    """Judge all conversations of packets.

    Args:
        exchange: the packets; all of one identifier have to be among them.
        captures: number of the capture of each packet: clocks of several may differ.
        knowledge: what is known beside them.
        severities: for each rule what a finding weighs: 1 pass, 2 inconclusive, 3 fail.
    """
    groups = grouped(exchange.id_high, exchange.id_low, exchange.time)
    count = len(groups.bounds) - 1
    conversations = no_conversations_judged(count)
    room = 3 * len(exchange.time) + 4 * count
    findings = Findings(np.empty(room, np.int64), np.empty(room, np.uint8), np.empty(room, np.int64))
    copies = np.zeros(len(exchange.time), np.bool_)
    finding_count = _judge_all(exchange, captures, groups, knowledge, severities, copies, conversations, findings)
    findings = Findings(
        findings.conversation[:finding_count], findings.rule[:finding_count], findings.row[:finding_count]
    )
    return Judged(groups, conversations, findings, copies)


@compiled_reader
def _judge_all(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    exchange: Exchange,
    captures: Int32s,
    groups: Groups,
    knowledge: Knowledge,
    severities: Octets,
    copies: Flags,
    conversations: Conversations,
    findings: Findings,
) -> int:
    count = int(np.int64(0))  # a literal would have all that takes it compiled twice
    for number in range(len(groups.bounds) - 1):
        begin, end = groups.bounds[number], groups.bounds[number + 1]
        order = groups.order
        _count(exchange, order, begin, end, copies, conversations, number)
        requests = conversations.requests[number]
        if not requests:
            for place in range(begin, end):
                if not copies[order[place]] and exchange.message[order[place]] == REPLY:
                    count = note(conversations, findings, count, severities, number, Rule.REPLY_TO_NOBODY, order[place])
            continue
        count = judge_requests(
            exchange,
            captures,
            order,
            begin,
            end,
            copies,
            knowledge.answered,
            severities,
            conversations,
            findings,
            number,
            count,
        )
        count = judge_replies(
            exchange,
            captures,
            order,
            begin,
            end,
            copies,
            knowledge.sites,
            knowledge.lists,
            knowledge.since,
            severities,
            conversations,
            findings,
            number,
            count,
        )
        if not conversations.replies[number]:
            last = last_request(exchange, order, begin, end, copies)
            if exchange.time[last] <= knowledge.until - WAIT:
                count = note(conversations, findings, count, severities, number, Rule.UNANSWERED, last)
    return count


@compiled_reader
def _count(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    exchange: Exchange,
    order: Int64s,
    begin: int,
    end: int,
    copies: Flags,
    conversations: Conversations,
    number: int,
) -> None:
    """Count the packets of a conversation, and mark those that are one packet captured again."""
    for place in range(begin, end):
        row = order[place]
        if _is_copy(exchange, order, begin, place):
            copies[row] = True
            conversations.copies[number] += 1
        elif exchange.message[row] == REQUEST:
            conversations.requests[number] += 1
        elif exchange.message[row] == REPLY:
            conversations.replies[number] += 1


LOOK_BACK: Final = 16
"""Packets before one among which it is looked for again."""
SECOND, MOMENT = 1_000_000_000, 2_000_000


@compiled_reader
def _is_copy(exchange: Exchange, order: Int64s, begin: int, place: int) -> bool:
    """Tell whether a packet was captured before: at another place, or on another interface.

    IPv4 numbers its packets, so that a repetition within a second has another number; where there are no numbers,
    only what comes at once is taken for the same.
    """
    row = order[place]
    for earlier in range(max(begin, place - LOOK_BACK), place):
        other = order[earlier]
        numbered = exchange.identification[row] > 0
        if (
            exchange.identification[other] == exchange.identification[row]
            and exchange.time[row] - exchange.time[other] <= (SECOND if numbered else MOMENT)
            and exchange.message[other] == exchange.message[row]
            and exchange.length[other] == exchange.length[row]
            and exchange.client_port[other] == exchange.client_port[row]
            and exchange.server_port[other] == exchange.server_port[row]
            and exchange.client_low[other] == exchange.client_low[row]
            and exchange.server_low[other] == exchange.server_low[row]
            and exchange.client_high[other] == exchange.client_high[row]
            and exchange.server_high[other] == exchange.server_high[row]
        ):
            return True
    return False
