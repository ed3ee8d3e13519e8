"""Faulty discovery servers: those of ``reference.mqsd.faults``, and faults of sockets and of memory around it."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mutant import Mutant, playing
from mqconform.harness.iut.reference_iut.discovery_server import ReferenceDiscoveryServer
from mqconform.harness.iut.reference_iut.udp_service import UdpService
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.fault import Fault, altered, ids
from mqconform.reference.mqsd.faults import SERVER_FAULTS
from mqconform.reference.mqsd.faults.reply_parts import Asked, ReplyParts
from mqconform.reference.mqsd.faults.server_replies import CORRELATION
from mqconform.reference.mqsd.faults.server_rules import Answer, spoiling
from mqconform.reference.mqsd.server import Listener, Network

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


def _listen_and_not_read(self: ReferenceDiscoveryServer, host: str, port: int) -> Json:
    self.close()
    self._service = UdpService(host, port, lambda _: ())
    host, port = self._service.address
    return {"host": host, "port": port}


MUTANTS = (
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
        altered(ReferenceDiscoveryServer, listen=_listen_and_not_read)),
)  # fmt: skip
