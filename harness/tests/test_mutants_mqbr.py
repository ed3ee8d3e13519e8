"""Router mutants name what they break, and are reached by their names; the farm tries them (test_farm.py)."""

from mqconform.harness.catalogue import load_catalogue
from mqconform.harness.mutants import MUTANTS, NAMES, mqbr_registry

JUDGED = tuple(one for one in load_catalogue().values() if one.id.startswith("MQBR-") and one.judged == "api")
FEWEST = 40


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


def test_a_router_mutant_has_no_other_role() -> None:
    description = MUTANTS["hop-count-for-cost"].iut().description()
    assert description["roles"] == ["router"]
