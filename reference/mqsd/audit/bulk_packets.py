"""Judge millions of packets over IP in one pass (MS-MQSD 2.2): the rules of ``wire_rules`` as compiled loops.

``wire_judgement`` is the same in readable form; tests hold the two together packet by packet. Importing this module
needs the optional packages of the extra ``bulk``.
"""

from typing import Final, NamedTuple

from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Octets, compiled_reader
from mqconform.reference.mqsd.audit import bulk_octets as packet
from mqconform.reference.mqsd.audit.bulk_facts import ServerTable, compare_with_facts, no_servers
from mqconform.reference.mqsd.audit.bulk_findings import Verdicts, clear, found, has, new_verdicts
from mqconform.reference.mqsd.audit.bulk_octets import GUID, is_zero, word
from mqconform.reference.mqsd.audit.bulk_server_array import (
    follows_the_grammar,
    is_plain_list,
    judge_array,
    judge_cut_array,
)
from mqconform.reference.mqsd.audit.wire_rules import CUT, Direction, Message, Rule
from mqconform.reference.mqsd.messages import REPLY as REPLY_TABLE
from mqconform.reference.mqsd.messages import REQUEST as REQUEST_TABLE
from mqconform.reference.mqsd.messages import MessageRule

TO_SERVER, TO_CLIENT = int(Direction.TO_SERVER), int(Direction.TO_CLIENT)
REQUEST, REPLY = int(Message.REQUEST), int(Message.REPLY)


def _mask(*rules: Rule) -> int:
    return sum(1 << int(rule) for rule in rules)


HARMLESS_IN_REQUEST: Final = _mask(
    Rule.REQUEST_VERSION,
    Rule.REQUEST_RESERVED,
    Rule.SITE_ID_ZERO,
    Rule.REQUEST_TRAILING,
    Rule.IPX_COUNT_PRESENT,
    Rule.IPX_ARRAY_PRESENT,
    Rule.REQUEST_ELSEWHERE,
)
HARMLESS_IN_REPLY: Final = _mask(
    Rule.REPLY_VERSION, Rule.REPLY_RESERVED, Rule.MASK, Rule.NO_PROTOCOL, Rule.REPLY_FROM_ELSEWHERE
)
"""What strict decoding lets pass."""

_ALL: Final = (1 << 62) - 1
"""Bits of rules that a compiled integer holds; there are fewer rules."""
_SYNTAX_OF_REQUEST: Final = _ALL & ~HARMLESS_IN_REQUEST
_SYNTAX_OF_REPLY: Final = _ALL & ~HARMLESS_IN_REPLY


def _places(message: MessageRule) -> tuple[tuple[int, int, int], ...]:
    """Return where each field that every packet has begins and ends, and the rule on a packet that ends there."""
    fields = (rule for rule in message.fields if rule.offset >= 0 and rule.place.stop <= message.size)
    return tuple((rule.offset, rule.place.stop, int(CUT[rule.name])) for rule in fields if rule.name in CUT)


CUT_IN_REQUEST: Final = _places(REQUEST_TABLE)
CUT_IN_REPLY: Final = _places(REPLY_TABLE)


class Packets(NamedTuple):
    """Payloads of datagrams in one run of octets, one entry of each array for one packet."""

    octets: Octets
    starts: Int64s
    lengths: Int32s
    directions: Octets
    """Values of ``Direction``."""
    servers: Int32s
    """Row of the server table that holds the configuration of the sender, -1 where it is not known."""


def judge_packets(packets: Packets, severities: Octets, servers: ServerTable | None = None) -> Verdicts:
    """Judge packets over IP by their octets, and by the configuration of their servers where it is known.

    Args:
        packets: the payloads; every one has to lie within ``octets``.
        severities: 64 numbers, for each rule what a finding weighs: 1 pass, 2 inconclusive, 3 fail. The heaviest
            finding, the first among equals, is the one that is told with its octets.
        servers: configurations that ``packets.servers`` refers to.

    Raises:
        ValueError: if a payload lies outside the octets.
    """
    ends = packets.starts + packets.lengths
    if len(ends) and (packets.starts.min() < 0 or packets.lengths.min() < 0 or ends.max() > len(packets.octets)):
        raise ValueError("a payload lies outside the octets")
    verdicts = new_verdicts(len(packets.starts))
    _judge_all(packets, severities, servers or no_servers(), verdicts)
    return verdicts


