"""Wrong discovery clients are convicted by the requirement they break; those that may differ are not."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from mqconform.harness.catalogue import load_catalogue
from mqconform.harness.iut import AdapterOptions
from mqconform.harness.mutants import mqsd_client_registry as registry
from mqconform.harness.mutants.mqsd_client_mutant import ClientMutant
from mqconform.harness.mutants.mqsd_client_registry import CLIENTS, FAULTY, UNDECIDED, VARIANTS
from mqconform.harness.profile import Profile
from mqconform.harness.running.run import EXIT_FAIL, EXIT_INCONCLUSIVE, EXIT_OK, Plan, execute
from mqconform.harness.running.selection import Selection
from mqconform.harness.verdict import Standing

WHOLE = ("MQSD",)
AT_LEAST = 20


@dataclass(frozen=True, slots=True)
class Trial:
    """What the client's features found of one mutant."""

    name: str
    exit_code: int
    violated: tuple[str, ...]
    errors: tuple[str, ...]


def tried(name: str) -> Trial:
    """Judge a mutant; a faulty one by the scenarios of what it breaks, the others by all."""
    mutant = {one.name: one for one in CLIENTS}[name]
    selection = Selection(mutant.breaks or WHOLE)
    with TemporaryDirectory() as folder:
        iut = f"api:{registry.__name__}:{name.replace('-', '_')}"
        plan = Plan(iut, AdapterOptions(), Profile.DEFAULT, 0, selection, Path(folder))
        outcome = execute(plan)
    violated = tuple(one.requirement.id for one in outcome.findings if one.standing is Standing.VIOLATED)
    return Trial(name, outcome.exit_code, violated, tuple(case.error for case in outcome.cases if case.error))


@pytest.fixture(scope="module")
def trials() -> Iterator[dict[str, Trial]]:
    """The trials of all mutants, two at a time."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield {one.name: one for one in pool.map(tried, [one.name for one in CLIENTS])}


def test_there_are_enough_of_them_and_each_names_what_the_catalogue_has() -> None:
    catalogue = load_catalogue()
    assert len(FAULTY) >= AT_LEAST
    assert all(one.breaks and set(one.breaks) <= set(catalogue) for one in FAULTY)
    assert not any(one.breaks for one in (*VARIANTS, *UNDECIDED))


@pytest.mark.parametrize("mutant", FAULTY, ids=lambda one: one.name)
def test_a_faulty_client_is_convicted_of_what_it_breaks(mutant: ClientMutant, trials: dict[str, Trial]) -> None:
    trial = trials[mutant.name]
    assert (trial.exit_code, trial.errors) == (EXIT_FAIL, ())
    assert set(mutant.breaks) & set(trial.violated)


@pytest.mark.parametrize("mutant", VARIANTS, ids=lambda one: one.name)
def test_a_client_that_may_differ_conforms(mutant: ClientMutant, trials: dict[str, Trial]) -> None:
    trial = trials[mutant.name]
    assert (trial.exit_code, trial.violated, trial.errors) == (EXIT_OK, (), ())


@pytest.mark.parametrize("mutant", UNDECIDED, ids=lambda one: one.name)
def test_a_client_that_does_what_the_register_leaves_open_is_inconclusive(
    mutant: ClientMutant, trials: dict[str, Trial]
) -> None:
    trial = trials[mutant.name]
    assert (trial.exit_code, trial.violated, trial.errors) == (EXIT_INCONCLUSIVE, (), ())
