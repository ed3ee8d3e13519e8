"""Each rule has a bad feature that breaks it and nothing else, and the suite itself breaks none."""

import re
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_bdd import parsers

from mqconform.harness.cli import run_command
from mqconform.harness.iut.roles import step_modules
from mqconform.harness.records.case import Case
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement, Witness
from mqconform.harness.run.assertion_lint import unasserted
from mqconform.harness.suite.ambiguity import read_register
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.feature_text import read_feature
from mqconform.harness.suite.lint import check
from mqconform.harness.suite.lint.check import RULES
from mqconform.harness.suite.lint.coverage import (
    cases_of,
    list_text,
    lost_cases,
    lost_requirements,
    read_list,
    unplayed,
)
from mqconform.harness.suite.lint.readings import check_readings, check_verdicts

GOOD = """
@role:discovery_server
Feature: Of a test

  @req:MQSD-3.2.5-01
  Scenario: It answers
    Given a discovery server
    When the same topology request arrives 3 times
    Then each arrival is answered

  @req:MQSD-3.2.5-02
  Scenario Outline: It answers each
    Given a discovery server
    When <n> topology requests with distinct ids arrive at once
    Then each request is answered

    Examples:
      | case | n |
      | two  | 2 |
      | nine | 9 |
"""
ANSWERS = "    Then each arrival is answered\n"
TABLE = "      | case | n |\n      | two  | 2 |\n      | nine | 9 |\n"
AGAIN = """
  @req:MQSD-3.2.5-01
  Scenario: {name}
    Given a discovery server
    When the same topology request arrives 3 times
    Then {then}
"""
SITE = """
@role:discovery_server
Feature: Of a test

  @req:MQSD-2.2.3-17 @req:MQSD-2.2.3-11
  Scenario: The site comes
    Given a discovery server
    When a client of another site sends a topology request
    Then RespondingSiteID is the server's site
    And DirectoryServiceServerSize counts the octets of the array
"""

VERDICT = '{ must = "pass", default = "pass", strict = "pass", windows = "pass" }'
REGISTER = f"""
[[ambiguity]]
id = "SD-01"
spec = "MQSD"
section = "2.1"
problem = "it is silent"
requirements = []
testable = true
reading = [
  {{ id = "literal", literal = true, summary = "as written", verdict = {VERDICT} }},
  {{ id = "other", summary = "otherwise", verdict = {VERDICT} }},
  {{ id = "unseen", summary = "somewhere", situation = "elsewhere", unseen = "no carrier", verdict = {VERDICT} }},
]
"""

BAD = {
    "not-gherkin": ("Feature: Of a test", "Feature Of a test"),
    "no-requirement": ("  @req:MQSD-3.2.5-01\n", ""),
    "unknown-requirement": ("@req:MQSD-3.2.5-01", "@req:MQSD-3.2.5-99"),
    "unobservable-requirement": ("@req:MQSD-3.2.5-01", "@req:MQSD-3.2.5-01 @req:MQSD-1.5-01"),
    "unknown-tag": ("@req:MQSD-3.2.5-01", "@req:MQSD-3.2.5-01 @slow"),
    "tags-on-examples": ("    Examples:", "    @req:MQSD-3.2.5-01\n    Examples:"),
    "no-examples": (TABLE, "      | case | n |\n"),
    "no-case-column": ("case", "name"),
    "bad-case-name": ("two ", "Two "),
    "duplicate-case": ("nine", "two "),
    "unused-column": (TABLE, "      | case | n | m |\n      | two  | 2 | 3 |\n      | nine | 9 | 3 |\n"),
    "no-then": (ANSWERS, ""),
    "no-when": ("    When the same topology request arrives 3 times\n" + ANSWERS, "    Then the server listens\n"),
    "several-whens": (ANSWERS, f"{ANSWERS}    When the same topology request arrives 3 times\n{ANSWERS}"),
    "undefined-step": ("each arrival is answered", "nobody wrote this"),
    "duplicate-scenario": ("Scenario Outline: It answers each", "Scenario Outline: It, answers!"),
}
"""Rule -> what is replaced in the good feature, and by what."""


def feature(folder: Path, text: str, name: str = "own") -> Path:
    (folder / "mqsd").mkdir(exist_ok=True)
    path = folder / "mqsd" / f"{name}.feature"
    path.write_text(textwrap.dedent(text))
    return path


def rules_broken(capsys: pytest.CaptureFixture[str], *paths: Path) -> set[str]:
    capsys.readouterr()
    code = run_command(["lint", *map(str, paths)])
    *lines, total = capsys.readouterr().out.splitlines()
    found = {re.fullmatch(r".+?:\d+: ([a-z-]+): .+", line) for line in lines}
    assert None not in found
    assert total == (f"{len(lines)} finding{'s' if len(lines) > 1 else ''}" if lines else "no findings")
    assert code == int(bool(found))
    return {one[1] for one in found if one}


