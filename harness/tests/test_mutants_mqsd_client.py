"""Client mutants name what they break, and are reached by their names; the farm tries them (test_farm.py)."""

from mqconform.harness.catalogue import load_catalogue
from mqconform.harness.iut import AdapterOptions
from mqconform.harness.mutants import NAMES
from mqconform.harness.mutants.mqsd_client_consequences import ALSO
from mqconform.harness.mutants.mqsd_client_registry import CLIENTS, FAULTY, UNDECIDED, VARIANTS
from mqconform.harness.running.connect import connect
from mqconform.harness.running.selection import covers

CLIENT = "discovery_client"
JUDGED = {one.id for one in load_catalogue().values() if CLIENT in one.roles and one.judged != "no"}
FEWEST = 70


def test_there_are_enough_and_each_says_what_is_peculiar() -> None:
    assert len(FAULTY) >= FEWEST
    assert {one.name for one in CLIENTS} <= set(NAMES)
    assert [one.name for one in CLIENTS if not one.says.endswith(".")] == []


def test_each_list_names_requirements_that_are_judged() -> None:
    assert [one.name for one in FAULTY if not one.breaks or not set(one.breaks) <= JUDGED] == []
    assert [one.name for one in (*VARIANTS, *UNDECIDED) if one.breaks] == []
    assert set(ALSO) <= {one.name for one in FAULTY}
    assert [one for several in ALSO.values() for one in several if not any(covers(one, each) for each in JUDGED)] == []


def test_a_client_mutant_is_reached_by_its_name_and_has_no_other_role() -> None:
    for mutant in CLIENTS:
        iut = connect(f"mutant:{mutant.name}", AdapterOptions())
        iut.close()
        assert iut.description.name == f"mutant {mutant.name}"
        assert iut.description.roles == {CLIENT}
