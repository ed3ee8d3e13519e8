"""Wrong routers are convicted by the scenarios of what they break, conforming ones pass, undecided ones stay open.

Each faulty router runs the hand-written scenarios of the requirements that it breaks. What it violates besides is
held to its list for every sixteenth router, or for all of them if ``MQCONFORM_ALL_MUTANTS`` is set: a whole run of
each takes minutes. Generated enterprises are left out: they cost nearly as much as all other scenarios together.
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from mqconform.harness.catalogue import load_catalogue
from mqconform.harness.iut import AdapterOptions
from mqconform.harness.mutants import ALSO, BREAKS, MUTANTS, NAMES, mqbr_registry
from mqconform.harness.mutants.farm import Trial, trial
from mqconform.harness.mutants.mqbr_mutant import RouterMutant
from mqconform.harness.profile import Profile
from mqconform.harness.running.run import EXIT_FAIL, EXIT_INCONCLUSIVE, EXIT_OK, Plan, execute
from mqconform.harness.running.selection import Selection

HAND_WRITTEN = "not generated_enterprises"
WHOLE_RUNS = mqbr_registry.FAULTY if os.environ.get("MQCONFORM_ALL_MUTANTS") else mqbr_registry.FAULTY[::16]
JUDGED = tuple(one for one in load_catalogue().values() if one.id.startswith("MQBR-") and one.judged == "api")
FEWEST = 40

pytestmark = pytest.mark.timeout(900)  # two minutes of two idle cores, and cores are seldom idle


def run(requirements: tuple[str, ...], name: str) -> Trial:
    with TemporaryDirectory() as folder:
        plan = Plan(
            f"mutant:{name}", AdapterOptions(), Profile.DEFAULT, 0, Selection(requirements, HAND_WRITTEN), Path(folder)
        )
        return trial(execute(plan))


def own_scenarios(name: str) -> Trial:
    return run(BREAKS[name], name)


whole = partial(run, ("MQBR",))


def named(mutants: Sequence[RouterMutant]) -> list[str]:
    return [one.name for one in mutants]


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(min(4, os.cpu_count() or 1), mp_context=get_context("spawn")) as started:
        yield started


@pytest.fixture(scope="module")
def convictions(pool: ProcessPoolExecutor) -> dict[str, Trial]:
    names = named(mqbr_registry.FAULTY)
    return dict(zip(names, pool.map(own_scenarios, names), strict=True))


def is_listed(requirement: str, name: str) -> bool:
    listed = (*BREAKS[name], *ALSO[name])
    return any(requirement == one or requirement.startswith((f"{one}.", f"{one}-")) for one in listed)


def test_there_are_enough_and_each_says_what_is_peculiar() -> None:
    assert len(mqbr_registry.FAULTY) >= FEWEST
    assert {one.name for one in mqbr_registry.ROUTERS} <= set(NAMES)
    assert [one.name for one in mqbr_registry.ROUTERS if not one.says.endswith(".")] == []


def test_each_list_names_requirements_that_are_judged() -> None:
    ids = [one.id for one in JUDGED]
    for mutant in mqbr_registry.FAULTY:
        assert mutant.breaks
        assert set(mutant.breaks) <= set(ids), mutant.name
        unknown = [one for one in mutant.also if not any(f"{each}-".startswith((f"{one}.", f"{one}-")) for each in ids)]
        assert unknown == [], mutant.name


def test_each_faulty_router_is_convicted_by_the_scenarios_of_what_it_breaks(convictions: dict[str, Trial]) -> None:
    errors = {name: one.errors for name, one in convictions.items() if one.errors}
    acquitted = [name for name, one in convictions.items() if not set(one.violated) & set(BREAKS[name])]
    assert errors == {}
    assert acquitted == []
    assert {one.exit_code for one in convictions.values()} == {EXIT_FAIL}


def test_each_judged_requirement_has_a_router_that_its_own_scenarios_convict(convictions: dict[str, Trial]) -> None:
    killed = {one for name, found in convictions.items() for one in found.violated if one in BREAKS[name]}
    assert [one.id for one in JUDGED if one.id not in killed] == []


def test_a_faulty_router_violates_nothing_but_what_follows_from_its_fault(pool: ProcessPoolExecutor) -> None:
    names = named(WHOLE_RUNS)
    for name, found in zip(names, pool.map(whole, names), strict=True):
        assert found.exit_code == EXIT_FAIL, name
        assert set(found.violated) & set(BREAKS[name]), name
        assert [one for one in found.violated if not is_listed(one, name)] == [], name


def test_a_conforming_router_passes(pool: ProcessPoolExecutor) -> None:
    names = named(mqbr_registry.VARIANTS)
    for name, found in zip(names, pool.map(whole, names), strict=True):
        assert (found.exit_code, found.violated, found.undecided) == (EXIT_OK, (), ()), name


def test_a_router_that_no_rule_settles_leaves_the_run_inconclusive(pool: ProcessPoolExecutor) -> None:
    names = named(mqbr_registry.UNDECIDED)
    for name, found in zip(names, pool.map(whole, names), strict=True):
        assert (found.exit_code, found.violated) == (EXIT_INCONCLUSIVE, ()), name
        assert found.undecided, name


def test_a_router_mutant_has_no_other_role() -> None:
    description = MUTANTS["hop-count-for-cost"].iut().description()
    assert description["roles"] == ["router"]
