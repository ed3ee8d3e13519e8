"""What is wrong with the server list of a reply: its entries, their delimiters and its end (MS-MQSD 2.2.3).

Plain on octets and lists, and compiled on arrays, as ``packet_scan``. Offsets named ``at`` and ``end`` count from the
start of ``octets``; those that are noted, from the start of the packet.
"""

from mqconform.reference.mqsd.audit import packet_octets as packet
from mqconform.reference.mqsd.audit.packet_octets import Found, Octets, character, found
from mqconform.reference.mqsd.audit.wire_rules import Rule

COMMA, NULL, ZERO, ONE = 0x2C, 0, 0x30, 0x31


def scan_list(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, at: int, size: int, length: int, findings: Found
) -> None:
    """Note what is wrong with a list that is as long as its size says, and what follows it.

    Args:
        octets: what the packet lies in.
        start: where the packet begins.
        at: where the list begins.
        size: octets of the list, at least 1.
        length: octets of the packet.
        findings: where findings are noted.
    """
    end, packet_end = at + size, start + length
    trailing = packet_end - end
    null = first_null(octets, at, end)
    if size % 2:
        _scan_entries(octets, start, at, min(null + 2, end - 1), COMMA, findings)
    elif size == 2 and null == at:
        found(findings, Rule.TERMINATOR_ONLY, at - start, 2)
    elif null >= end and trailing and trailing % 2 == 0 and first_null(octets, at, packet_end) == packet_end - 2:
        rule = Rule.SIZE_WITHOUT_TERMINATOR if trailing == 2 else Rule.SIZE_TOO_LOW
        found(findings, rule, packet.SIZE_AT, 4)
        _scan_entries(octets, start, at, packet_end, COMMA, findings)
        return
    else:
        _scan_whole(octets, start, at, end, null, findings)
    if trailing and size % 2 == 0 and character(octets, end - 2) == NULL:  # elsewhere the size is wrong, not the end
        found(findings, Rule.TRAILING, end - start, trailing)


def _scan_whole(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, at: int, end: int, null: int, findings: Found
) -> None:
    if null >= end:
        _scan_entries(octets, start, at, end, COMMA, findings)
        found(findings, Rule.NO_END, end - start, 0)
    elif null == end - 2:
        _scan_entries(octets, start, at, end, COMMA, findings)
    elif _nulls_between(octets, at, end):
        _scan_entries(octets, start, at, end, NULL, findings)
        found(findings, Rule.NULL_BETWEEN, null - start, 2)
        if character(octets, end - 2) != NULL:
            found(findings, Rule.NO_END, end - start, 0)
    else:
        _scan_entries(octets, start, at, null + 2, COMMA, findings)
        found(findings, Rule.BEHIND_END, null + 2 - start, end - null - 2)


def scan_cut_list(octets: Octets, start: int, at: int, length: int, findings: Found) -> None:
    """Note what is wrong with a list that the packet ends within; its last entry may go on, and so may be right."""
    end = at + (start + length - at) // 2 * 2
    null = first_null(octets, at, end)
    whole_end = min(null + 2, end)
    while whole_end > at and character(octets, whole_end - 2) != NULL and character(octets, whole_end - 2) != COMMA:
        whole_end -= 2
    _scan_entries(octets, start, at, whole_end, COMMA, findings)
    if null + 2 < end:
        found(findings, Rule.BEHIND_END, null + 2 - start, end - null - 2)


def _scan_entries(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, start: int, at: int, end: int, delimiter: int, findings: Found
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


def _scan_entry(octets: Octets, start: int, at: int, end: int, findings: Found) -> None:
    here, units = at - start, (end - at) // 2
    if not units:
        found(findings, Rule.EMPTY_ENTRY, here, 2)
        return
    ip = character(octets, at)
    if ip not in (ONE, ZERO):
        found(findings, Rule.IP_FLAG, here, 2)
    if units == 1:
        found(findings, Rule.IPX_FLAG, here + 2, 0)
    else:
        ipx = character(octets, at + 2)
        if ipx not in (ONE, ZERO):
            found(findings, Rule.IPX_FLAG, here + 2, 2)
        elif ip == ZERO and ipx == ZERO:
            found(findings, Rule.NO_PROTOCOL, here, 4)
    if units < 3:
        found(findings, Rule.NO_NAME, here + 2 * units, 0)


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
