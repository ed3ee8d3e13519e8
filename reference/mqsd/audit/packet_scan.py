"""What is wrong with one packet over IP, in one pass over its octets (MS-MQSD 2.2).

The functions work on octets and lists as they are (``wire_judgement``) and, compiled, on arrays (``bulk_packets``):
they use indices, integers and nothing else. Findings are noted in the order of the octets. Offsets named ``at`` and
``end`` count from the start of ``octets``; those that are noted, from the start of the packet.
"""

from typing import Any, Final, NamedTuple

from mqconform.reference.mqsd.audit.wire_rules import CUT, Direction, Message, Rule
from mqconform.reference.mqsd.guid import GUID_SIZE
from mqconform.reference.mqsd.messages import HEADER, MessageRule
from mqconform.reference.mqsd.messages import REPLY as REPLY_TABLE
from mqconform.reference.mqsd.messages import REQUEST as REQUEST_TABLE

Octets = Any
"""Octets, or an array of them."""
Integers = Any
"""A list of integers, or an array of 64-bit integers."""

GUID: Final = GUID_SIZE
VERSION_AT, TYPE_AT, RESERVED_AT = (rule.offset for rule in HEADER.fields)
HEADER_SIZE, REQUEST_SIZE, REPLY_SIZE = HEADER.size, REQUEST_TABLE.size, REPLY_TABLE.size
ENTERPRISE_AT: Final = REQUEST_TABLE["EnterpriseID"].offset
REQUEST_ID_AT: Final = REQUEST_TABLE["RequestID"].offset
SITE_ID_AT: Final = REQUEST_TABLE["SiteID"].offset
IPX_COUNT_AT: Final = REQUEST_TABLE["IPXNetworkCount"].offset
IPX_NUMBERS_AT: Final = REQUEST_TABLE["IPXNetworkNumberArray"].offset
IPX_FROM: Final = REQUEST_TABLE["IPXNetworkCount"].from_length
CORRELATION_AT: Final = REPLY_TABLE["CorrelationID"].offset
COUNT_AT: Final = REPLY_TABLE["ConnectedNetworkCount"].offset
MASK_AT: Final = REPLY_TABLE["ConnectedNetworkMask"].offset
SIZE_AT: Final = REPLY_TABLE["DirectoryServiceServerSize"].offset
NETWORKS_AT: Final = REPLY_TABLE["ConnectedNetworkArray"].offset
MOST: Final = REPLY_TABLE["ConnectedNetworkCount"].most


class Findings(NamedTuple):
    """Room for the findings in one packet."""

    state: Integers
    """How many there are, and their rules as bits."""
    rule: Integers
    offset: Integers
    """First octet of what shows a finding, counted from the start of the packet."""
    length: Integers
    """Octets that show it, 0 where something is missing there."""


def most_findings(length: int) -> int:
    """Return how many findings a packet of some octets can have: three for each entry of four octets."""
    return length + 16


def note_finding(findings: Findings, rule: int, offset: int, length: int) -> None:
    """Note a finding."""
    place = findings.state[0]
    findings.rule[place], findings.offset[place], findings.length[place] = rule, offset, length
    findings.state[0] = place + 1
    findings.state[1] |= 1 << findings.rule[place]


def has(findings: Findings, rules: int) -> bool:
    """Tell whether one of some rules, given as bits, was found."""
    return bool((findings.state[1] & rules) != 0)


def clear(findings: Findings) -> None:
    """Forget all findings."""
    findings.state[0] = findings.state[1] = 0


def bits(*rules: Rule) -> int:
    """Return rules as bits."""
    return sum(1 << int(rule) for rule in rules)


def word(octets: Octets, at: int) -> int:
    """Return the 32-bit integer at ``at``, low octet first."""
    low = int(octets[at]) | int(octets[at + 1]) << 8
    return low | int(octets[at + 2]) << 16 | int(octets[at + 3]) << 24


def character(octets: Octets, at: int) -> int:
    """Return the code unit at ``at``, low octet first."""
    return int(octets[at]) | int(octets[at + 1]) << 8


def is_zero_guid(octets: Octets, at: int) -> bool:
    """Tell whether the GUID at ``at`` is all zeros."""
    for place in range(at, at + GUID):  # noqa: SIM110 - compiled: generators are not
        if octets[place]:
            return False
    return True


COMMA, NULL, ZERO, ONE = 0x2C, 0, 0x30, 0x31


