"""Judge millions of packets over IP in one pass (MS-MQSD 2.2): the rules of ``wire_rules`` as compiled loops.

``wire_judgement`` is the same in readable form; tests hold the two together packet by packet. Importing this module
needs the optional packages of the extra ``bulk``.
"""

from typing import Final, NamedTuple

from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Octets, compiled_reader
from mqconform.reference.mqsd.audit.bulk_facts import ServerTable, compare_with_facts, no_servers
from mqconform.reference.mqsd.audit.bulk_findings import Verdicts, clear, found, has, new_verdicts
from mqconform.reference.mqsd.audit.bulk_octets import is_zero, word
from mqconform.reference.mqsd.audit.bulk_server_array import (
    follows_the_grammar,
    is_plain_list,
    judge_array,
    judge_cut_array,
)
from mqconform.reference.mqsd.audit.wire_rules import Direction, Message, Rule

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
    if length < 48 or octets[start] or octets[start + 2] or octets[start + 3]:
        return 0
    kind = octets[start + 1]
    if kind == REQUEST:
        is_plain = direction != TO_CLIENT and length == 52 and not is_zero(octets, start + 36, 16)
        return REQUEST if is_plain else 0
    if kind != REPLY or direction == TO_SERVER or word(octets, start + 24):
        return 0
    count, size = word(octets, start + 20), word(octets, start + 28)
    end = 32 + 16 * count
    if count < 1 or count > 32 or length != end + (16 + size if size else 0):
        return 0
    return REPLY if not size or is_plain_list(octets, start + end + 16, start + length) else 0


@compiled_reader
def _judge(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, length: int, direction: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    if length < 4:
        found(verdicts, row, severities, Rule.HEADER_CUT, 0, length)
        return
    kind = octets[start + 1]
    if direction not in (TO_SERVER, TO_CLIENT):
        if kind not in (REQUEST, REPLY):
            found(verdicts, row, severities, Rule.NO_TYPE, 1, 1)
            return
        direction = TO_SERVER if kind == REQUEST else TO_CLIENT
    if direction == TO_SERVER and kind == REPLY:
        found(verdicts, row, severities, Rule.REPLY_FROM_ELSEWHERE, 1, 1)
        _judge_reply(octets, start, length, severities, verdicts, row)
        if not has(verdicts, row, _SYNTAX_OF_REPLY):
            return
        clear(verdicts, row)
    elif direction == TO_CLIENT and kind == REQUEST:
        found(verdicts, row, severities, Rule.REQUEST_ELSEWHERE, 1, 1)
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
    if octets[start]:
        found(verdicts, row, severities, rules[0], 0, 1)
    if octets[start + 1] != message:
        found(verdicts, row, severities, rules[1], 1, 1)
    if octets[start + 2] or octets[start + 3]:
        found(verdicts, row, severities, rules[2], 2, 2)


@compiled_reader
def _judge_request(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, length: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    rules = (Rule.REQUEST_VERSION, Rule.REQUEST_TYPE, Rule.REQUEST_RESERVED)
    _judge_header(octets, start, REQUEST, rules, severities, verdicts, row)
    if length < 52:
        if length < 20:
            found(verdicts, row, severities, Rule.ENTERPRISE_CUT, 4, length - 4)
        elif length < 36:
            found(verdicts, row, severities, Rule.REQUEST_ID_CUT, 20, length - 20)
        else:
            found(verdicts, row, severities, Rule.SITE_ID_CUT, 36, length - 36)
        return
    if is_zero(octets, start + 36, 16):
        found(verdicts, row, severities, Rule.SITE_ID_ZERO, 36, 16)
    if length >= 60:
        count = word(octets, start + 52)
        found(verdicts, row, severities, Rule.IPX_COUNT_PRESENT, 52, 4)
        if count < 1 or count > 32:
            found(verdicts, row, severities, Rule.IPX_COUNT_RANGE, 52, 4)
        found(verdicts, row, severities, Rule.IPX_ARRAY_PRESENT, 56, length - 56)
        if length != 56 + 4 * count:
            found(verdicts, row, severities, Rule.IPX_ARRAY_LENGTH, 56, length - 56)
    elif length > 52:
        found(verdicts, row, severities, Rule.REQUEST_TRAILING, 52, length - 52)


@compiled_reader
def _judge_reply(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, length: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    rules = (Rule.REPLY_VERSION, Rule.REPLY_TYPE, Rule.REPLY_RESERVED)
    _judge_header(octets, start, REPLY, rules, severities, verdicts, row)
    if length < 32:
        _judge_cut_reply(octets, start, length, severities, verdicts, row)
        return
    count, size = word(octets, start + 20), word(octets, start + 28)
    networks_end = 32 + 16 * count
    behind = length - networks_end - (16 + size if size else 0)
    if count == 0:
        fits = 0 <= behind < 16
        found(verdicts, row, severities, Rule.COUNT_ZERO if fits else Rule.COUNT_TOO_LOW, 20, 4)
    elif count > 32:
        found(verdicts, row, severities, Rule.COUNT_RANGE if behind < 0 else Rule.COUNT_ABOVE, 20, 4)
    if word(octets, start + 24):
        found(verdicts, row, severities, Rule.MASK, 24, 4)
    if size % 2:
        found(verdicts, row, severities, Rule.SIZE_ODD, 28, 4)
    if length < networks_end:
        found(verdicts, row, severities, Rule.NETWORKS_CUT, 32, length - 32)
    elif not size:
        _judge_behind_networks(octets, start, length, networks_end, severities, verdicts, row)
    elif length < networks_end + 16:
        found(verdicts, row, severities, Rule.SITE_CUT, networks_end, length - networks_end)
    elif behind < 0:
        at = networks_end + 16
        found(verdicts, row, severities, Rule.ARRAY_CUT, at, length - at)
        judge_cut_array(octets, start, start + at, length, severities, verdicts, row)
    else:
        judge_array(octets, start, start + networks_end + 16, size, length, severities, verdicts, row)


@compiled_reader
def _judge_cut_reply(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, length: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    if length < 20:
        found(verdicts, row, severities, Rule.CORRELATION_CUT, 4, length - 4)
        return
    if length < 24:
        found(verdicts, row, severities, Rule.COUNT_CUT, 20, length - 20)
        return
    if length < 28:
        found(verdicts, row, severities, Rule.MASK_CUT, 24, length - 24)
        return
    if word(octets, start + 24):
        found(verdicts, row, severities, Rule.MASK, 24, 4)
    found(verdicts, row, severities, Rule.SIZE_CUT, 28, length - 28)


@compiled_reader
def _judge_behind_networks(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, length: int, at: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    behind = length - at
    if behind > 16 and follows_the_grammar(octets, start + at + 16, start + length):
        found(verdicts, row, severities, Rule.SIZE_ZERO_WITH_ARRAY, 28, 4)
    elif behind == 16 and at > 32:
        found(verdicts, row, severities, Rule.SITE_WITHOUT_ARRAY, at, 16)
    elif behind:
        found(verdicts, row, severities, Rule.TRAILING, at, behind)
