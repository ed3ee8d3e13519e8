"""What is wrong with one packet over IP, in one pass over its octets (MS-MQSD 2.2).

The functions work on octets and lists as they are (``wire_judgement``) and, compiled, on arrays (``bulk_packets``):
they use indices, integers and nothing else. Findings are noted in the order of the octets.
"""

from typing import Final

from mqconform.reference.mqsd.audit import packet_octets as packet
from mqconform.reference.mqsd.audit.list_scan import follows_the_grammar, scan_cut_list, scan_list
from mqconform.reference.mqsd.audit.packet_octets import GUID, Found, Octets, bits, clear, found, has, is_zero, word
from mqconform.reference.mqsd.audit.wire_rules import CUT, Direction, Message, Rule
from mqconform.reference.mqsd.messages import REPLY as REPLY_TABLE
from mqconform.reference.mqsd.messages import REQUEST as REQUEST_TABLE
from mqconform.reference.mqsd.messages import MessageRule

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


def scan_packet(octets: Octets, start: int, length: int, direction: int, findings: Found) -> int:
    """Note what is wrong with a packet, and return the ``Message`` that it was read as.

    Args:
        octets: what the packet lies in.
        start: where it begins.
        length: its octets.
        direction: value of ``Direction``.
        findings: room for ``most_findings``; emptied first.
    """
    clear(findings)
    if length < packet.HEADER_SIZE:
        found(findings, Rule.HEADER_CUT, 0, length)
        return NONE
    kind = int(octets[start + packet.TYPE_AT])
    if direction == EITHER:
        if kind not in (REQUEST, REPLY):
            found(findings, Rule.NO_TYPE, packet.TYPE_AT, 1)
            return NONE
        direction = TO_SERVER if kind == REQUEST else TO_CLIENT
    if direction == TO_SERVER and kind == REPLY:
        found(findings, Rule.REPLY_FROM_ELSEWHERE, packet.TYPE_AT, 1)
        _scan_reply(octets, start, length, findings)
        if not has(findings, SYNTAX_OF_REPLY):
            return REPLY
        clear(findings)
    elif direction == TO_CLIENT and kind == REQUEST:
        found(findings, Rule.REQUEST_ELSEWHERE, packet.TYPE_AT, 1)
        _scan_request(octets, start, length, findings)
        if not has(findings, SYNTAX_OF_REQUEST):
            return REQUEST
        clear(findings)
    if direction == TO_SERVER:
        _scan_request(octets, start, length, findings)
        return REQUEST
    _scan_reply(octets, start, length, findings)
    return REPLY


def _scan_header(octets: Octets, start: int, message: int, rules: tuple[int, int, int], findings: Found) -> None:
    """Hold Version, Type and Reserved to their values; ``rules`` are in the order of these (2.2.1)."""
    if octets[start + packet.VERSION_AT]:
        found(findings, rules[0], packet.VERSION_AT, 1)
    if octets[start + packet.TYPE_AT] != message:
        found(findings, rules[1], packet.TYPE_AT, 1)
    if octets[start + packet.RESERVED_AT] or octets[start + packet.RESERVED_AT + 1]:
        found(findings, rules[2], packet.RESERVED_AT, 2)


def _scan_cut(places: tuple[tuple[int, int, int], ...], length: int, findings: Found) -> None:
    """Note the field within or before which a packet ends."""
    for at, end, rule in places:
        if length < end:
            found(findings, rule, at, length - at)
            return


_OF_REQUEST: Final = int(Rule.REQUEST_VERSION), int(Rule.REQUEST_TYPE), int(Rule.REQUEST_RESERVED)
_OF_REPLY: Final = int(Rule.REPLY_VERSION), int(Rule.REPLY_TYPE), int(Rule.REPLY_RESERVED)


