"""Discovery servers unlike the reference: what the text leaves to a server, and three readings that it does not."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count
from typing import TypeVar

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mqsd_server.answering_server import (
    AnsweringServer,
    answering,
    heeding,
    reading,
    right_replies,
    server,
    spoilt,
    spoilt_with_list,
)
from mqconform.harness.iut.mutants.mqsd_server.reply_fields import (
    beyond_32_networks,
    sending_networks,
    without_networks,
)
from mqconform.harness.iut.mutants.mqsd_server.reply_parts import Asked, ReplyParts, little, right_reply, units
from mqconform.harness.iut.mutants.mqsd_server.server_list import Servers, each_unit, listing, renaming, written
from mqconform.harness.iut.mutants.mqsd_server.service import Reopening, socket_after_failure
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.reference_iut.discovery_server import ReferenceDiscoveryServer
from mqconform.harness.iut.server_configurations import is_plain_name
from mqconform.reference.mqsd.packets import DirectoryServer
from mqconform.reference.mqsd.specification import FACTS

Element = TypeVar("Element")


def _header(name: str, says: str, header: bytes) -> Mutant:
    return server(name, says, spoilt(lambda parts: replace(parts, header=header)))


def _names(name: str, says: str, order: Callable[[Servers], Iterable[DirectoryServer]]) -> Mutant:
    return server(name, says, listing(lambda servers: units(written(order(servers)))))


def _restricting(name: str, says: str, rename: Callable[[str], str]) -> Mutant:
    """Change names in a way that the register leaves open."""
    return server(name, says, renaming(rename))


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


def _without_names(name: str, says: str, tail: bytes) -> Mutant:
    """Send RespondingSiteID and a list of a server's own where it has no names (register SD-24)."""

    def spoil(parts: ReplyParts) -> ReplyParts:
        asked = parts.asked
        if asked.server.directory_servers or asked.of_own_site:
            return parts
        return replace(parts, site=bytes(asked.server.site)).with_array(tail)

    return server(name, says, spoilt(spoil))


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
RESTRICTED = (
    server("refuses-unusual-names", "Only computer names can be configured.", RefusesNames),
    server(
        "numbered-names-left-out",
        "Names of digits are not listed.",
        listing(
            lambda servers: units(written([server for server in servers if not server.name.isdigit()] or servers[:1]))
        ),
    ),
    _restricting("names-cut-at-15", "Names are cut behind 15 characters.", lambda name: name[:15]),
    _restricting("names-trimmed", "Blanks at the ends of names are lost.", lambda name: name.strip(" ") or "_"),
    _restricting(
        "controls-replaced",
        "Control characters become question marks.",
        each_unit(lambda unit: unit if unit > 31 else QUESTION_MARK),
    ),
    _restricting(
        "ascii-only",
        "Characters beyond ASCII become question marks.",
        each_unit(lambda unit: unit if unit < 128 else QUESTION_MARK),
    ),
    _restricting(
        "highest-unit-replaced",
        "The code unit FFFF becomes a question mark.",
        each_unit(lambda unit: unit if unit < 0xFFFF else QUESTION_MARK),
    ),
    _restricting(
        "surrogates-replaced",
        "Code units of surrogates become question marks.",
        each_unit(lambda unit: QUESTION_MARK if 0xD800 <= unit < 0xE000 else unit),
    ),
)
OTHER_CASE = (
    _restricting("names-upper-cased", "Names are put into capitals (register SD-77).", str.upper),
    _restricting("names-lower-cased", "Names are put into small letters (register SD-77).", str.lower),
)

