"""Millions of conversations of discovery, judged in one compiled pass by ``conversation_rules`` (MS-MQSD 3.1, 3.2.5).

A capture shows what passed one place: what it lacks may have been lost or have passed elsewhere. A rule that rests on
something not being there therefore convicts only where the capture shows that it would have been seen.

Of two requests on different networks, the second may go out when 15 s have passed since the first (3.1.6.1), when a
reply of the own site came, or when a second reply of another site did (3.1.5.2). Half a second is granted (SD-49).
"""

from typing import Final, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Int64s, Masks, Octets, compiled_reader
from mqconform.reference.mqsd.audit.conversation_rules import ConversationRule as Rule
from mqconform.reference.mqsd.audit.wire_rules import Message
from mqconform.reference.mqsd.specification import FACTS

REQUEST, REPLY = int(Message.REQUEST), int(Message.REPLY)
HAS_ID, HAS_SITE, LISTS, COMPLETE, FOLLOWED = 1, 2, 4, 8, 16
"""What a packet shows: its identifier, a site, a server list (by its size), all of its octets; behind the networks of a
reply without a list, what is neither a few octets nor a padding of zeros (register SD-24, SD-32)."""
NO_TIME: Final = -(2**63)
"""The time of a packet that was captured without one."""
SECOND: Final = 1_000_000_000
WAIT: Final = FACTS.response_timeout * SECOND
"""Nanoseconds for which a client waits (MS-MQSD 3.1.2.1)."""

GRANTED: Final = SECOND // 2
LONGEST_EVENT_PAUSE: Final = 3_600 * SECOND
"""Pause of two requests above which they belong to different events, also with gaps in the capture: as long as a client
needs for 120 networks."""
MOST_ASKED: Final = 64
"""Requests of one event whose order is followed."""
NETWORKS_BACK, COPIES_BACK = 512, 16
"""Packets before one among which its network, and the packet itself, are looked for."""
MOMENT: Final = 2_000_000
CLOCKS: Final = SECOND
"""By how much clocks of captures may differ before a reply counts as older than its request."""
MOST_PAIRS: Final = 2**18
"""Packets times replies of one conversation above which replies are not matched one by one."""


class Exchange(NamedTuple):
    """Packets with an identifier; one entry of each array for one packet.

    The client is who sent the request or got the reply, the server the other one. Identifiers, addresses and sites are
    numbers that stand for what is equal.
    """

    id: Int32s
    message: Octets
    """Values of ``Message``."""
    time: Int64s
    """Nanoseconds since 1970, or ``NO_TIME``."""
    client: Int32s
    client_port: Int32s
    server: Int32s
    server_port: Int32s
    identification: Int32s
    """Of IPv4, -1 in IPv6."""
    length: Int32s
    """Octets of the payload."""
    site: Int32s
    """SiteID of a request, RespondingSiteID of a reply."""
    enterprise: Int64s
    """A hash of EnterpriseID."""
    shown: Octets
    """What the packet shows, as bits."""
    heard: Flags
    """Whether any reply to its client was captured."""
    known_site: Int32s
    """Site of the server by its known configuration, -1 where none is known."""
    known_lists: Flags
    """Whether the server has names to list by that."""
    capture: Int32s
    """Of which capture it is; clocks of several may differ."""


class Conversations(NamedTuple):
    """One entry of each array for one conversation."""

    first: Int64s
    """The packet that came first."""
    last: Int64s
    requests: Int32s
    replies: Int32s
    copies: Int32s
    """Packets that were captured again."""
    networks: Int32s
    """Different pairs of a client's address and where its request went, up to 64."""
    servers: Int32s
    """Different addresses that replied, where replies could be matched."""
    weight: Octets
    """0, or the weight of the heaviest finding."""
    rule: Octets
    """The first of the heaviest findings, 0 where there is none."""
    row: Int64s
    """The packet that shows it, -1 where there is none."""
    rules: Masks
    """One bit for each rule that was found."""
    answer: Int64s
    """Nanoseconds from the request to the first reply to it, ``NO_TIME`` where there is nothing to tell: clocks of
    several captures differ, and in a crowded conversation replies are not matched."""
    answer_row: Int64s
    """The packet that is this reply, -1 where there is none."""


class Listed(NamedTuple):
    """What conversations have any number of, in their order: of each the conversation, what it is, and the packet."""

    total: Int64s
    """One number: how many there are."""
    conversation: Int64s
    what: Int64s
    row: Int64s


