"""Findings in a server list: its entries, their delimiters and its end (MS-MQSD 2.2.3, register SD-24 to SD-28)."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.audit.wire_rules import Finding, Rule
from mqconform.reference.mqsd.layout import Layout
from mqconform.reference.mqsd.messages import DELIM, END_LIST, NOT_SUPPORTED, REPLY, SERVER_LIST, SUPPORTED
from mqconform.reference.mqsd.packets import decode_server_array

_FLAGS = (SUPPORTED, NOT_SUPPORTED)
_LEAST = 3
"""Characters of an entry: two flags and a name of one."""


def array_findings(layout: Layout) -> Iterator[Finding]:
    """Yield what is wrong with or open about the server list of a reply, and what follows it."""
    if layout.cut:
        if layout.cut.name == SERVER_LIST:
            yield from _cut_array(layout.cut.offset, layout.cut.octets)
        return
    array = layout[SERVER_LIST]
    if array is None:
        return
    units, trailing = _units(array.octets), layout.trailing
    if array.length % 2:
        yield from _entries(array.offset, _until_null(units))
    elif units == [END_LIST]:
        yield Finding(Rule.TERMINATOR_ONLY, array.offset, 2)
    elif END_LIST not in units and _ends_once(array.octets + trailing):
        size = REPLY["DirectoryServiceServerSize"]
        rule = Rule.SIZE_WITHOUT_TERMINATOR if len(trailing) == len(END_LIST) else Rule.SIZE_TOO_LOW
        yield Finding(rule, size.offset, size.size)
        yield from _entries(array.offset, _until_null(_units(array.octets + trailing)))
        return
    else:
        yield from _whole_array(array.offset, units)
    if trailing:
        yield Finding(Rule.TRAILING, len(layout.octets) - len(trailing), len(trailing))


def follows_the_grammar(octets: bytes) -> bool:
    """Tell whether octets are a server list, all of them."""
    try:
        decode_server_array(octets, 0)
    except MalformedPacket:
        return False
    return True


def _whole_array(at: int, units: Sequence[bytes]) -> Iterator[Finding]:
    end = at + 2 * len(units)
    if END_LIST not in units:
        yield from _entries(at, units)
        yield Finding(Rule.NO_END, end, 0)
        return
    null = units.index(END_LIST)
    if null == len(units) - 1:
        yield from _entries(at, units[: null + 1])
    elif _nulls_between(units):
        yield from _entries(at, units)
        yield Finding(Rule.NULL_BETWEEN, at + 2 * null, 2)
        if units[-1] != END_LIST:
            yield Finding(Rule.NO_END, end, 0)
    else:
        yield from _entries(at, units[: null + 1])
        yield Finding(Rule.BEHIND_END, at + 2 * null + 2, end - at - 2 * null - 2)


def _cut_array(at: int, octets: bytes) -> Iterator[Finding]:
    """Yield what is wrong before the packet ends; an entry that nothing delimits yet may be right."""
    units = _until_null(_units(octets))
    delimiters = [number for number, unit in enumerate(units) if unit in (DELIM, END_LIST)]
    yield from _entries(at, units[: delimiters[-1] + 1] if delimiters else ())
    behind = len(octets) // 2 - len(units)
    if behind:
        yield Finding(Rule.BEHIND_END, at + 2 * len(units), 2 * behind)


def _entries(at: int, units: Sequence[bytes]) -> Iterator[Finding]:
    """Yield what is wrong with the entries; behind the last delimiter there is one only where octets are."""
    ends = [number for number, unit in enumerate(units) if unit in (DELIM, END_LIST)]
    if len(units) and (not ends or ends[-1] < len(units) - 1):
        ends.append(len(units))
    for before, end in pairwise((-1, *ends)):
        yield from _entry(at + 2 * (before + 1), units[before + 1 : end])


def _entry(at: int, units: Sequence[bytes]) -> Iterator[Finding]:
    if not units:
        yield Finding(Rule.EMPTY_ENTRY, at, 2)
        return
    if units[0] not in _FLAGS:
        yield Finding(Rule.IP_FLAG, at, 2)
    if len(units) == 1:
        yield Finding(Rule.IPX_FLAG, at + 2, 0)
    elif units[1] not in _FLAGS:
        yield Finding(Rule.IPX_FLAG, at + 2, 2)
    elif units[0] == units[1] == NOT_SUPPORTED:
        yield Finding(Rule.NO_PROTOCOL, at, 4)
    if len(units) < _LEAST:
        yield Finding(Rule.NO_NAME, at + 2 * len(units), 0)


def _units(octets: bytes) -> list[bytes]:
    return [octets[at : at + 2] for at in range(0, len(octets) - 1, 2)]


def _until_null(units: Sequence[bytes]) -> Sequence[bytes]:
    return units[: units.index(END_LIST) + 1] if END_LIST in units else units


def _ends_once(octets: bytes) -> bool:
    """Tell whether a null ends octets and stands nowhere else."""
    units = _units(octets)
    return len(octets) % 2 == 0 and END_LIST in units and units.index(END_LIST) == len(units) - 1


def _nulls_between(units: Sequence[bytes]) -> bool:
    """Tell whether a list is right but for nulls where commas should stand (register SD-28)."""
    ends = [number for number, unit in enumerate(units) if unit == END_LIST]
    if ends[-1] != len(units) - 1:
        ends.append(len(units))
    whole = all(end - before > _LEAST for before, end in pairwise((-1, *ends)))
    return len(ends) > 1 and whole and DELIM not in units
