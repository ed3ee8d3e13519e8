"""The requests of one event of a client: their cadence, their networks and their fields (MS-MQSD 3.1, 2.2.2).

Where two requests are on different networks, the second may go out when 15 s have passed since the first (3.1.6.1),
when a reply of the own site came, or when a second reply of another site did (3.1.5.2). Half a second is granted
(register SD-49).
"""

from typing import Final

from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Int64s, Masks, Octets, compiled_reader
from mqconform.reference.mqsd.audit.bulk_conversation_rows import (
    HAS_SITE,
    LISTS,
    NO_TIME,
    REQUEST,
    WAIT,
    Conversations,
    Exchange,
    Findings,
    note,
    same_client,
    same_network,
)
from mqconform.reference.mqsd.audit.conversation_rules import ConversationRule as Rule

GRANTED: Final = 500_000_000
LONGEST_EVENT_PAUSE: Final = 3_600_000_000_000
"""Nanoseconds between two requests above which they belong to different events, also with gaps in the capture: as long
as a client needs for 120 networks."""
MOST_ASKED: Final = 64
"""Requests of one event whose order is followed."""
LOOK_BACK: Final = 512
"""Packets before one among which its network is looked for."""


@compiled_reader
def judge_requests(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    exchange: Exchange,
    captures: Int32s,
    order: Int64s,
    begin: int,
    end: int,
    copies: Flags,
    answered: Masks,
    severities: Octets,
    conversations: Conversations,
    findings: Findings,
    number: int,
    count: int,
) -> int:
    """Judge the requests of a conversation, and return how many findings there are now."""
    before, foreign, first_foreign, moved = -1, 0, NO_TIME, NO_TIME
    for place in range(begin, end):
        row = order[place]
        if copies[row]:
            continue
        if exchange.message[row] != REQUEST:
            foreign += exchange.shown[row] & LISTS != 0
            if foreign == 1 and first_foreign == NO_TIME:
                first_foreign = exchange.time[row]
            if moved == NO_TIME and (foreign > 1 or not exchange.shown[row] & LISTS):
                moved = exchange.time[row]
            continue
        if before >= 0:
            rule = _field_rule(exchange, before, row)
            if not rule and exchange.time[before] != NO_TIME and exchange.time[row] != NO_TIME:
                rule = _cadence_rule(exchange, captures, before, row, first_foreign, moved, answered)
            if rule:
                count = note(conversations, findings, count, severities, number, rule, row)
        before, foreign, first_foreign, moved = row, 0, NO_TIME, NO_TIME
    return _judge_networks(exchange, order, begin, end, copies, severities, conversations, findings, number, count)


@compiled_reader
def _field_rule(exchange: Exchange, before: int, row: int) -> int:
    if exchange.enterprise[before] != exchange.enterprise[row]:
        return Rule.ID_SHARED.value
    both = exchange.shown[before] & exchange.shown[row] & HAS_SITE
    if both and same_client(exchange, before, row):
        low = exchange.site_low[before] == exchange.site_low[row]
        if not (low and exchange.site_high[before] == exchange.site_high[row]):
            return Rule.SITE_CHANGED.value
    return 0


@compiled_reader
def _cadence_rule(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    exchange: Exchange, captures: Int32s, before: int, row: int, first_foreign: int, moved: int, answered: Masks
) -> int:
    """Return what is wrong with the pause between two requests.

    Args:
        exchange: the packets.
        captures: number of the capture of each.
        before: the request before.
        row: the request.
        first_foreign: when the first reply of another site came in between, or ``NO_TIME``.
        moved: when a reply came that ends the wait, or ``NO_TIME``.
        answered: see ``Knowledge``.
    """
    pause = exchange.time[row] - exchange.time[before]
    if pause > LONGEST_EVENT_PAUSE:
        return Rule.ID_REUSED.value
    if pause < WAIT - GRANTED:
        if moved != NO_TIME:
            return 0
        if same_network(exchange, before, row):
            return Rule.REQUEST_REPEATED.value
        one_clock = captures[before] == captures[row]
        if one_clock and (first_foreign != NO_TIME or _is_answered(exchange, before, answered)):
            return Rule.EARLY_REQUEST.value
        return Rule.EARLY_REQUEST_UNSEEN.value
    limit = exchange.time[before] + WAIT
    if moved != NO_TIME:
        limit = moved
    elif first_foreign != NO_TIME:
        limit = first_foreign + WAIT
    return Rule.LATE_REQUEST.value if exchange.time[row] > limit + GRANTED else 0


@compiled_reader
def _is_answered(exchange: Exchange, row: int, answered: Masks) -> bool:
    """Tell whether replies to a client were captured at all."""
    client = exchange.client_high[row] ^ exchange.client_low[row]
    low, high = 0, len(answered)
    while low < high:
        middle = (low + high) // 2
        if answered[middle] < client:
            low = middle + 1
        else:
            high = middle
    return low < len(answered) and answered[low] == client


@compiled_reader
def _judge_networks(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    exchange: Exchange,
    order: Int64s,
    begin: int,
    end: int,
    copies: Flags,
    severities: Octets,
    conversations: Conversations,
    findings: Findings,
    number: int,
    count: int,
) -> int:
    """Judge the order of the networks: each in its turn, and the whole list again where it was doubled (SD-51)."""
    distinct, turn, before, asked = 0, -1, -1, 0
    for place in range(begin, end):
        row = order[place]
        if copies[row] or exchange.message[row] != REQUEST:
            continue
        pause = exchange.time[row] - exchange.time[before] if before >= 0 else 0
        if before >= 0 and pause < WAIT - GRANTED and same_network(exchange, before, row):
            continue  # a repetition, which the cadence shows
        before, asked = row, asked + 1
        if asked > MOST_ASKED:
            return count
        which = _network(exchange, order, begin, place, copies)
        if which < 0 and turn < 0:
            distinct += 1
            conversations.networks[number] = distinct
            continue
        turn = 0 if turn < 0 else (turn + 1) % distinct
        rule = Rule.LIST_TWICE.value if which == turn else Rule.NETWORK_ORDER.value
        count = note(conversations, findings, count, severities, number, rule, row)
        if which != turn:
            return count
    return count


@compiled_reader
def _network(exchange: Exchange, order: Int64s, begin: int, place: int, copies: Flags) -> int:
    """Return the how-manieth different network of the conversation a request went to, -1 if it is a new one."""
    number, row = 0, order[place]
    for earlier in range(max(begin, place - LOOK_BACK), place):
        other = order[earlier]
        if copies[other] or exchange.message[other] != REQUEST:
            continue
        is_new = True
        for still_earlier in range(max(begin, place - LOOK_BACK), earlier):
            first = order[still_earlier]
            if exchange.message[first] == REQUEST and not copies[first] and same_network(exchange, first, other):
                is_new = False
                break
        if is_new:
            if same_network(exchange, other, row):
                return number
            number += 1
    return -1
