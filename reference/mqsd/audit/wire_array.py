"""Findings in a server list: its entries, their delimiters and its end (MS-MQSD 2.2.3, register SD-24 to SD-28)."""

from collections.abc import Iterator, Sequence

from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.audit.wire_rules import Finding, Rule
from mqconform.reference.mqsd.layout import FLAGS, Field, Layout, ServerEntry, read_server_array
from mqconform.reference.mqsd.messages import END_LIST, REPLY, SERVER_LIST
from mqconform.reference.mqsd.packets import decode_server_array

_LEAST = 6
"""Octets of an entry: two flags and a name of one character."""


def array_findings(layout: Layout) -> Iterator[Finding]:
    """Yield what is wrong with or open about the server list of a reply, and what follows it."""
    cut, array, trailing = layout.cut, layout[SERVER_LIST], layout.trailing
    if cut and cut.name == SERVER_LIST:
        yield from _cut_array(cut)
    if array is None:
        return
    _, longer = read_server_array(array.octets + trailing, array.offset)
    if array.length % 2:
        yield from _entries(_until_null(array.parts))
    elif array.octets == END_LIST:
        yield Finding(Rule.TERMINATOR_ONLY, array.offset, 2)
    elif not _ended(_until_null(array.parts)) and _ended(longer) and _until_null(longer) == longer:
        size = REPLY["DirectoryServiceServerSize"]
        rule = Rule.SIZE_WITHOUT_TERMINATOR if len(trailing) == len(END_LIST) else Rule.SIZE_TOO_LOW
        yield Finding(rule, size.offset, size.size)
        yield from _entries(longer)
        return
    else:
        yield from _whole_array(array)
    if trailing:
        yield Finding(Rule.TRAILING, len(layout.octets) - len(trailing), len(trailing))


def follows_the_grammar(octets: bytes) -> bool:
    """Tell whether octets are a server list, all of them."""
    try:
        decode_server_array(octets, 0)
    except MalformedPacket:
        return False
    return True


def _whole_array(array: Field) -> Iterator[Finding]:
    parts, listed, end = array.parts, _until_null(array.parts), array.offset + array.length
    if not _ended(listed):
        yield from _entries(parts)
        yield Finding(Rule.NO_END, end, 0)
    elif listed == parts:
        yield from _entries(parts)
    elif _nulls_between(parts):
        yield from _entries(parts)
        yield Finding(Rule.NULL_BETWEEN, listed[-1].offset, 2)
        if not _ended(parts):
            yield Finding(Rule.NO_END, end, 0)
    else:
        yield from _entries(listed)
        behind = listed[-1].offset + 2
        yield Finding(Rule.BEHIND_END, behind, end - behind)


def _cut_array(array: Field) -> Iterator[Finding]:
    """Yield what is wrong before the packet ends; an entry that nothing delimits yet may be right."""
    listed = _until_null(array.parts)
    delimited = [number for number, part in enumerate(listed, start=1) if part.name in ("Delim", "EndList")]
    yield from _entries(listed[: delimited[-1]] if delimited else ())
    if _ended(listed):
        behind = listed[-1].offset + 2
        length = array.offset + len(array.octets) // 2 * 2 - behind
        if length:
            yield Finding(Rule.BEHIND_END, behind, length)


def _entries(parts: Sequence[Field]) -> Iterator[Finding]:
    """Yield what is wrong with the entries; one without octets stands where a delimiter follows another."""
    for part in parts:
        if isinstance(part.value, ServerEntry):
            yield from _entry(part.offset, part.value, len(part.octets))


def _entry(at: int, entry: ServerEntry, length: int) -> Iterator[Finding]:
    if not length:
        yield Finding(Rule.EMPTY_ENTRY, at, 2)
        return
    if entry.ip not in FLAGS:
        yield Finding(Rule.IP_FLAG, at, 2)
    if entry.ipx not in FLAGS:
        yield Finding(Rule.IPX_FLAG, at + 2, 2 if entry.ipx else 0)
    elif entry.ip == entry.ipx == "0":
        yield Finding(Rule.NO_PROTOCOL, at, 4)
    if not entry.name:
        yield Finding(Rule.NO_NAME, at + length, 0)


def _until_null(parts: tuple[Field, ...]) -> tuple[Field, ...]:
    """Return the parts up to the first null, all where there is none."""
    return parts[: next((number for number, part in enumerate(parts, start=1) if part.name == "EndList"), len(parts))]


def _ended(parts: Sequence[Field]) -> bool:
    return bool(parts) and parts[-1].name == "EndList"


def _nulls_between(parts: Sequence[Field]) -> bool:
    """Tell whether a list is right but for nulls where commas should stand (register SD-28)."""
    entries, nulls = parts[::2], parts[1::2]
    whole = all(part.name == "Entry" and len(part.octets) >= _LEAST for part in entries)
    return whole and all(part.name == "EndList" for part in nulls)
