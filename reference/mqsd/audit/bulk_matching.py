"""Replies of one conversation and the requests that they answer (MS-MQSD 2.2.3, 3.2.5, 3.2.5.1)."""

from typing import Final

from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Int64s, Masks, Octets, compiled_reader
from mqconform.reference.mqsd.audit.bulk_conversation_rows import (
    FOLLOWED,
    HAS_SITE,
    LISTS,
    NO_TIME,
    REPLY,
    REQUEST,
    WAIT,
    Conversations,
    Exchange,
    Findings,
    note,
    same_client,
    same_server,
)
from mqconform.reference.mqsd.audit.conversation_rules import ConversationRule as Rule

CLOCKS: Final = 1_000_000_000
"""Nanoseconds by which clocks of captures may differ before a reply counts as older than its request."""
MOST_PAIRS: Final = 2**18
"""Packets times packets of one conversation above which replies are not matched one by one."""


@compiled_reader
def judge_replies(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    exchange: Exchange,
    captures: Int32s,
    order: Int64s,
    begin: int,
    end: int,
    copies: Flags,
    sites: Masks,
    lists: Flags,
    since: int,
    severities: Octets,
    conversations: Conversations,
    findings: Findings,
    number: int,
    count: int,
) -> int:
    """Judge the replies of a conversation that has requests, and return how many findings there are now."""
    if not conversations.replies[number]:
        return count
    if (end - begin) * conversations.replies[number] > MOST_PAIRS:
        return note(conversations, findings, count, severities, number, Rule.CROWDED, order[begin])
    for place in range(begin, end):
        row = order[place]
        if copies[row] or exchange.message[row] != REPLY:
            continue
        request = request_of(exchange, order, begin, end, copies, row)
        if request < 0:
            count = note(conversations, findings, count, severities, number, Rule.REPLY_ELSEWHERE, row)
        else:
            count = _judge_pair(
                exchange, request, row, sites, lists, severities, conversations, findings, number, count
            )
        earlier, again, asked, first = _counted(exchange, captures, order, begin, place, end, copies)
        conversations.servers[number] += earlier == 0
        if request >= 0 and again >= asked:
            sent = exchange.time[first]
            whole = sent == NO_TIME or sent - since > WAIT
            rule = Rule.ANSWERED_TWICE.value if whole else Rule.ANSWERED_TWICE_UNSEEN.value
            count = note(conversations, findings, count, severities, number, rule, row)
    return count


@compiled_reader
def request_of(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    exchange: Exchange, order: Int64s, begin: int, end: int, copies: Flags, reply: int
) -> int:
    """Return the request that a reply answers: the last one before it from where it went to, else the first."""
    request = -1
    for place in range(begin, end):
        row = order[place]
        if copies[row] or exchange.message[row] != REQUEST:
            continue
        if same_client(exchange, row, reply) and exchange.client_port[row] == exchange.client_port[reply]:
            if request >= 0 and exchange.time[row] > exchange.time[reply]:
                break
            request = row
    return request


@compiled_reader
def _judge_pair(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    exchange: Exchange,
    request: int,
    reply: int,
    sites: Masks,
    lists: Flags,
    severities: Octets,
    conversations: Conversations,
    findings: Findings,
    number: int,
    count: int,
) -> int:
    sent, came = exchange.time[request], exchange.time[reply]
    if NO_TIME not in (sent, came):
        if came - sent > WAIT:
            count = note(conversations, findings, count, severities, number, Rule.REPLY_LATE, reply)
        elif came < sent - CLOCKS:
            count = note(conversations, findings, count, severities, number, Rule.REPLY_BEFORE_REQUEST, reply)
    if not exchange.shown[request] & HAS_SITE:
        return count
    rule = _site_rule(exchange, request, reply, sites, lists)
    if rule:
        count = note(conversations, findings, count, severities, number, rule, reply)
    return count


@compiled_reader
def _site_rule(exchange: Exchange, request: int, reply: int, sites: Masks, lists: Flags) -> int:
    listed = exchange.shown[reply] & LISTS
    high, low = exchange.site_high[request], exchange.site_low[request]
    has_site = exchange.shown[reply] & HAS_SITE != 0
    if has_site and exchange.site_high[reply] == high and exchange.site_low[reply] == low:
        return Rule.OWN_SITE_LISTED.value if listed else Rule.OWN_SITE_FOLLOWED.value
    server = exchange.known_server[reply]
    if server < 0:
        return 0
    own = sites[server, 0] == high and sites[server, 1] == low
    if own:
        followed = exchange.shown[reply] & FOLLOWED != 0
        return Rule.OWN_SITE_SIZE.value if listed else Rule.OWN_SITE_FOLLOWED.value if followed else 0
    if listed:
        return 0
    return Rule.OTHER_SITE_UNLISTED.value if lists[server] else Rule.NOTHING_TO_LIST.value


@compiled_reader
def _counted(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    exchange: Exchange, captures: Int32s, order: Int64s, begin: int, place: int, end: int, copies: Flags
) -> tuple[int, int, int, int]:
    """Return what went on before between the client and the server of a reply.

    A copy in another capture is not known for one where clocks differ: it counts for the number of servers alone.

    Returns:
        how many replies the server sent before, how many of them are in the same capture, how many requests the client
        sent at any time, and the first of those.
    """
    row, earlier, again, asked, first = order[place], 0, 0, 0, order[begin]
    for other_place in range(begin, end):
        other = order[other_place]
        if copies[other] or not same_client(exchange, row, other):
            continue
        if exchange.client_port[row] != exchange.client_port[other]:
            continue
        if exchange.message[other] == REQUEST:
            first = first if asked else other
            asked += 1
        elif other_place < place and same_server(exchange, row, other):
            earlier += 1
            again += captures[other] == captures[row]
    return earlier, again, asked, first
