"""Discovery servers unlike the reference: what the text leaves to a server, and three readings that it does not."""

from dataclasses import replace
from itertools import count
from typing import TypeVar

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mqsd_server.faulty import AnsweringServer, Reopening, answering, server, with_socket
from mqconform.harness.iut.reference_iut.discovery_server import ReferenceDiscoveryServer
from mqconform.harness.iut.server_configurations import is_plain_name
from mqconform.reference.fault import variant
from mqconform.reference.mqsd.faults.reply_parts import Asked, ReplyParts, little, right_reply, units
from mqconform.reference.mqsd.faults.server_rules import (
    Answer,
    Servers,
    beyond_32_networks,
    each_unit,
    field,
    heeding,
    listing,
    naming,
    networks,
    reading,
    renaming,
    spoiling,
    without_networks,
    written,
)
from mqconform.reference.mqsd.specification import FACTS

Element = TypeVar("Element")


class RefusesNames(ReferenceDiscoveryServer):
    """A server that has no names but plain computer names."""

    def configure(
        self, enterprise: str, site: str, connected_networks: list[str], directory_servers: list[Json]
    ) -> Json:
        """Refuse what is no computer name."""
        if not all(is_plain_name(server["name"]) for server in directory_servers):
            raise NoComputerName("not a computer name")
        return super().configure(enterprise, site, connected_networks, directory_servers)


class NoComputerName(ValueError):
    """A name that an administration refuses; adapters turn the code into an error answer."""

    code = -32602


def _without_names(tail: bytes) -> Answer:
    """Send RespondingSiteID and a list of a server's own where it has no names (register SD-24)."""

    def spoil(parts: ReplyParts) -> ReplyParts:
        asked = parts.asked
        if asked.server.directory_servers or asked.of_own_site:
            return parts
        return replace(parts, site=bytes(asked.server.site)).with_array(tail)

    return spoiling(spoil)


def _taking_turns() -> AnsweringServer:
    """Begin both lists with another element at each datagram (register SD-26)."""
    turns = count(1)

    def answer(asked: Asked) -> list[bytes]:
        turn, parts = next(turns), right_reply(asked)
        if parts is None:
            return []
        parts = parts.with_networks(_rotated(parts.networks, turn))
        if parts.foreign:
            parts = parts.with_array(units(written(_rotated(parts.servers, turn))))
        return [parts.octets()]

    return AnsweringServer(answer)


def _rotated(several: tuple[Element, ...], by: int) -> tuple[Element, ...]:
    at = by % len(several)
    return several[at:] + several[:at]


def _zeros_behind(asked: Asked) -> bytes:
    """Make a request out of anything that claims to be one (register SD-18)."""
    claims = asked.request[1:2] in (b"", b"\1")
    return b"\0\1" + asked.request[2:].ljust(FACTS.request_size - 2, b"\0") if claims else b""


def _mask_from_highest_bit(parts: ReplyParts) -> ReplyParts:
    number = len(parts.networks)
    return replace(parts, mask=little(((1 << number) - 1) << (32 - number))) if parts.over_ipx else parts


def _as_json_readers_do(servers: Servers) -> bytes:
    """Lose unpaired surrogates, as a reader of JSON may that knows whole characters only."""
    return units(written(servers)).decode("utf-16-le", "replace").encode("utf-16-le")


