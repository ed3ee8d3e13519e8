"""Faults of discovery servers in the server list, how it is written and whom it names (MS-MQSD 2.2.3, 3.2.5.1)."""

from collections.abc import Callable
from dataclasses import replace

from mqconform.reference.mqsd.faults.fault import fault
from mqconform.reference.mqsd.faults.reply_parts import ReplyParts, digits, little, units
from mqconform.reference.mqsd.faults.server_rules import (
    Servers,
    as_it_should_be,
    each_unit,
    entries,
    flags,
    listing,
    naming,
    punctuated,
    renaming,
    spoiling_list,
    written,
)
from mqconform.reference.mqsd.packets import DirectoryServer

GRAMMAR = "2.2.3-26 2.2.3-27"
UTF_16 = "2.2.3-19"
DELIMITER = "2.2.3-43 2.2.3-46"
COMMA = f"{DELIMITER} 2.2.3-20"
NULL = "2.2.3-44"
IP_FLAG = "2.2.3-21 2.2.3-30"
IPX_FLAG = "2.2.3-22 2.2.3-31"
EITHER_FLAG = "2.2.3-28 2.2.3-29"
FLAGS = f"{IP_FLAG} {IPX_FLAG} {EITHER_FLAG}"
NAMES = "2.2.3-23 2.2.3-20 3.2.5.1-13"
NO_DELIMITER = "2.2.3-24 2.2.3-25"
ENTRY = "2.2.3-45"
ALL_NAMES = "3.2.5.1-13 2.2.3-20"
LOW_BELOW_COMMA = "2.2.3-38 2.2.3-32 2.2.3-34"
LOW_OF_COMMA = "2.2.3-39 2.2.3-33 2.2.3-35"
LOW_ABOVE_COMMA = "2.2.3-40 2.2.3-36"
LOW_ZERO = "2.2.3-41 2.2.3-37"
ANY_CHARACTER = "2.2.3-42"
QUESTION_MARK = ord("?")


def _flags_of_one_octet(servers: Servers) -> bytes:
    return b",\0".join(digits(server).encode("ascii") + units(server.name) for server in servers) + bytes(2)


def _comma_of_one_octet(servers: Servers) -> bytes:
    return b",".join(units(as_it_should_be(server)) for server in servers) + bytes(2)


def _without_counted_null(parts: ReplyParts) -> ReplyParts:
    return replace(parts, array=parts.array[:-2], size=little(len(parts.array)))


def _cut_at(is_end: Callable[[int], bool]) -> Callable[[str], str]:
    """End a name in front of the first code unit that is taken for its end."""

    def rename(name: str) -> str:
        ends = (at for at, character in enumerate(name) if at and is_end(ord(character)))
        return name[: next(ends, len(name))]

    return rename


# Laid out as a table: name, what it breaks, what it does, the changed rule.
OF_ARRAYS = (
    fault("list-in-ascii", UTF_16, "The list is written in characters of one octet.",
        listing(lambda servers: written(servers).encode("ascii", "replace"))),
    fault("list-big-endian", UTF_16, "Characters have their high octet first.",
        listing(lambda servers: written(servers).encode("utf-16-be", "replace"))),
    fault("list-in-utf-32", UTF_16, "Characters have four octets.",
        listing(lambda servers: written(servers).encode("utf-32-le", "replace"))),
    fault("list-with-byte-order-mark", f"{GRAMMAR} {FLAGS}", "A byte order mark stands in front of the list.",
        listing(lambda servers: units("\ufeff" + written(servers)))),
    fault("flags-of-one-octet", FLAGS, "Flags have one octet each.", listing(_flags_of_one_octet)),
    fault("flags-left-out", FLAGS, "An entry is just a name.", entries(lambda server: server.name)),
    fault("one-flag", IPX_FLAG, "There is no flag for IPX.", entries(lambda server: digits(server)[0] + server.name)),
    fault("flags-as-numbers", FLAGS, "Flags are the numbers 1 and 0 in place of digits.",
        entries(lambda server: digits(server).translate({0x30: 0, 0x31: 1}) + server.name)),
    fault("flags-as-letters", FLAGS, "Flags are the letters Y and N.",
        entries(lambda server: digits(server).translate({0x30: "N", 0x31: "Y"}) + server.name)),
    fault("flags-behind-the-name", FLAGS, "Flags stand behind the name.",
        entries(lambda server: server.name + digits(server))),
    fault("flags-always-11", "2.2.3-21 2.2.3-22 2.2.3-20", "All servers are said to speak IP and IPX.",
        flags(lambda _: "11")),
    fault("flags-always-00", "2.2.3-21 2.2.3-22 2.2.3-20", "All servers are said to speak neither IP nor IPX.",
        flags(lambda _: "00")),
    fault("flags-always-10", "2.2.3-21 2.2.3-22 2.2.3-20", "All servers are said to speak IP only.",
        flags(lambda _: "10")),
    fault("flags-always-01", "2.2.3-21 2.2.3-22 2.2.3-20", "All servers are said to speak IPX only.",
        flags(lambda _: "01")),
    fault("flags-exchanged", "2.2.3-21 2.2.3-22 2.2.3-20", "The flag for IPX stands in front.",
        flags(lambda server: digits(server)[::-1])),
    fault("flags-inverted", "2.2.3-21 2.2.3-22 2.2.3-20", "A flag is 1 where the protocol is not spoken.",
        flags(lambda server: f"{not server.ip:d}{not server.ipx:d}")),
    fault("flag-of-ip-always-set", "2.2.3-21 2.2.3-20", "All servers are said to speak IP.",
        flags(lambda server: f"1{server.ipx:d}")),
    fault("flag-of-ipx-never-set", "2.2.3-22 2.2.3-20", "No server is said to speak IPX.",
        flags(lambda server: f"{server.ip:d}0")),
    fault("name-left-out", f"{ENTRY} {NAMES}", "An entry is just two flags.", entries(digits)),
    fault("name-holds-comma", NO_DELIMITER, "A port follows each name behind a comma.",
        entries(lambda server: as_it_should_be(server) + ",1801")),
    fault("name-ends-in-null", f"{NULL} {COMMA}", "A null ends each name in front of the comma.",
        entries(lambda server: as_it_should_be(server) + "\0")),
    fault("semicolons", COMMA, "Semicolons stand between the entries.", punctuated(between=";")),
    fault("comma-and-blank", COMMA, "A blank follows each comma.", punctuated(between=", ")),
    fault("two-commas", COMMA, "Two commas stand between the entries.", punctuated(between=",,")),
    fault("nothing-between", COMMA, "Nothing stands between the entries.", punctuated(between="")),
    fault("comma-of-one-octet", COMMA, "A comma has one octet.", listing(_comma_of_one_octet)),
    fault("comma-at-the-end", COMMA, "A comma follows the last entry as well.", punctuated(end=",\0")),
    fault("comma-in-front", COMMA, "A comma stands in front of the first entry.",
        listing(lambda servers: units("," + written(servers)))),
    fault("no-terminator", NULL, "No null ends the list, and none is counted.", punctuated(end="")),
    fault("two-terminators", NULL, "Two nulls end the list.", punctuated(end="\0\0")),
    fault("comma-for-null", NULL, "A comma ends the list in place of the null.", punctuated(end=",")),
    fault("terminator-of-one-octet", f"{NULL} {UTF_16}", "One octet of zero ends the list.",
        listing(lambda servers: units(written(servers))[:-1])),
    fault("terminator-counted-not-sent", f"{NULL} 2.2.3-11", "The size counts a null that is not sent.",
        spoiling_list(_without_counted_null)),
)  # fmt: skip

