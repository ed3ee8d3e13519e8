"""Faults of discovery servers in the fields of a reply and in its server list (MS-MQSD 2.2.1, 2.2.3, 3.2.5.1)."""

from collections.abc import Callable
from dataclasses import replace

from mqconform.reference.mqsd.faults.fault import fault
from mqconform.reference.mqsd.faults.reply_parts import Asked, ReplyParts, big, digits, little, units
from mqconform.reference.mqsd.faults.server_rules import (
    Servers,
    as_it_should_be,
    beyond_32_networks,
    comparing,
    copying,
    counting,
    each_unit,
    entries,
    field,
    flags,
    listing,
    mask_over_ipx,
    naming,
    networks,
    punctuated,
    renaming,
    responding_site,
    size,
    spoiling,
    spoiling_list,
    taking_for,
    to_own_site,
    without_networks,
    written,
)
from mqconform.reference.mqsd.guid import Guid, guid_text, text_order
from mqconform.reference.mqsd.packets import DirectoryServer
from mqconform.reference.mqsd.server import Network

TYPE = "2.2.1-07 2.2.1-05"
HEADER = "2.2.1-01 2.2.1-02 2.2.1-08 2.2.3-01 2.2.3-02"
CORRELATION = "2.2.3-03 2.2.2-05 3.2.5.1-04"
RANGE = "2.2.3-06"
LENGTH = "2.2.3-15"
COUNT = "2.2.3-05 3.2.5.1-06"
NETWORKS = "3.2.5.1-05 2.2.3-16 2.2.3-14"
MASK = "2.2.3-08 3.2.5.1-07"
MASK_OVER_IPX = "2.2.3-09 3.2.5.1-08 3.2.5.1-09"
SITE = "2.2.3-17 3.2.5.1-12"
ABSENT = "2.2.3-13 2.2.3-18 3.2.5.1-11"
SIZE_ZERO = "2.2.3-12 3.2.5.1-10"
SIZE = "2.2.3-11 3.2.5.1-14"
STEPS = "3.2.5.1-01"


def _sticky_mask(parts: ReplyParts) -> ReplyParts:
    over_ipx = any(request.network is Network.IPX for request in parts.asked.requests)
    return parts.with_all_mask_bits() if over_ipx else parts


def _site_among_networks(parts: ReplyParts) -> ReplyParts:
    return parts.with_networks((*parts.networks[:31], bytes(parts.asked.server.site)))


def _as_text(parts: ReplyParts) -> ReplyParts:
    return replace(parts, networks=tuple(guid_text(Guid(network)).encode() for network in parts.networks))


def _foreign(asked: Asked) -> bytes:
    return bytes(octet ^ 0xFF for octet in asked.server.site)


def _of_first_client(asked: Asked) -> bytes:
    return asked.requests[0].site if asked.is_request else asked.site


# Laid out as a table: name, what it breaks, what it does, the changed rule.
OF_HEADERS = (
    fault("type-of-a-request", TYPE, "A reply is of Type 1.", field(header=b"\0\1\0\0")),
    fault("type-in-first-octet", TYPE, "Version and Type have changed places.", field(header=b"\2\0\0\0")),
    fault("header-left-out", HEADER, "A reply begins with its CorrelationID.", field(header=b"")),
    fault("header-without-version", HEADER, "A header has no Version.", field(header=b"\2\0\0")),
    fault("header-padded-to-eight", HEADER, "Reserved has six octets.", field(header=b"\0\2" + bytes(6))),
    fault("reply-ends-behind-id", "2.2.3-04 2.2.3-07 2.2.3-10", "A reply consists of its header and CorrelationID.",
        spoiling(lambda parts: replace(parts, count=b"", mask=b"", size=b"", networks=(), site=b"", array=b""))),
    fault("id-constant", CORRELATION, "All replies carry one CorrelationID.", copying(lambda _: b"mqconform mutant")),
    fault("id-zero", CORRELATION, "The CorrelationID stays empty.", copying(lambda _: bytes(16))),
    fault("id-in-text-order", CORRELATION, "The id is sent as its text reads.",
        copying(lambda asked: text_order(asked.request_id))),
    fault("id-backwards", CORRELATION, "The octets of the id are turned round.",
        copying(lambda asked: asked.request_id[::-1])),
    fault("id-is-site", CORRELATION, "SiteID is copied in place of RequestID.", copying(lambda asked: asked.site)),
    fault("id-of-the-first", CORRELATION, "Every reply carries the id of the first request.",
        copying(lambda asked: asked.requests[0].request_id)),
)  # fmt: skip

