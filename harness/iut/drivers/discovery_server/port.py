"""How scenarios ask a discovery server, over any carrier of datagrams."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from mqconform.harness.iut import interface
from mqconform.harness.iut.connect import Reaching
from mqconform.harness.iut.drivers.discovery_server.requests import Draft, fresh_guid
from mqconform.harness.iut.patience import Patience
from mqconform.reference.mqsd.guid import guid_from_text
from mqconform.reference.mqsd.specification import FACTS

MAX_SILENCES = 6
"""How often a run waits the whole reply timeout in vain; later waits are short and their silence undecided."""
MAX_FLOODS = 5
"""How many floods a run endures."""
ATTEMPTS = 3
"""How often a request is sent before a network that may lose datagrams is no excuse any more."""


class Carrier(interface.Iut, interface.DatagramCarrier, Protocol):
    """An IUT that is reached by datagrams."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What came back for requests sent together.

    Attributes:
        overflow: whether more came back than the harness keeps.
    """

    requests: tuple[bytes, ...]
    replies: tuple[interface.Datagram, ...]
    network: str = "ip"
    overflow: bool = False

    def to(self, request: bytes) -> tuple[interface.Datagram, ...]:
        """Return the replies to one of the requests: all there are if it was the only one, else by CorrelationID."""
        if len(set(self.requests)) == 1:
            return self.replies
        return tuple(reply for reply in self.replies if reply.octets[FACTS.correlation_id] == request[FACTS.request_id])


def replies_to(datagram: bytes, iut: interface.Iut, network: str = "ip") -> list[bytes]:
    """Hand a datagram to a server that takes orders, and return its replies; see ``Iut.call`` for the errors."""
    answer = iut.call("discovery_server.receive", {"network": network, "datagram": datagram.hex()})
    return [*map(bytes.fromhex, answer["replies"])]


class ServerLost(interface.Unreachable):
    """A server that was heard before cannot be asked any more.

    Attributes:
        request: what it was asked last.
    """

    def __init__(self, request: bytes, observed: str) -> None:
        super().__init__(observed)
        self.request = request


class DiscoveryPort:
    """Asks one IUT on behalf of one case."""

    def __init__(self, reached: Reaching, patience: Patience, rng: random.Random) -> None:
        self._reached, self._patience = reached, patience
        self._rng = rng

    def ask(self, iut: interface.Iut, requests: Sequence[bytes], *, expected: int, network: str = "ip") -> Answers:
        """Send requests and return what comes back.

        Args:
            iut: where to.
            requests: datagrams, sent one right after the other.
            expected: how many of them must be answered; others are not waited for.
            network: ``ip`` or ``ipx``.

        Raises:
            ServerLost: the server was heard before and cannot be asked any more.
            Unreachable: the server has not been heard of since an earlier case.
            ForeignResponder: another host answered, whether the server did or not.
            NotApplicable: the carrier has no such network.
        """
        self._patience.check_alive()
        if isinstance(iut, interface.DatagramCarrier):
            if network != "ip":
                raise interface.NotApplicable("IPX cannot be reached through UDP")
            exchange = self._exchange if iut is self._reached.iut else self._exchange_aside
            return exchange(cast("Carrier", iut), requests, expected)
        replies = [reply for request in requests for reply in replies_to(request, iut, network)]
        return Answers(tuple(requests), tuple(map(interface.Datagram, replies)), network)

    def _exchange(self, iut: Carrier, requests: Sequence[bytes], expected: int) -> Answers:
        patient = self._patience.silences < MAX_SILENCES
        got = iut.exchange(requests, self._fence(iut, requests), expected if patient else 0)
        missing = expected - len(got.replies)
        if missing > 0 and not iut.lossless:
            self._ask_again(iut, requests, expected)
        if got.foreign:
            offenders = ", ".join(sorted({datagram.source for datagram in got.foreign}))
            raise interface.ForeignResponder(f"answered by {offenders}, which is not the host that was asked")
        alive = got.alive is not False or bool(got.replies) or self._responds(iut)
        if not alive:
            raise ServerLost(requests[0], "it answered before and has stopped answering")
        if got.overflow:
            self._flooded(requests)
        if missing > 0:
            self._patience.silences += 1
        if missing > 0 and not patient:
            raise interface.Unreachable(
                f"no reply in a short wait; {MAX_SILENCES} earlier requests had no answer in the whole waiting time"
            )
        return Answers(tuple(requests), got.replies, "ip", got.overflow)

    def _exchange_aside(self, iut: Carrier, requests: Sequence[bytes], expected: int) -> Answers:
        """Ask at a port that the IUT said it opened, or from a second socket: silence there is the server's own."""
        patient = self._patience.silences < MAX_SILENCES
        try:
            got = iut.exchange(requests, self._fence(iut, requests), expected if patient else 0)
        except interface.Unreachable:
            got = interface.Exchange(())
        if len(got.replies) < expected:
            self._patience.silences += 1
            if not iut.lossless:
                self._ask_again(iut, requests, expected)
        return Answers(tuple(requests), got.replies, "ip", got.overflow)

    def _ask_again(self, iut: Carrier, requests: Sequence[bytes], expected: int) -> None:
        """On a network that may lose a datagram, let one loss decide nothing (register SD-08).

        Raises:
            Unreachable: the same requests were answered this time.
        """
        for attempt in range(2, ATTEMPTS + 1):
            try:
                got = iut.exchange(requests, self._fence(iut, requests), expected)
            except interface.Unreachable:
                continue  # a socket that never heard anything says so itself
            if len(got.replies) >= expected:
                raise interface.Unreachable(f"answered at attempt {attempt} only; a datagram was lost or dropped")

    def _flooded(self, requests: Sequence[bytes]) -> None:
        """Count a flood, which is judged where it comes.

        Raises:
            ServerLost: there were as many as a run endures.
        """
        self._patience.floods += 1
        if self._patience.floods >= MAX_FLOODS:
            raise ServerLost(requests[0], "it sends without end instead")

    def _fence(self, iut: Carrier, requests: Sequence[bytes]) -> bytes:
        """Return a right request of the kind that is being asked, so that what answers one answers the other."""
        sample = requests[0] if requests and len(requests[0]) >= FACTS.request_size else b""
        facts = iut.facts
        site = sample[FACTS.site_id] if sample else (guid_from_text(facts.site) if facts else fresh_guid(self._rng))
        enterprise = guid_from_text(facts.enterprise) if facts else fresh_guid(self._rng)
        return Draft(enterprise, fresh_guid(self._rng), site).octets()

    def _responds(self, iut: Carrier) -> bool:
        """Tell whether a server that left a fence unanswered answers the other kind of request."""
        facts = iut.facts
        assert facts is not None
        own = guid_from_text(facts.site)
        for site in (own, fresh_guid(self._rng)):
            probe = Draft(guid_from_text(facts.enterprise), fresh_guid(self._rng), site).octets()
            again = Draft(guid_from_text(facts.enterprise), fresh_guid(self._rng), site).octets()
            got = iut.exchange((probe,), again, expected=0)
            if got.replies or got.alive:
                return True
        return False
