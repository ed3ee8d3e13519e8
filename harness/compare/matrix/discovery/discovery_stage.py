"""One scenario, played by a client and a server of different vendors."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from mqconform.harness.compare.matrix.discovery.computers import Computers, Limits, NetworkMaker
from mqconform.harness.compare.matrix.discovery.players import Server, clients_of, end_of_search, server_of
from mqconform.harness.compare.matrix.discovery.scenarios import Scenario
from mqconform.harness.compare.matrix.matrix_plan import Implementation
from mqconform.harness.iut.contention import Canary, Contention, stalled
from mqconform.harness.iut.drivers.discovery_client.observations import Done
from mqconform.harness.iut.interface import IutFault, IutProblem, Json, LiveClient, ServerFacts
from mqconform.reference.mqsd.client import Complete, Result
from mqconform.reference.mqsd.specification import FACTS

STARTING: Final = 5.0
"""Seconds for which one start may hold up others."""
SLACK: Final = 10.0
"""Seconds beyond what the text gives a search, for programs to start and end."""


@dataclass(frozen=True, slots=True)
class Search:
    """One search of the client.

    Attributes:
        server: what the server was configured with.
        began: when the client was started, ``ended`` when it was over; nanoseconds since 1970.
        told: the end of the search as the client told it, None where it told none.
        client_fault: how the client broke its contract, empty where it did not; ``server_fault`` likewise.
        missed_deadline: whether what it broke is a deadline alone, which a loaded machine may be to blame for.
    """

    server: ServerFacts
    began: int
    ended: int
    told: Done | None = None
    client_fault: str = ""
    server_fault: str = ""
    missed_deadline: bool = False

    @property
    def result(self) -> Result | None:
        """The result that the client told, None where it told none."""
        return self.told.effect.result if self.told and isinstance(self.told.effect, Complete) else None

    @property
    def found(self) -> bool:
        """Whether the client told of success, or tells nothing at all."""
        return not self.client_fault and not self.server_fault and self.result in (None, Result.SUCCESS)


@dataclass(frozen=True, slots=True)
class Performance:
    """What was seen of a scenario, beside the capture.

    Attributes:
        each: the client's networks; see ``Computers``.
        missing: what the capture lacks, empty where it has everything.
        contention: how loaded the machine was.
    """

    scenario: Scenario
    capture: Path
    each: tuple[Json, ...]
    server_address: str
    searches: tuple[Search, ...]
    shows_completion: bool
    missing: str = ""
    flooded: bool = False
    contention: Contention = field(default=Contention(0))


class Turn:
    """The right to take up a processor: held in a ``with`` statement, given up while nothing but time passes."""

    def __init__(self, gate: threading.Semaphore) -> None:
        self._gate = gate

    def __enter__(self) -> Self:
        self._gate.acquire()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._gate.release()

    @contextmanager
    def given_up(self) -> Iterator[None]:
        """Let others have it."""
        self._gate.release()
        try:
            yield
        finally:
            self._gate.acquire()


@dataclass(frozen=True, slots=True)
class Stage:
    """What the scenarios of a matrix share.

    Attributes:
        folder: of the captures.
        networks: makes those of each scenario.
        gate: held by those that take up a processor, so that not too many do so at once.
        canary: watches how loaded the machine is.
    """

    folder: Path
    networks: NetworkMaker
    limits: Limits
    gate: threading.Semaphore
    canary: Canary

    def play(self, scenario: Scenario, client: Implementation, server: Implementation, name: str) -> Performance:
        """Play a scenario.

        Raises:
            NotApplicable: this machine makes no networks.
            ConfigurationError: an implementation cannot be started.
        """
        capture = self.folder / f"{name}.pcapng"
        began, stalled_before = time.monotonic_ns(), stalled()
        with Turn(self.gate) as turn:
            self.limits.go_on()
            computers = self.networks.make(scenario.networks, scenario.with_server, FACTS.udp_port, capture)
            missing = ""
            try:
                shows, searches = self._searches(scenario, client, server, computers, turn)
            finally:
                missing = computers.close()
        return Performance(
            scenario=scenario,
            capture=capture,
            each=tuple(computers.each),
            server_address=computers.server_address,
            searches=searches,
            shows_completion=shows,
            missing=missing,
            flooded=computers.flooded,
            contention=self.canary.contention(began, stalled_before),
        )

    def _searches(
        self, scenario: Scenario, client: Implementation, server: Implementation, computers: Computers, turn: Turn
    ) -> tuple[bool, tuple[Search, ...]]:
        """Return whether the client shows completions, and what its searches came to."""
        began = time.time_ns()
        with ExitStack() as opened:
            facts = scenario.servers[0]
            try:
                serving = server_of(server, computers, self.folder / "facts", self.limits)
                opened.callback(serving.end)
            except IutFault as fault:
                late = _is_late(fault)
                return True, (Search(facts, began, time.time_ns(), server_fault=str(fault), missed_deadline=late),)
            ids = {"enterprise": facts.enterprise, "site": scenario.site}
            try:
                fresh = clients_of(client, computers, ids, self.limits.deadline, opened)
            except IutFault as fault:
                late = _is_late(fault)
                return True, (Search(facts, began, time.time_ns(), client_fault=str(fault), missed_deadline=late),)
            seconds = scenario.seconds + SLACK + self.limits.patience
            searches: list[Search] = []
            for facts in scenario.servers:
                searches.append(self._search(seconds, facts, fresh, serving, computers, turn))
                if not searches[-1].found:
                    break  # one that failed fails again, and another wait would tell nothing
            return client.client is None or client.client.outcome != "none", tuple(searches)

    def _search(  # noqa: PLR0913, PLR0917 - both sides and what is between them
        self,
        seconds: float,
        facts: ServerFacts,
        fresh: Callable[[], LiveClient],
        server: Server,
        computers: Computers,
        turn: Turn,
    ) -> Search:
        began = time.time_ns()
        try:
            server.serve(facts)
        except IutProblem as fault:
            return Search(facts, began, time.time_ns(), server_fault=str(fault), missed_deadline=_is_late(fault))
        told, client_fault, late = None, "", False
        try:
            with closing(fresh()) as client:
                client.start()
                computers.asks(STARTING)
                with turn.given_up():
                    told = end_of_search(client, computers, self.limits, seconds)
        except IutProblem as fault:
            client_fault, late = str(fault), _is_late(fault)
        return Search(facts, began, time.time_ns(), told, client_fault, server.fault(), late)


def _is_late(fault: IutProblem) -> bool:
    return isinstance(fault, IutFault) and fault.kind == "deadline"
