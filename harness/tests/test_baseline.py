"""Expected failures: what a baseline tolerates, and all that can be wrong with one."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from timeless import timeless

from mqconform.harness.cli import run_command
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError
from mqconform.harness.records.case import Case
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.result_file import read_results
from mqconform.harness.records.shard import Shard
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement, Witness
from mqconform.harness.run.execution import execute
from mqconform.harness.run.gate.baseline import baseline_of
from mqconform.harness.run.gate.expectations import Expectations, Judged, expectations, updated
from mqconform.harness.run.plan import Plan
from mqconform.harness.run.sharding.merge import merge
from mqconform.harness.suite.selection import Selection

TODAY = date(2026, 6, 1)
MUTANT = "mutant:zero-site-is-own"
FAILS = "mqsd/3_2_discovery_server/a-client-without-a-site-is-a-client-of-another-site"
ROW = "mqsd/3_2_discovery_server/a-request-is-answered-with-a-reply"
PASSES = "mqsd/3_2_discovery_server/the-same-request-is-answered-each-time-it-arrives"
ENTRY = """\
  - scenario: {scenario}
    iut: "{iut}"
    verdict: {verdict}
    error: {error}
    reason: "# the vendor corrects it"  # as they wrote
    issue: https://issues.example/1
    owner: routing team
    since: 2026-01-01
    expires: {expires}
"""
FLAKE = """\
  - scenario: mqsd/f/s
    iut: "*"
    error: late
    reason: a race
    issue: https://issues.example/2
    owner: routing team
    since: 2026-01-01
    expires: 2027-01-01
    runs: {runs}
    failures: {failures}
