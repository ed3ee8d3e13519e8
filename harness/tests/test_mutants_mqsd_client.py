"""Wrong discovery clients are convicted of what they break and of nothing unrelated; those that may differ are not.

Every one of them runs the whole suite, in processes of their own: two minutes on two idle cores.
"""

import pytest

from mqconform.harness.catalogue import load_catalogue
from mqconform.harness.mutants.farm import Trial, try_all
from mqconform.harness.mutants.mqsd_client_consequences import ALSO
from mqconform.harness.mutants.mqsd_client_mutant import ClientMutant
from mqconform.harness.mutants.mqsd_client_registry import CLIENTS, FAULTY, UNDECIDED, VARIANTS
from mqconform.harness.running.run import EXIT_FAIL, EXIT_INCONCLUSIVE, EXIT_OK
from mqconform.harness.running.selection import covers

AT_LEAST = 20
ROLE = "discovery_client"
JUDGED = {one.id for one in load_catalogue().values() if ROLE in one.roles and one.judged != "no"}

pytestmark = pytest.mark.timeout(1800)  # cores are seldom idle


@pytest.fixture(scope="module")
def trials() -> dict[str, Trial]:
    names = [one.name for one in CLIENTS]
    return dict(zip(names, try_all(f"mutant:{name}" for name in names), strict=True))


def test_there_are_enough_of_them_and_each_names_what_is_judged() -> None:
    assert len(FAULTY) >= AT_LEAST
    assert all(one.breaks and set(one.breaks) <= JUDGED for one in FAULTY)
    assert not any(one.breaks for one in (*VARIANTS, *UNDECIDED))
    assert set(ALSO) <= {one.name for one in FAULTY}
    assert [one for several in ALSO.values() for one in several if not any(covers(one, each) for each in JUDGED)] == []


@pytest.mark.parametrize("mutant", FAULTY, ids=lambda one: one.name)
def test_a_faulty_client_is_convicted_of_what_it_breaks(mutant: ClientMutant, trials: dict[str, Trial]) -> None:
    trial = trials[mutant.name]
    assert (trial.exit_code, trial.errors) == (EXIT_FAIL, ())
    assert set(mutant.breaks) & set(trial.violated)


@pytest.mark.parametrize("mutant", FAULTY, ids=lambda one: one.name)
def test_a_faulty_client_violates_nothing_but_what_follows_from_its_fault(
    mutant: ClientMutant, trials: dict[str, Trial]
) -> None:
    listed = (*mutant.breaks, *mutant.also)
    unrelated = [one for one in trials[mutant.name].violated if not any(covers(each, one) for each in listed)]
    assert unrelated == []


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
