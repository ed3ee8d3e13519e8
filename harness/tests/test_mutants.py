"""Mutants name what they break, and are reached by their names; the farm tries them (test_farm.py)."""

import pytest

from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.mutants import eod, mqbr, mqsd_client, mqsd_server, mqso
from mqconform.harness.iut.mutants.mutant import Kind, Mutant
from mqconform.harness.iut.roles import ROLES, all_mutants
from mqconform.harness.records.requirement import covers
from mqconform.harness.suite.catalogue import load_catalogue

FAMILIES = {"eod": eod, "mqbr": mqbr, "mqsd_client": mqsd_client, "mqsd_server": mqsd_server, "mqso": mqso}
FEWEST = {
    "router": 40, "discovery_server": 100, "discovery_client": 70,
    "ordered_receiver": 15, "ordered_sender": 15, "transaction": 15, "queue_manager": 60,
}  # fmt: skip
"""Faulty mutants that each role has at least."""
JUDGED = {
    role: {known.id for known in load_catalogue().values() if role in known.roles and known.is_judged} for role in ROLES
}


def faulty(role: str) -> list[Mutant]:
    return [one for one in all_mutants().values() if one.role == role and one.kind is Kind.FAULTY]


def test_the_registry_has_the_mutants_of_all_families_and_each_says_what_is_peculiar() -> None:
    for family in FAMILIES.values():
        assert [one.name for one in family.MUTANTS if all_mutants()[one.name] is not one] == []
    assert sum(len(family.MUTANTS) for family in FAMILIES.values()) == len(all_mutants())
    assert [one.name for one in all_mutants().values() if not one.says.endswith(".")] == []


@pytest.mark.parametrize("role", ROLES)
def test_there_are_enough_and_each_list_names_requirements_that_are_judged(role: str) -> None:
    assert len(faulty(role)) >= FEWEST[role]
    for mutant in faulty(role):
        assert set(mutant.breaks) <= JUDGED[role], mutant.name
        unknown = [one for one in mutant.also if not any(covers(one, known) for known in JUDGED[role])]
        assert unknown == [], mutant.name


@pytest.mark.parametrize("role", [role.name for role in ROLES.values() if role.folder == "eod"])
def test_each_judged_requirement_of_delivery_has_a_mutant_that_is_aimed_at_it(role: str) -> None:
    assert {broken for mutant in faulty(role) for broken in mutant.breaks} == JUDGED[role]


def test_consequences_are_of_faulty_mutants_alone() -> None:
    assert {one.kind for one in all_mutants().values() if one.also} == {Kind.FAULTY}
    assert [one.name for one in all_mutants().values() if one.also and not one.breaks] == []


def test_the_kind_follows_from_the_table() -> None:
    assert {one.kind for one in mqsd_server.MUTANTS} == {one.kind for one in mqsd_client.MUTANTS} == {*Kind}
    assert {one.kind for one in mqbr.conforming.MUTANTS} == {Kind.CONFORMING}
    innocent = (*mqbr.conforming.MUTANTS, *mqbr.readings_over_time.MUTANTS, *mqbr.open_places.MUTANTS)
    assert {one.kind for one in innocent} == {Kind.CONFORMING}
    rest = [one for one in (*mqbr.MUTANTS, *eod.MUTANTS) if one not in (*innocent, *eod.conforming.MUTANTS)]
    assert {one.kind for one in rest} == {Kind.FAULTY}


@pytest.mark.parametrize("mutant", all_mutants().values(), ids=lambda mutant: mutant.name)
def test_each_is_reached_by_its_name_and_has_its_role_alone(mutant: Mutant) -> None:
    iut = connect(f"mutant:{mutant.name}", AdapterOptions())
    try:
        assert iut.description.name == f"mutant {mutant.name}"
        assert iut.description.roles == {mutant.role}
    finally:
        iut.close()
