"""One scenario, played by a client and a server of different vendors."""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mqconform.harness.explore.matrix.discovery.computers import Computers, Limits, NetworkMaker
from mqconform.harness.explore.matrix.discovery.players import clients_of, end_of_search, server_of
from mqconform.harness.explore.matrix.discovery.scenarios import Scenario
from mqconform.harness.explore.matrix.matrix_plan import Implementation
from mqconform.harness.iut.contention import Canary, Contention, stalled
from mqconform.harness.iut.drivers.discovery_client.observations import Done
from mqconform.harness.iut.interface import IutFault, IutProblem, ServerFacts
from mqconform.reference.mqsd.client import Complete, Result
from mqconform.reference.mqsd.specification import FACTS

STARTING: Final = 5.0
"""Seconds for which one start may hold up others."""
SLACK: Final = 10.0
"""Seconds beyond what the text gives a search, for programs to start and end."""


CLIENT, SERVER = "client", "server"


@dataclass(slots=True)
class Search:
    """One search of the client.

    Attributes:
        server: what the server was configured with.
        began: when the client was started, ``ended`` when it was over; nanoseconds since 1970.
        end: the end of the search as the client told it, None where it told none.
        faults: how a side broke its contract, by side.
        missed_deadline: whether what it broke is a deadline alone, which a loaded machine may be to blame for.
    """

    server: ServerFacts
    began: int = field(default_factory=time.time_ns)
    ended: int = 0
    end: Done | None = None
    faults: dict[str, str] = field(default_factory=dict)
    missed_deadline: bool = False

    @property
    def result(self) -> Result | None:
        """The result that the client told, None where it told none."""
        return self.end.effect.result if self.end and isinstance(self.end.effect, Complete) else None

    @property
    def found(self) -> bool:
        """Whether the client told of success, or tells nothing at all."""
        return not self.faults and self.result in (None, Result.SUCCESS)

    @contextmanager
    def blaming(self, side: str, kind: type[IutProblem] = IutProblem) -> Iterator[None]:
        """Note what goes wrong within as the fault of a side, and go on; the search is over then."""
        try:
            yield
        except kind as problem:
            self.faults[side] = str(problem)
            self.missed_deadline = isinstance(problem, IutFault) and problem.kind == "deadline"
        finally:
            self.ended = time.time_ns()


@dataclass(frozen=True, slots=True)
class Performance:
    """What was seen of a scenario, beside the capture.

    Attributes:
        computers: closed, with what is known of their networks.
        missing: what the capture lacks, empty where it has everything.
        contention: how loaded the machine was.
    """

    scenario: Scenario
    capture: Path
    computers: Computers
    searches: tuple[Search, ...]
    shows_completion: bool
    missing: str
    contention: Contention


@contextmanager
def given_up(gate: threading.Semaphore) -> Iterator[None]:
    """Let others take up the processor while nothing but time passes."""
    gate.release()
    try:
        yield
    finally:
        gate.acquire()


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
        with self.gate:
            self.limits.go_on()
            computers = self.networks.make(scenario.networks, scenario.with_server, FACTS.udp_port, capture)
            missing = ""
            try:
                searches = tuple(self._searches(scenario, client, server, computers))
            finally:
                missing = computers.close()
        shows = client.client is None or client.client.outcome != "none"
        contention = self.canary.contention(began, stalled_before)
        return Performance(scenario, capture, computers, searches, shows, missing, contention)

    def _searches(
        self, scenario: Scenario, client: Implementation, server: Implementation, computers: Computers
    ) -> Iterator[Search]:
        facts = scenario.servers[0]
        ids = {"enterprise": facts.enterprise, "site": scenario.site}
        seconds = scenario.seconds + SLACK + self.limits.patience
        first = Search(facts)
        with ExitStack() as opened:
            with first.blaming(SERVER, IutFault):
                serving = server_of(server, computers, self.folder / "facts", self.limits)
                opened.callback(serving.end)
            if not first.faults:
                with first.blaming(CLIENT, IutFault):
                    fresh = clients_of(client, computers, ids, self.limits.deadline, opened)
            if first.faults:
                yield first
                return
            for facts in scenario.servers:
                search = Search(facts)
                with search.blaming(SERVER):
                    serving.serve(facts)
                if not search.faults:
                    with search.blaming(CLIENT), closing(fresh()) as live:
                        live.start()
                        computers.asks(STARTING)
                        with given_up(self.gate):
                            search.end = end_of_search(live, computers, self.limits, seconds)
                    if fault := serving.fault():
                        search.faults[SERVER] = fault
                yield search
                if not search.found:
                    return  # one that failed fails again, and another wait would tell nothing