@compiled_reader
def _judge_all(packets: Packets, severities: Octets, servers: ServerTable, verdicts: Verdicts) -> None:
    for row in range(len(packets.starts)):
        start, length = packets.starts[row], packets.lengths[row]
        message = _plain(packets.octets, start, length, packets.directions[row])
        if message:
            verdicts.message[row] = message
        else:
            _judge(packets.octets, start, length, packets.directions[row], severities, verdicts, row)
        if packets.servers[row] >= 0 and verdicts.message[row] == REPLY:
            compare_with_facts(packets.octets, start, length, servers, packets.servers[row], severities, verdicts, row)


@compiled_reader
def _plain(octets: Octets, start: int, length: int, direction: int) -> int:
    """Return what a packet is with which everything is right, as nearly all are, and 0 for all others."""
    if length < packet.REPLY_SIZE + GUID or octets[start + packet.VERSION_AT] or _reserved(octets, start):
        return 0
    kind = octets[start + packet.TYPE_AT]
    if kind == REQUEST:
        is_plain = (
            direction != TO_CLIENT
            and length == packet.REQUEST_SIZE
            and not is_zero(octets, start + packet.SITE_ID_AT, GUID)
        )
        return REQUEST if is_plain else 0
    if kind != REPLY or direction == TO_SERVER or word(octets, start + packet.MASK_AT):
        return 0
    count, size = word(octets, start + packet.COUNT_AT), word(octets, start + packet.SIZE_AT)
    end = packet.NETWORKS_AT + GUID * count
    if count < 1 or count > packet.MOST or length != end + (GUID + size if size else 0):
        return 0
    return REPLY if not size or is_plain_list(octets, start + end + GUID, start + length) else 0


