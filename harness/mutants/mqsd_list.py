"""Faulty discovery servers: how the server list is written (MS-MQSD 2.2.3, the grammar)."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from mqconform.harness.mutants.mutant import STEPS, Mutant, spoilt
from mqconform.harness.mutants.reply_parts import ReplyParts, digits, little, units
from mqconform.reference.mqsd.directory_server import DirectoryServer

Entry = Callable[[DirectoryServer], str]
GRAMMAR = ("MQSD-2.2.3-26", "MQSD-2.2.3-27")
UTF_16 = ("MQSD-2.2.3-19",)
DELIMITER = ("MQSD-2.2.3-43", "MQSD-2.2.3-46")
COMMA = (*DELIMITER, "MQSD-2.2.3-20")
NULL = ("MQSD-2.2.3-44",)
IP_FLAG = ("MQSD-2.2.3-21", "MQSD-2.2.3-30")
IPX_FLAG = ("MQSD-2.2.3-22", "MQSD-2.2.3-31")
EITHER_FLAG = ("MQSD-2.2.3-28", "MQSD-2.2.3-29")
FLAGS = (*IP_FLAG, *IPX_FLAG, *EITHER_FLAG)
NAMES = ("MQSD-2.2.3-23", "MQSD-2.2.3-20", "MQSD-3.2.5.1-13")
NO_DELIMITER = ("MQSD-2.2.3-24", "MQSD-2.2.3-25")
ENTRY = ("MQSD-2.2.3-45",)


def as_it_should_be(server: DirectoryServer) -> str:
    """Return an entry: two flags and the name."""
    return digits(server) + server.name


def written(
    servers: Iterable[DirectoryServer], entry: Entry = as_it_should_be, *, between: str = ",", end: str = "\0"
) -> str:
    """Return the text of an array, right unless an argument spoils it."""
    return between.join(entry(server) for server in servers) + end


def _array(name: str, says: str, array: Callable[[ReplyParts], bytes], breaks: tuple[str, ...], *also: str) -> Mutant:
    server = spoilt(lambda parts: parts.with_array(array(parts)) if parts.foreign else parts)
    return Mutant(name, says, server, breaks, (STEPS, *also))


def _entries(name: str, says: str, entry: Entry, breaks: tuple[str, ...], *also: str) -> Mutant:
    return _array(name, says, lambda parts: units(written(parts.servers, entry)), breaks, *also)


def _between(name: str, says: str, between: str, *also: str) -> Mutant:
    return _array(name, says, lambda parts: units(written(parts.servers, between=between)), COMMA, *also)


def _encoded(name: str, says: str, encoding: str) -> Mutant:
    def array(parts: ReplyParts) -> bytes:
        return written(parts.servers).encode(encoding, "replace")

    return _array(name, says, array, UTF_16, "MQSD-2.2.3", *NAMES)


def _flag_octets(server: DirectoryServer) -> bytes:
    return digits(server).encode("ascii") + units(server.name)


def _comma_of_one_octet(parts: ReplyParts) -> bytes:
    return b",".join(units(as_it_should_be(server)) for server in parts.servers) + bytes(2)


MUTANTS = (
    _encoded("list-in-ascii", "The list is written in characters of one octet.", "ascii"),
    _encoded("list-big-endian", "Characters have their high octet first.", "utf-16-be"),
    _encoded("list-in-utf-32", "Characters have four octets.", "utf-32-le"),
    _array(
        "list-with-byte-order-mark",
        "A byte order mark stands in front of the list.",
        lambda parts: units("\ufeff" + written(parts.servers)),
        (*GRAMMAR, *FLAGS),
        *NAMES,
    ),
    _array(
        "flags-of-one-octet",
        "Flags have one octet each.",
        lambda parts: b",\0".join(_flag_octets(server) for server in parts.servers) + bytes(2),
        FLAGS,
        *GRAMMAR,
        *NAMES,
        *ENTRY,
    ),
    _entries("flags-left-out", "An entry is just a name.", lambda server: server.name, FLAGS, *GRAMMAR, *NAMES, *ENTRY),
    _entries(
        "one-flag",
        "There is no flag for IPX.",
        lambda s: digits(s)[0] + s.name,
        IPX_FLAG,
        *EITHER_FLAG,
        *GRAMMAR,
        *NAMES,
        *ENTRY,
    ),
    _entries(
        "flags-as-numbers",
        "Flags are the numbers 1 and 0 in place of digits.",
        lambda s: digits(s).translate({0x30: 0, 0x31: 1}) + s.name,
        FLAGS,
        *GRAMMAR,
        *NAMES,
        *NO_DELIMITER,
        *COMMA,
        *NULL,
        *ENTRY,
    ),
    _entries(
        "flags-as-letters",
        "Flags are the letters Y and N.",
        lambda s: digits(s).translate({0x30: "N", 0x31: "Y"}) + s.name,
        FLAGS,
        *GRAMMAR,
    ),
    _entries(
        "flags-behind-the-name", "Flags stand behind the name.", lambda s: s.name + digits(s), FLAGS, *GRAMMAR, *NAMES
    ),
    _entries("name-left-out", "An entry is just two flags.", digits, (*ENTRY, *NAMES), *GRAMMAR),
    _entries(
        "name-holds-comma",
        "A port follows each name behind a comma.",
        lambda s: as_it_should_be(s) + ",1801",
        NO_DELIMITER,
        *IPX_FLAG,
        *EITHER_FLAG,
        *NAMES,
        *GRAMMAR,
    ),
    _entries(
        "name-ends-in-null",
        "A null ends each name in front of the comma.",
        lambda s: as_it_should_be(s) + "\0",
        (*NULL, *COMMA),
        *GRAMMAR,
    ),
    _between("semicolons", "Semicolons stand between the entries.", ";", *NAMES),
    _between("comma-and-blank", "A blank follows each comma.", ", ", *NAMES, *GRAMMAR, *IP_FLAG, *EITHER_FLAG),
    _between("two-commas", "Two commas stand between the entries.", ",,", *GRAMMAR),
    _between("nothing-between", "Nothing stands between the entries.", "", *NAMES),
    _array("comma-of-one-octet", "A comma has one octet.", _comma_of_one_octet, COMMA, "MQSD-2.2.3", *NAMES),
    _array(
        "comma-at-the-end",
        "A comma follows the last entry as well.",
        lambda p: units(written(p.servers, end=",\0")),
        COMMA,
        *GRAMMAR,
    ),
    _array(
        "comma-in-front",
        "A comma stands in front of the first entry.",
        lambda p: units("," + written(p.servers)),
        COMMA,
        *GRAMMAR,
    ),
    _array(
        "no-terminator",
        "No null ends the list, and none is counted.",
        lambda p: units(written(p.servers, end="")),
        NULL,
        *GRAMMAR,
    ),
    _array(
        "two-terminators", "Two nulls end the list.", lambda p: units(written(p.servers, end="\0\0")), NULL, *GRAMMAR
    ),
    _array(
        "comma-for-null",
        "A comma ends the list in place of the null.",
        lambda p: units(written(p.servers, end=",")),
        NULL,
        *DELIMITER,
        *GRAMMAR,
    ),
    _array(
        "terminator-of-one-octet",
        "One octet of zero ends the list.",
        lambda p: units(written(p.servers, end="")) + b"\0",
        (*NULL, *UTF_16),
        *GRAMMAR,
        *ENTRY,
        *NAMES,
    ),
    Mutant(
        "terminator-counted-not-sent",
        "The size counts a null that is not sent.",
        spoilt(lambda p: replace(p, array=p.array[:-2], size=little(len(p.array))) if p.foreign else p),
        (*NULL, "MQSD-2.2.3-11"),
        (STEPS, "MQSD-3.2.5.1-14", *GRAMMAR),
    ),
)
