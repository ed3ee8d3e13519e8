"""Discovery servers that are right where they are called and peculiar over UDP (MS-MQSD 2.1, 2.2, 3.2.5.1)."""

import socket
from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mqsd_server.faulty import server
from mqconform.harness.iut.reference_iut.discovery_server import ReferenceDiscoveryServer
from mqconform.harness.iut.reference_iut.udp_service import UdpService
from mqconform.reference.fault import altered
from mqconform.reference.mqsd.faults.reply_parts import Asked, ReplyParts, units
from mqconform.reference.mqsd.faults.server_rules import Answer, right_replies, spoiling, written
from mqconform.reference.mqsd.server import Network
from mqconform.reference.mqsd.specification import FACTS

STEPS, CLIENTS = "3.2.5.1-01", "2.1-03 3.2.5.1-15"


class PeculiarOverUdp(ReferenceDiscoveryServer):
    """A server whose answers over UDP are those of a function, sent by a service of a kind of its own."""

    def __init__(self, answer: Answer, service: type[UdpService]) -> None:
        super().__init__()
        self._answer, self._kind = answer, service
        self._last: Asked | None = None

    def listen(self, host: str, port: int) -> Json:
        """Serve a UDP port in its own way."""
        self.close()
        self._last = None
        self._service = self._kind(host, port, self._respond)
        host, port = self._service.address
        return {"host": host, "port": port}

    def _respond(self, datagram: bytes) -> list[bytes]:
        if self.server is None:
            return []
        self._last = Asked(self.server, Network.IP, datagram, self._last)
        return self._answer(self._last)


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


MUTANTS = (
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
