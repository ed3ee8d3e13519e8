"""Router mutants name what they break, and are reached by their names; the farm tries them (test_farm.py)."""

import pytest

from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.mutants.mqbr import MUTANTS, conforming, open_places, undecided
from mqconform.harness.iut.mutants.mutant import Kind, Mutant
from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.records.requirement import RoleName, covers
from mqconform.harness.suite.catalogue import load_catalogue

JUDGED = [known.id for known in load_catalogue().values() if known.id.startswith("MQBR-") and known.judged == "api"]
FAULTY = [mutant for mutant in MUTANTS if mutant.kind is Kind.FAULTY]
FEWEST = 40


def test_there_are_enough_and_each_says_what_is_peculiar() -> None:
    assert len(FAULTY) >= FEWEST
    assert [mutant for mutant in all_mutants().values() if mutant.role is RoleName.ROUTER] == [*MUTANTS]
    assert [mutant.name for mutant in MUTANTS if not mutant.says.endswith(".")] == []


def test_only_those_of_the_tables_of_conforming_and_undecided_routers_break_nothing() -> None:
    assert {mutant.kind for mutant in conforming.MUTANTS} == {Kind.CONFORMING}
    assert {mutant.kind for mutant in undecided.MUTANTS} == {Kind.UNDECIDED}
    assert Kind.FAULTY not in {mutant.kind for mutant in open_places.MUTANTS}
    innocent = len(conforming.MUTANTS) + len(undecided.MUTANTS) + len(open_places.MUTANTS)
    assert len(FAULTY) + innocent == len(MUTANTS)


@pytest.mark.parametrize("mutant", FAULTY, ids=lambda mutant: mutant.name)
def test_each_list_names_requirements_that_are_judged(mutant: Mutant) -> None:
    assert set(mutant.breaks) <= set(JUDGED)
    assert [listed for listed in mutant.also if not any(covers(listed, known) for known in JUDGED)] == []


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_each_is_reached_by_its_name_and_has_no_other_role(mutant: Mutant) -> None:
    iut = connect(f"mutant:{mutant.name}", AdapterOptions())
    try:
        assert iut.description.roles == {RoleName.ROUTER}
    finally:
        iut.close()
