"""The reference client on real networks: the pure client of MS-MQSD 3.1, driven by sockets and a clock."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mqconform.harness.iut.drivers.discovery_client.calls import Networks
from mqconform.reference.mqsd.client import (
    SECOND,
    UNDISPUTED,
    ClientState,
    ClockAdvanced,
    DatagramReceived,
    Effect,
    Event,
    GetDirectoryServerList,
    NewGuid,
    Readings,
    Send,
    SendFailed,
    step,
)


@dataclass(frozen=True, slots=True)
class Happening:
    """One event of the client, and what it did."""

    at: int
    """Nanoseconds since the first event."""
    event: Event
    source: str
    """``host:port`` that a datagram came from; empty for other events."""
    effects: tuple[Effect, ...]


class DiscoveryClientPeer:
    """Performs one Get Directory Server List event (MS-MQSD 3.1.4.1) to its end.

    Attributes:
        client: the client as it is now.
    """

    def __init__(
        self,
        client: ClientState,
        networks: Networks,
        clock: Callable[[], int],
        new_guid: NewGuid,
        readings: Readings = UNDISPUTED,
    ) -> None:
        self.client = client
        self._networks = networks
        self._clock = clock
        self._new_guid = new_guid
        self._readings = readings
        self._began = 0

    def discover(self) -> Iterator[Happening]:
        """Yield what happens, as it happens; nothing happens between two calls of next."""
        self._began = self._clock()
        yield from self._meet(GetDirectoryServerList())
        while self.client.in_progress and self.client.wait_for_response_timer is not None:
            received = self._networks.receive((self.client.wait_for_response_timer - self._now()) / SECOND)
            if received is not None:
                network, octets, source = received
                yield from self._meet(DatagramReceived(network, octets), source)
            elif self._now() >= self.client.wait_for_response_timer:
                yield from self._meet(ClockAdvanced())

    def _meet(self, event: Event, source: str = "") -> Iterator[Happening]:
        """Perform an event, and those that come of requests that cannot be sent."""
        pending = deque([(event, source)])
        while pending:
            now_meeting, came_from = pending.popleft()
            now = self._now()
            self.client, effects = step(self.client, now_meeting, now, self._new_guid, self._readings)
            failed = [effect for effect in effects if isinstance(effect, Send) and not self._sent(effect)]
            pending.extend((SendFailed(), "") for _ in failed)
            yield Happening(now, now_meeting, came_from, effects)

    def _sent(self, request: Send) -> bool:
        try:
            self._networks.send(request.network, request.datagram)
        except OSError:
            return False
        return True

    def _now(self) -> int:
        return self._clock() - self._began
