"""What becomes of guarantees on the way from one implementation to another."""

import json
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from long_tier import LONG

from mqconform.harness.cli import run_command
from mqconform.harness.suite.index import load_suite_index
from mqconform.reports.migration.compare import Comparison, Fate, Shown, Side
from mqconform.reports.migration.guarantees import GUARANTEES, Guarantee

NONE: frozenset[str] = frozenset()
PROMISE = Guarantee("order", "Messages are received in order.", ("order/*",))


def shown(before: Side, after: Side, readings: tuple[frozenset[str], frozenset[str]] = (NONE, NONE)) -> Shown:
    return Shown("mqso/order/one", ("MQSO-5.1.1.2-01",), before, after, readings, "")


def test_a_scenario_is_judged_by_both_sides():
    for before, after, fate in (
        (Side.HOLDS, Side.HOLDS, Fate.KEPT),
        (Side.HOLDS, Side.BROKEN, Fate.GONE),
        (Side.HOLDS, Side.NOT_OFFERED, Fate.GONE),
        (Side.HOLDS, Side.UNDECIDED, Fate.UNDECIDED),
        (Side.HOLDS, Side.NOT_TRIED, Fate.NOT_TRIED),
        (Side.BROKEN, Side.HOLDS, Fate.DIFFERENT),
        (Side.NOT_OFFERED, Side.HOLDS, Fate.DIFFERENT),
        (Side.BROKEN, Side.BROKEN, Fate.NOT_TRIED),
        (Side.UNDECIDED, Side.HOLDS, Fate.NOT_TRIED),
        (Side.NOT_TRIED, Side.HOLDS, Fate.NOT_TRIED),
    ):
        assert shown(before, after).fate is fate, (before, after)


def test_a_guarantee_has_the_worst_fate_of_its_scenarios():
    for sides, fate in (
        ([], Fate.NOT_TRIED),
        ([Side.HOLDS, Side.HOLDS], Fate.KEPT),
        ([Side.HOLDS, Side.NOT_TRIED], Fate.KEPT),
        ([Side.HOLDS, Side.BROKEN], Fate.WEAKER),
        ([Side.HOLDS, Side.UNDECIDED], Fate.UNDECIDED),
        ([Side.BROKEN, Side.UNDECIDED], Fate.GONE),
        ([Side.NOT_OFFERED, Side.NOT_OFFERED], Fate.GONE),
        ([Side.NOT_TRIED], Fate.NOT_TRIED),
    ):
        assert Comparison(PROMISE, tuple(shown(Side.HOLDS, side) for side in sides)).fate is fate, (sides, fate)


def test_each_pattern_names_a_case_and_no_case_stands_below_two_guarantees():
    listed = [case.id for scenario in load_suite_index().scenarios for case in scenario.cases]
    cases = [one for one in listed if one.startswith("mqso/")]
    assert cases
    for one in GUARANTEES:
        for pattern in one.scenarios:
            assert any(Guarantee("", "", (pattern,)).covers(case) for case in cases), pattern
    assert not [case for case in cases if sum(one.covers(case) for one in GUARANTEES) > 1]


def run(*arguments: str) -> int:
    return run_command([*arguments])


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    fine, faulty = tmp_path_factory.mktemp("fine"), tmp_path_factory.mktemp("faulty")
    chosen = ["--req", "MQSO", "--no-probe", "-k", "abort-gives-back or old-place or first-in or journal"]
    run("run", "--iut", "ref:", *chosen, "--out", str(fine))
    run("run", "--iut", "mutant:queue-abort-puts-last", *chosen, "--out", str(faulty))
    return fine, faulty


def test_two_runs_are_compared(runs: tuple[Path, Path], tmp_path: Path):
    fine, faulty = map(str, runs)
    out = tmp_path / "migration.json"
    assert run("migrate", fine, faulty, "--format", "json", "--out", str(out)) == 1
    assert run("migrate", fine, faulty, "--out", str(tmp_path / "text")) == 1
    assert run("migrate", fine, fine, "--out", str(tmp_path / "same")) == 0
    told = json.loads(out.read_text())
    fates = {one["id"]: one["fate"] for one in told["guarantees"]}
    assert (fates["order"], fates["journals"], fates["expiry"]) == ("weaker", "kept", "not tried")
    (order,) = (one for one in told["guarantees"] if one["id"] == "order")
    assert "MQSO-5.1.1.2-01" in order["requirements"]
    assert (tmp_path / "text").read_text().startswith("from mqconform reference")