"""
HEAD = "# what we know of\nversion: 1\n"


def entry(scenario: str = FAILS, **changed: str) -> str:
    plain = {"iut": "mutant zero-*", "verdict": "fail", "error": "absent", "expires": "2027-01-01"}
    return ENTRY.format(scenario=scenario, **(plain | changed))


def expected(*entries: str) -> str:
    return f"{HEAD}expected:\n{''.join(entries)}"


def case(verdict: Verdict, name: str = "mqsd/f/s", text: str = "came late", **changed: object) -> Case:
    made = Case(name, "mqsd/f", "s", "", ("MQSD-3.2.5-01",))
    made.witnesses = [Witness(name, "MQSD-3.2.5-01", "Then it answers", Judgement(verdict, "", text))]
    for field, value in changed.items():
        setattr(made, field, value)
    return made


def held(text: str, *cases: Case, today: date = TODAY) -> Expectations:
    return expectations(baseline_of(Path("b.yaml"), text), Judged(cases, "a server", today))


def kinds(seen: Expectations) -> list[str]:
    return [one.kind for one in seen.problems]


LATE = expected(entry("mqsd/f/s", iut="a *", error="late$"))


def test_an_entry_tolerates_the_failure_that_it_describes_and_no_other(subtests: pytest.Subtests):
    for seen, tolerated, problems in [
        (case(Verdict.FAIL), True, []),
        (case(Verdict.PASS), False, ["passed"]),
        (case(Verdict.INCONCLUSIVE), False, ["differs"]),
        (case(Verdict.FAIL, text="never came"), False, ["differs"]),
        (case(Verdict.FAIL, crashed=True), False, ["crashed"]),
        (case(Verdict.FAIL, error="a defect of ours"), False, ["crashed"]),
        (case(Verdict.NONE, excused="unsupported", witnesses=[]), False, ["unmatched"]),
        (case(Verdict.FAIL, name="mqsd/f/other"), False, ["unmatched"]),
    ]:
        with subtests.test(problems=problems):
            found = held(LATE, seen)
            assert (bool(found.tolerated), kinds(found)) == (tolerated, problems)


def test_an_entry_that_expired_still_tolerates_and_is_a_problem():
    found = held(LATE, case(Verdict.FAIL), today=date(2027, 1, 2))
    assert (bool(found.tolerated), kinds(found)) == (True, ["expired"])
    assert kinds(held(LATE, case(Verdict.FAIL), today=date(2027, 1, 1))) == []


def test_entries_of_other_implementations_are_left_alone_and_counted():
    found = held(expected(entry("mqsd/f/s", iut="another")), case(Verdict.FAIL))
    assert (found.tolerated, found.problems, found.others) == (frozenset(), (), 1)


def test_a_partial_run_has_nothing_to_say_of_what_it_leaves_out():
    baseline = baseline_of(Path("b.yaml"), LATE)
    partial = Judged((), "a server", TODAY, partial=True, case_ids=frozenset({"mqsd/f/s"}))
    assert kinds(expectations(baseline, partial)) == []
    assert kinds(expectations(baseline, replace(partial, case_ids=frozenset()))) == ["unmatched"]


def test_a_known_flake_may_pass_or_fail_but_not_crash(subtests: pytest.Subtests):
    for seen, flaked, problems in [
        (case(Verdict.PASS), False, []),
        (case(Verdict.FAIL), True, []),
        (case(Verdict.INCONCLUSIVE), True, []),
        (case(Verdict.FAIL, text="never came"), False, ["differs"]),
        (case(Verdict.FAIL, crashed=True), False, ["crashed"]),
    ]:
        with subtests.test(problems=problems):
            found = held(f"{HEAD}flaky:\n{FLAKE.format(runs=4, failures=1)}", seen)
            assert (bool(found.flaked), kinds(found)) == (flaked, problems)


def test_what_always_or_never_failed_is_no_flake():
    for failures, problems in [(0, ["steady"]), (1, []), (20, ["steady"])]:
        text = f"{HEAD}flaky:\n{FLAKE.format(runs=20, failures=failures)}"
        assert kinds(held(text, case(Verdict.PASS))) == problems, failures


# Updates


def after(text: str, *cases: Case, grow: bool = False) -> str:
    baseline = baseline_of(Path("b.yaml"), text)
    judged = Judged(cases, "a server", TODAY)
    return updated(baseline, expectations(baseline, judged), judged, grow=grow).text


def test_an_update_takes_out_what_passed_and_keeps_every_comment():
    text = expected(entry("mqsd/f/s", iut="a *"), "  # the other one\n", entry("mqsd/f/t", iut="a *", error="late"))
    shrunk = after(text, case(Verdict.PASS), case(Verdict.FAIL, name="mqsd/f/t"))
    assert "mqsd/f/s" not in shrunk
    assert shrunk.startswith(HEAD)
    assert "# as they wrote" in shrunk
    assert shrunk.count("- scenario") == 1


def test_an_update_adds_nothing_unless_told_and_never_a_crash():
    new = case(Verdict.FAIL, name="mqsd/f/new")
    crashed = case(Verdict.FAIL, name="mqsd/f/crashed", crashed=True)
    assert after(LATE, case(Verdict.FAIL), new) == LATE
    assert after(LATE, case(Verdict.FAIL), crashed, grow=True) == LATE
    grown = after(LATE, case(Verdict.FAIL), new, grow=True)
    assert kinds(held(grown, case(Verdict.FAIL), new)) == []
    assert held(grown, case(Verdict.FAIL), new).tolerated == {"mqsd/f/s", "mqsd/f/new"}


def test_an_update_gives_no_expired_entry_more_time():
    text = LATE.replace("2027-01-01", "2026-02-01")
    assert after(text, case(Verdict.FAIL), grow=True) == text


def test_an_update_counts_flakes():
    text = f"{HEAD}flaky:\n{FLAKE.format(runs=4, failures=1)}"
    assert "runs: 5\n    failures: 1" in after(text, case(Verdict.PASS))
    assert "runs: 5\n    failures: 2" in after(text, case(Verdict.FAIL))


@settings(max_examples=60)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40))
def test_an_entry_that_a_run_makes_describes_the_failure_whatever_was_observed(text: str):
    failed = case(Verdict.FAIL, text=text)
    grown = after(HEAD + "expected: []\n", failed, grow=True)
    assert held(grown, failed).tolerated == {"mqsd/f/s"}


# What is not a baseline


def test_what_is_wrong_with_a_baseline_is_told_by_line(subtests: pytest.Subtests):
    for text, said in [
        ("", ":1: is empty"),
        ("- 1\n", ":1: is not a mapping"),
        ("version: 1\nexpected: [\n", ":3: expected[0]: is not valid YAML"),
        ("version: 1\nversion: 1\n", ":2: version: is written twice"),
        ("version: 2\n", "version: is 2"),
        ("version: 1\nexpectd: []\n", "expectd: is not a field here"),
        (expected(entry(verdict="fial")), ":4: expected[0]: verdict: is 'fial'"),
        (expected(entry(), entry(PASSES).replace("    owner: routing team\n", "")), ":13: expected[1]: owner: is"),
        (expected(entry(error="'('")), ":4: error: is not a regular expression"),
        (expected(entry(expires="2026-13-01")), ":4: expires: is 2026-13-01"),
        (expected(entry(expires="2025-01-01")), ":4: expires: is before since"),
        (expected(entry(), entry()), ":13: the case stands in line 4 already"),
        (expected(entry("no-slashes")), ":4: expected[0]: scenario"),
        (f"{HEAD}flaky:\n{FLAKE.format(runs=1, failures=2)}", ":4: failures: exceed runs"),
        ("version: !!python/object/apply:os.system [x]\n", "version"),
        ("[" * 500, ": is nested too deeply"),
    ]:
        with subtests.test(said=said):
            with pytest.raises(ConfigurationError) as told:
                baseline_of(Path("b.yaml"), text)
            assert said in str(told.value)
            assert str(told.value).startswith("b.yaml:")


# Real runs


def run(folder: Path, text: str, *options: str, iut: str = MUTANT) -> int:
    (folder / "b.yaml").write_text(text)
    command = ["run", "--iut", iut, "-k", "a-client-without-a-site or the-same-request", "--out", str(folder / "out")]
    return run_command([*command, "--expected-failures", str(folder / "b.yaml"), *options])


def test_an_update_writes_the_file_and_opens_the_gate(tmp_path: Path):
    assert run(tmp_path, expected(entry(), entry(PASSES)), "--baseline-update") == 0
    assert (tmp_path / "b.yaml").read_text() == expected(entry())
    assert run(tmp_path, HEAD + "expected: []\n", "--baseline-update=grow") == 0


def test_the_footer_and_the_terminal_say_what_was_expected(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    left_out = entry(f"{ROW}\n    example: own-site")  # by -k
    assert run(tmp_path, expected(entry(), entry(PASSES), entry(ROW), left_out)) == 7
    footer = read_results(tmp_path / "out")[-1]
    assert footer["baseline"]["expected"] == [FAILS]
    assert footer["exit_code"] == 7
    shown = capsys.readouterr().out
    assert "NO NEW FAILURES: 1 known violation; PARTIAL" in shown
    assert "requirements; BASELINE OUT OF DATE" in shown
    assert [line in shown for line in ("b.yaml:13", "b.yaml:22", "b.yaml:31")] == [True, True, False]
    assert "VIOLATED" not in shown


def test_a_merge_holds_the_whole_run_against_the_baseline(tmp_path: Path):
    asked = Selection(("MQSD-3.2.5.1-12",))
    whole = Plan(MUTANT, AdapterOptions(), Profile.DEFAULT, 0, asked, tmp_path / "whole", diagnosis=True)
    text = expected(entry(), entry("mqsd/3_2_discovery_server/generated-requests-get-the-reply-that-the-steps-make"))
    (tmp_path / "b.yaml").write_text(text)
    single = execute(replace(whole, baseline=baseline_of(tmp_path / "b.yaml", text), today=TODAY))
    for index in (1, 2):
        execute(replace(whole, shard=Shard(index, 2), out=tmp_path / str(index)))
    prepared = lambda plan: replace(plan, baseline=single.plan.baseline, today=TODAY)  # noqa: E731 - one line
    merged = merge([tmp_path / "2", tmp_path / "1"], tmp_path / "merged", [], prepared)
    assert timeless(merged.results.read_bytes()) == timeless(single.results.read_bytes())
    assert merged.exit_code == single.exit_code


def test_options_that_cannot_work_cost_no_run(capsys: pytest.CaptureFixture[str]):
    for options, said in [
        (["--baseline-update"], "needs --expected-failures"),
        (["--expected-failures", "/no/such/baseline.yaml"], "/no/such/baseline.yaml"),
        (["--expected-failures", "b.yaml", "--baseline-update", "--shard", "1/2"], "mqconform merge"),
    ]:
        assert run_command(["run", *options]) == 4
        assert said in capsys.readouterr().err
