"""A suite with a defect is found out by our own checks: the lint, and the mutants with what they were convicted of."""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from long_tier import long, mostly_long
from seeded_defects import PACKAGE, Defect, all_defects, code_defects, copy_with, feature_defects, noticed

from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqbr.message_walks import End, judge_walk
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.run.execution import Plan, execute
from mqconform.harness.suite.ambiguity import ReadingLog, load_register
from mqconform.harness.suite.selection import Selection

REPLY = "harness/judge/mqsd_server/reply.py"
TOPOLOGY = "features/mqsd/3_2_discovery_server.feature"
CHECK = "responding_site_is_the_servers"
MUTANTS = ("--mutant", "site-of-the-client", "--mutant", "zero-site-is-own", "--mutant", "site-for-own-site")
SAMPLE = {
    "drop scenario": (TOPOLOGY, "A client without a site is a client of another site", "lint"),
    "delete assertion": (TOPOLOGY, "A client of the server's own site gets no server list", "lint|mutants"),
    "weaken comparison": (REPLY, CHECK, "mutants"),
    "pass early": (REPLY, CHECK, "mutants"),
}
"""Where a defect of each kind is, and what notices it."""

pytestmark = pytest.mark.timeout(1800)  # cores are seldom idle


@pytest.mark.parametrize("kind", mostly_long(SAMPLE, first=["drop scenario", "pass early"]))
def test_a_defect_of_each_kind_is_noticed(tmp_path: Path, kind: str) -> None:
    file, inside, by = SAMPLE[kind]
    make = feature_defects if file.endswith(".feature") else code_defects
    made = make(file, (PACKAGE / file).read_text("utf-8"))
    defect = next(one for one in made if (one.kind, one.inside) == (kind, inside))
    assert re.fullmatch(by, noticed(copy_with(defect, tmp_path), MUTANTS))


@long
def test_a_copy_without_defect_passes(tmp_path: Path) -> None:
    assert noticed(copy_with(None, tmp_path), MUTANTS) == ""


@long
def test_there_are_defects_of_each_kind_in_what_judges_and_in_features() -> None:
    found: list[Defect] = list(all_defects())
    kinds = Counter((one.kind, one.file.partition("/")[0]) for one in found)
    assert set(kinds) == {
        ("delete assertion", "harness"),
        ("delete assertion", "features"),
        ("weaken comparison", "harness"),
        ("pass early", "harness"),
        ("drop scenario", "features"),
    }
    assert len(found) > 400
    assert all(one != other for one, other in pairwise(sorted(one.id for one in found)))


def test_each_defect_of_a_module_is_made() -> None:
    source = (
        "def check(judge: Judge, seen: int) -> Judgement:\n"
        "    scene.witness(seen)\n"
        "    right = seen and all(one > 1 and one for one in seen)\n"
        "    if seen == 5:\n"
        "        return judge.says(False, 'not five', seen)\n"
        "    if seen == 6:\n"
        "        return Judgement(Verdict.FAIL, 'not six', seen)\n"
        "    if seen == 7:\n"
        "        return known.says(self.judge, right)\n"
        "    return judge.says(right, 'one', seen)\n"
    )
    found = list(code_defects("harness/judge/mqsd_server/check.py", source))
    assert Counter((one.kind, one.lines.start) for one in found) == {
        ("delete assertion", 2): 1,
        ("pass early", 1): 1,
        ("weaken comparison", 3): 4,
        ("weaken comparison", 5): 1,
        ("weaken comparison", 7): 1,
        ("weaken comparison", 10): 1,
    }
    assert {one.around for one in found} == {range(1, 11)}
    assert len({one.text for one in found}) == len(found)
    altered = {line.strip() for one in found for line in one.text.splitlines()}
    assert "right = seen and all((True and one for one in seen))" in altered
    assert "return judge.says(True, 'not five', seen)" in altered
    assert "return Judgement(Verdict.PASS, 'not six', seen)" in altered
    assert "return judge.says(True or right, 'one', seen)" in altered


def test_two_defects_of_one_function_that_read_alike_have_names_of_their_own() -> None:
    source = "def check(judge):\n    if 1:\n        return judge.says(False)\n    return judge.says(False)\n"
    assert [one.id for one in code_defects("f.py", source)] == [
        "weaken-comparison:f.py:check: judge.says(False)",
        "weaken-comparison:f.py:check: judge.says(False) (2)",
    ]


def test_each_defect_of_a_feature_is_made() -> None:
    text = "Feature: F\n\n  @req:A\n  Scenario: One\n    When a\n    Then b\n    And c\n\n  Scenario: Two\n    Then d\n"
    found = list(feature_defects("features/f.feature", text))
    assert [(one.kind, one.inside, one.what, one.lines.start) for one in found] == [
        ("drop scenario", "One", "", 4),
        ("delete assertion", "One", "And c", 7),
        ("drop scenario", "Two", "", 9),
    ]
    assert "@req:A" not in found[0].text
    assert "Scenario: Two" in found[0].text
    assert "And c" not in found[1].text


@pytest.mark.parametrize("end", [End.LOOP, End.TOO_LONG, End.ASTRAY])
def test_allowed_hops_that_do_not_arrive_are_wrong_though_no_router_has_any(end: End) -> None:
    register = load_register()
    judge = Judge(register, Profile.DEFAULT, ReadingLog(register))
    hops = [judge.says(True, "an allowed hop", "ga")]
    assert judge_walk(judge, "ca -> ga", end, hops).verdict is Verdict.FAIL
    assert judge_walk(judge, "ca -> ga", End.ARRIVED, hops).verdict is Verdict.PASS


def test_a_saved_way_convicts_again_and_acquits_the_reference(tmp_path: Path) -> None:
    def judged(iut: str, out: str, expression: str, *features: Path) -> int:
        plan = Plan(iut, AdapterOptions(), Profile.DEFAULT, 0, Selection(expression=expression), tmp_path / out)
        return execute(replace(plan, features=features)).exit_code

    assert judged("mutant:linked-is-next", "first", "messages-reach-their-destinations") == ExitCode.FAIL
    saved, *_ = (tmp_path / "first" / "cases").glob("*.feature")
    assert "Then it arrives" in saved.read_text("utf-8")
    assert judged("mutant:linked-is-next", "again", "a-message-that-is-misled", saved) == ExitCode.FAIL
    assert judged("ref:", "right", "a-message-that-is-misled", saved) == ExitCode.OK