@compiled_reader
def _judge(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, length: int, direction: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    if length < packet.HEADER_SIZE:
        found(verdicts, row, severities, Rule.HEADER_CUT, 0, length)
        return
    kind = octets[start + packet.TYPE_AT]
    if direction not in (TO_SERVER, TO_CLIENT):
        if kind not in (REQUEST, REPLY):
            found(verdicts, row, severities, Rule.NO_TYPE, packet.TYPE_AT, 1)
            return
        direction = TO_SERVER if kind == REQUEST else TO_CLIENT
    if direction == TO_SERVER and kind == REPLY:
        found(verdicts, row, severities, Rule.REPLY_FROM_ELSEWHERE, packet.TYPE_AT, 1)
        _judge_reply(octets, start, length, severities, verdicts, row)
        if not has(verdicts, row, _SYNTAX_OF_REPLY):
            return
        clear(verdicts, row)
    elif direction == TO_CLIENT and kind == REQUEST:
        found(verdicts, row, severities, Rule.REQUEST_ELSEWHERE, packet.TYPE_AT, 1)
        _judge_request(octets, start, length, severities, verdicts, row)
        if not has(verdicts, row, _SYNTAX_OF_REQUEST):
            return
        clear(verdicts, row)
    if direction == TO_SERVER:
        _judge_request(octets, start, length, severities, verdicts, row)
    else:
        _judge_reply(octets, start, length, severities, verdicts, row)


@compiled_reader
def _judge_header(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets,
    start: int,
    message: int,
    rules: tuple[int, int, int],
    severities: Octets,
    verdicts: Verdicts,
    row: int,
) -> None:
    verdicts.message[row] = message
    if octets[start + packet.VERSION_AT]:
        found(verdicts, row, severities, rules[0], packet.VERSION_AT, 1)
    if octets[start + packet.TYPE_AT] != message:
        found(verdicts, row, severities, rules[1], packet.TYPE_AT, 1)
    if _reserved(octets, start):
        found(verdicts, row, severities, rules[2], packet.RESERVED_AT, 2)


@compiled_reader
def _reserved(octets: Octets, start: int) -> bool:
    return bool(octets[start + packet.RESERVED_AT] or octets[start + packet.RESERVED_AT + 1])


@compiled_reader
def _judge_cut(
    places: tuple[tuple[int, int, int], ...], length: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    """Note the field within or before which a packet ends."""
    for at, end, rule in places:
        if length < end:
            found(verdicts, row, severities, rule, at, length - at)
            return


@compiled_reader
def _judge_request(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, length: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    rules = (Rule.REQUEST_VERSION, Rule.REQUEST_TYPE, Rule.REQUEST_RESERVED)
    _judge_header(octets, start, REQUEST, rules, severities, verdicts, row)
    if length < packet.REQUEST_SIZE:
        _judge_cut(CUT_IN_REQUEST, length, severities, verdicts, row)
        return
    if is_zero(octets, start + packet.SITE_ID_AT, GUID):
        found(verdicts, row, severities, Rule.SITE_ID_ZERO, packet.SITE_ID_AT, GUID)
    if length >= packet.IPX_FROM:
        count, numbers = word(octets, start + packet.IPX_COUNT_AT), length - packet.IPX_NUMBERS_AT
        found(verdicts, row, severities, Rule.IPX_COUNT_PRESENT, packet.IPX_COUNT_AT, 4)
        if count < 1 or count > packet.MOST:
            found(verdicts, row, severities, Rule.IPX_COUNT_RANGE, packet.IPX_COUNT_AT, 4)
        found(verdicts, row, severities, Rule.IPX_ARRAY_PRESENT, packet.IPX_NUMBERS_AT, numbers)
        if numbers != 4 * count:
            found(verdicts, row, severities, Rule.IPX_ARRAY_LENGTH, packet.IPX_NUMBERS_AT, numbers)
    elif length > packet.REQUEST_SIZE:
        found(verdicts, row, severities, Rule.REQUEST_TRAILING, packet.REQUEST_SIZE, length - packet.REQUEST_SIZE)


@compiled_reader
def _judge_reply(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, length: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    rules = (Rule.REPLY_VERSION, Rule.REPLY_TYPE, Rule.REPLY_RESERVED)
    _judge_header(octets, start, REPLY, rules, severities, verdicts, row)
    if length < packet.REPLY_SIZE:
        _judge_cut_reply(octets, start, length, severities, verdicts, row)
        return
    count, size = word(octets, start + packet.COUNT_AT), word(octets, start + packet.SIZE_AT)
    networks_end = packet.NETWORKS_AT + GUID * count
    behind = length - networks_end - (GUID + size if size else 0)
    if count == 0:
        fits = 0 <= behind < GUID
        found(verdicts, row, severities, Rule.COUNT_ZERO if fits else Rule.COUNT_TOO_LOW, packet.COUNT_AT, 4)
    elif count > packet.MOST:
        found(verdicts, row, severities, Rule.COUNT_RANGE if behind < 0 else Rule.COUNT_ABOVE, packet.COUNT_AT, 4)
    if word(octets, start + packet.MASK_AT):
        found(verdicts, row, severities, Rule.MASK, packet.MASK_AT, 4)
    if size % 2:
        found(verdicts, row, severities, Rule.SIZE_ODD, packet.SIZE_AT, 4)
    if length < networks_end:
        found(verdicts, row, severities, Rule.NETWORKS_CUT, packet.NETWORKS_AT, length - packet.NETWORKS_AT)
    elif not size:
        _judge_behind_networks(octets, start, length, networks_end, severities, verdicts, row)
    elif length < networks_end + GUID:
        found(verdicts, row, severities, Rule.SITE_CUT, networks_end, length - networks_end)
    elif behind < 0:
        at = networks_end + GUID
        found(verdicts, row, severities, Rule.ARRAY_CUT, at, length - at)
        judge_cut_array(octets, start, start + at, length, severities, verdicts, row)
    else:
        judge_array(octets, start, start + networks_end + GUID, size, length, severities, verdicts, row)


@compiled_reader
def _judge_cut_reply(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, length: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    if length >= packet.SIZE_AT and word(octets, start + packet.MASK_AT):
        found(verdicts, row, severities, Rule.MASK, packet.MASK_AT, 4)
    _judge_cut(CUT_IN_REPLY, length, severities, verdicts, row)


@compiled_reader
def _judge_behind_networks(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, length: int, at: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    behind = length - at
    if behind > GUID and follows_the_grammar(octets, start + at + GUID, start + length):
        found(verdicts, row, severities, Rule.SIZE_ZERO_WITH_ARRAY, packet.SIZE_AT, 4)
    elif behind == GUID and at > packet.NETWORKS_AT:
        found(verdicts, row, severities, Rule.SITE_WITHOUT_ARRAY, at, GUID)
    elif behind:
        found(verdicts, row, severities, Rule.TRAILING, at, behind)