class Judged(NamedTuple):
    """What conversations were found to be."""

    conversations: Conversations
    findings: Listed
    """Rules that were found."""
    pauses: Listed
    """Nanoseconds from a request to the next one of the same discovery."""


class Scan(NamedTuple):
    """All that the loops work on: packets in order of conversations and times, none of them a copy."""

    packets: Exchange
    rows: Int64s
    """Which packet of the caller's each is."""
    since: int
    """Time of the first packet of the audit: a request soon before it was not captured."""
    until: int
    """Time of the last packet of the audit."""
    severities: Octets
    of: Conversations
    findings: Listed
    pauses: Listed


def judge_conversations(exchange: Exchange, since: int, until: int, severities: Octets) -> Judged:
    """Judge all conversations of packets; rows of what is returned are those of the packets.

    All packets of one identifier have to be among them; the audit has packets ``since`` a time, and ``until`` another.
    """
    order = np.lexsort((exchange.time, exchange.id))
    packets = Exchange._make(column[order] for column in exchange)
    begins = np.ones(len(order), np.bool_)
    begins[1:] = np.diff(packets.id) != 0
    bounds = np.append(np.flatnonzero(begins), len(order))
    count, originals = len(bounds) - 1, np.ones(len(order), np.bool_)
    _find_copies(packets, bounds, originals)
    ends = np.append(0, np.cumsum(originals))[bounds]
    zeros = [np.zeros(count, np.int32) for _ in range(5)]
    bits = np.zeros(count, np.uint8), np.zeros(count, np.uint8), np.full(count, -1), np.zeros(count, np.uint64)
    timing = np.full(count, NO_TIME), np.full(count, -1)
    of = Conversations._make([order[bounds[:-1]], order[bounds[1:] - 1], *zeros, *bits, *timing])
    of.copies[:] = np.diff(bounds) - np.diff(ends)
    findings, pauses = _room(3 * len(order) + 4 * count), _room(len(order))
    packets = Exchange._make(column[originals] for column in packets)
    scan = Scan(packets, order[originals], since, until, severities, of, findings, pauses)
    _judge_all(scan, ends)
    return Judged(of, _filled(findings), _filled(pauses))


def _room(size: int) -> Listed:
    return Listed(np.zeros(1, np.int64), *(np.empty(size, np.int64) for _ in range(3)))


def _filled(listed: Listed) -> Listed:
    return Listed(listed.total, *(column[: listed.total[0]] for column in listed[1:]))


@compiled_reader
def _find_copies(packets: Exchange, bounds: Int64s, originals: Flags) -> None:
    """Unmark packets that were captured before: at another place, or on another interface.

    IPv4 numbers its packets, so that a repetition within a second has another number; where there are no numbers,
    only what comes at once is taken for the same.
    """
    p = packets
    for number in range(len(bounds) - 1):
        for row in range(bounds[number], bounds[number + 1]):
            most = SECOND if p.identification[row] > 0 else MOMENT
            for other in range(max(bounds[number], row - COPIES_BACK), row):
                if (
                    p.identification[other] == p.identification[row]
                    and p.time[row] - p.time[other] <= most
                    and p.message[other] == p.message[row]
                    and p.length[other] == p.length[row]
                    and p.client_port[other] == p.client_port[row]
                    and p.server_port[other] == p.server_port[row]
                    and same_network(p, other, row)
                ):
                    originals[row] = False
                    break


@compiled_reader
def note(scan: Scan, number: int, rule: int, row: int) -> None:
    """Note a finding."""
    of, severity = scan.of, scan.severities[rule]
    of.rules[number] |= np.uint64(1) << np.uint64(rule)
    if severity > of.weight[number]:
        of.weight[number], of.rule[number], of.row[number] = severity, rule, scan.rows[row]
    add(scan.findings, number, rule, scan.rows[row])


@compiled_reader
def add(listed: Listed, number: int, what: int, row: int) -> None:
    """Add what a conversation has, while there is room."""
    at = listed.total[0]
    if at < len(listed.row):
        listed.conversation[at], listed.what[at], listed.row[at] = number, what, row
        listed.total[0] += 1


@compiled_reader
def same_network(packets: Exchange, row: int, other: int) -> bool:
    """Return whether two requests went out on the same network: from one address to one address."""
    return bool(packets.client[row] == packets.client[other] and packets.server[row] == packets.server[other])


