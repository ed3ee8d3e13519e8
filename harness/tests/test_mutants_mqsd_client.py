"""Client mutants name what they break, and are reached by their names; the farm tries them (test_farm.py)."""

from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.mutants.mqsd_client import MUTANTS
from mqconform.harness.iut.mutants.mutant import Kind
from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.records.requirement import RoleName, covers
from mqconform.harness.suite.catalogue import load_catalogue

CLIENT = RoleName.DISCOVERY_CLIENT
JUDGED = {known.id for known in load_catalogue().values() if CLIENT in known.roles and known.is_judged}
FAULTY = [mutant for mutant in MUTANTS if mutant.kind is Kind.FAULTY]
FEWEST = 70


def test_there_are_enough_and_each_says_what_is_peculiar() -> None:
    assert len(FAULTY) >= FEWEST
    assert {mutant.kind for mutant in MUTANTS} == {*Kind}
    assert {mutant.name for mutant in MUTANTS} <= set(all_mutants())
    assert [mutant.name for mutant in MUTANTS if not mutant.says.endswith(".")] == []


def test_each_list_names_requirements_that_are_judged() -> None:
    for mutant in FAULTY:
        assert set(mutant.breaks) <= JUDGED, mutant.name
        assert [listed for listed in mutant.also if not any(covers(listed, each) for each in JUDGED)] == [], mutant.name
    assert [mutant.name for mutant in MUTANTS if mutant.also and not mutant.breaks] == []


def test_a_client_mutant_is_reached_by_its_name_and_has_no_other_role() -> None:
    for mutant in MUTANTS:
        iut = connect(f"mutant:{mutant.name}", AdapterOptions())
        iut.close()
        assert mutant.role is CLIENT
        assert iut.description.name == f"mutant {mutant.name}"
        assert iut.description.roles == {CLIENT}
