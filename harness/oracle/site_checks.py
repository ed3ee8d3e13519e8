"""Judgements on what follows the connected networks, and how long it is (MS-MQSD 2.2.3, 3.2.5.1)."""

from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.reply_view import GUID, SIZE, ReplyView, big_endian
from mqconform.harness.witness import Judgement, Span

_SIZE_SPAN = Span(SIZE.start, 4, "DirectoryServiceServerSize")
_NO_SIZE = "the reply ends before DirectoryServiceServerSize"


def size_is_zero(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the size for a client of the server's own site (2.2.3, 3.2.5.1)."""
    if not reply.whole:
        return judge.undecided("size 0", _NO_SIZE)
    return judge.says(reply.size == 0, "size 0", f"size {reply.size}", _SIZE_SPAN)


def nothing_follows_the_networks(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that neither RespondingSiteID nor the array is there (2.2.3, 3.2.5.1, register SD-32).

    Fewer octets than an identifier has, or a padding of zeros, are neither.
    """
    expected = "nothing behind the networks"
    if not reply.whole:
        return judge.undecided(expected, "the reply ends before the networks")
    behind = reply.octets[reply.networks_end :]
    observed = f"{len(behind)} octets behind the networks"
    span = Span(reply.networks_end, len(behind), "RespondingSiteID")
    padding = len(behind) < GUID or (len(behind) > GUID and not any(behind))
    if behind and padding and reply.size == 0:
        return judge.reading("SD-32", "trailing-octets", expected, observed, span=span)
    return judge.says(not behind, expected, observed, span)


def responding_site_is_the_servers(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge RespondingSiteID (2.2.3, 3.2.5.1)."""
    wanted = reply.expected.responding_site_id or b""
    found = reply.responding_site
    span = Span(reply.networks_end, len(found), "RespondingSiteID")
    return judge.says(found == wanted, wanted.hex(), found.hex() or "absent", span)


def size_counts_the_array(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the size is the number of octets of the array, its null included (2.2.3, 3.2.5.1, register SD-27)."""
    if not reply.whole:
        return judge.undecided("the octets of the array", _NO_SIZE)
    length = len(reply.array)
    expected, observed = f"size {length}", f"size {reply.size}, the array has {length} octets"
    if length and reply.size == length - 2 and reply.array.endswith(b"\0\0"):
        return judge.reading("SD-27", "not-counted", expected, observed, span=_SIZE_SPAN)
    if length and reply.size == length:
        return judge.reading("SD-27", "counted", expected, observed, span=_SIZE_SPAN)
    return judge.says(False, expected if length else "a server array and its size", observed, _SIZE_SPAN)


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
        return judge.says(False, expected, f"{octets.hex(' ')}, high octet first", _SIZE_SPAN)
    return judge.undecided(expected, f"{octets.hex(' ')}, which is another number in either order")


def array_ends_the_reply(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that an array of whole characters is there and nothing follows it (2.2.3, register SD-32)."""
    expected = "the last octet of the array is the last of the reply"
    if not reply.array:
        return judge.undecided(expected, "the reply has no server array")
    trailing = len(reply.trailing)
    at = reply.array_at + len(reply.array)
    if trailing:
        span = Span(at, trailing, "trailing octets")
        return judge.reading("SD-32", "trailing-octets", expected, f"{trailing} octets behind the array", span=span)
    odd = len(reply.array) % 2
    observed = f"{len(reply.array)} octets of array end the reply"
    return judge.says(not odd, expected, observed, Span(at - 1, 1, "DirectoryServiceServerArray"))
