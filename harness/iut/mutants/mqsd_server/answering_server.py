"""Discovery servers whose answer is a function of what was asked: what most of their mutants are made of."""

from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.iut.mutants.mqsd_server.reply_parts import Asked, ReplyParts, right_reply
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.reference_iut.discovery_server import ReferenceDiscoveryServer
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.mqsd.server import Network

STEPS = ("MQSD-3.2.5.1-01",)
"""That a request leads to the steps: a server that gets one step wrong violates it too."""
SEND_REPLY = ("MQSD-3.2.5-01",)
"""That a request is answered: violated wherever a mutant stays silent."""
CLIENTS = ("MQSD-2.1-03", "MQSD-3.2.5.1-15")
"""What a server violates as well whose answer to one client depends on the requests of another."""

Answer = Callable[[Asked], list[bytes]]
Spoil = Callable[[ReplyParts], ReplyParts]
ServerFactory = Callable[[], ReferenceDiscoveryServer]


def server(name: str, says: str, make: ServerFactory, breaks: tuple[str, ...] = ()) -> Mutant:
    """Return the mutant of a role ``discovery_server``."""
    return Mutant(name, says, RoleName.DISCOVERY_SERVER, make, breaks)


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


def right_replies(asked: Asked) -> list[bytes]:
    """Return what the reference sends: one reply, or none."""
    parts = right_reply(asked)
    return [] if parts is None else [parts.octets()]


def answering(answer: Answer) -> ServerFactory:
    """Return the factory of a server that answers in a way of its own."""
    return lambda: AnsweringServer(answer)


def heeding(heeds: Callable[[Asked], bool]) -> ServerFactory:
    """Return the factory of a server that leaves some requests unanswered."""
    return answering(lambda asked: right_replies(asked) if heeds(asked) else [])


def reading(reads: Callable[[Asked], bytes]) -> ServerFactory:
    """Return the factory of a server that reads a datagram as if it were another."""
    return answering(lambda asked: right_replies(replace(asked, request=reads(asked))))


def spoiling(spoil: Spoil) -> Answer:
    """Return the answer of a server that spoils its replies."""

    def answer(asked: Asked) -> list[bytes]:
        parts = right_reply(asked)
        return [] if parts is None else [spoil(parts).octets()]

    return answer


def spoilt(spoil: Spoil) -> ServerFactory:
    """Return the factory of a server that spoils its replies."""
    return answering(spoiling(spoil))


def spoilt_with_list(spoil: Spoil) -> ServerFactory:
    """Return the factory of a server that spoils its replies with a server list."""
    return spoilt(lambda parts: spoil(parts) if parts.foreign else parts)