MUTANTS = (
    *RESTRICTED,
    *OTHER_CASE,
    _header("version-7", "A reply has Version 7.", b"\7\2\0\0"),
    _header("reserved-not-zero", "A reply has Reserved octets that are not zero.", b"\0\2\xca\xfe"),
    server(
        "version-of-the-request",
        "A reply has Version and Reserved of the request.",
        spoilt(lambda parts: replace(parts, header=parts.asked.request[:1] + b"\2" + parts.asked.request[2:4])),
    ),
    _names("names-reversed", "Names stand in reverse order.", reversed),
    _names(
        "names-by-protocol",
        "Names stand in the order of what they speak, with the flags of each.",
        lambda servers: sorted(servers, key=lambda entry: (entry.ip, entry.ipx)),
    ),
    _names(
        "names-sorted",
        "Names stand in alphabetical order.",
        lambda servers: sorted(servers, key=lambda entry: entry.name),
    ),
    server("networks-reversed", "Networks stand in reverse order.", sending_networks(reversed)),
    server(
        "networks-sorted", "Networks stand in rising order.", sending_networks(lambda networks: sorted(set(networks)))
    ),
    server("order-takes-turns", "Names and networks stand in another order each time.", _taking_turns),
    server("malformed-answered", "Requests cut short are answered as if zeros followed.", reading(_zeros_behind)),
    server("mask-in-high-bits", "Bits of the mask are set from the highest.", spoilt(_mask_from_highest_bit)),
    server(
        "mask-big-endian",
        "The mask has its high octet first.",
        spoilt(lambda parts: replace(parts, mask=parts.mask[::-1])),
    ),
    server("no-networks-count-zero", "Without networks, the count is zero.", without_networks(bytes(12))),
    server(
        "no-networks-placeholder",
        "Without networks, an empty identifier stands in.",
        without_networks(little(1) + bytes(24)),
    ),
    server(
        "no-names-silent",
        "Without names, clients of other sites are not answered.",
        heeding(lambda asked: bool(asked.server.directory_servers) or asked.of_own_site),
    ),
    _without_names("no-names-but-site", "Without names, RespondingSiteID is sent all the same.", b""),
    _without_names("no-names-but-terminator", "Without names, the list is its terminator.", bytes(2)),
    socket_after_failure(
        "two-sockets-reopened",
        "Two sockets are opened after a failed send, for IPv4 and IPv6.",
        lambda socket, can_open: replace(
            socket, listening=can_open, sockets_opened=socket.sockets_opened + (2 if can_open else 0)
        ),
    ),
    server(
        "32-networks-of-more",
        "Of more than 32 networks, 32 are sent.",
        beyond_32_networks(lambda networks: (32, networks[-32:])),
    ),
    server(
        "count-above-32",
        "More than 32 networks are sent and counted.",
        beyond_32_networks(lambda networks: (len(networks), networks)),
    ),
    server("reopens-late", "Two requests are missed until the socket is open again.", lambda: Reopening(2)),
    socket_after_failure(
        "opens-at-second-attempt",
        "A socket that cannot be opened is opened at another attempt.",
        lambda socket, can_open: replace(socket, sockets_opened=socket.sockets_opened + (1 if can_open else 2)),
    ),
    server(
        "foreign-enterprise-unanswered",
        "Clients of another enterprise are not answered.",
        heeding(lambda asked: asked.request[FACTS.enterprise_id] == asked.server.enterprise),
    ),
    server(
        "any-type-answered",
        "Packets of any Type are taken for requests.",
        reading(lambda asked: asked.request[:1] + b"\1" + asked.request[2:]),
    ),
    server(
        "terminator-not-counted",
        "The size leaves out the terminator, which is there.",
        spoilt_with_list(lambda parts: replace(parts, size=little(len(parts.array) - 2))),
        ("MQSD-2.2.3-11", "MQSD-3.2.5.1-14"),
    ),
    server(
        "octets-behind",
        "Four octets follow the last field.",
        spoilt(lambda parts: replace(parts, behind=b"tail")),
        ("MQSD-1.8-01",),
    ),
    server("names-twice", "Each name is listed twice.", listing(lambda servers: units(written(servers * 2)))),
    server(
        "nulls-between",
        "Nulls stand between the entries.",
        listing(lambda servers: units(written(servers, between="\0"))),
    ),
    server(
        "babbles-at-malformed",
        "Malformed datagrams are answered by malformed ones.",
        answering(lambda asked: right_replies(asked) if len(asked.request) >= FACTS.request_size else [b"\0\2\0\0"]),
        ("MQSD-2.2.3-04",),
    ),
    server(
        "unpaired-surrogates-lost",
        "Unpaired surrogates become U+FFFD, as JSON may make of them.",
        listing(_as_json_readers_do),
    ),
)
