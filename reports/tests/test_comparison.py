"""Two runs beside each other: each change has exactly one cause, and it is the right one."""

import dataclasses
import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec.structs import replace
from result_records import FOOTER, header, written

from mqconform.harness.records.result_file import ResultFault, ResultFile
from mqconform.harness.records.results import Asked, Case, Finding, Footer, Header, Implementation, Witness
from mqconform.reports.comparison.cases import status
from mqconform.reports.comparison.change import Cause, Change
from mqconform.reports.comparison.compare import Comparison, compare, compare_files
from mqconform.reports.comparison.entry import ROOM, document, markdown, text

REQUIREMENT = "MQSD-3.2.5-01"
CASE = "mqsd/3_2_discovery_server/a-request-is-answered"
JUDGING = {"mqsd": "a" * 16, "mqbr": "b" * 16}
SERVER = Implementation("stdio", "stdio:./server", "server", "1", "", ("discovery_server",), ("udp",), build="one")
SURROUNDINGS = {"python": "3.11.7", "platform": "Linux"}
STANDINGS = {"pass": "verified", "fail": "violated", "none": "unverified"}


def case(**changed: Any) -> Case:
    made = Case(CASE, "mqsd/3_2_discovery_server", "A request is answered", (REQUIREMENT,), "pass", text="c" * 16)
    return replace(made, **changed)


def finding(**changed: Any) -> Finding:
    roles = ("discovery_server",)
    made = Finding(REQUIREMENT, "3.2.5", "must", "prose", roles, "It answers.", "wire", "verified", 1, source="d" * 16)
    return replace(made, **changed)


def run(*cases: Case, findings: tuple[Finding, ...] | None = None, **changed: Any) -> ResultFile:
    """A run of these cases that came to its end; what it says of the one requirement follows from them."""
    iut = replace(SERVER, **{name: changed.pop(name) for name in list(changed) if hasattr(SERVER, name)})
    asked = Asked(changed.pop("requirements", ()), changed.pop("expression", ""))
    header = Header(1, "mqconform 0.1.0", {"MQSD": "13.0"}, "default", 0, asked, iut, JUDGING)
    witnesses = tuple(
        Witness(one.id, each, one.verdict, "Then it answers", "", "")
        for one in cases
        for each in one.requirements
        if one.verdict in {"pass", "inconclusive", "fail"}
    )
    if findings is None:
        worst = max(map(status, cases), key=list(STANDINGS).index) if cases else "none"
        findings = (finding(standing=STANDINGS[worst]),)
    footer = Footer(0, {}, {}, (), ())
    return ResultFile(Path("r"), replace(header, **changed), cases, witnesses, findings, footer, torn=False)


PASSED, FAILED = case(), case(verdict="fail")


def differing(then: ResultFile, now: ResultFile, surroundings: Any = None, again: Any = ()) -> dict[str, Cause]:
    changes = compare(then, now, SURROUNDINGS, surroundings or SURROUNDINGS, again).changes
    assert len({(one.kind, one.id) for one in changes}) == len(changes), "a thing has two changes"
    return {one.kind: one.cause for one in changes}


def both(cause: Cause) -> dict[str, Cause]:
    return {"requirement": cause, "case": cause}


TWICE = run(
    PASSED,
    case(id=f"{CASE}-twice", text="e" * 16),
    findings=(finding(), finding(id="MQSD-3.2.5-09", source="f" * 16)),
)
OTHER_NAMES = run(case(id=f"{CASE}-always"), findings=(finding(id="MQSD-3.2.6-01"),))
OTHER_SOURCE = run(FAILED, findings=(finding(standing="violated", source="0" * 16),))
NEWER = {"python": "3.13.1", "platform": "Linux"}
PAIRS: dict[Cause, tuple[Any, ...]] = {
    Cause.REGRESSION: (run(PASSED), run(FAILED, build="two")),
    Cause.FIX: (run(FAILED), run(PASSED, build="two")),
    Cause.NEW: (run(PASSED), TWICE),
    Cause.REMOVED: (run(PASSED), run(findings=())),
    Cause.RENAMED: (run(PASSED), OTHER_NAMES),
    Cause.SPECIFICATION: (run(PASSED), OTHER_SOURCE),
    Cause.SUITE: (run(PASSED), run(replace(FAILED, text="9" * 16))),
    Cause.IUT: (run(PASSED), run(FAILED, name="another")),
    Cause.PROFILE: (run(PASSED), run(FAILED, profile="strict")),
    Cause.ENVIRONMENT: (run(PASSED), run(FAILED), NEWER),
    Cause.FLAKE: (run(PASSED), run(FAILED)),
}


