"""All cells of discovery at the same time: waits of 15 seconds overlap, and what takes up a processor does not."""

import os
import resource
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Final

from mqconform.harness.explore.matrix.discovery.computers import Limits, NetworkMaker
from mqconform.harness.explore.matrix.discovery.discovery_judgements import Judged, Judging
from mqconform.harness.explore.matrix.discovery.discovery_stage import Stage
from mqconform.harness.explore.matrix.discovery.scenarios import scenario_named
from mqconform.harness.explore.matrix.matrix_cell import NOT_APPLICABLE, Cell, Result
from mqconform.harness.explore.matrix.matrix_file import Settings
from mqconform.harness.explore.matrix.matrix_plan import Implementation
from mqconform.harness.iut.contention import Canary
from mqconform.harness.iut.interface import ConfigurationError, NotApplicable
from mqconform.harness.suite.ambiguity import load_register
from mqconform.reference.mqsd.client import SECOND

AT_ONCE: Final = 128
"""How many scenarios live at the same time."""
DESCRIPTORS: Final = 24
"""Of one scenario: namespaces, pipes and sockets; a waiting one has about fifteen."""
OTHERS: Final = 200
"""Descriptors that are not of scenarios."""
MOST_DESCRIPTORS: Final = 16_384
STARTING: Final = 2
"""How many of them take up a processor at the same time, for each cell that may be played at once."""
FOLDER: Final = "captures"
LONGEST_FIRST: Final[tuple[str, ...]] = ("second-network", "other-site", "own-site")

Outcome = Judged | NotApplicable | ConfigurationError


def play_cells(
    cells: Sequence[Cell], by_name: dict[str, Implementation], settings: Settings, networks: NetworkMaker
) -> Iterator[Result]:
    """Yield the results of cells, each as soon as it is known."""
    folder = settings.out / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in LONGEST_FIRST if name in settings.tried.scenarios]
    outcomes: dict[Cell, dict[str, Outcome]] = {cell: {} for cell in cells}
    with Canary() as canary, ThreadPoolExecutor(min(_room(), len(cells) * len(names)) or 1) as pool:
        gate = threading.Semaphore(max(2, STARTING * settings.workers))
        limits = Limits(settings.tried.patience, settings.deadline, threading.Event())
        stage = Stage(folder, networks, limits, gate, canary)
        waiting: dict[Future[Outcome], tuple[Cell, str]] = {}
        for name in names:
            for cell in cells:
                waiting[pool.submit(_outcome, stage, settings, cell, name, by_name)] = (cell, name)
        try:
            for future in as_completed(waiting):
                cell, name = waiting[future]
                outcomes[cell][name] = future.result()
                if len(outcomes[cell]) == len(names):
                    yield _result(cell, outcomes[cell], settings.tried.scenarios)
        except BaseException:
            limits.given_up.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _room() -> int:
    """Return how many scenarios may live at the same time; the limit on open files is raised as far as it may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
        soft = limit
    room = AT_ONCE if soft == resource.RLIM_INFINITY else (soft - OTHERS) // DESCRIPTORS
    return max(2, min(AT_ONCE, room))


def _outcome(stage: Stage, settings: Settings, cell: Cell, name: str, by_name: dict[str, Implementation]) -> Outcome:
    client, server = (by_name[side_name] for side_name in cell.pair)
    scenario = scenario_named(name, settings.seed, client.client)
    file = f"{client.name}-with-{server.name}-{name}"
    try:
        performance = stage.play(scenario, client, server, file)
    except (NotApplicable, ConfigurationError) as problem:
        return problem
    evidence = os.fspath(Path(FOLDER) / performance.capture.name)
    tolerance = round(settings.tried.tolerance * SECOND)
    with stage.gate:
        return Judging(load_register(), settings.profile, performance, tolerance, evidence).judged()


def _result(cell: Cell, outcomes: Mapping[str, Outcome], names: Sequence[str]) -> Result:
    judged = [outcome for name in names if isinstance(outcome := outcomes.get(name), Judged)]
    problem = next((str(outcome) for outcome in outcomes.values() if not isinstance(outcome, Judged)), "")
    if problem and not judged:
        return Result(cell, excuse=NOT_APPLICABLE, reason=problem)
    findings = tuple(finding for outcome in judged for finding in outcome.findings)
    client, server = cell.pair
    evidence = (f"{FOLDER}/{client}-with-{server}-{outcome.played.name}.pcapng" for outcome in judged)
    return Result(
        cell, tuple(outcome.played for outcome in judged), findings, tuple(dict.fromkeys(evidence)), reason=problem
    )
