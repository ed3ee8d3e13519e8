"""Findings in server lists, in compiled loops (MS-MQSD 2.2.3); readably in ``wire_array``.

Offsets named ``at`` and ``end`` count from the start of ``octets``; those that are noted, from the start of the packet.
"""

from mqconform.reference.mqbr.bulk_compiled import Octets, compiled_reader
from mqconform.reference.mqsd.audit import bulk_octets as packet
from mqconform.reference.mqsd.audit.bulk_findings import Verdicts, found
from mqconform.reference.mqsd.audit.bulk_octets import character
from mqconform.reference.mqsd.audit.wire_rules import Rule

COMMA, NULL, ZERO, ONE = 0x2C, 0, 0x30, 0x31


@compiled_reader
def judge_array(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, at: int, size: int, length: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    """Judge a list that is as long as its size says, and what follows it.

    Args:
        octets: what the packet lies in.
        start: where the packet begins.
        at: where the list begins.
        size: octets of the list, at least 1.
        length: octets of the packet.
        severities: weight of each rule.
        verdicts: where findings are noted.
        row: which packet it is.
    """
    end, packet_end = at + size, start + length
    trailing = packet_end - end
    null = first_null(octets, at, end)
    if size % 2:
        _judge_entries(octets, start, at, min(null + 2, end - 1), COMMA, severities, verdicts, row)
    elif size == 2 and null == at:
        found(verdicts, row, severities, Rule.TERMINATOR_ONLY, at - start, 2)
    elif null >= end and trailing and trailing % 2 == 0 and first_null(octets, at, packet_end) == packet_end - 2:
        rule = Rule.SIZE_WITHOUT_TERMINATOR if trailing == 2 else Rule.SIZE_TOO_LOW
        found(verdicts, row, severities, rule, packet.SIZE_AT, 4)
        _judge_entries(octets, start, at, packet_end, COMMA, severities, verdicts, row)
        return
    else:
        _judge_whole(octets, start, at, end, null, severities, verdicts, row)
    if trailing:
        found(verdicts, row, severities, Rule.TRAILING, end - start, trailing)


@compiled_reader
def _judge_whole(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, at: int, end: int, null: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    if null >= end:
        _judge_entries(octets, start, at, end, COMMA, severities, verdicts, row)
        found(verdicts, row, severities, Rule.NO_END, end - start, 0)
    elif null == end - 2:
        _judge_entries(octets, start, at, end, COMMA, severities, verdicts, row)
    elif _nulls_between(octets, at, end):
        _judge_entries(octets, start, at, end, NULL, severities, verdicts, row)
        found(verdicts, row, severities, Rule.NULL_BETWEEN, null - start, 2)
        if character(octets, end - 2) != NULL:
            found(verdicts, row, severities, Rule.NO_END, end - start, 0)
    else:
        _judge_entries(octets, start, at, null + 2, COMMA, severities, verdicts, row)
        found(verdicts, row, severities, Rule.BEHIND_END, null + 2 - start, end - null - 2)


@compiled_reader
def judge_cut_array(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, at: int, length: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    """Judge what there is of a list that the packet ends within; its last entry may go on, and so may be right."""
    end = at + (start + length - at) // 2 * 2
    null = first_null(octets, at, end)
    whole_end = min(null + 2, end)
    while whole_end > at and character(octets, whole_end - 2) != NULL and character(octets, whole_end - 2) != COMMA:
        whole_end -= 2
    _judge_entries(octets, start, at, whole_end, COMMA, severities, verdicts, row)
    if null + 2 < end:
        found(verdicts, row, severities, Rule.BEHIND_END, null + 2 - start, end - null - 2)


@compiled_reader
def _judge_entries(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, at: int, end: int, delimiter: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    """Judge the entries from ``at`` to ``end``, where a delimiter or a null ends each but perhaps the last."""
    first = at
    for place in range(at, end - 1, 2):
        unit = character(octets, place)
        if unit in (delimiter, NULL):
            _judge_entry(octets, start, first, place, severities, verdicts, row)
            first = place + 2
    if first < end:
        _judge_entry(octets, start, first, end, severities, verdicts, row)


@compiled_reader
def _judge_entry(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, at: int, end: int, severities: Octets, verdicts: Verdicts, row: int
) -> None:
    here, units = at - start, (end - at) // 2
    if not units:
        found(verdicts, row, severities, Rule.EMPTY_ENTRY, here, 2)
        return
    ip = character(octets, at)
    if ip not in (ONE, ZERO):
        found(verdicts, row, severities, Rule.IP_FLAG, here, 2)
    if units == 1:
        found(verdicts, row, severities, Rule.IPX_FLAG, here + 2, 0)
    else:
        ipx = character(octets, at + 2)
        if ipx not in (ONE, ZERO):
            found(verdicts, row, severities, Rule.IPX_FLAG, here + 2, 2)
        elif ip == ZERO and ipx == ZERO:
            found(verdicts, row, severities, Rule.NO_PROTOCOL, here, 4)
    if units < 3:
        found(verdicts, row, severities, Rule.NO_NAME, here + 2 * units, 0)


@compiled_reader
def first_null(octets: Octets, at: int, end: int) -> int:
    """Return where the first null character begins; ``end`` or the octet before it where there is none."""
    while at + 1 < end and (octets[at] or octets[at + 1]):
        at += 2
    return at if at + 1 < end else end


@compiled_reader
def _nulls_between(octets: Octets, at: int, end: int) -> bool:
    """Tell whether a list is right but for nulls where commas should stand (register SD-28)."""
    units = 0
    for place in range(at, end, 2):
        unit = character(octets, place)
        if unit == COMMA or (unit == NULL and units < 3):
            return False
        units = 0 if unit == NULL else units + 1
    return units == 0 or units >= 3


@compiled_reader
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


@compiled_reader
def is_plain_list(octets: Octets, at: int, end: int) -> bool:
    """Tell whether octets follow the grammar and no entry lacks both protocols."""
    if (end - at) % 2:
        return False
    first = at
    for place in range(at, end, 2):
        low = octets[place]
        if (low and low != COMMA) or octets[place + 1]:
            continue
        if place - first < 6 or octets[first + 1] or octets[first + 3]:
            return False
        ip, ipx = octets[first], octets[first + 2]
        if not ((ip == ONE and (ipx in (ONE, ZERO))) or (ip == ZERO and ipx == ONE)):
            return False
        if not low:
            return place + 2 == end
        first = place + 2
    return False