def test_each_cause_is_told_from_all_others():
    assert {cause: differing(*pair) for cause, pair in PAIRS.items()} == {cause: both(cause) for cause in Cause}


# What the rules say where two of them could


def test_a_worse_answer_of_an_unknown_build_is_a_regression_and_no_flake():
    assert differing(run(PASSED, build=""), run(FAILED, build="")) == both(Cause.REGRESSION)


def test_another_file_beside_an_added_feature_is_a_change_of_the_suite():
    then, now = (run(one, features={one.feature: text}) for one, text in ((PASSED, "1" * 16), (FAILED, "2" * 16)))
    assert differing(then, now)["case"] == Cause.SUITE


def test_a_case_that_is_renamed_and_fails_has_its_verdict_as_its_change():
    then, now = run(PASSED), run(replace(FAILED, id=f"{CASE}-always"), build="two")
    (change,) = [one for one in compare(then, now).changes if one.kind == "case"]
    assert (change.cause, change.formerly, change.worse) == (Cause.REGRESSION, CASE, True)


def test_scenarios_with_the_same_steps_are_not_taken_for_each_other():
    then = run(PASSED, case(id=f"{CASE}-b"))
    now = run(case(id=f"{CASE}-c"), case(id=f"{CASE}-d"))
    causes = sorted(one.cause for one in compare(then, now).changes if one.kind == "case")
    assert causes == [Cause.NEW, Cause.NEW, Cause.REMOVED, Cause.REMOVED]


def test_what_answers_otherwise_in_another_run_of_the_same_is_a_flake():
    now = run(FAILED, build="two")
    assert differing(run(PASSED), now, again=[run(PASSED, build="two")]) == both(Cause.FLAKE)
    assert differing(run(PASSED), now, again=[run(FAILED, build="two")]) == both(Cause.REGRESSION)


def test_a_run_of_something_else_is_no_repetition():
    with pytest.raises(ResultFault, match="is not a repetition"):
        differing(run(PASSED), run(FAILED), again=[run(FAILED, seed=1)])


def test_another_seed_changes_what_is_generated_and_nothing_else():
    generated = {"seed": 1, "build": "two"}
    assert differing(run(PASSED), run(FAILED, **generated)) == both(Cause.REGRESSION)
    searched = case(generated=True)
    assert differing(run(searched), run(replace(searched, verdict="fail"), **generated))["case"] is Cause.SUITE


def test_other_code_that_judges_is_another_suite_for_its_own_folder_alone():
    moved = {"judging": JUDGING | {"mqbr": "0" * 16}, "build": "two"}
    assert differing(run(PASSED), run(FAILED, **moved)) == both(Cause.REGRESSION)
    moved = {"judging": JUDGING | {"mqsd": "0" * 16}, "build": "two"}
    assert differing(run(PASSED), run(FAILED, **moved)) == both(Cause.SUITE)


def test_an_error_of_the_harness_says_nothing_of_the_implementation():
    then, now = run(PASSED), run(case(verdict="error", error="x"), findings=(finding(standing="error"),), build="two")
    assert differing(then, now) == both(Cause.ENVIRONMENT)


def test_what_an_implementation_says_it_does_no_more_is_its_change():
    gone = case(verdict="none", excused="unsupported")
    unsupported = (finding(standing="unsupported"),)
    assert differing(run(PASSED), run(gone, findings=unsupported, capabilities=(), build="two")) == both(Cause.IUT)
    assert differing(run(PASSED), run(gone, findings=unsupported, build="two")) == both(Cause.REGRESSION)


def test_a_requirement_whose_role_is_gone_is_no_requirement_that_was_removed():
    then, now = run(PASSED), run(findings=(), roles=("router",))
    assert {one.kind: one.cause for one in compare(then, now).changes}["requirement"] is Cause.IUT


def test_a_new_scenario_that_fails_is_no_regression_of_its_requirement():
    now = run(PASSED, replace(FAILED, id=f"{CASE}-too", text="9" * 16), build="two")
    assert differing(run(PASSED), now) == {"requirement": Cause.SUITE, "case": Cause.NEW}


def test_what_a_killed_run_did_not_reach_was_not_removed():
    killed = dataclasses.replace(run(PASSED), cases=(), findings=(), footer=None)
    comparison = compare(run(PASSED), killed)
    assert comparison.changes == ()
    assert "did not end" in comparison.remarks[0]


# Any two runs

