"""Wrong discovery servers are convicted of what they break, conforming ones pass, undecided ones stay open.

Every one of them runs the whole suite, in processes of their own: a minute or two on two idle cores.
"""

import pytest

from mqconform.harness.catalogue import load_catalogue
from mqconform.harness.iut import AdapterOptions
from mqconform.harness.mutants import ALSO, BREAKS, FAULTY, MUTANTS, NAMES, UNDECIDED, VARIANTS
from mqconform.harness.mutants.farm import Trial, try_all
from mqconform.harness.running.connect import connect
from mqconform.harness.running.run import EXIT_FAIL, EXIT_INCONCLUSIVE, EXIT_OK
from mqconform.harness.running.selection import covers

SERVER = "discovery_server"
JUDGED = [one.id for one in load_catalogue().values() if SERVER in one.roles and one.judged != "no"]
OVER_SOCKETS_ONLY = {"MQSD-2.1-03", "MQSD-3.2.5.1-15"}
"""Where a reply goes to: the servers that get it wrong have sockets of their own (test_alien_server.py)."""
FEWEST = 100

pytestmark = pytest.mark.timeout(1800)  # cores are seldom idle


@pytest.fixture(scope="module")
def trials() -> dict[str, Trial]:
    names = [*FAULTY, *VARIANTS, *UNDECIDED]
    return dict(zip(names, try_all(f"mutant:{name}" for name in names), strict=True))


def is_listed(requirement: str, name: str) -> bool:
    return any(covers(listed, requirement) for listed in (*BREAKS[name], *ALSO[name]))


def test_there_are_enough_and_each_says_what_is_peculiar() -> None:
    assert len(FAULTY) >= FEWEST
    assert {*FAULTY, *VARIANTS, *UNDECIDED} <= set(NAMES)
    assert [name for name in NAMES if not MUTANTS[name].says.endswith(".")] == []


def test_each_list_names_requirements_that_are_judged() -> None:
    for name in FAULTY:
        assert BREAKS[name], name
        assert set(BREAKS[name]) <= set(JUDGED), name
        assert [one for one in ALSO[name] if not any(covers(one, each) for each in JUDGED)] == [], name


def test_each_faulty_server_is_convicted_of_what_it_breaks(trials: dict[str, Trial]) -> None:
    assert {name: trials[name].errors for name in FAULTY if trials[name].errors} == {}
    assert [name for name in FAULTY if trials[name].exit_code != EXIT_FAIL] == []
    assert [name for name in FAULTY if not set(trials[name].violated) & set(BREAKS[name])] == []


def test_a_faulty_server_violates_nothing_but_what_follows_from_its_fault(trials: dict[str, Trial]) -> None:
    unrelated = {name: [one for one in trials[name].violated if not is_listed(one, name)] for name in FAULTY}
    assert {name: (found, trials[name].reasons) for name, found in unrelated.items() if found} == {}


def test_each_judged_requirement_has_a_server_that_breaks_it(trials: dict[str, Trial]) -> None:
    killed = {one for name in FAULTY for one in trials[name].violated if one in BREAKS[name]}
    assert {one for one in JUDGED if one not in killed} == OVER_SOCKETS_ONLY


@pytest.mark.parametrize("name", VARIANTS)
def test_a_conforming_server_passes(trials: dict[str, Trial], name: str) -> None:
    found = trials[name]
    assert (found.exit_code, found.violated, found.undecided, found.reasons) == (EXIT_OK, (), (), {})


@pytest.mark.parametrize("name", UNDECIDED)
def test_a_server_that_no_rule_settles_leaves_the_run_inconclusive(trials: dict[str, Trial], name: str) -> None:
    found = trials[name]
    assert (found.exit_code, found.violated, found.reasons) == (EXIT_INCONCLUSIVE, (), {})
    assert found.undecided


def test_a_mutant_is_reached_by_its_name_and_has_no_other_role() -> None:
    for name in (*FAULTY, *VARIANTS, *UNDECIDED):
        iut = connect(f"mutant:{name}", AdapterOptions())
        iut.close()
        assert iut.description.name == f"mutant {name}"
        assert iut.description.roles == {SERVER}
