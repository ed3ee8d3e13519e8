"""What a copy of the package says of itself: the lint, and what the farm complains of when parts of it are tried.

Whatever is complained of here, ``mqconform lint`` or ``mqconform mutants`` complains of as well: a case runs the same
whichever others run, and a loss in the scenarios tried is a loss in all of them.
"""

import gc
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from pytest_bdd.parser import Feature

from mqconform.harness.compare.mutation.job import Job, perform
from mqconform.harness.compare.mutation.jobs import REFERENCE, reference_job
from mqconform.harness.compare.mutation.kills import Kills
from mqconform.harness.compare.mutation.nursery import LIMIT
from mqconform.harness.compare.mutation.seeded.apart import answer_of
from mqconform.harness.compare.mutation.seeded.inside import Round
from mqconform.harness.compare.mutation.trial import Trial
from mqconform.harness.iut.connect import mutant_target
from mqconform.harness.iut.roles import step_modules
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.lint.check import LIST, check_features, check_suite, published, read_features
from mqconform.harness.suite.naming import feature_name


def complaint(rounds: Sequence[Round]) -> str:
    """Return the first complaint; nothing where there is none."""
    _load()
    return next(_complaints(rounds), "")


def _complaints(rounds: Sequence[Round]) -> Iterator[str]:
    kills = Kills.load()
    for number, one in enumerate(rounds):
        yield from _found_in(one, kills)
        if number == 0:
            yield from lint()


def _found_in(one: Round, kills: Kills) -> Iterator[str]:
    alone, parts = one
    scenarios = {*alone, *(scenario for _, some in parts for scenario in some)}
    if not scenarios:
        return
    reference = _apart(reference_job().target, REFERENCE, scenarios)
    for scenario, text in kills.within(scenarios).lost_assertions(reference):
        yield f"lost assertion: {scenario}: {text}"
    for mutant, some in parts:
        yield from _losses(kills.within(some, {mutant}), reference, _tried(mutant, some))


def _load() -> None:
    """Load once what every run needs: the processes of the runs share it."""
    for module in step_modules():
        import_module(module)
    load_catalogue()
    gc.collect()
    gc.freeze()


def lint() -> Iterator[str]:
    """Yield what the lint finds in the suite."""
    features, found = read_features((published(),))
    found += check_features(features, step_modules())
    found += check_suite(features, published() / LIST)
    for one in found:
        yield f"lint: {one.rule}"


def _losses(kills: Kills, reference: Trial, trial: Trial) -> Iterator[str]:
    if trial.errors:
        yield f"failed: {trial.name}"
    for scenario, step, name in kills.lost_kills({trial.name: trial}):
        yield f"lost kill: {scenario}: `{step}` does not convict {name}"
    for scenario, step, name in kills.lost_distinctions(reference, {trial.name: trial}):
        yield f"lost distinction: {scenario}: `{step}` does not tell {name} from the reference"


def _tried(mutant: str, scenarios: Sequence[str]) -> Trial:
    target = mutant_target(mutant)
    return _apart(target, mutant, scenarios)


def _apart(target: str, name: str, scenarios: Sequence[str] | set[str]) -> Trial:
    """Perform a job in a process that ends with it: one process tries one implementation.

    Raises:
        RuntimeError: the process did not end as it should, which says nothing of the suite.
    """
    job = Job(name, target, tuple(sorted(scenarios)))
    trial: Trial = answer_of(get_context("fork"), _send, (job,), f"the process of {name}", LIMIT)
    return trial


def _send(pipe: Connection, job: Job) -> None:
    _read_only({scenario.rpartition("/")[0] for scenario in job.cases})
    pipe.send(perform(job))
    pipe.close()
    os._exit(0)  # as above all else the process may hold a thread that hangs


def _read_only(wanted: Collection[str]) -> None:
    """Let this process read no other features: to read all of them takes longer than to run few scenarios."""
    reading: Any = import_module("pytest_bdd.scenario")  # the package has a function of that name
    read: Callable[[list[str], str], list[Feature]] = reading.get_features

    def some(paths: Iterable[str], encoding: str = "utf-8") -> list[Feature]:
        files = (str(file) for path in paths for file in sorted(Path(path).rglob("*.feature")))
        return read([file for file in files if feature_name(file) in wanted], encoding)

    reading.get_features = some
