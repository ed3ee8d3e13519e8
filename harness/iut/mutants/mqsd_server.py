"""Mutants of discovery servers (MS-MQSD 2.2.3, 3.2): faulty ones, those peculiar over UDP alone, and what conforms.

Here are sockets, memory and services; rules for replies that are wrong by the text stand in ``reference.mqsd.faults``.
"""

import socket
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, TypeVar

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mutant import Mutant, playing
from mqconform.harness.iut.reference_iut.discovery_server import ReferenceDiscoveryServer
from mqconform.harness.iut.reference_iut.udp_service import UdpService
from mqconform.harness.iut.server_configurations import is_plain_name
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.allowed import ids
from mqconform.reference.fault import Fault, altered, variant
from mqconform.reference.mqsd.faults import SERVER_FAULTS
from mqconform.reference.mqsd.faults.reply_parts import Asked, ReplyParts, little, right_reply, units
from mqconform.reference.mqsd.faults.server_replies import CORRELATION
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
    right_replies,
    spoiling,
    without_networks,
    written,
)
from mqconform.reference.mqsd.server import Listener, Network
from mqconform.reference.mqsd.specification import FACTS

REOPENS = "3.2.5-03"


class AnsweringServer(ReferenceDiscoveryServer):
    """A server that answers each datagram as a function says, which sees all datagrams since the configuration."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self._answer = answer
        self._last: Asked | None = None

    def reset(self) -> None:
        """Forget the datagrams."""
        super().reset()
        self._last = None

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Return what the function says."""
        if self.server is None:
            return []
        self._last = Asked(self.server, network, datagram, self._last)
        return self._answer(self._last)


def answering(rows: Iterable[Fault[Answer]]) -> Iterator[Mutant]:
    """Yield the mutants of servers that go by the changed rules of rows."""
    return playing(RoleName.DISCOVERY_SERVER, rows, lambda row: partial(AnsweringServer, row.rule))


def server(name: str, breaks: str, says: str, make: Callable[[], ReferenceDiscoveryServer]) -> Mutant:
    """Return the mutant of a role ``discovery_server``; ``breaks`` has ids without the specification."""
    return Mutant(name, says, RoleName.DISCOVERY_SERVER, make, ids("MQSD", breaks))


def _ids_one_late() -> AnsweringServer:
    ids = deque([bytes(16)])  # of all configurations, as in the next function

    def late(parts: ReplyParts) -> ReplyParts:
        ids.append(parts.asked.request_id)
        return replace(parts, correlation_id=ids.popleft())

    return AnsweringServer(spoiling(late))


def _ids_of_its_own() -> AnsweringServer:
    numbers = count(1)
    return AnsweringServer(spoiling(lambda parts: replace(parts, correlation_id=next(numbers).to_bytes(16, "big"))))


class Reopening(ReferenceDiscoveryServer):
    """A server that answers again some requests after a failed send: none of them where that number is None.

    A socket that takes a moment to open misses what comes in between.
    """

    def __init__(self, missed: int | None) -> None:
        super().__init__()
        self._missed, self._left = missed, 0

    def receive(self, network: str, datagram: str) -> Json:
        """Stay silent until the socket is open."""
        if self._left:
            self._left -= 1
            return {"replies": []}
        return super().receive(network, datagram)

    def send_failed(self, *, can_open: bool) -> Listener:
        """Begin to miss requests."""
        self._left = sys.maxsize if self._missed is None else self._missed
        return super().send_failed(can_open=can_open)

    def reset(self) -> None:
        """Hear requests again."""
        super().reset()
        self._left = 0


def with_socket(change: Callable[[Listener, bool], Listener]) -> type[ReferenceDiscoveryServer]:
    """Return the server whose socket is in another state after a failed send than 3.2.5 says."""
    return altered(ReferenceDiscoveryServer, send_failed=lambda self, *, can_open: change(self.listener, can_open))


_FAULTY = (
    *answering(SERVER_FAULTS),
    server("id-of-the-previous", CORRELATION, "A reply carries the id of the request before.", _ids_one_late),
    server("id-of-its-own", CORRELATION, "The server makes up ids of its own.", _ids_of_its_own),
    server("socket-not-reopened", REOPENS, "The socket on which a send failed is kept.",
        with_socket(lambda socket, can_open: replace(socket, listening=can_open))),
    server("ends-at-network-error", REOPENS, "A failed send ends the service.",
        with_socket(lambda socket, _: replace(socket, listening=False))),
    server("listens-without-socket", "3.2.5-04", "The service goes on although its socket cannot be opened.",
        with_socket(lambda socket, can_open: replace(socket, sockets_opened=socket.sockets_opened + can_open))),
    server("deaf-after-reopening", REOPENS, "The server never reads from the socket that it opens after a failed send.",
        lambda: Reopening(None)),
    server("deaf-over-udp", "2.1-01 2.1-04 3.2.3-01", "The UDP port is open, but the server never reads from it.",
        altered(ReferenceDiscoveryServer, service=lambda self, host, port: UdpService(host, port, lambda _: ()))),
)  # fmt: skip


STEPS, CLIENTS = "3.2.5.1-01", "2.1-03 3.2.5.1-15"


