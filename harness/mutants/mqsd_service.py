"""Faulty discovery servers: whom they answer, how often, and whether they go on (MS-MQSD 2.1, 3.2.3, 3.2.5)."""

from collections.abc import Callable

from mqconform.harness.builtin.discovery_server import ReferenceDiscoveryServer
from mqconform.harness.mutants.mutant import DEAF, SEND_REPLY, STEPS, Mutant, heeding
from mqconform.harness.mutants.reply_parts import Asked
from mqconform.reference.mqsd.server import REQUEST_ID, Network

GOES_ON = ("MQSD-3.2.5-02",)
SILENT = (SEND_REPLY, STEPS)
OF_ANOTHER_NETWORK = ("MQSD-3.2.5.1-07", "MQSD-3.2.5.1-08", "MQSD-3.2.5.1-09")
"""What a server violates as well whose reply was made for a request over the other network."""
CLIENTS = ("MQSD-2.1-03", "MQSD-3.2.5.1-15")
"""What a server violates as well that answers the first or the second of two clients by chance."""
REOPENS = ("MQSD-3.2.5-03", "MQSD-3.2.5-04")
"""What a server violates as well that answers one request and not the next, so that no send of it can fail."""
IGNORES = ("MQSD-2.2.1-04", "MQSD-2.2.1-10", "MQSD-3.2.5.1-02")
"""What a server violates as well that answers a plain request and not the unusual one before it."""


class Counting(ReferenceDiscoveryServer):
    """Answers by the number of the request since it was configured, the first being number 0."""

    def __init__(self, answers: Callable[[int], bool]) -> None:
        self._answers = answers
        self._number = 0
        super().__init__()

    def reset(self) -> None:
        """Count anew."""
        super().reset()
        self._number = 0

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Answer this request if its number is one to be answered."""
        right = super().replies(network, datagram)
        if not right:
            return right
        self._number += 1
        return right if self._answers(self._number - 1) else []


class StruckDumb(ReferenceDiscoveryServer):
    """Answers nothing any more once a certain datagram has come."""

    def __init__(self, by: Callable[[bytes], bool]) -> None:
        self._by = by
        self._dumb = False
        super().__init__()

    def reset(self) -> None:
        """Start afresh."""
        super().reset()
        self._dumb = False

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Answer until it happens."""
        self._dumb = self._dumb or self._by(datagram)
        return [] if self._dumb else super().replies(network, datagram)


class Brittle(ReferenceDiscoveryServer):
    """Reads a datagram without a look at its length, as if a request were certain, and fails."""

    def __init__(self, at: Callable[[bytes], bool]) -> None:
        self._at = at
        super().__init__()

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Fail at some datagrams."""
        if self._at(datagram):
            raise IndexError(f"a datagram of {len(datagram)} octets")
        return super().replies(network, datagram)


class Repeating(ReferenceDiscoveryServer):
    """Sends other datagrams in place of its one reply."""

    def __init__(self, instead: Callable[[bytes], list[bytes]]) -> None:
        self._instead = instead
        super().__init__()

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Return what it sends."""
        return [one for reply in super().replies(network, datagram) for one in self._instead(reply)]


class LastOnly(ReferenceDiscoveryServer):
    """Holds a reply back until the next request comes, as a write buffer that nobody flushes."""

    def __init__(self) -> None:
        self._held: list[bytes] = []
        super().__init__()

    def reset(self) -> None:
        """Lose what was held back."""
        super().reset()
        self._held = []

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Return the reply to the request before."""
        held, self._held = self._held, super().replies(network, datagram)
        return held


def _too_short(datagram: bytes) -> bool:
    return len(datagram) < 52


def _not_a_request(datagram: bytes) -> bool:
    return _too_short(datagram) or datagram[1] != 1


def _own(asked: Asked) -> bool:
    return asked.site == asked.server.site


def _counting(name: str, says: str, answers: Callable[[int], bool], *also: str) -> Mutant:
    return Mutant(name, says, lambda: Counting(answers), (*GOES_ON, *SILENT), also)


def _dumb(name: str, says: str, by: Callable[[bytes], bool], *also: str) -> Mutant:
    return Mutant(name, says, lambda: StruckDumb(by), GOES_ON, also)


def _brittle(name: str, says: str, at: Callable[[bytes], bool], *also: str) -> Mutant:
    return Mutant(name, says, lambda: Brittle(at), GOES_ON, also)


MUTANTS = (
    Mutant("silent", "No request is answered.", lambda: Counting(lambda _: False), SILENT, DEAF),
    _counting(
        "every-third-answered",
        "Two of three requests are left unanswered.",
        lambda number: number % 3 == 2,
        "MQSD-2.2.1-05",
        *CLIENTS,
    ),
    _counting(
        "two-answered",
        "The third request and all behind it are left unanswered.",
        lambda number: number < 2,
        *CLIENTS,
        *REOPENS[:1],
    ),
    _counting("fifty-answered", "The 51st request and all behind it are left unanswered.", lambda number: number < 50),
    Mutant(
        "own-site-unanswered",
        "Clients of the own site are not answered.",
        heeding(lambda asked: not _own(asked)),
        SILENT,
        GOES_ON,
    ),
    Mutant("other-sites-unanswered", "Clients of other sites are not answered.", heeding(_own), SILENT, GOES_ON),
    Mutant(
        "answers-twice",
        "Each reply is sent twice.",
        lambda: Repeating(lambda reply: [reply, reply]),
        (SEND_REPLY,),
        (STEPS,),
    ),
    Mutant(
        "answers-once-more-to-nobody",
        "Each reply is sent once more, with id zero.",
        lambda: Repeating(lambda reply: [reply, reply[:4] + bytes(16) + reply[20:]]),
        (SEND_REPLY,),
        (STEPS, "MQSD-2.2.3-03", "MQSD-3.2.5.1-04"),
    ),
    Mutant(
        "reply-in-two-datagrams",
        "What follows the fixed fields is sent in a datagram of its own.",
        lambda: Repeating(lambda reply: [reply[:32], reply[32:]]),
        ("MQSD-2.2-01",),
        (SEND_REPLY, "MQSD-2.2.3", "MQSD-3.2.5.1"),
    ),
    Mutant(
        "held-back",
        "A reply is held back until the next request.",
        LastOnly,
        SILENT,
        (*GOES_ON, *IGNORES, *OF_ANOTHER_NETWORK),
    ),
    _dumb("dumb-after-short", "A datagram shorter than a request ends the service.", _too_short),
    _dumb("dumb-after-empty", "An empty datagram ends the service.", lambda datagram: not datagram),
    _dumb("dumb-after-long", "A datagram above 1,500 octets ends the service.", lambda datagram: len(datagram) > 1500),
    _dumb("dumb-after-other-type", "A packet of another Type ends the service.", lambda d: len(d) > 1 and d[1] != 1),
    _dumb(
        "dumb-after-huge-ipx-count",
        "A count of network numbers above 32 ends the service.",
        lambda d: 60 <= len(d) < 200 and int.from_bytes(d[52:56], "little") > 32,
    ),
    _brittle("fails-at-empty", "The server fails at empty datagrams.", lambda datagram: not datagram),
    _brittle("fails-at-any-malformed", "The server fails at whatever is no request.", _not_a_request, "MQSD-2.2.1-05"),
    Mutant(
        "fails-at-zero-id",
        "The server fails at requests with RequestID zero.",
        lambda: Brittle(lambda d: len(d) >= 52 and not any(d[REQUEST_ID])),
        ("MQSD-2.2.3-03", "MQSD-2.2.2-05"),
        (STEPS,),
    ),
)