def test_what_passed_and_fails_is_listed_though_no_guarantee_has_it(runs: tuple[Path, Path], tmp_path: Path):
    fine, faulty = runs
    case = "mqso/5_1_1_2_queues/a-case-of-no-guarantee"
    for folder, verdict in ((fine, "pass"), (faulty, "fail")):
        lines = (folder / "results.ndjson").read_text().splitlines()
        extra = json.loads(next(line for line in lines if '"record":"case"' in line and '"pass"' in line))
        lines.insert(-1, json.dumps(extra | {"id": case, "feature": "mqso/5_1_1_2_queues", "verdict": verdict}))
        (tmp_path / folder.name).mkdir()
        (tmp_path / folder.name / "results.ndjson").write_text("\n".join([*lines, ""]))
    assert run("migrate", *(str(tmp_path / folder.name) for folder in runs), "--out", str(tmp_path / "text")) == 1
    _, listed = (tmp_path / "text").read_text().split("PASSED BEFORE, FAILS NOW, IN NO GUARANTEE")
    assert f"{case}: holds -> broken" in listed


def test_json_has_the_published_shape(runs: tuple[Path, Path], tmp_path: Path):
    schema = json.loads((files("mqconform.features") / "schemas" / "migration.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    out = tmp_path / "migration.json"
    assert run("migrate", *map(str, runs), "--format", "json", "--out", str(out)) == 1
    told = json.loads(out.read_text())
    Draft202012Validator(schema).validate(told)
    broken = [{name: value for name, value in told.items() if name != field} for field in schema["required"]]
    broken += [told | {"counts": {"lost": 1}}]
    assert not any(Draft202012Validator(schema).is_valid(one) for one in broken)


def test_the_site_has_a_page_of_it(runs: tuple[Path, Path], tmp_path: Path):
    fine, faulty = map(str, runs)
    assert run("report", faulty, "--migrate", fine, faulty, "--out", str(tmp_path)) == 0
    page = (tmp_path / "migration.html").read_text("utf-8")
    assert "Messages are received in the order in which they were sent." in page
    assert 'id="weaker"' in page


def test_who_has_one_machine_is_not_said_to_lose_what_takes_two(tmp_path: Path):
    sample = f"stdio:{sys.executable} {Path(__file__).parents[2] / 'examples' / 'iut' / 'python'}"
    chosen = ["--req", "MQSO", "--no-probe", "-k", "another-machine-arrives"]
    run("run", "--iut", "ref:", *chosen, "--out", str(tmp_path / "before"))
    run("run", "--iut", sample, *chosen, "--out", str(tmp_path / "after"))
    out = tmp_path / "migration.json"
    assert run("migrate", str(tmp_path / "before"), str(tmp_path / "after"), "--format", "json", "--out", str(out)) == 0
    (away,) = (one for one in json.loads(out.read_text())["guarantees"] if one["id"] == "remote-delivery")
    assert {one["before"] for one in away["scenarios"]} == {"holds"}
    assert away["fate"] == "not tried"


@pytest.mark.parametrize(
    ("iut", "says"),
    [
        ("mutant:size-two-more", "not tried; the implementation has no role queue_manager"),
        pytest.param("ref:", "guarantees: 18 not tried, 3 kept", marks=LONG),
    ],
)
def test_an_implementation_is_judged_where_one_is_named(
    iut: str, says: str, runs: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
):
    assert run("migrate", str(runs[0]), iut) == 0
    printed = capsys.readouterr().out
    assert says in printed
    assert "WEAKER" not in printed


def test_what_cannot_be_compared_is_named(runs: tuple[Path, Path], capsys: pytest.CaptureFixture[str]):
    assert run("migrate", str(runs[0]), "no-such-results") == 4
    assert "no-such-results: no such file" in capsys.readouterr().err
