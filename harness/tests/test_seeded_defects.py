"""A suite with a defect is found out by our own checks: the lint, and the farm with what it has convicted before.

One defect of each kind by default, on the scenarios that pass through it; MQCONFORM_ALL_DEFECTS seeds all of them, each
in a copy of the package of its own (half an hour), and MQCONFORM_ALL_DEFECTS=N every N-th of them.
"""

import os
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from mqconform.harness.compare.mutation.kills import Kills
from mqconform.harness.compare.mutation.seeded.code_defects import Defect, code_defects
from mqconform.harness.compare.mutation.seeded.experiment import Effort, caught, copy_with, found_out
from mqconform.harness.compare.mutation.seeded.feature_defects import feature_defects
from mqconform.harness.compare.mutation.seeded.feature_lint import linted
from mqconform.harness.compare.mutation.seeded.inside import complaint_of
from mqconform.harness.compare.mutation.seeded.needless import load_needless
from mqconform.harness.compare.mutation.seeded.places import all_defects, callers, package
from mqconform.harness.compare.mutation.seeded.reach import Reach, measured
from mqconform.harness.compare.mutation.seeded.rounds import FEW, FIRST, SECOND, first_rounds, places_of, rounds_for
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
WITNESSING = "harness/judge/mqsd_server/witnessing.py"
TOPOLOGY = "features/mqsd/3_2_discovery_server.feature"
ANOTHER_SITE = "mqsd/3_2_discovery_server/a-client-without-a-site-is-a-client-of-another-site"
STEP = "Then RespondingSiteID is the server's site"
CHECK = "responding_site_is_the_servers"
MUTANTS = ("site-of-the-client", "zero-site-is-own")
SAMPLE = {
    "lint": ("drop scenario", TOPOLOGY, "A client without a site is a client of another site"),
    "lost assertion": ("delete assertion", TOPOLOGY, "A client of the server's own site gets no server list"),
    "lost assertion of a step": ("delete assertion", WITNESSING, "judge_reply"),
    "lost kill": ("weaken comparison", REPLY, CHECK),
    "lost kill to haste": ("pass early", REPLY, CHECK),
}
"""A defect of each kind, by what finds it out."""
HERE = (ANOTHER_SITE, STEP)
KNOWN = Kills({ANOTHER_SITE: 1}, {(ANOTHER_SITE, f"{STEP} [MQSD-3.2.5.1-12]"): MUTANTS})
EVERY = int(os.environ.get("MQCONFORM_ALL_DEFECTS") or 0)

pytestmark = pytest.mark.timeout(1800)  # cores are seldom idle


@pytest.fixture(scope="module")
def reach() -> Reach:
    return measured() if EVERY else measured((ANOTHER_SITE,))


@pytest.fixture(scope="module")
def found() -> list[Defect]:
    return list(all_defects())


def chosen(kind: str, file: str, inside: str) -> Defect:
    """Return the first defect of a kind in a function or scenario."""
    make = feature_defects if file.endswith(".feature") else code_defects
    made = make(file, (package() / file).read_text("utf-8"))
    return next(one for one in made if (one.kind, one.inside) == (kind, inside))


@pytest.mark.parametrize("by", SAMPLE)
def test_a_defect_of_each_kind_is_caught(tmp_path: Path, reach: Reach, by: str) -> None:
    defect = chosen(*SAMPLE[by])
    rounds = rounds_for(defect, reach, Kills.load())
    assert by.startswith(complaint_of(copy_with(defect, tmp_path), rounds[:1]).partition(":")[0] or "nothing")


def test_the_lint_of_an_altered_feature_is_that_of_a_copy(tmp_path: Path) -> None:
    defect = chosen(*SAMPLE["lint"])
    assert linted(defect, tmp_path) == "lint: lost-case"
    assert linted(replace(defect, text=(package() / TOPOLOGY).read_text("utf-8")), tmp_path) == ""


def test_a_copy_without_defect_passes(tmp_path: Path, reach: Reach) -> None:
    rounds = rounds_for(chosen("weaken comparison", REPLY, CHECK), reach, Kills.load())
    assert complaint_of(copy_with(None, tmp_path), rounds[:1]) == ""