def scan_list(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, at: int, size: int, length: int, findings: Findings
) -> None:
    """Note what is wrong with a list that is as long as its ``size`` says, and what follows it in the packet."""
    end, packet_end = at + size, start + length
    trailing = packet_end - end
    null = first_null(octets, at, end)
    if size % 2:
        _scan_entries(octets, start, at, min(null + 2, end - 1), COMMA, findings)
    elif size == 2 and null == at:
        note_finding(findings, Rule.TERMINATOR_ONLY, at - start, 2)
    elif null >= end and trailing and trailing % 2 == 0 and first_null(octets, at, packet_end) == packet_end - 2:
        rule = Rule.SIZE_WITHOUT_TERMINATOR if trailing == 2 else Rule.SIZE_TOO_LOW
        note_finding(findings, rule, SIZE_AT, 4)
        _scan_entries(octets, start, at, packet_end, COMMA, findings)
        return
    else:
        _scan_whole(octets, start, at, end, null, findings)
    if trailing and size % 2 == 0 and character(octets, end - 2) == NULL:  # elsewhere the size is wrong, not the end
        note_finding(findings, Rule.TRAILING, end - start, trailing)


def _scan_whole(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, at: int, end: int, null: int, findings: Findings
) -> None:
    if null >= end:
        _scan_entries(octets, start, at, end, COMMA, findings)
        note_finding(findings, Rule.NO_END, end - start, 0)
    elif null == end - 2:
        _scan_entries(octets, start, at, end, COMMA, findings)
    elif _nulls_between(octets, at, end):
        _scan_entries(octets, start, at, end, NULL, findings)
        note_finding(findings, Rule.NULL_BETWEEN, null - start, 2)
        if character(octets, end - 2) != NULL:
            note_finding(findings, Rule.NO_END, end - start, 0)
    else:
        _scan_entries(octets, start, at, null + 2, COMMA, findings)
        note_finding(findings, Rule.BEHIND_END, null + 2 - start, end - null - 2)


def scan_cut_list(octets: Octets, start: int, at: int, length: int, findings: Findings) -> None:
    """Note what is wrong with a list that the packet ends within; its last entry may go on, and so may be right."""
    end = at + (start + length - at) // 2 * 2
    null = first_null(octets, at, end)
    whole_end = min(null + 2, end)
    while whole_end > at and character(octets, whole_end - 2) != NULL and character(octets, whole_end - 2) != COMMA:
        whole_end -= 2
    _scan_entries(octets, start, at, whole_end, COMMA, findings)
    if null + 2 < end:
        note_finding(findings, Rule.BEHIND_END, null + 2 - start, end - null - 2)


def _scan_entries(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, at: int, end: int, delimiter: int, findings: Findings
) -> None:
    """Note what is wrong with the entries; a delimiter or a null ends each but perhaps the last."""
    first = at
    for place in range(at, end - 1, 2):
        unit = character(octets, place)
        if unit in (delimiter, NULL):
            _scan_entry(octets, start, first, place, findings)
            first = place + 2
    if first < end:
        _scan_entry(octets, start, first, end, findings)


def _scan_entry(octets: Octets, start: int, at: int, end: int, findings: Findings) -> None:
    here, units = at - start, (end - at) // 2
    if not units:
        note_finding(findings, Rule.EMPTY_ENTRY, here, 2)
        return
    ip = character(octets, at)
    if ip not in (ONE, ZERO):
        note_finding(findings, Rule.IP_FLAG, here, 2)
    if units == 1:
        note_finding(findings, Rule.IPX_FLAG, here + 2, 0)
    else:
        ipx = character(octets, at + 2)
        if ipx not in (ONE, ZERO):
            note_finding(findings, Rule.IPX_FLAG, here + 2, 2)
        elif ip == ZERO and ipx == ZERO:
            note_finding(findings, Rule.NO_PROTOCOL, here, 4)
    if units < 3:
        note_finding(findings, Rule.NO_NAME, here + 2 * units, 0)


def first_null(octets: Octets, at: int, end: int) -> int:
    """Return where the first null character begins; ``end`` or the octet before it where there is none."""
    while at + 1 < end and (octets[at] or octets[at + 1]):
        at += 2
    return at if at + 1 < end else end


def _nulls_between(octets: Octets, at: int, end: int) -> bool:
    """Tell whether a list is right but for nulls where commas should stand (register SD-28)."""
    units = 0
    for place in range(at, end, 2):
        unit = character(octets, place)
        if unit == COMMA or (unit == NULL and units < 3):
            return False
        units = 0 if unit == NULL else units + 1
    return units == 0 or units >= 3


