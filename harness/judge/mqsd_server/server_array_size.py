"""DirectoryServiceServerSize of a topology reply: the length of the array in octets (MS-MQSD 2.2.3, 3.2.5.1)."""

from mqconform.harness.judge.bears_on import bears_on
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.reply_view import SIZE, ReplyCheck, ReplyView, big_endian
from mqconform.harness.records.witness import Judgement, Span

_SPAN = Span(SIZE.start, 4, "DirectoryServiceServerSize")
_NO_SIZE = "the reply ends before DirectoryServiceServerSize"


@bears_on("MQSD-2.2.3-12", "MQSD-3.2.5.1-10")
def size_is_zero(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the size for a client of the server's own site (2.2.3, 3.2.5.1)."""
    if not reply.whole:
        return judge.undecided("size 0", _NO_SIZE)
    return judge.says(reply.size == 0, "size 0", f"size {reply.size}", _SPAN)


@bears_on("MQSD-2.2.3-11", "MQSD-3.2.5.1-14")
def size_counts_the_array(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the size is the number of octets of the array, its null included (2.2.3, 3.2.5.1, register SD-27)."""
    if not reply.whole:
        return judge.undecided("the octets of the array", _NO_SIZE)
    length = len(reply.array)
    expected, observed = f"size {length}", f"size {reply.size}, the array has {length} octets"
    if length and reply.size == length - 2 and reply.array.endswith(b"\0\0"):
        return judge.reading("SD-27", "not-counted", expected, observed, span=_SPAN)
    if length and reply.size == length:
        return judge.reading("SD-27", "counted", expected, observed, span=_SPAN)
    return judge.says(False, expected if length else "a server array and its size", observed, _SPAN)


@bears_on("MQSD-2.2.3-10")
def size_is_little_endian(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the order of the size's octets; a number that is wrong in either order tells nothing of it (2.2.3)."""
    length = len(reply.array)
    expected = f"{length} with its low octet first"
    if not reply.whole or not length:
        return judge.undecided(expected, "no array to be counted" if reply.whole else _NO_SIZE)
    octets = reply.octets[SIZE]
    if reply.size in (length, length - 2):
        return judge.says(True, expected, octets.hex(" "))
    if big_endian(octets) in (length, length - 2):
        return judge.says(False, expected, f"{octets.hex(' ')}, high octet first", _SPAN)
    return judge.undecided(expected, f"{octets.hex(' ')}, which is another number in either order")


SENTENCES: dict[str, ReplyCheck] = {
    "DirectoryServiceServerSize is zero": size_is_zero,
    "DirectoryServiceServerSize has its low octet first": size_is_little_endian,
    "DirectoryServiceServerSize counts the octets of the array": size_counts_the_array,
}