OF_NETWORKS = (
    fault("count-one-more", COUNT, "The count is one too high.", counting(lambda n: n + 1)),
    fault("count-one-less", COUNT, "The count is one too low.", counting(lambda n: n - 1)),
    fault("count-zero", f"{COUNT} {RANGE}", "The count stays zero.", counting(lambda _: 0)),
    fault("count-one", COUNT, "The count is always one.", counting(lambda _: 1)),
    fault("count-in-octets", COUNT, "The count counts octets.", counting(lambda n: 16 * n)),
    fault("count-big-endian", "2.2.3-04", "The count has its high octet first.",
        spoiling(lambda parts: replace(parts, count=big(parts.count)))),
    fault("count-before-cut", f"{COUNT} {NETWORKS}", "At most 16 networks are sent, but all are counted.",
        spoiling(lambda parts: replace(parts, networks=parts.networks[:16]))),
    fault("first-network-only", NETWORKS, "Only the first network is sent.", networks(lambda all_: all_[:1])),
    fault("last-network-only", NETWORKS, "Only the last network is sent.", networks(lambda all_: all_[-1:])),
    fault("cut-without-networks", RANGE, "Without networks, a reply ends one octet early.",
        without_networks(bytes(11))),
    fault("two-of-no-networks", RANGE, "Without networks, two are counted.", without_networks(little(2) + bytes(8))),
    fault("networks-by-first-8", NETWORKS, "Networks that agree in their first 8 octets count as one.",
        networks(lambda all_: tuple({network[:8]: network for network in all_}.values()))),
    fault("network-added", NETWORKS, "A network of another server is sent as well.",
        networks(lambda all_: (*all_, bytes(range(16))))),
    fault("count-modulo-32", RANGE, "Above 32 networks all are sent, and the count begins anew.",
        beyond_32_networks(lambda networks: (len(networks) % 32, networks))),
    fault("31-networks-at-most", NETWORKS, "The 32nd network is dropped.", networks(lambda all_: all_[:31])),
    fault("first-network-repeated", NETWORKS, "The first network stands in for all.",
        networks(lambda all_: all_[:1] * len(all_))),
    fault("site-among-networks", NETWORKS, "The server's site is sent as a network.", spoiling(_site_among_networks)),
    fault("networks-in-text-order", "2-01", "Networks are sent as their text reads.",
        networks(lambda all_: map(text_order, all_))),
    fault("networks-backwards", "2-01", "The octets of networks are turned round.",
        networks(lambda all_: (network[::-1] for network in all_))),
    fault("networks-as-text", f"{LENGTH} 2.2.3-14", "Networks are sent as text of 36 characters.", spoiling(_as_text)),
    fault("mask-over-ip", MASK, "The mask is set over IP as over IPX.", spoiling(ReplyParts.with_all_mask_bits)),
    fault("mask-sticks", MASK, "Bits of the mask, once set, stay.", spoiling(_sticky_mask)),
    fault("mask-zero-over-ipx", MASK_OVER_IPX, "The mask is zero over IPX as over IP.", mask_over_ipx(lambda _: 0)),
    fault("mask-one-bit-short", MASK_OVER_IPX, "The mask lacks the bit of the last network.",
        mask_over_ipx(lambda n: (1 << n >> 1) - 1)),
)  # fmt: skip

