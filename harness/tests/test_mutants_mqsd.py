"""Server mutants name what they break, and are reached by their names; the farm tries them (test_farm.py)."""

from mqconform.harness.catalogue import load_catalogue
from mqconform.harness.iut import AdapterOptions
from mqconform.harness.mutants import ALSO, BREAKS, FAULTY, MUTANTS, NAMES, UNDECIDED, VARIANTS
from mqconform.harness.running.connect import connect
from mqconform.harness.running.selection import covers

SERVER = "discovery_server"
JUDGED = [one.id for one in load_catalogue().values() if SERVER in one.roles and one.judged != "no"]
FEWEST = 100


def test_there_are_enough_and_each_says_what_is_peculiar() -> None:
    assert len(FAULTY) >= FEWEST
    assert {*FAULTY, *VARIANTS, *UNDECIDED} <= set(NAMES)
    assert [name for name in NAMES if not MUTANTS[name].says.endswith(".")] == []


def test_each_list_names_requirements_that_are_judged() -> None:
    for name in FAULTY:
        assert BREAKS[name], name
        assert set(BREAKS[name]) <= set(JUDGED), name
        assert [one for one in ALSO[name] if not any(covers(one, each) for each in JUDGED)] == [], name


def test_a_mutant_is_reached_by_its_name_and_has_no_other_role() -> None:
    for name in (*FAULTY, *VARIANTS, *UNDECIDED):
        iut = connect(f"mutant:{name}", AdapterOptions())
        iut.close()
        assert iut.description.name == f"mutant {name}"
        assert iut.description.roles == {SERVER}
