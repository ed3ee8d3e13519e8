"""Mutants name what they break; the farm tries each of them by its name (`mqconform mutants`)."""

import pytest

from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.mutants.mutant import Kind, Mutant
from mqconform.harness.iut.roles import ROLES, all_mutants
from mqconform.harness.suite.catalogue import load_catalogue

JUDGED = {
    role: {known.id for known in load_catalogue().values() if role in known.roles and known.is_judged} for role in ROLES
}


def faulty(role: str) -> list[Mutant]:
    return [one for one in all_mutants().values() if one.role == role and one.kind is Kind.FAULTY]


def test_each_says_what_is_peculiar_and_names_requirements_that_are_judged() -> None:
    assert [one.name for one in all_mutants().values() if not one.says.endswith(".")] == []
    for role in ROLES:
        assert faulty(role), role
        for mutant in faulty(role):
            assert set(mutant.breaks) <= JUDGED[role], mutant.name
    assert {one.kind for one in all_mutants().values()} == {*Kind}


@pytest.mark.parametrize("role", ROLES)
def test_one_is_reached_by_its_name_and_has_its_role_alone(role: str) -> None:
    name = faulty(role)[0].name
    iut = connect(f"mutant:{name}", AdapterOptions())
    try:
        assert (iut.description.name, iut.description.roles) == (f"mutant {name}", {role})
    finally:
        iut.close()
