"""What holds of the mutants of exactly-once delivery without a run; ``mqconform mutants`` tries them all."""

import pytest

from mqconform.harness.catalogue import load_catalogue
from mqconform.harness.farm.specimen import Kind, population
from mqconform.harness.iut import AdapterOptions
from mqconform.harness.mutants import eod_registry
from mqconform.harness.mutants.eod_consequences import ALSO
from mqconform.harness.running.connect import connect
from mqconform.harness.running.selection import covers

ROLES = ("ordered_receiver", "ordered_sender", "transaction")
FEWEST = 15


@pytest.mark.parametrize("role", ROLES)
def test_each_judged_requirement_has_a_mutant_that_is_aimed_at_it(role: str) -> None:
    faulty = [one for one in eod_registry.FAULTY if one.role == role]
    assert len(faulty) >= FEWEST
    judged = {one.id for one in load_catalogue().values() if role in one.roles and one.judged != "no"}
    aimed = {broken for one in faulty for broken in one.breaks}
    assert aimed == judged


def test_consequences_are_of_mutants_and_requirements_that_there_are() -> None:
    known = load_catalogue()
    assert set(ALSO) <= {one.name for one in eod_registry.FAULTY}
    listed = {one for several in ALSO.values() for one in several}
    assert [one for one in listed if not any(covers(one, each) for each in known)] == []


def test_the_farm_knows_the_role_and_the_kind_of_each() -> None:
    specimens = {one.name: one for one in population()}
    for mutant in eod_registry.ENDS:
        assert specimens[mutant.name].role == mutant.role
        assert mutant.says.endswith(".")
    kinds = {one: specimens[one.name].kind for one in eod_registry.ENDS}
    assert {kinds[one] for one in eod_registry.FAULTY} == {Kind.FAULTY}
    assert {kinds[one] for one in eod_registry.VARIANTS} == {Kind.CONFORMING}
    assert {kinds[one] for one in eod_registry.UNDECIDED} == {Kind.UNDECIDED}


@pytest.mark.parametrize("mutant", eod_registry.ENDS, ids=lambda one: one.name)
def test_each_is_reached_by_its_name_and_has_its_role_alone(mutant: eod_registry.EndMutant) -> None:
    iut = connect(f"mutant:{mutant.name}", AdapterOptions())
    try:
        assert iut.description.roles == {mutant.role}
    finally:
        iut.close()
