"""Machine-made mutants: what is changed and where, that the judge is not, and what becomes of each."""

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from mqconform.harness.compare.mutation.machine.equivalents import load_equivalents, reason_for
from mqconform.harness.compare.mutation.machine.loading import original
from mqconform.harness.compare.mutation.machine.places import Place, mutated, places_of
from mqconform.harness.compare.mutation.machine.reach import Reach
from mqconform.harness.compare.mutation.machine.rounds import Round, chosen_places, play
from mqconform.harness.compare.mutation.machine.score import Fate, Score, result_of
from mqconform.harness.compare.mutation.machine.score_text import text_of
from mqconform.harness.compare.mutation.trial import Conviction, Trial
from mqconform.harness.records.schema_text import complaint, validator

SOURCE = '''
"""Text that nobody runs."""
LIMIT: int = 3


def within(number, also=True):
    """Text."""
    if number < LIMIT and not also:
        return number + 1
    notes.append("seen")
    return [one for one in numbers if one]
'''
PROCEDURES = "mqconform.reference.mqbr.procedures"


def changed(operator: str) -> set[str]:
    return {ast.unparse(mutated(SOURCE, one.number)) for one in places_of("m", SOURCE) if one.operator == operator}


def lines(operator: str, *expected: str) -> None:
    sources = changed(operator)
    for line in expected:
        assert any(line in source for source in sources), (line, sources)
    assert len(sources) == len(expected)


def test_each_operator_makes_its_changes() -> None:
    lines("comparison", "if number <= LIMIT and", "if number > LIMIT and")
    lines("and-or", "if number < LIMIT or not also")
    lines("arithmetic", "return number - 1")
    lines("constant", "LIMIT: int = 4", "LIMIT: int = 2", "also=False", "number + 2", "number + 0")
    lines("return", "        return None\n    notes", "notes.append('seen')\n    return None")
    lines("deletion", "return number + 1\n    pass")
    lines("negation", "if not (number < LIMIT", "and (not not also)", "if not one]")


def test_places_are_named_by_what_they_are_not_by_where_they_stand() -> None:
    before, after = places_of("m", SOURCE), places_of("m", "import os\n\n" + SOURCE)
    assert [one.id for one in before] == [one.id for one in after]
    assert [one.line for one in before] != [one.line for one in after]
    assert set(Counter(one.id for one in before).values()) == {1}


def test_every_place_of_a_module_of_the_reference_compiles_and_differs() -> None:
    path = original(PROCEDURES)
    assert path is not None
    source = path.read_text("utf-8")
    plain = ast.unparse(ast.parse(source))
    places = places_of(PROCEDURES, source)
    assert len(places) > 100
    for place in places:
        tree = mutated(source, place.number)
        assert ast.unparse(tree) != plain, place.id
        compile(tree, "changed", "exec")


@pytest.fixture(scope="module")
def some() -> list[Place]:
    path = original(PROCEDURES)
    assert path is not None
    wanted = {
        "source_machine.routing_server -> not source_machine.routing_server",
        "return {} -> return None",
        "destination.in_routing_server_identifier_list] -> ",
    }
    return [one for one in places_of(PROCEDURES, path.read_text("utf-8")) if any(part in one.id for part in wanted)]


def test_a_change_is_convicted_by_an_unchanged_judge(some: list[Place]) -> None:
    reach = Reach({(one.module, one.line): frozenset({"mqbr/3_1_5_2_router"}) for one in some}, frozenset({PROCEDURES}))
    score = play(Round(part="not source_machine.routing_server"), reach)
    assert [(one.fate, one.by.partition(" ")[0][:8]) for one in score.results] == [(Fate.KILLED, "MQBR-3.1")]
    judge = validator("mutation_score")
    assert judge is not None
    assert complaint(judge, score.document(), "score") == ""
    assert any("100%" in line for line in text_of(score))


def test_the_copy_is_another_module_and_the_original_stays_as_it_was() -> None:
    program = (
        "from mqconform.harness.compare.mutation.machine.loading import MutatedReference\n"
        "from mqconform.harness.compare.mutation.machine.places import places_of\n"
        "from mqconform.harness.compare.mutation.machine.loading import original\n"
        "name = 'mqconform.reference.mqbr.router'\n"
        "places = places_of(name, original(name).read_text())\n"
        "number = next(one.number for one in places if one.id.endswith('return options - 1 -> return options - 2'))\n"
        "MutatedReference(name, number).install()\n"
        "from mqconform.reference.mqbr.router import last\n"
        "from mqconform_mutated.reference.mqbr.router import last as changed\n"
        "from mqconform_mutated.harness.iut.reference_iut.router import ReferenceRouter\n"
        "print(last('BR-28', 5), changed('BR-28', 5), ReferenceRouter.__module__)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["4", "3", "mqconform_mutated.reference.mqbr.router"]


def test_shards_are_disjoint_and_together_everything() -> None:
    places = places_of("m", SOURCE)
    dealt = [chosen_places(places, Round(seed=5, shard=(number, 3))) for number in (1, 2, 3)]
    assert sorted(one.number for part in dealt for one in part) == [one.number for one in places]
    assert chosen_places(places, Round(seed=5)) != chosen_places(places, Round(seed=6))


def test_each_fate_is_told_from_the_others(some: list[Place]) -> None:
    conviction = Conviction("case", "MQBR-3.1.5.1-01", "Then")
    trials = {
        Fate.KILLED: Trial("one", exit_code=1, convictions=(conviction,)),
        Fate.TIMEOUT: Trial("one", exit_code=1, convictions=(conviction,), reasons={"case": "deadline: it hung"}),
        Fate.SURVIVED: Trial("one", exit_code=0),
        Fate.UNDECIDED: Trial("one", exit_code=2, undecided=("MQBR-3.1.5.1-01",)),
        Fate.ERROR: Trial("one", exit_code=3, errors=("fell over",)),
    }
    results = [result_of(some[0], trial) for trial in trials.values()]
    assert [one.fate for one in results] == [*trials]
    assert Score(results, 9, 0).document()["score"] == 0.5


def test_each_reason_still_fits_a_place_of_the_reference() -> None:
    folder = Path(str(original(PROCEDURES))).parents[1]
    ids = []
    for path in sorted({*folder.glob("mqbr/*.py"), *folder.glob("mqsd/**/*.py"), *folder.glob("directory/*.py")}):
        if "tests" not in path.parts and not path.name.startswith("bulk"):
            module = ".".join(("mqconform.reference", *path.relative_to(folder).with_suffix("").parts))
            ids += [one.id for one in places_of(module, path.read_text("utf-8"))]
    reasons = load_equivalents()
    assert [pattern for pattern in reasons if not any(re.search(pattern, one) for one in ids)] == []
    assert len({reason_for(one, {pattern: pattern}) for one in ids for pattern in reasons} - {""}) == len(reasons)


def test_a_reason_excuses_what_survived_and_nothing_else(some: list[Place]) -> None:
    reasons = {"procedures": "it is open"}
    assert reason_for(some[0].id, reasons) == "it is open"
    assert reason_for("reference.mqsd.server:: a -> b", reasons) == ""
