"""Discovery clients that take orders over the IUT protocol, with the real clock.

Time passes for the harness, which tells the client how much with ``discovery_client.advance_clock``. A client with a
virtual clock moves it on by that; one with a clock of its own reports what it has done meanwhile.
"""

import time
from collections.abc import Callable

from mqconform.harness.iut.interface import Iut, Json, LiveEffect, Unsupported

POLL = 50_000_000
"""Nanoseconds between two looks at the client."""
SECOND = 1_000_000_000


class CalledClients:
    """Clients, each behind a connection of its own; see ``LiveClients``.

    Args of the constructor:
        connect: opens a fresh connection to the implementation.
        tolerance: seconds by which the end of a wait may be early or late.
    """

    shows_completion = True
    patience = 5.0

    def __init__(self, connect: Callable[[], Iut], tolerance: float) -> None:
        self._connect = connect
        self.tolerance = tolerance

    def live_client(self, configuration: Json, name: str) -> "CalledClient":
        """Return a client as freshly started."""
        del name
        iut = self._connect()
        try:
            iut.call("discovery_client.configure", configuration)
            return CalledClient(iut)
        except BaseException:
            iut.close()
            raise


class CalledClient:
    """One client; see ``LiveClient``. What it does is seen when it is looked at."""

    capture = ""
    foreign = ()
    over = False

    def __init__(self, iut: Iut) -> None:
        self._iut = iut
        self._shows = True
        self._pending: list[LiveEffect] = []
        self._told = time.monotonic_ns()

    def start(self) -> None:
        """Make it search."""
        self._let_pass()
        self._call("start", {})

    def bring(self, network: str, datagram: bytes, sender: str) -> int:
        """Hand it a datagram."""
        del sender
        self._let_pass()
        at = time.monotonic_ns()
        self._call("receive", {"network": network, "datagram": datagram.hex()})
        return at

    def change_networks(self, networks: list[Json]) -> None:
        """Connect its computer to other networks."""
        self._let_pass()
        self._call("change_networks", {"networks": networks})

    def next(self, until: int) -> LiveEffect | None:
        """Return what it does next."""
        while True:
            if self._pending:
                return self._pending.pop(0)
            left = until - time.monotonic_ns()
            if left <= 0:
                self._let_pass()
                return self._pending.pop(0) if self._pending else None
            time.sleep(min(POLL, left) / SECOND)
            self._let_pass()

    def state(self) -> Json | None:
        """Return what it shows of itself now, None where it shows nothing."""
        if not self._shows:
            return None
        try:
            return self._iut.call("discovery_client.state", {})
        except Unsupported:
            self._shows = False
            return None

    def close(self) -> None:
        """End the connection."""
        self._iut.close()

    def _let_pass(self) -> None:
        now = time.monotonic_ns()
        passed, self._told = now - self._told, now
        self._call("advance_clock", {"seconds": passed / SECOND})

    def _call(self, operation: str, params: Json) -> None:
        answer = self._iut.call(f"discovery_client.{operation}", params)
        effects = answer.get("effects") or ()
        if not effects:
            return
        now, shown = time.monotonic_ns(), self.state()
        last = len(effects) - 1
        self._pending += [LiveEffect(now, one, shown if number == last else None) for number, one in enumerate(effects)]