@compiled_reader
def _judge_all(scan: Scan, bounds: Int64s) -> None:  # noqa: C901 - one kind of conversation after the other
    packets, of = scan.packets, scan.of
    for number in range(len(bounds) - 1):
        begin, end, last = bounds[number], bounds[number + 1], -1
        for row in range(begin, end):
            if packets.message[row] == REQUEST:
                of.requests[number] += 1
                last = row
            elif packets.message[row] == REPLY:
                of.replies[number] += 1
        if last < 0:
            for row in range(begin, end):
                if packets.message[row] == REPLY:
                    note(scan, number, Rule.REPLY_TO_NOBODY.value, row)
            continue
        _judge_requests(scan, number, begin, end)
        _judge_networks(scan, number, begin, end)
        if of.replies[number] and (end - begin + of.copies[number]) * of.replies[number] > MOST_PAIRS:
            note(scan, number, Rule.CROWDED.value, begin)
        elif of.replies[number]:
            _judge_replies(scan, number, begin, end)
        elif packets.time[last] <= scan.until - WAIT:
            note(scan, number, Rule.UNANSWERED.value, last)


@compiled_reader
def _judge_requests(scan: Scan, number: int, begin: int, end: int) -> None:  # noqa: C901 - one pass
    """Judge the cadence and the fields of the requests of a conversation, and note the pauses between them."""
    packets = scan.packets
    before, timed, foreign, first_foreign, moved = -1, -1, 0, NO_TIME, NO_TIME
    for row in range(begin, end):
        if packets.message[row] != REQUEST:
            lists = packets.shown[row] & LISTS != 0
            foreign += lists
            if foreign == 1 and first_foreign == NO_TIME:
                first_foreign = packets.time[row]
            if moved == NO_TIME and (foreign > 1 or not lists):
                moved = packets.time[row]
            continue
        if before >= 0:
            rule = _field_rule(packets, before, row)
            if not rule and packets.time[before] != NO_TIME and packets.time[row] != NO_TIME:
                rule = _cadence_rule(packets, before, row, first_foreign, moved)
            if rule:
                note(scan, number, rule, row)
        if packets.time[row] != NO_TIME:
            if timed >= 0 and packets.enterprise[timed] == packets.enterprise[row]:
                pause = packets.time[row] - packets.time[timed]
                if pause <= LONGEST_EVENT_PAUSE:
                    add(scan.pauses, number, pause, scan.rows[row])
            timed = row
        before, foreign, first_foreign, moved = row, 0, NO_TIME, NO_TIME


@compiled_reader
def _field_rule(packets: Exchange, before: int, row: int) -> int:
    if packets.enterprise[before] != packets.enterprise[row]:
        return Rule.ID_SHARED.value
    named = packets.shown[before] & packets.shown[row] & HAS_SITE and packets.client[before] == packets.client[row]
    return Rule.SITE_CHANGED.value if named and packets.site[before] != packets.site[row] else 0


@compiled_reader
def _cadence_rule(packets: Exchange, before: int, row: int, first_foreign: int, moved: int) -> int:
    """Return what is wrong with the pause between two requests.

    In between came a reply of another site first (``first_foreign``), and one that ends the wait (``moved``).
    """
    pause = packets.time[row] - packets.time[before]
    if pause > LONGEST_EVENT_PAUSE:
        return Rule.ID_REUSED.value
    if pause < WAIT - GRANTED:
        if moved != NO_TIME:
            return 0
        if same_network(packets, before, row):
            return Rule.REQUEST_REPEATED.value
        replies_pass = first_foreign != NO_TIME or packets.heard[before]
        one_clock = packets.capture[before] == packets.capture[row]
        return Rule.EARLY_REQUEST.value if one_clock and replies_pass else Rule.EARLY_REQUEST_UNSEEN.value
    limit = packets.time[before] + WAIT
    if moved != NO_TIME:
        limit = moved
    elif first_foreign != NO_TIME:
        limit = first_foreign + WAIT
    return Rule.LATE_REQUEST.value if packets.time[row] > limit + GRANTED else 0


@compiled_reader
def _judge_networks(scan: Scan, number: int, begin: int, end: int) -> None:
    """Judge the order of the networks: each in its turn, and the whole list again where it was doubled (SD-51)."""
    packets = scan.packets
    distinct, turn, before, asked = 0, -1, -1, 0
    for row in range(begin, end):
        if packets.message[row] != REQUEST:
            continue
        pause = packets.time[row] - packets.time[before] if before >= 0 else 0
        if before >= 0 and pause < WAIT - GRANTED and same_network(packets, before, row):
            continue  # a repetition, which the cadence shows
        before, asked = row, asked + 1
        if asked > MOST_ASKED:
            return
        which = _network(packets, max(begin, row - NETWORKS_BACK), row)
        if which < 0 and turn < 0:
            distinct += 1
            scan.of.networks[number] = distinct
            continue
        turn = 0 if turn < 0 else (turn + 1) % distinct
        note(scan, number, Rule.LIST_TWICE.value if which == turn else Rule.NETWORK_ORDER.value, row)
        if which != turn:
            return