def test_a_good_feature_breaks_no_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert rules_broken(capsys, feature(tmp_path, GOOD)) == set()


def test_a_bad_feature_breaks_one_rule_and_no_other(
    subtests: pytest.Subtests, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    for rule, (good, bad) in BAD.items():
        with subtests.test(rule=rule):
            assert good in GOOD
            assert rules_broken(capsys, feature(tmp_path, GOOD.replace(good, bad, 1))) == {rule}


def test_an_empty_feature(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert rules_broken(capsys, feature(tmp_path, "Feature: Nothing\n")) == {"no-scenario"}
    assert rules_broken(capsys, feature(tmp_path, "")) == {"no-scenario"}


def test_a_column_that_the_table_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The runner would leave the words as they stand, which the step no longer understands."""
    broken = rules_broken(capsys, feature(tmp_path, GOOD.replace("<n>", "<m>")))
    assert broken == {"unknown-column", "unused-column", "undefined-step", "twins"}


def test_two_files_of_one_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    other = GOOD.replace("3 times", "4 times").replace("<n> topology", "1<n> topology")
    assert rules_broken(capsys, feature(tmp_path / "a", GOOD), feature(tmp_path / "b", other)) == {"duplicate-feature"}


def test_twins(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    again = AGAIN.format(name="It answers once more", then="each arrival is answered")
    assert rules_broken(capsys, feature(tmp_path, GOOD + again)) == {"twins"}
    other = again.replace("MQSD-3.2.5-01", "MQSD-3.2.5-02")
    assert rules_broken(capsys, feature(tmp_path, GOOD + other)) == set()


def test_a_negative_scenario_in_the_situation_of_its_positive_twin(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    one = AGAIN.format(name="It listens", then="the server listens")
    other = AGAIN.format(name="It does not listen", then="the server does not listen")
    assert rules_broken(capsys, feature(tmp_path, GOOD + one + other)) == {"contradiction"}
    elsewhere = other.replace("3 times", "4 times")
    assert rules_broken(capsys, feature(tmp_path, GOOD + one + elsewhere)) == set()


def test_a_step_with_two_definitions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    definitions = check.load_definitions(step_modules())
    twice = next(one for one in definitions.contexts if one.parser.name == "each arrival is answered")
    other = replace(twice, parser=parsers.parse("each {what} is answered"))
    more = type(definitions)((*definitions.contexts, other))
    monkeypatch.setattr(check, "load_definitions", lambda _: more)
    assert rules_broken(capsys, feature(tmp_path, GOOD)) == {"ambiguous-step"}


def test_a_sequence_of_whens_that_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    good, bad = BAD["several-whens"]
    text = GOOD.replace(good, bad, 1).replace("@req:MQSD-3.2.5-01", "@req:MQSD-3.2.5-01 @sequence", 1)
    assert rules_broken(capsys, feature(tmp_path, text)) == set()


# The suite as a whole


def test_a_requirement_whose_only_scenario_is_gone(tmp_path: Path):
    cases = cases_of([read_feature(feature(tmp_path, GOOD))])
    lost = [one.text.partition(" ")[0] for one in lost_requirements(load_catalogue(), cases, {"MQSD"})]
    assert "MQSD-3.2.5-03" in lost
    assert not {"MQSD-3.2.5-01", "MQSD-3.2.5-02", "MQSD-1.5-01"}.intersection(lost)
    assert not [one for one in lost if one.startswith("MQBR")]


def test_a_case_that_the_list_knows_and_the_suite_does_not(tmp_path: Path):
    cases = cases_of([read_feature(feature(tmp_path, GOOD))])
    (tmp_path / "cases.txt").write_text(list_text(cases))
    listed = read_list(tmp_path / "cases.txt")
    assert listed == cases
    fewer = cases_of([read_feature(feature(tmp_path, GOOD.replace("      | nine | 9 |\n", "")))])
    (finding,) = lost_cases(listed, fewer, "cases.txt")
    assert (finding.rule, finding.text.partition(" ")[0]) == ("lost-case", "mqsd/own/it-answers-each/nine")
    line = (tmp_path / "cases.txt").read_text().splitlines()[finding.line - 1]
    assert line.startswith("mqsd/own/it-answers-each/nine")


def test_a_scenario_that_fails_a_requirement_and_is_gone(tmp_path: Path):
    cases = cases_of([read_feature(feature(tmp_path, GOOD))])
    failed = [("mqsd/own/it-answers-each", "MQSD-3.2.5-01"), ("mqsd/own/gone", "MQSD-3.2.5-02")]
    (finding,) = unplayed(failed, cases, "kills.json")
    assert (finding.rule, finding.text.partition(",")[0]) == ("unplayed", "mqsd/own/gone fails MQSD-3.2.5-02")


def test_a_reading_that_nothing_follows_and_one_that_is_excused_for_nothing(tmp_path: Path):
    (tmp_path / "one.toml").write_text(REGISTER, encoding="utf-8")
    register = read_register(tmp_path)

    def told(*followed: str) -> list[str]:
        findings = check_readings(register, dict.fromkeys(followed, "a-mutant"), {}, tmp_path)
        return [f"{one.rule} {one.text[: one.text.index(';')]}" for one in findings]

    lost = "unread-reading no implementation follows SD-01/"
    assert told() == [lost + "literal", lost + "other"]
    assert told("SD-01/literal") == [lost + "other"]
    assert told("SD-01/other") == []
    needless = "needless-unseen SD-01/unseen has an implementation that follows it"
    assert told("SD-01/other", "SD-01/unseen") == [needless]
    first = next(iter(check_readings(register, {}, {}, tmp_path)))
    assert (first.path, first.line) == ("requirements/ambiguities/one.toml", 3)


def test_a_reading_that_passes_is_shown_by_what_conforms_and_one_that_fails_by_what_it_convicts(tmp_path: Path):
    fails = VERDICT.replace("pass", "fail")
    other = (
        f"""{{ id = "other", summary = "otherwise", because = "so", breaks = ["MQSD-2.1-01"], verdict = {fails} }}"""
    )
    text = REGISTER.replace(f"""{{ id = "other", summary = "otherwise", verdict = {VERDICT} }}""", other)
    (tmp_path / "one.toml").write_text(text.replace("requirements = []", 'requirements = ["MQSD-2.1-01"]'), "utf-8")
    register = read_register(tmp_path)

    def rules(literal: tuple[str, ...], other: tuple[str, ...]) -> list[str]:
        followed = {"SD-01/literal": "one", "SD-01/other": "another"}
        findings = check_readings(register, followed, {"one": literal, "another": other}, tmp_path)
        return [finding.rule for finding in findings]

    assert rules((), ("MQSD-2.1-01",)) == []
    assert rules((), ()) == rules((), ("MQSD-2.1-02",)) == ["reading-variant"]
    assert rules(("MQSD-2.1-02",), ("MQSD-2.1-01",)) == ["reading-variant"]

    def bound(level: str) -> list[str]:
        catalogue = {"MQSD-2.1-01": replace(load_catalogue()["MQSD-2.1-01"], level=level)}
        return [finding.rule for finding in check_verdicts(register, catalogue, tmp_path)]

    assert (bound("must"), bound("should"), bound("may")) == ([], ["reading-binds"], ["reading-binds"] * 2)


def test_a_case_that_names_less_than_it_did(tmp_path: Path):
    two = cases_of(
        [read_feature(feature(tmp_path, GOOD.replace("@req:MQSD-3.2.5-01", "@req:MQSD-3.2.5-01 @req:MQSD-3.2.5-02")))]
    )
    (finding,) = lost_cases(two, cases_of([read_feature(feature(tmp_path, GOOD))]), "cases.txt")
    assert "names MQSD-3.2.5-02 no longer" in finding.text


# What a run shows


def test_a_case_without_an_assertion_on_what_it_names():
    case = Case("mqsd/f/s", "mqsd/f", "s", "", ("MQSD-3.2.5-01", "MQSD-3.2.5-02"))
    case.witnesses = [Witness(case.id, "MQSD-3.2.5-01", "Then", Judgement(Verdict.PASS, "", ""))]
    (finding,) = unasserted([case])
    assert (finding.rule, "MQSD-3.2.5-02" in finding.text) == ("no-assertion", True)
    case.excused = "unsupported"
    assert list(unasserted([case])) == []


def test_a_run_finds_a_tag_that_no_step_bears_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Deleting the one Then that judged a requirement leaves its tag behind."""
    whole = feature(tmp_path, SITE, "whole")
    assert run_command(["lint", "--run", str(whole)]) == 0
    deleted = feature(tmp_path, SITE.replace("    And DirectoryServiceServerSize counts the octets of the array\n", ""))
    capsys.readouterr()
    assert run_command(["lint", "--run", str(deleted)]) == 1
    assert "mqsd/own/the-site-comes makes no assertion on MQSD-2.2.3-11" in capsys.readouterr().out


def test_every_rule_was_broken_here():
    elsewhere = (
        "no-scenario duplicate-feature unknown-column twins contradiction ambiguous-step lost-requirement lost-case "
        "unplayed unread-reading needless-unseen reading-variant reading-binds no-assertion"
    )
    assert set(RULES) == set(BAD) | set(elsewhere.split())


@pytest.mark.parametrize("arguments", [["no/such.feature"], ["--record", "x"]])
def test_what_cannot_be_checked_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    assert run_command(["lint", *arguments]) == 4
    assert "Traceback" not in capsys.readouterr().err
