"""Judgements on the server array of a topology reply, rule by rule of its grammar (MS-MQSD 2.2.3)."""

from collections import Counter

from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.reply_view import ReplyView
from mqconform.harness.oracle.server_array import COMMA, FLAGS, NULL, ServerArray, read_server_array
from mqconform.harness.witness import Judgement, Span
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.abnf import decode_server_array

_ABSENT = "the reply has no server array"


def names_are_the_servers(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that every name of the server's list is there, in any order (2.2.3, 3.2.5.1, register SD-26)."""
    wanted = reply.expected.names
    expected = f"in any order: {shown(wanted)}"
    array = read_server_array(reply.array)
    found = array.names
    observed, span = shown(found), _span(reply)
    if Counter(found) == Counter(wanted):
        order = "list-order" if found == wanted else "any-order"
        return judge.reading("SD-26", order, expected, observed, situation="names", span=span)
    if set(found) == set(wanted):
        return judge.reading("SD-26", "duplicates", expected, observed, situation="names", span=span)
    if _lost_on_the_way(wanted, found):
        return judge.undecided(
            expected, f"{observed}: JSON could not carry an unpaired surrogate to the implementation"
        )
    return judge.says(False, expected, observed, span)


def each_entry_has_flags(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that each entry begins with two digits one or zero (2.2.3, register SD-25)."""
    array = read_server_array(reply.array)
    expected = "each entry begins with two of the digits 1 and 0"
    if not array.entries:
        return judge.undecided(expected, _ABSENT)
    for entry in array.entries:
        if any(flag not in FLAGS for flag in entry.flags):
            span = Span(reply.array_at + entry.at, 4, "DirectoryServiceServerArray")
            return judge.says(False, expected, f"an entry begins with {entry.units[:4].hex(' ')}", span)
    seen = {"".join(flag[:1].decode() for flag in entry.flags) for entry in array.entries}
    reading = "flags-00" if "00" in seen else f"flags-{min(seen)}"
    situation = "00" if "00" in seen else ",".join(sorted(seen))
    return judge.reading("SD-25", reading, expected, f"flags {', '.join(sorted(seen))}", situation=situation)


def each_entry_has_a_name(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that each entry is two flags and at least one whole character (2.2.3, Entry)."""
    array = read_server_array(reply.array)
    expected = "each entry is two flags and at least one character"
    if not array.entries:
        return judge.undecided(expected, _ABSENT)
    for entry in array.entries:
        if len(entry.units) < 6 or len(entry.units) % 2:
            span = Span(reply.array_at + entry.at, len(entry.units), "DirectoryServiceServerArray")
            return judge.says(False, expected, f"an entry has {len(entry.units)} octets: {entry.units.hex(' ')}", span)
    return judge.says(True, expected, f"{len(array.entries)} entries")


def names_hold_no_delimiter(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that splitting at commas and nulls yields the names that were listed (2.2.3)."""
    array = read_server_array(reply.array)
    expected = f"{len(reply.expected.names)} names, none with a comma or a null in it"
    if not array.entries:
        return judge.undecided(expected, _ABSENT)
    pieces = len(array.entries)
    observed = f"commas and nulls make {pieces} entries"
    return judge.says(pieces == len(reply.expected.names), expected, observed, _span(reply))


def commas_stand_between_entries(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the delimiters: a comma between entries, none in front or at the end (2.2.3, register SD-28)."""
    array = read_server_array(reply.array)
    expected = "octets 2c 00 between entries and nowhere else"
    if not array.entries:
        return judge.undecided(expected, _ABSENT)
    between = array.delimiters[:-1]
    if between and all(unit == NULL for unit in between) and all(entry.units for entry in array.entries):
        return judge.reading("SD-28", "null-between-entries", expected, "nulls between entries", span=_span(reply))
    right = all(unit == COMMA for unit in between) and array.delimiters[-1] != COMMA
    right = right and all(entry.units for entry in array.entries) and len(array.entries) == len(reply.expected.names)
    return judge.says(right, expected, _delimiters(array), _span(reply))


def one_null_ends_the_array(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the array ends with one null and has no other (2.2.3, EndList)."""
    octets = reply.array
    expected = "octets 00 00 at the end and nowhere else"
    if not octets:
        return judge.undecided(expected, _ABSENT)
    array = read_server_array(octets)
    nulls = array.delimiters.count(NULL)
    right = nulls == 1 and array.delimiters[-1] == NULL
    if nulls > 1 and array.delimiters[-1] == NULL and all(entry.units for entry in array.entries):
        return judge.reading("SD-28", "null-between-entries", expected, f"{nulls} nulls", span=_span(reply))
    at = reply.array_at + len(octets) - 2
    return judge.says(right, expected, f"{nulls} nulls, last octets {octets[-4:].hex(' ')}", Span(at, 2, "EndList"))


def follows_the_grammar(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the array as a whole by the grammar (2.2.3)."""
    expected = "Entry 0*ContinuedEntry EndList"
    if not reply.array:
        return judge.undecided(expected, _ABSENT)
    try:
        servers = decode_server_array(reply.octets[: reply.array_at + len(reply.array)], reply.array_at)
    except MalformedPacket as problem:
        span = Span(problem.offset, 2, "DirectoryServiceServerArray")
        if commas_stand_between_entries(judge, reply).reading:
            return judge.reading("SD-28", "null-between-entries", expected, str(problem), span=span)
        return judge.says(False, expected, str(problem), span)
    return judge.says(True, expected, f"{len(servers)} entries")


def shown(names: tuple[bytes, ...]) -> str:
    """Return names for a witness: characters where they are plain, code units where not."""
    texts = (name.decode("utf-16-le", "backslashreplace") for name in names)
    return ", ".join(ascii(text) for text in texts) or "none"


def _span(reply: ReplyView) -> Span:
    return Span(reply.array_at, len(reply.array), "DirectoryServiceServerArray")


def _delimiters(array: ServerArray) -> str:
    return "delimiters " + (", ".join(unit.hex(" ") or "none" for unit in array.delimiters))


def _lost_on_the_way(wanted: tuple[bytes, ...], found: tuple[bytes, ...]) -> bool:
    """Tell whether names differ only where an unpaired surrogate became U+FFFD: JSON text cannot carry one."""
    if len(found) != len(wanted):
        return False
    return Counter(found) == Counter(_as_json_carries(name) for name in wanted)


def _as_json_carries(name: bytes) -> bytes:
    return name.decode("utf-16-le", "replace").encode("utf-16-le")