def _scan_request(octets: Octets, start: int, length: int, findings: Found) -> None:
    """Note what is wrong with a request of at least four octets (2.2.1, 2.2.2)."""
    _scan_header(octets, start, REQUEST, _OF_REQUEST, findings)
    if length < packet.REQUEST_SIZE:
        _scan_cut(CUT_IN_REQUEST, length, findings)
        return
    if is_zero(octets, start + packet.SITE_ID_AT, GUID):
        found(findings, Rule.SITE_ID_ZERO, packet.SITE_ID_AT, GUID)
    if length >= packet.IPX_FROM:
        count, numbers = word(octets, start + packet.IPX_COUNT_AT), length - packet.IPX_NUMBERS_AT
        found(findings, Rule.IPX_COUNT_PRESENT, packet.IPX_COUNT_AT, 4)
        if count < 1 or count > packet.MOST:
            found(findings, Rule.IPX_COUNT_RANGE, packet.IPX_COUNT_AT, 4)
        found(findings, Rule.IPX_ARRAY_PRESENT, packet.IPX_NUMBERS_AT, numbers)
        if numbers != 4 * count:
            found(findings, Rule.IPX_ARRAY_LENGTH, packet.IPX_NUMBERS_AT, numbers)
    elif length > packet.REQUEST_SIZE:
        found(findings, Rule.REQUEST_TRAILING, packet.REQUEST_SIZE, length - packet.REQUEST_SIZE)


def _scan_reply(octets: Octets, start: int, length: int, findings: Found) -> None:
    """Note what is wrong with or open about a reply of at least four octets (2.2.1, 2.2.3)."""
    _scan_header(octets, start, REPLY, _OF_REPLY, findings)
    if length >= packet.REPLY_SIZE:
        _scan_whole_head(octets, start, length, findings)
        return
    if length >= packet.SIZE_AT and word(octets, start + packet.MASK_AT):
        found(findings, Rule.MASK, packet.MASK_AT, 4)
    _scan_cut(CUT_IN_REPLY, length, findings)


def _scan_whole_head(octets: Octets, start: int, length: int, findings: Found) -> None:
    """Note what is wrong from the count on; one out of range is a reading where all the rest fits it (SD-21)."""
    count, size = word(octets, start + packet.COUNT_AT), word(octets, start + packet.SIZE_AT)
    networks_end = packet.NETWORKS_AT + GUID * count
    behind = length - networks_end - (GUID + size if size else 0)
    if count == 0:
        fits = 0 <= behind < GUID
        found(findings, Rule.COUNT_ZERO if fits else Rule.COUNT_TOO_LOW, packet.COUNT_AT, 4)
    elif count > packet.MOST:
        found(findings, Rule.COUNT_RANGE if behind < 0 else Rule.COUNT_ABOVE, packet.COUNT_AT, 4)
    if word(octets, start + packet.MASK_AT):
        found(findings, Rule.MASK, packet.MASK_AT, 4)
    if size % 2:
        found(findings, Rule.SIZE_ODD, packet.SIZE_AT, 4)
    if length < networks_end:
        found(findings, Rule.NETWORKS_CUT, packet.NETWORKS_AT, length - packet.NETWORKS_AT)
    elif not size:
        _scan_behind_networks(octets, start, length, networks_end, findings)
    elif length < networks_end + GUID:
        found(findings, Rule.SITE_CUT, networks_end, length - networks_end)
    elif behind < 0:
        at = networks_end + GUID
        found(findings, Rule.ARRAY_CUT, at, length - at)
        scan_cut_list(octets, start, start + at, length, findings)
    else:
        scan_list(octets, start, start + networks_end + GUID, size, length, findings)


def _scan_behind_networks(octets: Octets, start: int, length: int, at: int, findings: Found) -> None:
    """Note what follows the networks where no server list is announced (register SD-24, SD-32)."""
    behind = length - at
    if behind > GUID and follows_the_grammar(octets, start + at + GUID, start + length):
        found(findings, Rule.SIZE_ZERO_WITH_ARRAY, packet.SIZE_AT, 4)
    elif behind == GUID and at > packet.NETWORKS_AT:
        found(findings, Rule.SITE_WITHOUT_ARRAY, at, GUID)
    elif behind:
        found(findings, Rule.TRAILING, at, behind)