@compiled_reader
def _network(packets: Exchange, begin: int, row: int) -> int:
    """Return the how-manieth different network of a conversation a request went to, -1 if it is a new one."""
    number = 0
    for other in range(begin, row):
        if packets.message[other] == REQUEST and _is_first(packets, begin, other):
            if same_network(packets, other, row):
                return number
            number += 1
    return -1


@compiled_reader
def _is_first(packets: Exchange, begin: int, row: int) -> bool:
    for other in range(begin, row):
        if packets.message[other] == REQUEST and same_network(packets, other, row):
            return False
    return True


@compiled_reader
def _judge_replies(scan: Scan, number: int, begin: int, end: int) -> None:
    """Judge the replies of a conversation that has requests (MS-MQSD 2.2.3, 3.2.5, 3.2.5.1)."""
    packets, of = scan.packets, scan.of
    for row in range(begin, end):
        if packets.message[row] != REPLY:
            continue
        request = _request_of(packets, begin, end, row)
        if request < 0:
            note(scan, number, Rule.REPLY_ELSEWHERE.value, row)
        else:
            _judge_pair(scan, number, request, row)
        earlier, again, asked, first = 0, 0, 0, begin
        for other in range(begin, end):
            if not _same_end(packets, row, other):
                continue
            if packets.message[other] == REQUEST:
                first = first if asked else other
                asked += 1
            elif other < row and packets.server[row] == packets.server[other]:
                earlier += 1
                again += (
                    packets.capture[other] == packets.capture[row]
                )  # a copy in another is none for a clock that differs
        of.servers[number] += earlier == 0
        if request >= 0 and again >= asked:
            sent = packets.time[first]
            whole = sent == NO_TIME or sent - scan.since > WAIT
            note(scan, number, Rule.ANSWERED_TWICE.value if whole else Rule.ANSWERED_TWICE_UNSEEN.value, row)


@compiled_reader
def _same_end(packets: Exchange, row: int, other: int) -> bool:
    return bool(packets.client[row] == packets.client[other] and packets.client_port[row] == packets.client_port[other])


@compiled_reader
def _request_of(packets: Exchange, begin: int, end: int, reply: int) -> int:
    """Return the request that a reply answers: the last one before it from where it went to, else the first."""
    request = -1
    for row in range(begin, end):
        if packets.message[row] == REQUEST and _same_end(packets, row, reply):
            if request >= 0 and packets.time[row] > packets.time[reply]:
                break
            request = row
    return request


@compiled_reader
def _judge_pair(scan: Scan, number: int, request: int, reply: int) -> None:
    packets, of = scan.packets, scan.of
    sent, came = packets.time[request], packets.time[reply]
    if NO_TIME not in (sent, came):
        if came - sent > WAIT:
            note(scan, number, Rule.REPLY_LATE.value, reply)
        elif came < sent - CLOCKS:
            note(scan, number, Rule.REPLY_BEFORE_REQUEST.value, reply)
        if came >= sent and of.answer_row[number] < 0:
            of.answer[number], of.answer_row[number] = came - sent, scan.rows[reply]
    if packets.shown[request] & HAS_SITE:
        rule = _site_rule(packets, request, reply)
        if rule:
            note(scan, number, rule, reply)


@compiled_reader
def _site_rule(packets: Exchange, request: int, reply: int) -> int:
    bits, site, known = packets.shown[reply], packets.site[request], packets.known_site[reply]
    if bits & HAS_SITE and packets.site[reply] == site:
        return Rule.OWN_SITE_LISTED.value if bits & LISTS else Rule.OWN_SITE_FOLLOWED.value
    if known == site:
        return Rule.OWN_SITE_SIZE.value if bits & LISTS else Rule.OWN_SITE_FOLLOWED.value if bits & FOLLOWED else 0
    if known < 0 or bits & LISTS:
        return 0
    return Rule.OTHER_SITE_UNLISTED.value if packets.known_lists[reply] else Rule.NOTHING_TO_LIST.value
