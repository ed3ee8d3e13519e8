"""Judgements on how a server array is delimited, rule by rule of its grammar (MS-MQSD 2.2.3)."""

from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.reply_view import ReplyView
from mqconform.harness.oracle.server_array import COMMA, FLAGS, NULL, ServerArray, read_server_array
from mqconform.harness.witness import Judgement, Span
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.abnf import decode_server_array

ABSENT = "the reply has no server array"


def names_hold_no_delimiter(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that no name falls apart at a comma or a null in it (2.2.3)."""
    array = read_server_array(reply.array)
    expected = f"{len(reply.expected.names)} names, none with a comma or a null in it"
    if not array.entries:
        return judge.undecided(expected, ABSENT)
    entries = [entry for entry in array.entries if entry.units]
    observed = f"commas and nulls make {len(entries)} entries"
    others = [entry for entry in entries if entry.name not in reply.expected.names]
    if not others:
        return judge.says(True, expected, observed)
    if len(entries) > len(reply.expected.names) and any(flag not in FLAGS for one in others for flag in one.flags):
        return judge.says(False, expected, f"{observed}, one of them just a piece", array_span(reply))
    return judge.undecided(expected, f"{observed}, other names than the server's among them")


def commas_stand_between_entries(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the delimiters: a comma between entries, none in front or at the end (2.2.3, register SD-28)."""
    array = read_server_array(reply.array)
    expected = "octets 2c 00 between entries and nowhere else"
    if not array.entries:
        return judge.undecided(expected, ABSENT)
    if array.names[0] in reply.expected.names and len(array.names) == 1 < len(reply.expected.names):
        return judge.undecided(expected, "one entry only, with nothing to separate")
    if nulls_between(array):
        return judge.reading("SD-28", "null-between-entries", expected, "nulls between entries", span=array_span(reply))
    listed = array.entries[: _first_null(array) + 1]
    right = all(entry.units for entry in listed) and array.delimiters[-1] != COMMA
    right = right and (len(listed) > 1 or len(reply.expected.names) == 1)
    return judge.says(right, expected, _delimiters(array), array_span(reply))


def one_null_ends_the_array(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the array ends with one null and has no other (2.2.3, EndList, register SD-28)."""
    octets = reply.array
    expected = "octets 00 00 at the end and nowhere else"
    if not octets:
        return judge.undecided(expected, ABSENT)
    array = read_server_array(octets)
    nulls = array.delimiters.count(NULL)
    if nulls_between(array) and array.delimiters[-1] == NULL:
        return judge.reading("SD-28", "null-between-entries", expected, f"{nulls} nulls", span=array_span(reply))
    right = nulls == 1 and array.delimiters[-1] == NULL
    at = reply.array_at + len(octets) - 2
    return judge.says(right, expected, f"{nulls} nulls, last octets {octets[-4:].hex(' ')}", Span(at, 2, "EndList"))


def follows_the_grammar(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the array as a whole by the grammar (2.2.3, register SD-28)."""
    expected = "Entry 0*ContinuedEntry EndList"
    if not reply.array:
        return judge.undecided(expected, ABSENT)
    try:
        servers = decode_server_array(reply.octets[: reply.array_at + len(reply.array)], reply.array_at)
    except MalformedPacket as problem:
        span = Span(problem.offset, 2, "DirectoryServiceServerArray")
        if nulls_between(read_server_array(reply.array)):
            return judge.reading("SD-28", "null-between-entries", expected, str(problem), span=span)
        return judge.says(False, expected, str(problem), span)
    return judge.says(True, expected, f"{len(servers)} entries")


def nulls_between(array: ServerArray) -> bool:
    """Tell whether an array is whole but for nulls where commas should stand (register SD-28)."""
    between = array.delimiters[:-1]
    return bool(between) and all(unit == NULL for unit in between) and all(entry.whole for entry in array.entries)


def array_span(reply: ReplyView) -> Span:
    """Return the octets of the array."""
    return Span(reply.array_at, len(reply.array), "DirectoryServiceServerArray")


def _first_null(array: ServerArray) -> int:
    """Return the number of the entry behind which the list ends; nulls too many are judged with the terminator."""
    return array.delimiters.index(NULL) if NULL in array.delimiters else len(array.delimiters)


def _delimiters(array: ServerArray) -> str:
    return "delimiters " + (", ".join(unit.hex(" ") or "none" for unit in array.delimiters))
