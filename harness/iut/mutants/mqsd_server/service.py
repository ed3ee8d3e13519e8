"""Faulty discovery servers: whom they answer, how often, and whether they go on (MS-MQSD 2.1, 3.2.3, 3.2.5)."""

import sys
from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mqsd_server.answering_server import (
    SEND_REPLY,
    STEPS,
    ServerFactory,
    answering,
    heeding,
    right_replies,
    server,
)
from mqconform.harness.iut.mutants.mqsd_server.reply_parts import Asked
from mqconform.harness.iut.mutants.mutant import Mutant, altered
from mqconform.harness.iut.reference_iut.discovery_server import ReferenceDiscoveryServer
from mqconform.harness.iut.reference_iut.udp_service import UdpService
from mqconform.reference.mqsd.messages import REPLY
from mqconform.reference.mqsd.server import Listener
from mqconform.reference.mqsd.specification import FACTS

GOES_ON = ("MQSD-3.2.5-02",)
SILENT = (*SEND_REPLY, *STEPS)
REOPENS = ("MQSD-3.2.5-03",)
"""What a server violates as well that answers one request and not the next, so that no send of it can fail."""


def _counting(
    name: str, says: str, answers: Callable[[int], bool], breaks: tuple[str, ...] = (*GOES_ON, *SILENT)
) -> Mutant:
    """Answer by the number of the request since the configuration, the first being number 0."""
    return server(name, says, heeding(lambda asked: answers(len(asked.requests) - 1)), breaks)


def _instead(sends: Callable[[bytes], list[bytes]]) -> ServerFactory:
    """Send other datagrams in place of the reply."""
    return answering(lambda asked: [datagram for reply in right_replies(asked) for datagram in sends(reply)])


def _dumb(name: str, says: str, struck_by: Callable[[bytes], bool]) -> Mutant:
    """Answer nothing any more once a certain datagram has come."""
    make = heeding(lambda asked: not any(struck_by(datagram.request) for datagram in asked.datagrams))
    return server(name, says, make, GOES_ON)


def _brittle(fails_at: Callable[[Asked], bool]) -> ServerFactory:
    """Fail at some datagrams, as a server that reads them without a look at their length."""

    def answer(asked: Asked) -> list[bytes]:
        if fails_at(asked):
            raise IndexError(f"a datagram of {len(asked.request)} octets")
        return right_replies(asked)

    return answering(answer)


def _held_back(asked: Asked) -> list[bytes]:
    """Send the reply to the request before, as from a write buffer that is never flushed."""
    return right_replies(asked.before) if asked.before else []


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


def socket_after_failure(
    name: str, says: str, after_failure: Callable[[Listener, bool], Listener], breaks: tuple[str, ...] = ()
) -> Mutant:
    """Return the mutant of a server whose socket is in another state after a failed send than 3.2.5 says."""

    def send_failed(self: ReferenceDiscoveryServer, *, can_open: bool) -> Listener:
        return after_failure(self.listener, can_open)

    return server(name, says, altered(ReferenceDiscoveryServer, send_failed=send_failed), breaks)


def _listen_and_not_read(self: ReferenceDiscoveryServer, host: str, port: int) -> Json:
    self.close()
    self._service = UdpService(host, port, lambda _: ())
    host, port = self._service.address
    return {"host": host, "port": port}


MUTANTS = (
    _counting("silent", "No request is answered.", lambda _: False, SILENT),
    _counting("every-third-answered", "Two of three requests are left unanswered.", lambda number: number % 3 == 2),
    _counting("two-answered", "The third request and all behind it are left unanswered.", lambda number: number < 2),
    _counting("fifty-answered", "The 51st request and all behind it are left unanswered.", lambda number: number < 50),
    _counting("250-answered", "The 251st request and all behind it are left unanswered.", lambda number: number < 250),
    server(
        "own-site-unanswered",
        "Clients of the own site are not answered.",
        heeding(lambda asked: not asked.of_own_site),
        SILENT,
    ),
    server(
        "other-sites-unanswered",
        "Clients of other sites are not answered.",
        heeding(lambda asked: asked.of_own_site),
        SILENT,
    ),
    server("answers-twice", "Each reply is sent twice.", _instead(lambda reply: [reply, reply]), SEND_REPLY),
    server(
        "answers-once-more-to-nobody",
        "Each reply is sent once more, with id zero.",
        _instead(lambda reply: [reply, REPLY["CorrelationID"].put(reply, bytes(16))]),
        SEND_REPLY,
    ),
    server(
        "reply-in-two-datagrams",
        "What follows the fixed fields is sent in a datagram of its own.",
        _instead(lambda reply: [reply[: REPLY.size], reply[REPLY.size :]]),
        ("MQSD-2.2-01",),
    ),
    server("held-back", "A reply is held back until the next request.", answering(_held_back), SILENT),
    _dumb(
        "dumb-after-short",
        "A datagram shorter than a request ends the service.",
        lambda datagram: len(datagram) < FACTS.request_size,
    ),
    _dumb("dumb-after-empty", "An empty datagram ends the service.", lambda datagram: not datagram),
    _dumb("dumb-after-long", "A datagram above 1,500 octets ends the service.", lambda datagram: len(datagram) > 1500),
    _dumb(
        "dumb-after-other-type",
        "A packet of another Type ends the service.",
        lambda datagram: len(datagram) > 1 and datagram[1] != 1,
    ),
    _dumb(
        "dumb-after-huge-ipx-count",
        "A count of network numbers above 32 ends the service.",
        lambda datagram: 60 <= len(datagram) < 200 and int.from_bytes(datagram[52:56], "little") > 32,
    ),
    server(
        "fails-at-empty", "The server fails at empty datagrams.", _brittle(lambda asked: not asked.request), GOES_ON
    ),
    server(
        "fails-at-any-malformed",
        "The server fails at whatever is no request.",
        _brittle(lambda asked: not asked.is_request),
        GOES_ON,
    ),
    server(
        "fails-at-zero-id",
        "The server fails at requests with RequestID zero.",
        _brittle(lambda asked: len(asked.request) >= FACTS.request_size and not any(asked.request_id)),
        ("MQSD-2.2.2-05",),
    ),
    socket_after_failure(
        "socket-not-reopened",
        "The socket on which a send failed is kept.",
        lambda socket, can_open: replace(socket, listening=can_open),
        REOPENS,
    ),
    socket_after_failure(
        "ends-at-network-error",
        "A failed send ends the service.",
        lambda socket, _: replace(socket, listening=False),
        REOPENS,
    ),
    socket_after_failure(
        "listens-without-socket",
        "The service goes on although its socket cannot be opened.",
        lambda socket, can_open: replace(socket, sockets_opened=socket.sockets_opened + can_open),
        ("MQSD-3.2.5-04",),
    ),
    server("deaf-after-reopening", "Nobody reads from the socket that is opened.", lambda: Reopening(None), REOPENS),
    server(
        "deaf-over-udp",
        "The UDP port is open and nobody reads from it.",
        altered(ReferenceDiscoveryServer, listen=_listen_and_not_read),
        ("MQSD-2.1-01", "MQSD-2.1-04", "MQSD-3.2.3-01"),
    ),
)
