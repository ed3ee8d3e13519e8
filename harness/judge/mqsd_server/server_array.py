"""DirectoryServiceServerArray of a topology reply: its grammar, entries, flags, names (MS-MQSD 2.2.3, 3.2.5.1).

The array is read leniently, so that each rule of its grammar can be judged by itself.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mqconform.harness.iut.drivers.discovery_server.requests import decoded_list, plain_text, wrong_encoding
from mqconform.harness.iut.server_configurations import is_plain_name
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.marks import bears_on
from mqconform.harness.judge.mqsd_server.reply_view import ReplyView
from mqconform.harness.judge.mqsd_server.scene import then_reply
from mqconform.harness.records.results import Span
from mqconform.harness.records.witness import Judgement
from mqconform.reference.mqsd import layout
from mqconform.reference.mqsd.messages import DELIM, END_LIST, NOT_SUPPORTED, SUPPORTED, name_octets, name_text

ABSENT = "the reply has no server array"
"""What is observed where there is no entry to judge."""
FLAGS = (SUPPORTED, NOT_SUPPORTED)


@dataclass(frozen=True, slots=True)
class Entry:
    """One delimited run of code units; offsets count from the start of the array."""

    at: int
    units: bytes

    @property
    def flags(self) -> tuple[bytes, bytes]:
        """The code units that should be the IP and the IPX flag."""
        return self.units[0:2], self.units[2:4]

    @property
    def name(self) -> bytes:
        """What follows the flags, in UTF-16, low octet first."""
        return self.units[4:]

    @property
    def whole(self) -> bool:
        """Whether there is room for two flags and at least one character."""
        return len(self.units) >= 6 and len(self.units) % 2 == 0


@dataclass(frozen=True, slots=True)
class ServerArray:
    """The entries of an array and how it separates and ends them.

    Attributes:
        delimiters: the code unit behind each entry; empty where the array just stops.
        behind: octets after the first null at which the grammar ends the list.
    """

    octets: bytes
    entries: tuple[Entry, ...]
    delimiters: tuple[bytes, ...]

    @property
    def names(self) -> tuple[bytes, ...]:
        """The names, in the order of the array."""
        return tuple(entry.name for entry in self.entries)


def read_server_array(octets: bytes) -> ServerArray:
    """Split an array at every comma and null; a terminating null leaves no empty entry behind it."""
    entries, delimiters, start = [], [], 0
    for at in range(0, len(octets), 2):
        unit = octets[at : at + 2]
        if unit in (DELIM, END_LIST):
            entries.append(Entry(start, octets[start:at]))
            delimiters.append(unit)
            start = at + 2
    if start < len(octets):
        entries.append(Entry(start, octets[start:]))
        delimiters.append(b"")
    return ServerArray(octets, tuple(entries), tuple(delimiters))


def array_span(reply: ReplyView) -> Span:
    """Return the octets of the array in its reply."""
    return Span(reply.array_at, len(reply.array), "DirectoryServiceServerArray")


OTHER_ENCODINGS = ("utf-8", "utf-16-be", "utf-32-le", "utf-32-be")
"""What an array may be written in by mistake; UTF-8 has the code pages' octets for plain letters."""


