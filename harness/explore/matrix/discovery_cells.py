"""All cells of discovery at the same time: waits of 15 seconds overlap, and what takes up a processor does not.

In a scenario a client searches once for each configuration of its server, on networks that no other scenario has.
"""

import resource
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import ExitStack, closing
from itertools import product
from typing import Final

from mqconform.harness.explore.matrix import discovery_judgements as judgements
from mqconform.harness.explore.matrix import discovery_sides as sides
from mqconform.harness.explore.matrix.discovery_judgements import Performance, Search
from mqconform.harness.explore.matrix.matrix_cell import NOT_APPLICABLE, Cell, Finding, Played, Result
from mqconform.harness.explore.matrix.matrix_file import Implementation, Settings
from mqconform.harness.iut.contention import Canary, stalled
from mqconform.harness.iut.interface import ConfigurationError, IutFault, NotApplicable
from mqconform.reference.mqsd.audit.conversation_rules import CLIENT, SERVER
from mqconform.reference.mqsd.specification import FACTS

DESCRIPTORS: Final = 24
"""Of one scenario: namespaces, pipes and sockets; a waiting one has about fifteen."""
OTHERS: Final = 200
"""Descriptors that are not of scenarios."""
MOST_DESCRIPTORS: Final = 1024
"""scapy waits with select(2) where it begins to capture, which knows no more."""
STARTING: Final = 2
"""How many scenarios take up a processor at the same time, for each cell that may be played at once."""
MOST_STARTING: Final = 5.0
"""Seconds for which one start may hold up others."""
SLACK: Final = 10.0
"""Seconds beyond what the text gives a search, for programs to start and end."""
LONGEST_FIRST: Final[tuple[str, ...]] = ("second-network", "other-site", "own-site")

Outcome = tuple[Played, tuple[Finding, ...]] | NotApplicable | ConfigurationError


def play_cells(
    cells: Sequence[Cell], by_name: Mapping[str, Implementation], settings: Settings, networks: sides.NetworkMaker
) -> Iterator[Result]:
    """Yield the results of cells, each as soon as it is known."""
    (settings.out / sides.FOLDER).mkdir(parents=True, exist_ok=True)
    names = [name for name in LONGEST_FIRST if name in settings.tried.scenarios]
    outcomes: dict[Cell, dict[str, Outcome]] = {cell: {} for cell in cells}
    with Canary() as canary, ThreadPoolExecutor(min(_room(), len(cells) * len(names)) or 1) as pool:
        gate = threading.Semaphore(max(2, STARTING * settings.workers))
        stage = sides.Stage(settings, networks, gate, canary, threading.Event())
        waiting: dict[Future[Outcome], tuple[Cell, str]] = {}
        for name, cell in product(names, cells):
            waiting[pool.submit(_outcome, stage, name, *(by_name[each] for each in cell.pair))] = (cell, name)
        try:
            for future in as_completed(waiting):
                cell, name = waiting[future]
                outcomes[cell][name] = future.result()
                if len(outcomes[cell]) == len(names):
                    yield _result(cell, {name: outcomes[cell][name] for name in settings.tried.scenarios})
        except BaseException:
            stage.given_up.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _room() -> int:
    """Return how many scenarios may live at the same time."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else min(soft, MOST_DESCRIPTORS)
    return max(2, (most - OTHERS) // DESCRIPTORS)


def _capture(client: str, server: str, scenario: str) -> str:
    return f"{sides.FOLDER}/{client}-with-{server}-{scenario}.pcapng"


def _outcome(stage: sides.Stage, name: str, client: Implementation, server: Implementation) -> Outcome:
    settings, evidence = stage.settings, _capture(client.name, server.name, name)
    scenario = sides.scenario_named(name, settings.seed, client.discovery_client)
    began, stalled_before, capture = time.monotonic_ns(), stalled(), settings.out / evidence
    with stage.gate:
        try:
            stage.go_on()
            computers = stage.networks.make(scenario.networks, scenario.networks[-1], FACTS.udp_port, capture)
            missing = ""
            try:
                searches = tuple(_searches(stage, scenario, client, server, computers))
            finally:
                missing = computers.close()
        except (NotApplicable, ConfigurationError) as problem:
            return problem
        shows = client.discovery_client is None or client.discovery_client.outcome != "none"
        contention = stage.canary.contention(began, stalled_before)
        performance = Performance(scenario, capture, computers, searches, shows, missing, contention)
        return judgements.judged(performance, settings, evidence)


def _searches(
    stage: sides.Stage,
    scenario: sides.Scenario,
    client: Implementation,
    server: Implementation,
    computers: sides.Computers,
) -> Iterator[Search]:
    ids = {"enterprise": scenario.servers[0].enterprise, "site": scenario.site}
    seconds = FACTS.response_timeout * (len(scenario.networks) + 1) + SLACK + stage.settings.tried.patience
    first = Search(scenario.servers[0])
    with ExitStack() as opened:
        with first.blaming(SERVER, IutFault):
            made = sides.ProgramServer if server.discovery_server else sides.CalledServer
            serving: sides.ProgramServer | sides.CalledServer = made(server, computers, stage)
            opened.callback(serving.end)
        if not first.faults:
            with first.blaming(CLIENT, IutFault):
                fresh = sides.clients_of(client, computers, ids, stage, opened)
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
                    computers.asks(MOST_STARTING)
                    stage.gate.release()  # nothing but time passes
                    try:
                        search.end = sides.end_of_search(live, computers, stage, seconds)
                    finally:
                        stage.gate.acquire()
                if fault := serving.fault():
                    search.faults[SERVER] = fault
            yield search
            if not search.found:
                return  # one that failed fails again, and another wait would tell nothing


def _result(cell: Cell, outcomes: Mapping[str, Outcome]) -> Result:
    judged = [outcome for outcome in outcomes.values() if isinstance(outcome, tuple)]
    problem = next((str(outcome) for outcome in outcomes.values() if not isinstance(outcome, tuple)), "")
    if problem and not judged:
        return Result(cell, excuse=NOT_APPLICABLE, reason=problem)
    played = tuple(each for each, _ in judged)
    findings = tuple(finding for _, of_scenario in judged for finding in of_scenario)
    evidence = dict.fromkeys(_capture(*cell.pair, each.name) for each in played)
    return Result(cell, played, findings, tuple(evidence), reason=problem)