def follows_the_grammar(octets: Octets, at: int, end: int) -> bool:
    """Tell whether octets are a server list as strict decoding accepts it."""
    if (end - at) % 2 or first_null(octets, at, end) != end - 2:
        return False
    first = at
    for place in range(at, end, 2):
        unit = character(octets, place)
        if unit in (COMMA, NULL):
            if place - first < 6:
                return False
            for flag in (character(octets, first), character(octets, first + 2)):
                if flag not in (ONE, ZERO):
                    return False
            first = place + 2
    return True


EITHER, TO_SERVER, TO_CLIENT = int(Direction.EITHER), int(Direction.TO_SERVER), int(Direction.TO_CLIENT)
NONE, REQUEST, REPLY = int(Message.NONE), int(Message.REQUEST), int(Message.REPLY)

_ALL: Final = (1 << 62) - 1
"""Bits of rules that a compiled integer holds; there are fewer rules."""
SYNTAX_OF_REQUEST: Final = _ALL & ~bits(
    Rule.REQUEST_VERSION,
    Rule.REQUEST_RESERVED,
    Rule.SITE_ID_ZERO,
    Rule.REQUEST_TRAILING,
    Rule.IPX_COUNT_PRESENT,
    Rule.IPX_ARRAY_PRESENT,
    Rule.REQUEST_ELSEWHERE,
)
SYNTAX_OF_REPLY: Final = _ALL & ~bits(
    Rule.REPLY_VERSION, Rule.REPLY_RESERVED, Rule.MASK, Rule.NO_PROTOCOL, Rule.REPLY_FROM_ELSEWHERE
)
"""Findings with which strict decoding refuses a packet."""


def _places(message: MessageRule) -> tuple[tuple[int, int, int], ...]:
    """Return where each field that every packet has begins and ends, and the rule on a packet that ends there."""
    fields = (rule for rule in message.fields if rule.offset >= 0 and rule.place.stop <= message.size)
    return tuple((rule.offset, rule.place.stop, int(CUT[rule.name])) for rule in fields if rule.name in CUT)


CUT_IN_REQUEST: Final = _places(REQUEST_TABLE)
CUT_IN_REPLY: Final = _places(REPLY_TABLE)


def scan_packet(octets: Octets, start: int, length: int, direction: int, findings: Findings) -> int:
    """Empty ``findings``, note what is wrong with a packet, and return the ``Message`` that it was read as."""
    clear(findings)
    if length < HEADER_SIZE:
        note_finding(findings, Rule.HEADER_CUT, 0, length)
        return NONE
    kind = int(octets[start + TYPE_AT])
    if direction == EITHER:
        if kind not in (REQUEST, REPLY):
            note_finding(findings, Rule.NO_TYPE, TYPE_AT, 1)
            return NONE
        direction = TO_SERVER if kind == REQUEST else TO_CLIENT
    if direction == TO_SERVER and kind == REPLY:
        note_finding(findings, Rule.REPLY_FROM_ELSEWHERE, TYPE_AT, 1)
        _scan_reply(octets, start, length, findings)
        if not has(findings, SYNTAX_OF_REPLY):
            return REPLY
        clear(findings)
    elif direction == TO_CLIENT and kind == REQUEST:
        note_finding(findings, Rule.REQUEST_ELSEWHERE, TYPE_AT, 1)
        _scan_request(octets, start, length, findings)
        if not has(findings, SYNTAX_OF_REQUEST):
            return REQUEST
        clear(findings)
    if direction == TO_SERVER:
        _scan_request(octets, start, length, findings)
        return REQUEST
    _scan_reply(octets, start, length, findings)
    return REPLY


def _scan_header(octets: Octets, start: int, message: int, rules: tuple[int, int, int], findings: Findings) -> None:
    """Hold Version, Type and Reserved to their values; ``rules`` are in the order of these (2.2.1)."""
    if octets[start + VERSION_AT]:
        note_finding(findings, rules[0], VERSION_AT, 1)
    if octets[start + TYPE_AT] != message:
        note_finding(findings, rules[1], TYPE_AT, 1)
    if octets[start + RESERVED_AT] or octets[start + RESERVED_AT + 1]:
        note_finding(findings, rules[2], RESERVED_AT, 2)


def _scan_cut(places: tuple[tuple[int, int, int], ...], length: int, findings: Findings) -> None:
    """Note the field within or before which a packet ends."""
    for at, end, rule in places:
        if length < end:
            note_finding(findings, rule, at, length - at)
            return