@then_reply("the array is written in UTF-16")
@bears_on("MQSD-2.2.3-19")
def characters_are_utf_16(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the array is written in characters of two octets, low octet first (2.2.3)."""
    expected = "characters of two octets, low octet first"
    if not reply.array:
        return judge.undecided(expected, ABSENT)
    if len(reply.array) % 2:
        return judge.says(False, expected, _odd(reply.array), array_span(reply))
    if not any(name in reply.array for name in reply.expected.names):
        for encoding in OTHER_ENCODINGS:
            texts = (name.decode("utf-16-le", "replace") for name in reply.expected.names)
            if any(text.encode(encoding) in reply.array for text in texts):
                return judge.says(
                    False, expected, decoded_list(reply.array) or f"names in {encoding}", array_span(reply)
                )
    return judge.says(True, expected, f"{len(reply.array) // 2} characters")


@then_reply("the array ends the reply")
@bears_on("MQSD-2.2.3-19")
def array_ends_the_reply(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that an array of whole characters is there and nothing follows it (2.2.3, register SD-32)."""
    expected = "an array of two-octet characters as the last field of the reply"
    if not reply.array:
        return judge.undecided(expected, ABSENT)
    trailing = len(reply.trailing)
    at = reply.array_at + len(reply.array)
    if trailing:
        span = Span(at, trailing, "trailing octets")
        return judge.reading("SD-32", "trailing-octets", expected, f"{trailing} octets after the array", span=span)
    odd = len(reply.array) % 2
    observed = _odd(reply.array) if odd else f"an array of {len(reply.array)} octets as the last field"
    return judge.says(not odd, expected, observed, Span(at - 1, 1, "DirectoryServiceServerArray"))


def _odd(array: bytes) -> str:
    mistake = wrong_encoding(array)
    return f"{len(array)} octets, an odd number{f': {mistake[1]}' if mistake else ''}"


@then_reply("commas stand between the entries and only there")
def commas_stand_between_entries(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the delimiters: a comma between entries, none in front or at the end (2.2.3, register SD-28)."""
    array = read_server_array(reply.array)
    expected = "octets 2c 00 between entries and nowhere else"
    if not array.entries:
        return judge.undecided(expected, ABSENT)
    if array.names[0] in reply.expected.names and len(array.names) == 1 < len(reply.expected.names):
        return judge.undecided(expected, "a single entry, which needs no comma")
    if nulls_between(array):
        return judge.reading("SD-28", "null-between-entries", expected, "nulls between entries", span=array_span(reply))
    last = array.delimiters.index(END_LIST) if END_LIST in array.delimiters else len(array.delimiters)
    listed = array.entries[: last + 1]
    right = all(entry.units for entry in listed) and array.delimiters[-1] != DELIM
    right = right and (len(listed) > 1 or len(reply.expected.names) == 1)
    return judge.says(right, expected, _delimiters(array), array_span(reply))


@then_reply("one null ends the array")
def one_null_ends_the_array(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the array ends with one null and has no other (2.2.3, EndList, register SD-28)."""
    octets = reply.array
    expected = "octets 00 00 at the end and nowhere else"
    if not octets:
        return judge.undecided(expected, ABSENT)
    array = read_server_array(octets)
    nulls = array.delimiters.count(END_LIST)
    if nulls_between(array) and array.delimiters[-1] == END_LIST:
        return judge.reading("SD-28", "null-between-entries", expected, f"{nulls} nulls", span=array_span(reply))
    right = nulls == 1 and array.delimiters[-1] == END_LIST
    at = reply.array_at + len(octets) - 2
    return judge.says(right, expected, f"{nulls} nulls, last octets {octets[-4:].hex(' ')}", Span(at, 2, "EndList"))


@then_reply("the array follows the grammar")
def follows_the_grammar(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the array as a whole by the grammar (2.2.3, register SD-28)."""
    expected = "Entry 0*ContinuedEntry EndList"
    if not reply.array:
        return judge.undecided(expected, ABSENT)
    servers, parts = layout.read_server_array(reply.array, reply.array_at)
    problem = next(layout.list_violations(parts, reply.array_at + len(reply.array)), None)
    if problem is None:
        return judge.says(True, expected, f"{len(servers)} entries")
    span = Span(problem.offset, 2, "DirectoryServiceServerArray")
    if nulls_between(read_server_array(reply.array)):
        return judge.reading("SD-28", "null-between-entries", expected, str(problem), span=span)
    return judge.says(False, expected, str(problem), span)


def nulls_between(array: ServerArray) -> bool:
    """Tell whether an array is whole but for nulls where commas should stand (register SD-28)."""
    between = array.delimiters[:-1]
    return bool(between) and all(unit == END_LIST for unit in between) and all(entry.whole for entry in array.entries)


def _delimiters(array: ServerArray) -> str:
    return "delimiters " + (", ".join(unit.hex(" ") or "none" for unit in array.delimiters))


IP, IPX = 0, 1


@then_reply("each entry begins with a flag for IP")
@bears_on("MQSD-2.2.3-30")
def each_entry_has_an_ip_flag(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the first character of each entry is a flag (2.2.3, IP)."""
    return _flag(judge, reply, IP)


@then_reply("each entry has a flag for IPX behind that")
@bears_on("MQSD-2.2.3-31")
def each_entry_has_an_ipx_flag(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the second character of each entry is a flag (2.2.3, IPX)."""
    return _flag(judge, reply, IPX)


@then_reply("the flags say which servers speak IP")
@bears_on("MQSD-2.2.3-21", "MQSD-2.2.3-20")
def flags_say_which_servers_speak_ip(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the flag for IP is what the server named behind it supports by its configuration (2.2.3, SD-25)."""
    return _support(judge, reply, IP)


@then_reply("the flags say which servers speak IPX")
@bears_on("MQSD-2.2.3-22", "MQSD-2.2.3-20")
def flags_say_which_servers_speak_ipx(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the flag for IPX is what the server named behind it supports by its configuration (2.2.3, SD-25)."""
    return _support(judge, reply, IPX)


@then_reply("support is the digit one")
@bears_on("MQSD-2.2.3-28")
def support_is_the_digit_one(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge how a flag says that a protocol is supported; without such a flag nothing is shown (2.2.3, Supported)."""
    return _digit(judge, reply, SUPPORTED, "1")


@then_reply("lack of support is the digit zero")
@bears_on("MQSD-2.2.3-29")
def lack_of_support_is_the_digit_zero(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge how a flag says that a protocol is not supported; without one nothing is shown (2.2.3, NotSupported)."""
    return _digit(judge, reply, NOT_SUPPORTED, "0")


@then_reply("each entry has two flags and a name")
@bears_on("MQSD-2.2.3-45")
def each_entry_has_a_name(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that each entry is two flags and at least one whole character (2.2.3, Entry)."""
    expected = "each entry is two flags and at least one character"
    return _each(
        judge,
        reply,
        expected,
        lambda entry: "" if entry.whole else f"an entry has {len(entry.units)} octets: {entry.units.hex(' ')}",
    )


def _each(judge: Judge, reply: ReplyView, expected: str, mistake: Callable[[Entry], str]) -> Judgement:
    """Judge all entries by the mistake in the first that has one."""
    entries = _entries(reply)
    for entry in entries:
        if observed := mistake(entry):
            return judge.says(False, expected, observed, _span(reply, entry))
    return judge.says(True, expected, f"{len(entries)} entries") if entries else judge.undecided(expected, ABSENT)


def _flag(judge: Judge, reply: ReplyView, which: int) -> Judgement:
    expected = f"the {('first', 'second')[which]} character of each entry is the digit 1 or 0"
    return _each(judge, reply, expected, lambda entry: "" if entry.flags[which] in FLAGS else _begins(entry))


def _support(judge: Judge, reply: ReplyView, which: int) -> Judgement:
    """Judge flags by the names behind them, in any order; a name that was not configured decides nothing."""
    protocol = ("IP", "IPX")[which]
    expected = f"the configured {protocol} flag of each server"
    servers = reply.expected.directory_servers
    configured = {(name_octets(server.name), (server.ip, server.ipx)[which]) for server in servers}
    entries = _entries(reply)
    for entry in entries:
        flag = entry.flags[which]
        if flag not in FLAGS:
            return judge.says(False, expected, _begins(entry), _span(reply, entry))
        if entry.name in reply.expected.names and (entry.name, flag == SUPPORTED) not in configured:
            observed = f"{names_text((entry.name,))} with flag {flag[:1].decode()} for {protocol}"
            return judge.reading("SD-25", "not-as-configured", expected, observed, span=_span(reply, entry))
    if not any(entry.name in reply.expected.names for entry in entries):
        if renaming := renaming_of([entry.name for entry in entries], reply.expected.names):
            return judge.reading(*renaming, expected, "no configured name")
        return judge.undecided(expected, "no configured server" if entries else ABSENT)
    return judge.reading("SD-25", "as-configured", expected, f"{len(entries)} entries")


def _digit(judge: Judge, reply: ReplyView, digit: bytes, character: str) -> Judgement:
    expected = f"flags {character} are the octets {digit.hex(' ')}"
    entries = _entries(reply)
    if entries and all({*entry.flags} <= {*FLAGS} - {digit} for entry in entries):
        return judge.undecided(expected, f"no flag is {character}")
    return _each(judge, reply, expected, lambda entry: "" if {*entry.flags} <= {*FLAGS} else _begins(entry))


def _begins(entry: Entry) -> str:
    mistake = wrong_encoding(entry.units)
    return f"an entry begins with {entry.units[:4].hex(' ')}{f': {mistake[1]}' if mistake else ''}"


def _entries(reply: ReplyView) -> tuple[Entry, ...]:
    """Return the entries that are there; a delimiter too many makes an empty one, judged with the delimiters."""
    return tuple(entry for entry in read_server_array(reply.array).entries if entry.units)


def _span(reply: ReplyView, entry: Entry) -> Span:
    return Span(reply.array_at + entry.at, min(4, len(entry.units)), "DirectoryServiceServerArray")


CHARACTER_RULES = (
    *("MQSD-2.2.3-32", "MQSD-2.2.3-33", "MQSD-2.2.3-34", "MQSD-2.2.3-35", "MQSD-2.2.3-36", "MQSD-2.2.3-37"),  # R1 - R6
    *("MQSD-2.2.3-38", "MQSD-2.2.3-39", "MQSD-2.2.3-40", "MQSD-2.2.3-41"),  # X1 - X4
    "MQSD-2.2.3-42",  # NameChar
)


@then_reply("the array names every directory server")
@bears_on("MQSD-2.2.3-20", "MQSD-2.2.3-23", "MQSD-3.2.5.1-13")
def names_are_the_servers(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that every name of the server's list is there, in any order (2.2.3, 3.2.5.1, register SD-26)."""
    configured = reply.expected.names
    expected = f"in any order: {names_text(configured)}"
    names = tuple(entry.name for entry in read_server_array(reply.array).entries if entry.units)
    observed, span = decoded_list(reply.array) or names_text(names), array_span(reply)
    if Counter(names) == Counter(configured):
        order = "list-order" if names == configured else "any-order"
        return judge.reading("SD-26", order, expected, observed, situation="names", span=span)
    # The steps copy all entries; none forbids to write one twice (3.2.5.1; SD-26).
    if set(names) == set(configured):
        return judge.reading("SD-26", "duplicates", expected, observed, situation="names", span=span)
    renaming = renaming_of(names, configured)
    return (
        judge.reading(*renaming, expected, observed, span=span)
        if renaming
        else judge.says(False, expected, observed, span)
    )


def renaming_of(listed: Sequence[bytes], configured: Sequence[bytes]) -> tuple[str, str] | None:
    """Return the reading by which a list has other names than those that were configured, None where none has it."""
    if _in_capitals(listed) == _in_capitals(configured):
        return "SD-77", "other-case"
    return ("SD-29", "restricted-name") if restricts_names(listed, configured) else None


def _in_capitals(names: Sequence[bytes]) -> Counter[str | bytes]:
    """Return names in capitals; one that ends within a code unit is not text, and stays as it is."""
    return Counter(name if len(name) % 2 else name_text(name).upper() for name in names)


@then_reply("the array lists the name between as it is")
@bears_on(*CHARACTER_RULES)
def name_between_is_unchanged(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge an unusual name between others: the array lists it as it is (2.2.3, register SD-29).

    Where plain names are not there either, the unusual one says nothing about its characters. Where another unusual
    name is there as it is, names are not restricted (SD-29): the server takes this one's octets for a delimiter's.
    """
    configured = reply.expected.names
    unusual = configured[len(configured) // 2]
    plain = {name for name in configured if is_plain_name(name_text(name))} - {unusual}
    twins = set(configured) - plain - {unusual}
    names = {entry.name for entry in read_server_array(reply.array).entries}
    expected = f"{names_text((unusual,))} among the names"
    observed = names_text(tuple(sorted(names)))
    if unusual in names:
        return judge.reading("SD-29", "any-name", expected, observed, span=array_span(reply))
    listed = [entry.name for entry in _entries(reply)]
    if _in_capitals(listed) == _in_capitals(configured):
        return judge.reading("SD-77", "other-case", expected, observed, span=array_span(reply))
    if not names.issuperset(plain):
        return judge.undecided(
            expected, decoded_list(reply.array) or f"{observed}; the plain names of the server are missing as well"
        )
    if _as_json_may_carry(unusual) in names:  # JSON need not carry an unpaired surrogate to the implementation
        return judge.reading("SD-29", "restricted-name", expected, observed, span=array_span(reply))
    if not names & twins and restricts_names(listed, configured):
        return judge.reading("SD-29", "restricted-name", expected, observed, span=array_span(reply))
    return judge.says(False, expected, observed, array_span(reply))


def restricts_names(listed: Sequence[bytes], configured: Sequence[bytes]) -> bool:
    """Tell whether a list differs in names that are no plain ones alone, each cut, changed or left out (SD-29).

    A name that falls apart into several entries is not restricted but written wrongly.
    """
    missing, strangers = set(configured) - set(listed), set(listed) - set(configured)
    plain = any(is_plain_name(name_text(name)) for name in missing)
    plausible = 0 < len(listed) <= len(configured) and len(strangers) <= len(missing)
    return bool(missing) and not plain and plausible


@then_reply("no name holds a comma or a null")
def names_hold_no_delimiter(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that no name falls apart at a comma or a null in it (2.2.3)."""
    array, configured = read_server_array(reply.array), reply.expected.names
    expected = f"{len(configured)} names, none with a comma or a null in it"
    if not array.entries:
        return judge.undecided(expected, ABSENT)
    entries = [entry for entry in array.entries if entry.units]
    observed = f"{len(entries)} entries"
    others = [entry for entry in entries if entry.name not in configured]
    if not others:
        return judge.says(True, expected, observed)
    if len(entries) > len(configured) and any(flag not in FLAGS for entry in others for flag in entry.flags):
        return judge.says(False, expected, f"{observed}, one of them a part of a name", array_span(reply))
    if renaming := renaming_of([entry.name for entry in entries], configured):
        return judge.reading(*renaming, expected, observed)
    return judge.undecided(expected, decoded_list(array.octets) or f"{observed}, with names that are not the server's")


def names_text(names: tuple[bytes, ...]) -> str:
    """Return names for a witness: printable ASCII as it is, other characters by their numbers."""
    return ", ".join(f"'{plain_text(_decoded(name))}'" for name in names) or "none"


def _decoded(name: bytes) -> str:
    return name.decode("utf-16-le", "replace" if len(name) % 2 else "surrogatepass")


def _as_json_may_carry(name: bytes) -> bytes:
    """Return the name with U+FFFD for unpaired surrogates, as some readers of JSON make of them."""
    return name.decode("utf-16-le", "replace").encode("utf-16-le")
