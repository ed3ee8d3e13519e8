"""What a mutant is: the reference discovery server with one thing changed on purpose."""

from collections.abc import Callable
from dataclasses import dataclass

from mqconform.harness.builtin.discovery_server import ReferenceDiscoveryServer, ReferenceIut
from mqconform.harness.iut import Json
from mqconform.harness.mutants.reply_parts import Asked, ReplyParts, Spoil, right_reply
from mqconform.reference.mqsd.server import Network

STEPS = "MQSD-3.2.5.1-01"
"""That a request leads to the steps: whoever gets one step wrong violates it too."""
SEND_REPLY = "MQSD-3.2.5-01"
"""That a request is answered: violated wherever a mutant stays silent."""

DEAF = ("MQSD-2.1-01", "MQSD-2.1-04", "MQSD-2.2.1-05", "MQSD-3.2.3-01", "MQSD-3.2.5-02")
"""What a server violates as well that answers nothing at all."""

ServerFactory = Callable[[], ReferenceDiscoveryServer]


@dataclass(frozen=True, slots=True)
class Mutant:
    """An implementation under test with one known peculiarity.

    Attributes:
        name: after ``mutant:`` on the command line.
        says: what is peculiar, in one sentence.
        server: makes its discovery server.
        breaks: requirements of which at least one has to be found violated; none where it conforms.
        also: requirements that the same defect violates inevitably.
    """

    name: str
    says: str
    server: ServerFactory
    breaks: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    def iut(self) -> "MutantIut":
        """Return the implementation, freshly started."""
        return MutantIut(self)


class MutantIut(ReferenceIut):
    """The reference with another discovery server."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = f"mutant {mutant.name}"
        self._server = mutant.server
        super().__init__()

    def description(self) -> Json:
        """Return the reference's description with the one role that is changed: the others need not be judged again."""
        return super().description() | {
            "roles": ["discovery_server"],
            "capabilities": ["udp", "ipx", "send-faults"],
            "specs": {"MQSD": "13.0"},
        }

    def make_discovery_server(self) -> ReferenceDiscoveryServer:
        """Return the mutant's server."""
        return self._server()


def as_it_is(parts: ReplyParts) -> ReplyParts:
    """Return a reply unspoilt."""
    return parts


def every(asked: Asked) -> bool:
    """Heed every request."""
    del asked
    return True


def the_request(asked: Asked) -> bytes:
    """Return a request as it came."""
    return asked.request


class SpoilingServer(ReferenceDiscoveryServer):
    """A server that hears, reads or writes one thing wrongly.

    Args of the constructor:
        spoil: what it makes of a right reply.
        heeds: whether it answers a request at all.
        reads: what it takes a request for.
    """

    def __init__(
        self,
        spoil: Spoil = as_it_is,
        heeds: Callable[[Asked], bool] = every,
        reads: Callable[[Asked], bytes] = the_request,
    ) -> None:
        self._spoil, self._heeds, self._reads = spoil, heeds, reads
        super().__init__()

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Return the spoilt reply, if there is one."""
        if self.server is None:
            return []
        asked = Asked(self.server, network, datagram)
        if not self._heeds(asked):
            return []
        parts = right_reply(Asked(self.server, network, self._reads(asked)))
        return [] if parts is None else [self._spoil(parts).octets()]


def spoilt(spoil: Spoil) -> ServerFactory:
    """Return the factory of a server that spoils its replies."""
    return lambda: SpoilingServer(spoil=spoil)


def heeding(heeds: Callable[[Asked], bool]) -> ServerFactory:
    """Return the factory of a server that leaves some requests unanswered."""
    return lambda: SpoilingServer(heeds=heeds)


def reading(reads: Callable[[Asked], bytes]) -> ServerFactory:
    """Return the factory of a server that takes requests for something else."""
    return lambda: SpoilingServer(reads=reads)