_OF_REQUEST: Final = int(Rule.REQUEST_VERSION), int(Rule.REQUEST_TYPE), int(Rule.REQUEST_RESERVED)
_OF_REPLY: Final = int(Rule.REPLY_VERSION), int(Rule.REPLY_TYPE), int(Rule.REPLY_RESERVED)


def _scan_request(octets: Octets, start: int, length: int, findings: Findings) -> None:
    """Note what is wrong with a request of at least four octets (2.2.1, 2.2.2)."""
    _scan_header(octets, start, REQUEST, _OF_REQUEST, findings)
    if length < REQUEST_SIZE:
        _scan_cut(CUT_IN_REQUEST, length, findings)
        return
    if is_zero_guid(octets, start + SITE_ID_AT):
        note_finding(findings, Rule.SITE_ID_ZERO, SITE_ID_AT, GUID)
    if length >= IPX_FROM:
        count, numbers = word(octets, start + IPX_COUNT_AT), length - IPX_NUMBERS_AT
        note_finding(findings, Rule.IPX_COUNT_PRESENT, IPX_COUNT_AT, 4)
        if count < 1 or count > MOST:
            note_finding(findings, Rule.IPX_COUNT_RANGE, IPX_COUNT_AT, 4)
        note_finding(findings, Rule.IPX_ARRAY_PRESENT, IPX_NUMBERS_AT, numbers)
        if numbers != 4 * count:
            note_finding(findings, Rule.IPX_ARRAY_LENGTH, IPX_NUMBERS_AT, numbers)
    elif length > REQUEST_SIZE:
        note_finding(findings, Rule.REQUEST_TRAILING, REQUEST_SIZE, length - REQUEST_SIZE)


def _scan_reply(octets: Octets, start: int, length: int, findings: Findings) -> None:
    """Note what is wrong with or open about a reply of at least four octets (2.2.1, 2.2.3)."""
    _scan_header(octets, start, REPLY, _OF_REPLY, findings)
    if length >= REPLY_SIZE:
        _scan_whole_head(octets, start, length, findings)
        return
    if length >= SIZE_AT and word(octets, start + MASK_AT):
        note_finding(findings, Rule.MASK, MASK_AT, 4)
    _scan_cut(CUT_IN_REPLY, length, findings)


def _scan_whole_head(octets: Octets, start: int, length: int, findings: Findings) -> None:
    """Note what is wrong from the count on; one out of range is a reading where all the rest fits it (SD-21)."""
    count, size = word(octets, start + COUNT_AT), word(octets, start + SIZE_AT)
    networks_end = NETWORKS_AT + GUID * count
    behind = length - networks_end - (GUID + size if size else 0)
    if count == 0:
        fits = 0 <= behind < GUID
        note_finding(findings, Rule.COUNT_ZERO if fits else Rule.COUNT_TOO_LOW, COUNT_AT, 4)
    elif count > MOST:
        note_finding(findings, Rule.COUNT_RANGE if behind < 0 else Rule.COUNT_ABOVE, COUNT_AT, 4)
    if word(octets, start + MASK_AT):
        note_finding(findings, Rule.MASK, MASK_AT, 4)
    if size % 2:
        note_finding(findings, Rule.SIZE_ODD, SIZE_AT, 4)
    if length < networks_end:
        note_finding(findings, Rule.NETWORKS_CUT, NETWORKS_AT, length - NETWORKS_AT)
    elif not size:
        _scan_behind_networks(octets, start, length, networks_end, findings)
    elif length < networks_end + GUID:
        note_finding(findings, Rule.SITE_CUT, networks_end, length - networks_end)
    elif behind < 0:
        at = networks_end + GUID
        note_finding(findings, Rule.ARRAY_CUT, at, length - at)
        scan_cut_list(octets, start, start + at, length, findings)
    else:
        scan_list(octets, start, start + networks_end + GUID, size, length, findings)


def _scan_behind_networks(octets: Octets, start: int, length: int, at: int, findings: Findings) -> None:
    """Note what follows the networks where no server list is announced (register SD-24, SD-32)."""
    behind = length - at
    if behind > GUID and follows_the_grammar(octets, start + at + GUID, start + length):
        note_finding(findings, Rule.SIZE_ZERO_WITH_ARRAY, SIZE_AT, 4)
    elif behind == GUID and at > NETWORKS_AT:
        note_finding(findings, Rule.SITE_WITHOUT_ARRAY, at, GUID)
    elif behind:
        note_finding(findings, Rule.TRAILING, at, behind)
