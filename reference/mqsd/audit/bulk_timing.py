"""How long answers took and how long clients waited, for millions of conversations in one pass (MS-MQSD 3.1.6.1)."""

from typing import NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Flags, Int64s, compiled_reader
from mqconform.reference.mqsd.audit.bulk_client_events import LONGEST_EVENT_PAUSE
from mqconform.reference.mqsd.audit.bulk_conversation_rows import NO_TIME, REPLY, REQUEST, Conversations, Exchange
from mqconform.reference.mqsd.audit.bulk_grouping import Groups
from mqconform.reference.mqsd.audit.bulk_matching import MOST_PAIRS, request_of


class Timing(NamedTuple):
    """Nanoseconds; ``NO_TIME`` where there is nothing to tell."""

    answers: Int64s
    """For each conversation, from the request to the first reply to it."""
    answer_rows: Int64s
    """The packet that is this reply, -1 where there is none."""
    pauses: Int64s
    """For each packet that is a further request of a discovery, how long after the request before it."""


def timing_of(exchange: Exchange, groups: Groups, copies: Flags, conversations: Conversations) -> Timing:
    """Return the times between the packets of conversations.

    A reply that its capture shows before its request tells no time, as clocks of several captures differ; nor does a
    conversation so crowded that its replies are not matched. Requests more than an hour apart, or of different
    enterprises, are of different discoveries.
    """
    count = len(groups.bounds) - 1
    timing = Timing(
        np.full(count, NO_TIME, np.int64), np.full(count, -1, np.int64), np.full(len(copies), NO_TIME, np.int64)
    )
    _fill(exchange, groups, copies, conversations, timing)
    return timing


@compiled_reader
def _fill(exchange: Exchange, groups: Groups, copies: Flags, conversations: Conversations, timing: Timing) -> None:
    for number in range(len(groups.bounds) - 1):
        begin, end = groups.bounds[number], groups.bounds[number + 1]
        if not conversations.requests[number]:
            continue
        if conversations.requests[number] > 1:
            _pauses(exchange, groups.order, begin, end, copies, timing.pauses)
        replies = conversations.replies[number]
        if replies and (end - begin) * replies <= MOST_PAIRS:
            _answer(exchange, groups.order, begin, end, copies, timing, number)


@compiled_reader
def _pauses(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    exchange: Exchange, order: Int64s, begin: int, end: int, copies: Flags, pauses: Int64s
) -> None:
    before = -1
    for place in range(begin, end):
        row = order[place]
        if copies[row] or exchange.message[row] != REQUEST or exchange.time[row] == NO_TIME:
            continue
        if before >= 0 and exchange.enterprise[before] == exchange.enterprise[row]:
            pause = exchange.time[row] - exchange.time[before]
            if pause <= LONGEST_EVENT_PAUSE:
                pauses[row] = pause
        before = row


@compiled_reader
def _answer(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    exchange: Exchange, order: Int64s, begin: int, end: int, copies: Flags, timing: Timing, number: int
) -> None:
    for place in range(begin, end):
        row = order[place]
        if copies[row] or exchange.message[row] != REPLY or exchange.time[row] == NO_TIME:
            continue
        request = request_of(exchange, order, begin, end, copies, row)
        if request < 0 or exchange.time[request] == NO_TIME or exchange.time[request] > exchange.time[row]:
            continue
        timing.answers[number], timing.answer_rows[number] = exchange.time[row] - exchange.time[request], row
        return