OF_NAMES = (
    fault("first-name-only", ALL_NAMES, "Only the first name is listed.", naming(lambda servers: servers[:1])),
    fault("last-name-only", ALL_NAMES, "Only the last name is listed.", naming(lambda servers: servers[-1:])),
    fault("four-names-at-most", ALL_NAMES, "The fifth name and those behind it are dropped.",
        naming(lambda servers: servers[:4])),
    fault("32-names-at-most", ALL_NAMES, "The 33rd name and those behind it are dropped.",
        naming(lambda servers: servers[:32])),
    fault("names-within-names-dropped", ALL_NAMES, "A name that is part of one before it is dropped.",
        naming(lambda servers: [server for place, server in enumerate(servers)
            if not any(server.name in other.name for other in servers[:place])])),
    fault("ip-servers-only", ALL_NAMES, "Servers that do not speak IP are not listed.",
        naming(lambda servers: tuple(server for server in servers if server.ip) or servers[:1])),
    fault("name-added", ALL_NAMES, "The server lists a name that it was not given.",
        naming(lambda servers: (*servers, DirectoryServer("LOCALHOST", ip=True, ipx=False)))),
    fault("names-padded-to-15", NAMES, "Names are filled up with blanks.", renaming(lambda name: name.ljust(15))),
    fault("names-without-first-character", NAMES, "The first character of names is lost.",
        renaming(lambda name: name[1:] or name)),
    fault("names-cut-at-8", ANY_CHARACTER, "Names are cut behind 8 characters.", renaming(lambda name: name[:8])),
    fault("names-without-leading-digits", LOW_ABOVE_COMMA, "Digits in front of names are taken for flags.",
        renaming(lambda name: name.lstrip("01") or name)),
    fault("names-without-b", LOW_ABOVE_COMMA, "Names lose the letter B.",
        renaming(lambda name: name.replace("B", "") or name)),
    fault("low-octet-2c-is-comma", LOW_OF_COMMA, "A name ends at any character whose low octet is that of a comma.",
        renaming(_cut_at(lambda unit: unit & 0xFF == 0x2C))),
    fault("low-octet-2c-escaped", LOW_OF_COMMA,
        "A backslash stands in front of characters whose low octet is that of a comma.",
        renaming(lambda name: "".join("\\" + c if ord(c) & 0xFF == 0x2C else c for c in name))),
    fault("high-octet-2c-is-comma", f"{LOW_BELOW_COMMA} {LOW_ZERO}",
        "A name ends at the characters 2C00 and 2C01, taken for commas.",
        renaming(_cut_at(lambda unit: unit in (0x2C00, 0x2C01)))),
    fault("low-octet-zero-is-null", LOW_ZERO, "A name ends at any character whose low octet is zero.",
        renaming(_cut_at(lambda unit: unit & 0xFF == 0))),
    fault("high-octet-lost", LOW_OF_COMMA, "The high octet of each character is lost.",
        renaming(each_unit(lambda unit: unit & 0xFF or QUESTION_MARK))),
)  # fmt: skip