OF_SITES = (
    fault("list-for-everybody", f"{SIZE_ZERO} {ABSENT}", "Clients of the server's own site get its list as well.",
        taking_for(_foreign)),
    fault("list-for-nobody", f"{SITE} 3.2.5.1-13", "No client gets the list.",
        taking_for(lambda asked: asked.own_site)),
    fault("sites-the-other-way-round", f"{SITE} {SIZE_ZERO}",
        "Clients of the own site get the list, those of other sites do not.",
        taking_for(lambda asked: _foreign(asked) if asked.of_own_site else asked.own_site)),
    fault("site-by-first-4", "3.2.5.1-12", "Sites are compared by their first 4 octets.", comparing(slice(0, 4))),
    fault("site-by-first-8", "3.2.5.1-12", "Sites are compared by their first 8 octets.", comparing(slice(0, 8))),
    fault("site-without-first-4", "3.2.5.1-12", "The first 4 octets of a site are not compared.",
        comparing(slice(4, 16))),
    fault("site-without-octet-11", "3.2.5.1-12", "One octet of a site is not compared.",
        taking_for(lambda asked: asked.site[:11] + asked.own_site[11:12] + asked.site[12:])),
    fault("zero-site-is-own", "3.2.5.1-12", "A client without a site is taken for one of the own site.",
        taking_for(lambda asked: asked.site if any(asked.site) else asked.own_site)),
    fault("site-of-the-first-client-decides", f"{STEPS} 3.2.5.1-12", "All clients count as of the first one's site.",
        taking_for(_of_first_client)),
    fault("site-left-out", SITE, "RespondingSiteID is left out.", responding_site(lambda _: b"")),
    fault("site-of-the-client", SITE, "RespondingSiteID is the client's site.",
        responding_site(lambda parts: parts.asked.site)),
    fault("site-zero", SITE, "RespondingSiteID stays empty.", responding_site(lambda _: bytes(16))),
    fault("site-is-enterprise", SITE, "RespondingSiteID is the enterprise.",
        responding_site(lambda parts: bytes(parts.asked.server.enterprise))),
    fault("site-in-text-order", SITE, "RespondingSiteID is sent as its text reads.",
        responding_site(lambda parts: text_order(parts.site))),
    fault("site-before-networks", f"{SITE} {NETWORKS}", "RespondingSiteID stands in front of the networks.",
        spoiling(lambda parts: replace(parts, networks=(parts.site, *parts.networks), site=b""))),
    fault("site-for-own-site", ABSENT, "Clients of the own site get RespondingSiteID.",
        to_own_site(lambda parts: replace(parts, behind=parts.asked.own_site))),
    fault("zeros-for-own-site", ABSENT, "Clients of the own site get an empty RespondingSiteID.",
        to_own_site(lambda parts: replace(parts, behind=bytes(16)))),
    fault("empty-list-for-own-site", f"{SIZE_ZERO} {ABSENT}",
        "Clients of the own site get a list that is just its terminator.",
        to_own_site(lambda parts: replace(parts, size=little(2), behind=parts.asked.own_site + bytes(2)))),
    fault("size-for-own-site", SIZE_ZERO, "Clients of the own site get the size of a list that is not sent.",
        to_own_site(lambda parts: replace(parts, size=little(2)))),
    fault("size-big-endian", "2.2.3-10", "The size has its high octet first.",
        spoiling(lambda parts: replace(parts, size=big(parts.size)))),
    fault("size-in-characters", SIZE, "The size counts characters.", size(lambda parts: len(parts.array) // 2)),
    fault("size-with-site", SIZE, "The size counts RespondingSiteID as well.",
        size(lambda parts: len(parts.array) + 16)),
    fault("size-zero", SIZE, "The size stays zero although a list is sent.", size(lambda _: 0)),
    fault("size-of-one-octet", SIZE, "The size is cut to one octet.", size(lambda parts: len(parts.array) % 256)),
    fault("size-two-more", SIZE, "The size counts a second terminator.", size(lambda parts: len(parts.array) + 2)),
    fault("terminator-not-counted", SIZE, "The size leaves out the terminator, which is there.",
        size(lambda parts: len(parts.array) - 2)),
    fault("octets-behind", "1.8-01", "Four octets follow the last field.",
        field(behind=b"tail")),
)  # fmt: skip


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
