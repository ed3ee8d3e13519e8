"""Faulty discovery servers: which names they list, and what becomes of their characters (MS-MQSD 2.2.3, 3.2.5.1)."""

from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.iut.mutants.mqsd_server.answering_server import STEPS, server
from mqconform.harness.iut.mutants.mqsd_server.reply_parts import units
from mqconform.harness.iut.mutants.mqsd_server.server_list import NAMES, Servers, listing, written
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.reference.mqsd.directory_server import DirectoryServer

ALL_NAMES = ("MQSD-3.2.5.1-13", "MQSD-2.2.3-20")
LOW_BELOW_COMMA = ("MQSD-2.2.3-38", "MQSD-2.2.3-32", "MQSD-2.2.3-34")
LOW_OF_COMMA = ("MQSD-2.2.3-39", "MQSD-2.2.3-33", "MQSD-2.2.3-35")
LOW_ABOVE_COMMA = ("MQSD-2.2.3-40", "MQSD-2.2.3-36")
LOW_ZERO = ("MQSD-2.2.3-41", "MQSD-2.2.3-37")
ANY_CHARACTER = ("MQSD-2.2.3-42",)
CHARACTERS = (*LOW_BELOW_COMMA, *LOW_OF_COMMA, *LOW_ABOVE_COMMA, *LOW_ZERO, *ANY_CHARACTER)
NAMED, LISTED = ("MQSD-2.2.3-23",), ("MQSD-2.2.3-20",)
GENERAL = (*STEPS, *NAMED, *LISTED)
"""What is violated too where the characters of everyday names are affected."""


def _listing(name: str, says: str, pick: Callable[[Servers], Servers], also: tuple[str, ...]) -> Mutant:
    return server(name, says, listing(lambda servers: units(written(pick(servers)))), ALL_NAMES, also)


def _renaming(
    name: str, says: str, rename: Callable[[str], str], breaks: tuple[str, ...], also: tuple[str, ...] = ()
) -> Mutant:
    def renamed(server: DirectoryServer) -> DirectoryServer:
        return replace(server, name=rename(server.name))

    return server(name, says, listing(lambda servers: units(written(map(renamed, servers)))), breaks, also)


def _each_unit(change: Callable[[int], int]) -> Callable[[str], str]:
    """Change the UTF-16 code units of a name one by one."""

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
MUTANTS = (
    _listing("first-name-only", "Only the first name is listed.", lambda servers: servers[:1], (*STEPS, *NAMED)),
    _listing("last-name-only", "Only the last name is listed.", lambda servers: servers[-1:], (*STEPS, *NAMED)),
    _listing(
        "four-names-at-most", "The fifth name and those behind it are dropped.", lambda servers: servers[:4], STEPS
    ),
    _listing("32-names-at-most", "The 33rd name and those behind it are dropped.", lambda servers: servers[:32], ()),
    _listing(
        "ip-servers-only",
        "Servers that do not speak IP are not listed.",
        lambda servers: tuple(server for server in servers if server.ip) or servers[:1],
        (*STEPS, *NAMED),
    ),
    _listing(
        "name-added",
        "The server lists a name that it was not given.",
        lambda servers: (*servers, DirectoryServer("LOCALHOST", ip=True, ipx=False)),
        (*STEPS, *NAMED),
    ),
    _listing(
        "numbered-names-left-out",
        "Names of digits are not listed.",
        lambda servers: tuple(server for server in servers if not server.name.isdigit()) or servers[:1],
        (*NAMED, *LOW_ABOVE_COMMA),
    ),
    _renaming("names-upper-cased", "Names are put into capitals.", str.upper, NAMES, STEPS),
    _renaming("names-lower-cased", "Names are put into small letters.", str.lower, NAMES, STEPS),
    _renaming("names-padded-to-15", "Names are filled up with blanks.", lambda name: name.ljust(15), NAMES, STEPS),
    _renaming(
        "names-without-first-character",
        "The first character of names is lost.",
        lambda name: name[1:] or name,
        NAMES,
        STEPS,
    ),
    _renaming("names-cut-at-15", "Names are cut behind 15 characters.", lambda name: name[:15], ANY_CHARACTER, STEPS),
    _renaming(
        "names-trimmed", "Blanks at the ends of names are lost.", lambda name: name.strip(" ") or "_", LOW_BELOW_COMMA
    ),
    _renaming(
        "names-without-leading-digits",
        "Digits in front of names are taken for flags.",
        lambda name: name.lstrip("01") or name,
        LOW_ABOVE_COMMA,
        (*NAMED, *LISTED),
    ),
    _renaming(
        "controls-replaced",
        "Control characters become question marks.",
        _each_unit(lambda unit: unit if unit > 31 else QUESTION_MARK),
        LOW_BELOW_COMMA,
        STEPS,
    ),
    _renaming(
        "low-octet-2c-is-comma",
        "A name ends at any character whose low octet is that of a comma.",
        _cut_at(lambda unit: unit & 0xFF == 0x2C),
        LOW_OF_COMMA,
        STEPS,
    ),
    _renaming(
        "low-octet-2c-escaped",
        "A backslash stands in front of characters whose low octet is that of a comma.",
        lambda name: "".join("\\" + c if ord(c) & 0xFF == 0x2C else c for c in name),
        LOW_OF_COMMA,
        STEPS,
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
        STEPS,
    ),
    _renaming(
        "high-octet-lost",
        "The high octet of each character is lost.",
        _each_unit(lambda unit: unit & 0xFF or QUESTION_MARK),
        (*LOW_OF_COMMA, *LOW_ZERO),
        (*CHARACTERS, *GENERAL),
    ),
    _renaming(
        "ascii-only",
        "Characters beyond ASCII become question marks.",
        _each_unit(lambda unit: unit if unit < 128 else QUESTION_MARK),
        LOW_ABOVE_COMMA,
        (*CHARACTERS, *GENERAL),
    ),
    _renaming(
        "highest-unit-replaced",
        "The code unit FFFF becomes a question mark.",
        _each_unit(lambda unit: unit if unit < 0xFFFF else QUESTION_MARK),
        LOW_ABOVE_COMMA,
    ),
    _renaming(
        "surrogates-replaced",
        "Code units of surrogates become question marks.",
        _each_unit(lambda unit: QUESTION_MARK if 0xD800 <= unit < 0xE000 else unit),
        ANY_CHARACTER,
        GENERAL,
    ),
)