CHARACTERS = st.sampled_from("ab")
VERDICTS = st.sampled_from(["pass", "fail", "inconclusive", "error", "none"])
EXCUSED = st.sampled_from(["", "", "unsupported", "not-applicable"])
NAMES = st.sampled_from([f"mqsd/f/{letter}" for letter in "abcd"])
FINGERPRINTS = st.sampled_from(["", "1" * 16, "2" * 16])
REQUIREMENTS = st.sampled_from(["MQSD-1-01", "MQSD-1-02", "MQBR-1-01"])
CASES = st.builds(
    Case,
    NAMES,
    st.just("mqsd/f"),
    st.just(""),
    st.lists(REQUIREMENTS, max_size=2, unique=True).map(tuple),
    VERDICTS,
    excused=EXCUSED,
    text=FINGERPRINTS,
    generated=st.booleans(),
)
FINDINGS = st.builds(
    finding,
    id=REQUIREMENTS,
    standing=st.sampled_from(["verified", "violated", "inconclusive", "unverified", "unsupported", "unobservable"]),
    source=FINGERPRINTS,
)
RUNS = st.builds(
    lambda cases, findings, changed: run(*cases, findings=tuple(findings), **changed),
    st.lists(CASES, max_size=4, unique_by=lambda one: one.id),
    st.lists(FINDINGS, max_size=3, unique_by=lambda one: one.id),
    st.fixed_dictionaries(
        {},
        optional={
            "profile": st.sampled_from(["default", "strict"]),
            "seed": st.integers(0, 1),
            "name": CHARACTERS,
            "build": st.sampled_from(["", "one", "two"]),
            "roles": st.sampled_from([("discovery_server",), ("router",)]),
            "judging": st.sampled_from([{}, JUDGING, {"mqsd": "0" * 16}]),
        },
    ),
)


@settings(max_examples=60)
@given(RUNS, RUNS, st.dictionaries(st.sampled_from(["python", "platform"]), CHARACTERS))
def test_every_difference_is_one_change_with_one_cause_and_nothing_else_is(then: Any, now: Any, surroundings: Any):
    changes = compare(then, now, SURROUNDINGS, surroundings).changes
    assert len({(one.kind, one.id) for one in changes}) == len(changes)
    assert all(one.detail for one in changes)
    explained = {(one.kind, one.id) for one in changes} | {(one.kind, one.formerly) for one in changes}
    for kind, before, after in (
        ("case", {one.id: status(one) for one in then.cases}, {one.id: status(one) for one in now.cases}),
        (
            "requirement",
            {one.id: one.standing for one in then.findings},
            {one.id: one.standing for one in now.findings},
        ),
    ):
        differing_names = {name for name in {*before, *after} if before.get(name) != after.get(name)}
        assert {(kind, name) for name in differing_names} <= explained
        for change in (one for one in changes if one.kind == kind):
            assert change.before == before.get(change.formerly or change.id, "")
            assert change.after == after.get(change.id, "")


@settings(max_examples=20)
@given(RUNS, RUNS)
def test_every_comparison_fits_the_published_shape(then: Any, now: Any):
    schema = json.loads((files("mqconform.features") / "schemas" / "comparison.schema.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(document(compare(then, now)))


# What is written

HOSTILE = "a\x1b[31m|`</code></details><script>@team #1 [x](http://e.example) www.e.example ![i](j)\n\n## h"


def hostile() -> Comparison:
    return compare(run(PASSED), run(FAILED, version=HOSTILE, build=HOSTILE, profile="default"))


def test_markdown_reads_nothing_into_hostile_text():
    written = markdown(hostile())
    outside = re.sub(r"<code>[^<]*</code>", "", written)
    assert not re.search(r"team|script|example|\x1b|## h", outside)
    inside = "".join(re.findall(r"<code>([^<]*)</code>", written))
    assert not re.search(r"[|`<>@\[\]!\n\x1b]|www\.|http:|(?<!&)#", inside)


def test_the_terminal_sees_no_escape_sequence():
    assert "\x1b" not in text(hostile())


def test_a_comment_stays_within_its_room():
    changes = tuple(
        Change("case", f"mqsd/{HOSTILE}/{number}", "pass", "fail", cause, HOSTILE * 5, worse=True)
        for cause in Cause
        for number in range(400)
    )
    comparison = dataclasses.replace(hostile(), changes=changes)
    assert len(markdown(comparison)) <= ROOM
    assert "- and " in markdown(comparison)


def test_parts_and_runs_that_judged_nothing_are_refused(tmp_path: Path):
    for name, records in (
        ("part", [header() | {"shard": {"index": 1, "of": 2}}, FOOTER]),
        ("nothing", [header(), FOOTER | {"problem": "unreachable"}]),
    ):
        path = written(tmp_path / name, *records)
        with pytest.raises(ResultFault, match=r"merge|judged nothing"):
            compare_files(path, path)