class PeculiarOverUdp(AnsweringServer):
    """A server whose answers over UDP are those of a function, sent by a service of a kind of its own."""

    def __init__(self, answer: Answer, service: type[UdpService]) -> None:
        super().__init__(answer)
        self._kind = service

    def service(self, host: str, port: int) -> UdpService:
        """Serve a UDP port in its own way."""
        self._last = None
        return self._kind(host, port, partial(super().replies, Network.IP))

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Return what the reference answers."""
        return ReferenceDiscoveryServer.replies(self, network, datagram)


class ToTheFirst(UdpService):
    """Sends each reply to the client that was the first to use its identifier."""

    def _send(self, reply: bytes, client: tuple[str, int]) -> bool:
        self.first = getattr(self, "first", {})
        return super()._send(reply, self.first.setdefault(reply[FACTS.correlation_id], client))


class FromAnotherPort(UdpService):
    """Sends each reply from a socket of its own (register SD-05)."""

    def _send(self, reply: bytes, client: tuple[str, int]) -> bool:
        with socket.socket(self._socket.family, socket.SOCK_DGRAM) as another:
            another.bind((self.address[0], 0))
            another.sendto(reply, client)
        return True


def over_udp(answer: Answer = right_replies, service: type[UdpService] = UdpService) -> Callable[[], PeculiarOverUdp]:
    """Return the factory of a server that is peculiar over UDP alone."""
    return lambda: PeculiarOverUdp(answer, service)


def _with_names(parts: ReplyParts, most: int) -> ReplyParts:
    return parts.with_array(units(written(parts.servers[:most]))) if parts.foreign else parts


def _cut(asked: Asked) -> list[bytes]:
    return [reply[: FACTS.reply_size] for reply in right_replies(asked)]


def _list_for_everybody(asked: Asked) -> list[bytes]:
    site = bytes(octet ^ 0xFF for octet in asked.server.site)
    start, stop = FACTS.site_id.start, FACTS.site_id.stop
    return right_replies(replace(asked, request=asked.request[:start] + site + asked.request[stop:]))


def _six(asked: Asked) -> list[bytes]:
    return right_replies(asked) if len(asked.requests) <= 6 else []


def _listen_elsewhere(self: ReferenceDiscoveryServer, host: str, port: int) -> Json:
    self.close()
    self._service = UdpService(host, 0, lambda datagram: self.replies(Network.IP, datagram))
    return {"host": host, "port": port or self._service.address[1]}


class PortRefused(ValueError):
    """A port that a server does not take; adapters turn the code into an error answer."""

    code = -32602


def _refuse_port_of_the_text(self: ReferenceDiscoveryServer, host: str, port: int) -> Json:
    if port == FACTS.udp_port:
        raise PortRefused("this port is not to be had")
    return ReferenceDiscoveryServer.listen(self, host, port)


_OVER_UDP = (
    server("udp-reply-cut", STEPS, "Over UDP, replies end behind their fixed fields.", over_udp(_cut)),
    server("udp-id-backwards", STEPS, "Over UDP, the octets of the id are turned round.",
        over_udp(spoiling(lambda parts: replace(parts, correlation_id=parts.correlation_id[::-1])))),
    server("udp-mask-of-ipx", STEPS, "Over UDP, the mask is that of IPX.",
        over_udp(spoiling(ReplyParts.with_all_mask_bits))),
    server("udp-list-for-everybody", STEPS, "Over UDP, clients of the own site get the list.",
        over_udp(_list_for_everybody)),
    server("udp-reply-cut-at-1472", "2.2-01", "Over UDP, replies end behind 1,472 octets.",
        over_udp(lambda asked: [reply[:1472] for reply in right_replies(asked)])),
    server("udp-large-unsent", "", "Over UDP, replies above 1,472 octets are not sent.",
        over_udp(lambda asked: [reply for reply in right_replies(asked) if len(reply) <= 1472])),
    server("udp-twenty-names", STEPS, "Over UDP, the first twenty names are listed.",
        over_udp(spoiling(lambda parts: _with_names(parts, 20)))),
    server("udp-fifty-names", "", "Over UDP, the first fifty names are listed.",
        over_udp(spoiling(lambda parts: _with_names(parts, 50)))),
    server("udp-six-answered", "3.2.5-02", "Over UDP, the seventh request and all behind it are left unanswered.",
        over_udp(_six)),
    server("udp-reply-to-the-first", CLIENTS, "Over UDP, a reply goes to the client that used its id first.",
        over_udp(service=ToTheFirst)),
    server("udp-listens-elsewhere", "2.1-04",
        "The server reports the configured port and listens on another.",
        altered(ReferenceDiscoveryServer, listen=_listen_elsewhere)),
    server("udp-from-another-port", "", "Over UDP, replies come from another port.", over_udp(service=FromAnotherPort)),
    server("udp-refuses-port-of-the-text", "", "The server does not listen on port 1801 but on others.",
        altered(ReferenceDiscoveryServer, listen=_refuse_port_of_the_text)),
)  # fmt: skip


Element = TypeVar("Element")


class RefusesNames(ReferenceDiscoveryServer):
    """A server that has no names but plain computer names."""

    def configure(self, **params: Any) -> Json:
        """Refuse what is no computer name."""
        if not all(is_plain_name(server["name"]) for server in params["directory_servers"]):
            raise NoComputerName("not a computer name")
        return super().configure(**params)


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

_CONFORMING = (
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

MUTANTS = (*_FAULTY, *_OVER_UDP, *_CONFORMING)
