"""Faulty discovery servers: how the server list is written (MS-MQSD 2.2.3, the grammar)."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from mqconform.harness.iut.mutants.mqsd_server.answering_server import STEPS, ServerFactory, server, spoilt_with_list
from mqconform.harness.iut.mutants.mqsd_server.reply_parts import ReplyParts, digits, little, units
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.reference.mqsd.directory_server import DirectoryServer

Servers = tuple[DirectoryServer, ...]
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


def listing(array: Callable[[Servers], bytes]) -> ServerFactory:
    """Return the factory of a server that writes its list otherwise, and counts its octets rightly."""
    return spoilt_with_list(lambda parts: parts.with_array(array(parts.servers)))


def _array(
    name: str, says: str, array: Callable[[Servers], bytes], breaks: tuple[str, ...], also: tuple[str, ...]
) -> Mutant:
    return server(name, says, listing(array), breaks, (*STEPS, *also))


def _encoded(name: str, says: str, encoding: str) -> Mutant:
    also = ("MQSD-2.2.3", *NAMES)
    return _array(name, says, lambda servers: written(servers).encode(encoding, "replace"), UTF_16, also)


def _entries(name: str, says: str, entry: Entry, breaks: tuple[str, ...], also: tuple[str, ...]) -> Mutant:
    return _array(name, says, lambda servers: units(written(servers, entry)), breaks, also)


def _between(name: str, says: str, between: str, also: tuple[str, ...]) -> Mutant:
    return _array(name, says, lambda servers: units(written(servers, between=between)), COMMA, also)


def _end(name: str, says: str, end: str, breaks: tuple[str, ...], also: tuple[str, ...] = GRAMMAR) -> Mutant:
    return _array(name, says, lambda servers: units(written(servers, end=end)), breaks, also)


def _flags_of_one_octet(servers: Servers) -> bytes:
    return b",\0".join(digits(server).encode("ascii") + units(server.name) for server in servers) + bytes(2)


def _comma_of_one_octet(servers: Servers) -> bytes:
    return b",".join(units(as_it_should_be(server)) for server in servers) + bytes(2)


def _without_counted_null(parts: ReplyParts) -> ReplyParts:
    return replace(parts, array=parts.array[:-2], size=little(len(parts.array)))


MUTANTS = (
    _encoded("list-in-ascii", "The list is written in characters of one octet.", "ascii"),
    _encoded("list-big-endian", "Characters have their high octet first.", "utf-16-be"),
    _encoded("list-in-utf-32", "Characters have four octets.", "utf-32-le"),
    _array(
        "list-with-byte-order-mark",
        "A byte order mark stands in front of the list.",
        lambda servers: units("\ufeff" + written(servers)),
        (*GRAMMAR, *FLAGS),
        NAMES,
    ),
    _array("flags-of-one-octet", "Flags have one octet each.", _flags_of_one_octet, FLAGS, (*GRAMMAR, *NAMES, *ENTRY)),
    _entries(
        "flags-left-out", "An entry is just a name.", lambda server: server.name, FLAGS, (*GRAMMAR, *NAMES, *ENTRY)
    ),
    _entries(
        "one-flag",
        "There is no flag for IPX.",
        lambda server: digits(server)[0] + server.name,
        IPX_FLAG,
        (*EITHER_FLAG, *GRAMMAR, *NAMES, *ENTRY),
    ),
    _entries(
        "flags-as-numbers",
        "Flags are the numbers 1 and 0 in place of digits.",
        lambda server: digits(server).translate({0x30: 0, 0x31: 1}) + server.name,
        FLAGS,
        (*GRAMMAR, *NAMES, *NO_DELIMITER, *COMMA, *NULL, *ENTRY),
    ),
    _entries(
        "flags-as-letters",
        "Flags are the letters Y and N.",
        lambda server: digits(server).translate({0x30: "N", 0x31: "Y"}) + server.name,
        FLAGS,
        GRAMMAR,
    ),
    _entries(
        "flags-behind-the-name",
        "Flags stand behind the name.",
        lambda server: server.name + digits(server),
        FLAGS,
        (*GRAMMAR, *NAMES),
    ),
    _entries("name-left-out", "An entry is just two flags.", digits, (*ENTRY, *NAMES), GRAMMAR),
    _entries(
        "name-holds-comma",
        "A port follows each name behind a comma.",
        lambda server: as_it_should_be(server) + ",1801",
        NO_DELIMITER,
        (*IPX_FLAG, *EITHER_FLAG, *NAMES, *GRAMMAR),
    ),
    _entries(
        "name-ends-in-null",
        "A null ends each name in front of the comma.",
        lambda server: as_it_should_be(server) + "\0",
        (*NULL, *COMMA),
        GRAMMAR,
    ),
    _between("semicolons", "Semicolons stand between the entries.", ";", NAMES),
    _between("comma-and-blank", "A blank follows each comma.", ", ", (*NAMES, *GRAMMAR, *IP_FLAG, *EITHER_FLAG)),
    _between("two-commas", "Two commas stand between the entries.", ",,", GRAMMAR),
    _between("nothing-between", "Nothing stands between the entries.", "", NAMES),
    _array("comma-of-one-octet", "A comma has one octet.", _comma_of_one_octet, COMMA, ("MQSD-2.2.3", *NAMES)),
    _end("comma-at-the-end", "A comma follows the last entry as well.", ",\0", COMMA),
    _array(
        "comma-in-front",
        "A comma stands in front of the first entry.",
        lambda servers: units("," + written(servers)),
        COMMA,
        GRAMMAR,
    ),
    _end("no-terminator", "No null ends the list, and none is counted.", "", NULL),
    _end("two-terminators", "Two nulls end the list.", "\0\0", NULL),
    _end("comma-for-null", "A comma ends the list in place of the null.", ",", NULL, (*DELIMITER, *GRAMMAR)),
    _array(
        "terminator-of-one-octet",
        "One octet of zero ends the list.",
        lambda servers: units(written(servers))[:-1],
        (*NULL, *UTF_16),
        (*GRAMMAR, *ENTRY, *NAMES),
    ),
    server(
        "terminator-counted-not-sent",
        "The size counts a null that is not sent.",
        spoilt_with_list(_without_counted_null),
        (*NULL, "MQSD-2.2.3-11"),
        (*STEPS, "MQSD-3.2.5.1-14", *GRAMMAR),
    ),
)