@pytest.mark.skipif(not EVERY, reason="set MQCONFORM_ALL_DEFECTS=1: both ways take minutes")
@pytest.mark.parametrize("by", SAMPLE)
def test_what_part_of_the_farm_complains_of_the_command_line_complains_of(tmp_path: Path, by: str) -> None:
    assert re.search("lint|lost", caught(copy_with(chosen(*SAMPLE[by]), tmp_path), MUTANTS))


def test_an_experiment_tries_the_assertions_that_pass_through_the_defect_and_few_mutants_first(reach: Reach) -> None:
    defect = chosen("pass early", REPLY, CHECK)
    first, second, whole = rounds_for(defect, reach, KNOWN)
    assert first == ((ANOTHER_SITE,), [(name, (ANOTHER_SITE,)) for name in MUTANTS])
    assert second == ((), [])
    assert whole == first


def test_later_rounds_hold_all_that_earlier_ones_hold() -> None:
    defect = chosen("pass early", REPLY, CHECK)
    names = tuple(f"m{number:02}" for number in range(40))
    places = frozenset((f"a/b/{number}", "Then c") for number in range(9))
    known = Kills(
        dict.fromkeys((place[0] for place in places), 1), {(one, f"{step} [A-1]"): names for one, step in places}
    )
    rounds = rounds_for(defect, Reach({(defect.file, defect.lines[1]): places}), known)
    assert [len(parts) for _, parts in rounds] == [FIRST, SECOND, len(names)]
    assert [{len(some) for _, some in parts} for _, parts in rounds] == [{FEW}, {FEW}, {len(places)}]
    assert {name for name, _ in rounds[0][1]}.isdisjoint(name for name, _ in rounds[1][1])


def test_the_control_tries_what_the_first_rounds_try(reach: Reach) -> None:
    defects = [chosen(*SAMPLE[by]) for by in ("lost kill", "lost kill to haste")]
    (alone, parts) = first_rounds(defects, reach, KNOWN)
    assert (alone, parts) == ((ANOTHER_SITE,), [(name, (ANOTHER_SITE,)) for name in MUTANTS])


def test_what_the_reference_does_not_pass_through_is_tried_where_it_passes_through_the_function() -> None:
    defect = chosen("delete assertion", WITNESSING, "silence")
    here = (defect.file, defect.around[0])
    assert here[1] not in defect.lines
    (alone, parts), *_ = rounds_for(defect, Reach({here: frozenset({HERE})}), KNOWN)
    assert alone == (ANOTHER_SITE,)
    assert sorted(name for name, _ in parts) == sorted(MUTANTS)


def test_a_function_that_the_reference_avoids_is_tried_where_its_callers_are() -> None:
    defect = chosen("delete assertion", WITNESSING, "silence")
    caller = next(lines for file, name, lines in callers("silence") if name == "judge_reply" and file == defect.file)
    places = places_of(defect, Reach({(defect.file, caller[-1]): frozenset({HERE})}), KNOWN)
    assert places == frozenset({HERE})


def test_what_is_known_is_narrowed_to_what_was_tried() -> None:
    kills = Kills(
        {"a/b/c": 2, "a/b/d": 3}, {("a/b/c", "s"): ("m", "n"), ("a/b/d", "s"): ("m",)}, {("a/b/c", "t"): ("n",)}
    )
    assert kills.within({"a/b/c"}, {"m"}) == Kills({"a/b/c": 2}, {("a/b/c", "s"): ("m",)}, {})
    assert kills.within({"a/b/c"}) == Kills({"a/b/c": 2}, {}, {})


def test_there_are_defects_of_each_kind_in_steps_oracle_and_features(found: list[Defect]) -> None:
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


def test_what_need_not_be_noticed_is_a_defect_that_can_be_seeded_and_has_a_reason(found: list[Defect]) -> None:
    reasons = load_needless()
    assert set(reasons) <= {one.id for one in found}
    assert all(len(reason) > 40 for reason in reasons.values())


@pytest.mark.skipif(not EVERY, reason="set MQCONFORM_ALL_DEFECTS=1 to seed every defect: half an hour")
@pytest.mark.parametrize("defect", list(all_defects())[:: EVERY or 1] if EVERY else [], ids=lambda one: one.id)
def test_every_defect_is_caught_or_need_not_be(tmp_path: Path, reach: Reach, defect: Defect) -> None:
    needless = defect.id in load_needless()
    effort = Effort.KNOWN if needless else Effort.FARM
    assert bool(found_out(defect, tmp_path, reach, Kills.load(), effort)) is not needless


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
