"""DirectoryServiceServerArray of a topology reply as a whole: its delimiters, its end, its grammar (MS-MQSD 2.2.3)."""

from mqconform.harness.judge.bears_on import bears_on
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.reply_view import ReplyCheck, ReplyView
from mqconform.harness.judge.mqsd_server.server_array_view import (
    ABSENT,
    COMMA,
    NULL,
    ServerArray,
    array_span,
    read_server_array,
)
from mqconform.harness.records.witness import Judgement, Span
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.abnf import decode_server_array

OTHER_ENCODINGS = ("utf-8", "utf-16-be", "utf-32-le", "utf-32-be")
"""What an array may be written in by mistake; UTF-8 has the code pages' octets for plain letters."""


@bears_on("MQSD-2.2.3-19")
def characters_are_utf_16(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the array is written in characters of two octets, low octet first (2.2.3)."""
    expected = "characters of two octets, low octet first"
    if not reply.array:
        return judge.undecided(expected, ABSENT)
    if len(reply.array) % 2:
        return judge.says(False, expected, f"{len(reply.array)} octets, which is odd", array_span(reply))
    if not any(name in reply.array for name in reply.expected.names):
        for encoding in OTHER_ENCODINGS:
            texts = (name.decode("utf-16-le", "replace") for name in reply.expected.names)
            if any(text.encode(encoding) in reply.array for text in texts):
                return judge.says(False, expected, f"names in {encoding}", array_span(reply))
    return judge.says(True, expected, f"{len(reply.array) // 2} characters")


@bears_on("MQSD-2.2.3-19")
def array_ends_the_reply(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that an array of whole characters is there and nothing follows it (2.2.3, register SD-32)."""
    expected = "the last octet of the array is the last of the reply"
    if not reply.array:
        return judge.undecided(expected, ABSENT)
    trailing = len(reply.trailing)
    at = reply.array_at + len(reply.array)
    if trailing:
        span = Span(at, trailing, "trailing octets")
        return judge.reading("SD-32", "trailing-octets", expected, f"{trailing} octets behind the array", span=span)
    odd = len(reply.array) % 2
    observed = f"{len(reply.array)} octets of array end the reply"
    return judge.says(not odd, expected, observed, Span(at - 1, 1, "DirectoryServiceServerArray"))


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


def _first_null(array: ServerArray) -> int:
    """Return the number of the entry behind which the list ends; nulls too many are judged with the terminator."""
    return array.delimiters.index(NULL) if NULL in array.delimiters else len(array.delimiters)


def _delimiters(array: ServerArray) -> str:
    return "delimiters " + (", ".join(unit.hex(" ") or "none" for unit in array.delimiters))


SENTENCES: dict[str, ReplyCheck] = {
    "the array ends the reply": array_ends_the_reply,
    "the array is written in UTF-16": characters_are_utf_16,
    "commas stand between the entries and only there": commas_stand_between_entries,
    "one null ends the array": one_null_ends_the_array,
    "the array follows the grammar": follows_the_grammar,
}