QUESTION_MARK = ord("?")
NAMED = (
    variant("numbered-names-left-out", "Names of digits are not listed.",
        naming(lambda servers: [server for server in servers if not server.name.isdigit()] or servers[:1])),
    variant("names-cut-at-15", "Names are cut behind 15 characters.", renaming(lambda name: name[:15])),
    variant("names-trimmed", "Blanks at the ends of names are lost.", renaming(lambda name: name.strip(" ") or "_")),
    variant("controls-replaced", "Control characters become question marks.",
        renaming(each_unit(lambda unit: unit if unit > 31 else QUESTION_MARK))),
    variant("ascii-only", "Characters beyond ASCII become question marks.",
        renaming(each_unit(lambda unit: unit if unit < 128 else QUESTION_MARK))),
    variant("highest-unit-replaced", "The code unit FFFF becomes a question mark.",
        renaming(each_unit(lambda unit: unit if unit < 0xFFFF else QUESTION_MARK))),
    variant("surrogates-replaced", "Code units of surrogates become question marks.",
        renaming(each_unit(lambda unit: QUESTION_MARK if 0xD800 <= unit < 0xE000 else unit))),
    variant("names-upper-cased", "Names are put into capitals (register SD-77).", renaming(str.upper)),
    variant("names-lower-cased", "Names are converted to lower case (register SD-77).", renaming(str.lower)),
)  # fmt: skip
ROWS = (
    variant("version-7", "A reply has Version 7.", field(header=b"\7\2\0\0")),
    variant("reserved-not-zero", "A reply has Reserved octets that are not zero.", field(header=b"\0\2\xca\xfe")),
    variant("version-of-the-request", "A reply has Version and Reserved of the request.",
        spoiling(lambda parts: replace(parts, header=parts.asked.request[:1] + b"\2" + parts.asked.request[2:4]))),
    variant("names-reversed", "Names stand in reverse order.", naming(reversed)),
    variant("names-by-protocol", "Names stand in the order of what they speak, with the flags of each.",
        naming(lambda servers: sorted(servers, key=lambda entry: (entry.ip, entry.ipx)))),
    variant("names-sorted", "Names stand in alphabetical order.",
        naming(lambda servers: sorted(servers, key=lambda entry: entry.name))),
    variant("networks-reversed", "Networks stand in reverse order.", networks(reversed)),
    variant("networks-sorted", "Networks stand in rising order.", networks(lambda networks: sorted(set(networks)))),
    variant("malformed-answered", "Requests cut short are answered as if zeros followed.", reading(_zeros_behind)),
    variant("mask-in-high-bits", "Bits of the mask are set from the highest.", spoiling(_mask_from_highest_bit)),
    variant("mask-big-endian", "The mask has its high octet first.",
        spoiling(lambda parts: replace(parts, mask=parts.mask[::-1]))),
    variant("no-networks-count-zero", "Without networks, the count is zero.", without_networks(bytes(12))),
    variant("no-networks-placeholder", "Without networks, an empty identifier stands in.",
        without_networks(little(1) + bytes(24))),
    variant("no-names-silent", "Without names, clients of other sites are not answered.",
        heeding(lambda asked: bool(asked.server.directory_servers) or asked.of_own_site)),
    variant("no-names-but-site", "Without names, RespondingSiteID is sent all the same.", _without_names(b"")),
    variant("no-names-but-terminator", "Without names, the list is its terminator.", _without_names(bytes(2))),
    variant("32-networks-of-more", "Of more than 32 networks, 32 are sent.",
        beyond_32_networks(lambda networks: (32, networks[-32:]))),
    variant("count-above-32", "More than 32 networks are sent and counted.",
        beyond_32_networks(lambda networks: (len(networks), networks))),
    variant("foreign-enterprise-unanswered", "Clients of another enterprise are not answered.",
        heeding(lambda asked: asked.request[FACTS.enterprise_id] == asked.server.enterprise)),
    variant("any-type-answered", "Packets of any Type are taken for requests.",
        reading(lambda asked: asked.request[:1] + b"\1" + asked.request[2:])),
    variant("names-twice", "Each name is listed twice, where a datagram has room.",
        listing(lambda servers: units(written(servers * (2 if len(servers) < 1000 else 1))))),
    variant("nulls-between", "Nulls stand between the entries.",
        listing(lambda servers: units(written(servers, between="\0")))),
    variant("unpaired-surrogates-lost", "Unpaired surrogates become U+FFFD, as JSON may make of them.",
        listing(_as_json_readers_do)),
)  # fmt: skip

MUTANTS = (
    *answering((*NAMED, *ROWS)),
    server("refuses-unusual-names", "", "Only computer names can be configured.", RefusesNames),
    server("order-takes-turns", "", "Names and networks stand in another order each time.", _taking_turns),
    server("two-sockets-reopened", "", "Two sockets are opened after a failed send, for IPv4 and IPv6.",
        with_socket(lambda socket, can_open: replace(socket, listening=can_open,
            sockets_opened=socket.sockets_opened + (2 if can_open else 0)))),
    server("opens-at-second-attempt", "", "A socket that cannot be opened is opened at another attempt.",
        with_socket(lambda socket, can_open: replace(socket,
            sockets_opened=socket.sockets_opened + (1 if can_open else 2)))),
    server("reopens-late", "", "Two requests are missed until the socket is open again.", lambda: Reopening(2)),
)  # fmt: skip
