"""What holds of the mutants of exactly-once delivery without a run; ``mqconform mutants`` tries them all."""

import pytest

from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.mutants.eod import MUTANTS, conforming
from mqconform.harness.iut.mutants.mutant import Kind, Mutant
from mqconform.harness.iut.roles import ROLES, all_mutants
from mqconform.harness.records.requirement import covers
from mqconform.harness.suite.catalogue import load_catalogue

EOD_ROLES = [role.name for role in ROLES.values() if role.folder == "eod"]
FEWEST = 15


@pytest.mark.parametrize("role", EOD_ROLES)
def test_each_judged_requirement_has_a_mutant_that_is_aimed_at_it(role: str) -> None:
    faulty = [mutant for mutant in MUTANTS if mutant.role == role and mutant.kind is Kind.FAULTY]
    assert len(faulty) >= FEWEST
    catalogue = load_catalogue().values()
    judged = {known.id for known in catalogue if role in known.roles and known.is_judged}
    assert {broken for mutant in faulty for broken in mutant.breaks} == judged


def test_consequences_are_of_faulty_mutants_and_of_requirements_that_there_are() -> None:
    assert {mutant.kind for mutant in MUTANTS if mutant.also} == {Kind.FAULTY}
    listed = {prefix for mutant in MUTANTS for prefix in mutant.also}
    assert [prefix for prefix in listed if not any(covers(prefix, known) for known in load_catalogue())] == []


def test_the_registry_knows_each_under_its_role_and_the_kind_follows_from_the_table() -> None:
    assert {mutant.role for mutant in MUTANTS} == set(EOD_ROLES)
    assert [mutant for mutant in MUTANTS if all_mutants()[mutant.name] is not mutant] == []
    assert [mutant.name for mutant in MUTANTS if not mutant.says.endswith(".")] == []
    faulty = [mutant for mutant in MUTANTS if mutant not in conforming.MUTANTS]
    assert {mutant.kind for mutant in faulty} == {Kind.FAULTY}
    assert {mutant.kind for mutant in conforming.MUTANTS} == {Kind.CONFORMING, Kind.UNDECIDED}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_each_is_reached_by_its_name_and_has_its_role_alone(mutant: Mutant) -> None:
    iut = connect(f"mutant:{mutant.name}", AdapterOptions())
    try:
        assert iut.description.roles == {mutant.role}
    finally:
        iut.close()
