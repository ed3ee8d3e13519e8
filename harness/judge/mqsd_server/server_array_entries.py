"""The entries of DirectoryServiceServerArray: a flag for IP, a flag for IPX, and a name (MS-MQSD 2.2.3)."""

from mqconform.harness.judge.bears_on import bears_on
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.reply_view import ReplyCheck, ReplyView
from mqconform.harness.judge.mqsd_server.server_array_view import ABSENT, FLAGS, Entry, read_server_array
from mqconform.harness.records.witness import Judgement, Span

IP, IPX = 0, 1


@bears_on("MQSD-2.2.3-21", "MQSD-2.2.3-30")
def each_entry_has_an_ip_flag(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the first character of each entry (2.2.3, IP)."""
    return _flag(judge, reply, IP, "the first character of each entry is the digit 1 or 0")


@bears_on("MQSD-2.2.3-22", "MQSD-2.2.3-31")
def each_entry_has_an_ipx_flag(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the second character of each entry (2.2.3, IPX)."""
    return _flag(judge, reply, IPX, "the second character of each entry is the digit 1 or 0")


@bears_on("MQSD-2.2.3-28", "MQSD-2.2.3-29")
def each_entry_has_flags(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that each entry begins with two digits one or zero (2.2.3, register SD-25)."""
    expected = "each entry begins with two of the digits 1 and 0"
    entries = _entries(reply)
    if not entries:
        return judge.undecided(expected, ABSENT)
    for entry in entries:
        if any(flag not in FLAGS for flag in entry.flags):
            return judge.says(False, expected, f"an entry begins with {entry.units[:4].hex(' ')}", _span(reply, entry))
    flags = sorted({"".join(flag[:1].decode() for flag in entry.flags) for entry in entries})
    reading = "flags-00" if "00" in flags else f"flags-{flags[0]}"
    situation = "00" if "00" in flags else ",".join(flags)
    return judge.reading("SD-25", reading, expected, f"flags {', '.join(flags)}", situation=situation)


@bears_on("MQSD-2.2.3-45")
def each_entry_has_a_name(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that each entry is two flags and at least one whole character (2.2.3, Entry)."""
    expected = "each entry is two flags and at least one character"
    entries = _entries(reply)
    if not entries:
        return judge.undecided(expected, ABSENT)
    for entry in entries:
        if not entry.whole:
            observed = f"an entry has {len(entry.units)} octets: {entry.units.hex(' ')}"
            return judge.says(False, expected, observed, _span(reply, entry))
    return judge.says(True, expected, f"{len(entries)} entries")


def _flag(judge: Judge, reply: ReplyView, which: int, expected: str) -> Judgement:
    entries = _entries(reply)
    if not entries:
        return judge.undecided(expected, ABSENT)
    for entry in entries:
        if entry.flags[which] not in FLAGS:
            observed = f"an entry begins with {entry.units[:4].hex(' ')}"
            return judge.says(False, expected, observed, _span(reply, entry))
    return judge.says(True, expected, f"{len(entries)} entries")


def _entries(reply: ReplyView) -> tuple[Entry, ...]:
    """Return the entries that are there; a delimiter too many makes an empty one, judged with the delimiters."""
    return tuple(entry for entry in read_server_array(reply.array).entries if entry.units)


def _span(reply: ReplyView, entry: Entry) -> Span:
    return Span(reply.array_at + entry.at, min(4, len(entry.units)), "DirectoryServiceServerArray")


SENTENCES: dict[str, ReplyCheck] = {
    "each entry begins with a flag for IP": each_entry_has_an_ip_flag,
    "each entry has a flag for IPX behind that": each_entry_has_an_ipx_flag,
    "each entry begins with two flag digits": each_entry_has_flags,
    "each entry has two flags and a name": each_entry_has_a_name,
}
