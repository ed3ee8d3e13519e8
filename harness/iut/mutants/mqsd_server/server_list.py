"""Faulty discovery servers: the server list, how it is written and whom it names (MS-MQSD 2.2.3, 3.2.5.1)."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from mqconform.harness.iut.mutants.mqsd_server.answering_server import ServerFactory, server, spoilt_with_list
from mqconform.harness.iut.mutants.mqsd_server.reply_parts import ReplyParts, digits, little, units
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.reference.mqsd.packets import DirectoryServer

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


def _array(name: str, says: str, array: Callable[[Servers], bytes], breaks: tuple[str, ...]) -> Mutant:
    return server(name, says, listing(array), breaks)


def _encoded(name: str, says: str, encoding: str) -> Mutant:
    return _array(name, says, lambda servers: written(servers).encode(encoding, "replace"), UTF_16)


def _entries(name: str, says: str, entry: Entry, breaks: tuple[str, ...]) -> Mutant:
    return _array(name, says, lambda servers: units(written(servers, entry)), breaks)


def _misleading(
    name: str,
    says: str,
    flags: Callable[[DirectoryServer], str],
    breaks: tuple[str, ...] = ("MQSD-2.2.3-21", "MQSD-2.2.3-22"),
) -> Mutant:
    """Say with right digits what is not so (register SD-25)."""
    return _entries(name, says, lambda server: flags(server) + server.name, (*breaks, "MQSD-2.2.3-20"))


def _between(name: str, says: str, between: str) -> Mutant:
    return _array(name, says, lambda servers: units(written(servers, between=between)), COMMA)


def _end(name: str, says: str, end: str, breaks: tuple[str, ...]) -> Mutant:
    return _array(name, says, lambda servers: units(written(servers, end=end)), breaks)


def _flags_of_one_octet(servers: Servers) -> bytes:
    return b",\0".join(digits(server).encode("ascii") + units(server.name) for server in servers) + bytes(2)


def _comma_of_one_octet(servers: Servers) -> bytes:
    return b",".join(units(as_it_should_be(server)) for server in servers) + bytes(2)


def _without_counted_null(parts: ReplyParts) -> ReplyParts:
    return replace(parts, array=parts.array[:-2], size=little(len(parts.array)))


OF_ARRAYS = (
    _encoded("list-in-ascii", "The list is written in characters of one octet.", "ascii"),
    _encoded("list-big-endian", "Characters have their high octet first.", "utf-16-be"),
    _encoded("list-in-utf-32", "Characters have four octets.", "utf-32-le"),
    _array(
        "list-with-byte-order-mark",
        "A byte order mark stands in front of the list.",
        lambda servers: units("\ufeff" + written(servers)),
        (*GRAMMAR, *FLAGS),
    ),
    _array("flags-of-one-octet", "Flags have one octet each.", _flags_of_one_octet, FLAGS),
    _entries("flags-left-out", "An entry is just a name.", lambda server: server.name, FLAGS),
    _entries("one-flag", "There is no flag for IPX.", lambda server: digits(server)[0] + server.name, IPX_FLAG),
    _entries(
        "flags-as-numbers",
        "Flags are the numbers 1 and 0 in place of digits.",
        lambda server: digits(server).translate({0x30: 0, 0x31: 1}) + server.name,
        FLAGS,
    ),
    _entries(
        "flags-as-letters",
        "Flags are the letters Y and N.",
        lambda server: digits(server).translate({0x30: "N", 0x31: "Y"}) + server.name,
        FLAGS,
    ),
    _entries(
        "flags-behind-the-name", "Flags stand behind the name.", lambda server: server.name + digits(server), FLAGS
    ),
    _misleading("flags-always-11", "All servers are said to speak IP and IPX.", lambda _: "11"),
    _misleading("flags-always-00", "All servers are said to speak neither IP nor IPX.", lambda _: "00"),
    _misleading("flags-always-10", "All servers are said to speak IP only.", lambda _: "10"),
    _misleading("flags-always-01", "All servers are said to speak IPX only.", lambda _: "01"),
    _misleading("flags-exchanged", "The flag for IPX stands in front.", lambda server: digits(server)[::-1]),
    _misleading(
        "flags-inverted",
        "A flag is 1 where the protocol is not spoken.",
        lambda server: f"{not server.ip:d}{not server.ipx:d}",
    ),
    _misleading(
        "flag-of-ip-always-set",
        "All servers are said to speak IP.",
        lambda server: f"1{server.ipx:d}",
        ("MQSD-2.2.3-21",),
    ),
    _misleading(
        "flag-of-ipx-never-set", "No server is said to speak IPX.", lambda server: f"{server.ip:d}0", ("MQSD-2.2.3-22",)
    ),
    _entries("name-left-out", "An entry is just two flags.", digits, (*ENTRY, *NAMES)),
    _entries(
        "name-holds-comma",
        "A port follows each name behind a comma.",
        lambda server: as_it_should_be(server) + ",1801",
        NO_DELIMITER,
    ),
    _entries(
        "name-ends-in-null",
        "A null ends each name in front of the comma.",
        lambda server: as_it_should_be(server) + "\0",
        (*NULL, *COMMA),
    ),
    _between("semicolons", "Semicolons stand between the entries.", ";"),
    _between("comma-and-blank", "A blank follows each comma.", ", "),
    _between("two-commas", "Two commas stand between the entries.", ",,"),
    _between("nothing-between", "Nothing stands between the entries.", ""),
    _array("comma-of-one-octet", "A comma has one octet.", _comma_of_one_octet, COMMA),
    _end("comma-at-the-end", "A comma follows the last entry as well.", ",\0", COMMA),
    _array(
        "comma-in-front",
        "A comma stands in front of the first entry.",
        lambda servers: units("," + written(servers)),
        COMMA,
    ),
    _end("no-terminator", "No null ends the list, and none is counted.", "", NULL),
    _end("two-terminators", "Two nulls end the list.", "\0\0", NULL),
    _end("comma-for-null", "A comma ends the list in place of the null.", ",", NULL),
    _array(
        "terminator-of-one-octet",
        "One octet of zero ends the list.",
        lambda servers: units(written(servers))[:-1],
        (*NULL, *UTF_16),
    ),
    server(
        "terminator-counted-not-sent",
        "The size counts a null that is not sent.",
        spoilt_with_list(_without_counted_null),
        (*NULL, "MQSD-2.2.3-11"),
    ),
)


ALL_NAMES = ("MQSD-3.2.5.1-13", "MQSD-2.2.3-20")
LOW_BELOW_COMMA = ("MQSD-2.2.3-38", "MQSD-2.2.3-32", "MQSD-2.2.3-34")
LOW_OF_COMMA = ("MQSD-2.2.3-39", "MQSD-2.2.3-33", "MQSD-2.2.3-35")
LOW_ABOVE_COMMA = ("MQSD-2.2.3-40", "MQSD-2.2.3-36")
LOW_ZERO = ("MQSD-2.2.3-41", "MQSD-2.2.3-37")
ANY_CHARACTER = ("MQSD-2.2.3-42",)
NAMED, LISTED = ("MQSD-2.2.3-23",), ("MQSD-2.2.3-20",)


def _listing(name: str, says: str, pick: Callable[[Servers], Servers]) -> Mutant:
    return server(name, says, listing(lambda servers: units(written(pick(servers)))), ALL_NAMES)


def renaming(rename: Callable[[str], str]) -> ServerFactory:
    """Return the factory of a server that lists other names."""

    def renamed(server: DirectoryServer) -> DirectoryServer:
        return replace(server, name=rename(server.name))

    return listing(lambda servers: units(written(map(renamed, servers))))


def _renaming(name: str, says: str, rename: Callable[[str], str], breaks: tuple[str, ...]) -> Mutant:
    return server(name, says, renaming(rename), breaks)


def each_unit(change: Callable[[int], int]) -> Callable[[str], str]:
    """Return what changes the UTF-16 code units of a name one by one."""

    def rename(name: str) -> str:
        octets = units(name)
        changed = (change(int.from_bytes(octets[at : at + 2], "little")) for at in range(0, len(octets), 2))
        return b"".join(unit.to_bytes(2, "little") for unit in changed).decode("utf-16-le", "surrogatepass")

    return rename


def _cut_at(is_end: Callable[[int], bool]) -> Callable[[str], str]:
    """End a name in front of the first code unit that is taken for its end."""

    def rename(name: str) -> str:
        ends = (at for at, character in enumerate(name) if at and is_end(ord(character)))
        return name[: next(ends, len(name))]

    return rename


QUESTION_MARK = ord("?")
OF_NAMES = (
    _listing("first-name-only", "Only the first name is listed.", lambda servers: servers[:1]),
    _listing("last-name-only", "Only the last name is listed.", lambda servers: servers[-1:]),
    _listing("four-names-at-most", "The fifth name and those behind it are dropped.", lambda servers: servers[:4]),
    _listing("32-names-at-most", "The 33rd name and those behind it are dropped.", lambda servers: servers[:32]),
    _listing(
        "ip-servers-only",
        "Servers that do not speak IP are not listed.",
        lambda servers: tuple(server for server in servers if server.ip) or servers[:1],
    ),
    _listing(
        "name-added",
        "The server lists a name that it was not given.",
        lambda servers: (*servers, DirectoryServer("LOCALHOST", ip=True, ipx=False)),
    ),
    _renaming("names-padded-to-15", "Names are filled up with blanks.", lambda name: name.ljust(15), NAMES),
    _renaming(
        "names-without-first-character", "The first character of names is lost.", lambda name: name[1:] or name, NAMES
    ),
    _renaming("names-cut-at-8", "Names are cut behind 8 characters.", lambda name: name[:8], ANY_CHARACTER),
    _renaming(
        "names-without-leading-digits",
        "Digits in front of names are taken for flags.",
        lambda name: name.lstrip("01") or name,
        LOW_ABOVE_COMMA,
    ),
    _renaming(
        "names-without-b", "Names lose the letter B.", lambda name: name.replace("B", "") or name, LOW_ABOVE_COMMA
    ),
    _renaming(
        "low-octet-2c-is-comma",
        "A name ends at any character whose low octet is that of a comma.",
        _cut_at(lambda unit: unit & 0xFF == 0x2C),
        LOW_OF_COMMA,
    ),
    _renaming(
        "low-octet-2c-escaped",
        "A backslash stands in front of characters whose low octet is that of a comma.",
        lambda name: "".join("\\" + c if ord(c) & 0xFF == 0x2C else c for c in name),
        LOW_OF_COMMA,
    ),
    _renaming(
        "high-octet-2c-is-comma",
        "A name ends at the characters 2C00 and 2C01, taken for commas.",
        _cut_at(lambda unit: unit in (0x2C00, 0x2C01)),
        (*LOW_BELOW_COMMA, *LOW_ZERO),
    ),
    _renaming(
        "low-octet-zero-is-null",
        "A name ends at any character whose low octet is zero.",
        _cut_at(lambda unit: unit & 0xFF == 0),
        LOW_ZERO,
    ),
    _renaming(
        "high-octet-lost",
        "The high octet of each character is lost.",
        each_unit(lambda unit: unit & 0xFF or QUESTION_MARK),
        LOW_OF_COMMA,
    ),
)


MUTANTS = (*OF_ARRAYS, *OF_NAMES)
