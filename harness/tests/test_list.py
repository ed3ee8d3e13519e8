"""What there is to judge, listed without running anything."""

import json
from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.records.result_file import read_results
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.feature_text import FeatureFault
from mqconform.harness.suite.index import IndexedCase, load_suite_index, read_suite_index

FEATURE = """\
@role:discovery_server
Feature: Of a test

  Background:
    Given a discovery server

  @req:MQSD-3.2.5-01
  Scenario: Plain
    Then it answers

  @needs:udp
  Rule: Tagged too

    @req:MQSD-3.2.5-02 @req:MQSD-3.2.5-03
    Scenario Outline: With rows
      Then it answers <n>

      Examples:
        | case    | n |
        | One row | 1 |
        | other   | 2 |
"""


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert run_command(["list", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def records(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in listed(capsys, *arguments, "--json")]


# The index


def test_scenarios_carry_the_tags_of_their_rule_and_feature_and_their_rows(tmp_path: Path):
    folder = tmp_path / "mqsd"
    folder.mkdir()
    (folder / "own.feature").write_text(FEATURE)
    plain, outline = read_suite_index((tmp_path,)).scenarios
    assert (plain.feature, plain.name, plain.roles, plain.needs) == ("mqsd/own", "Plain", ("discovery_server",), ())
    assert plain.cases == (IndexedCase("mqsd/own/plain"),)
    assert plain.rows == ()
    assert outline.requirements == ("MQSD-3.2.5-02", "MQSD-3.2.5-03")
    assert outline.needs == ("udp",)
    assert [case.id for case in outline.cases] == ["mqsd/own/with-rows/one-row", "mqsd/own/with-rows/other"]
    assert outline.rows == ("one-row", "other")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"Feature: x\n  Scenario: y\n    Given a\n    nonsense\n", ":4: "),
        (b"", "holds no feature"),
        (b"\xff", "is not UTF-8"),
        (b"Feature: x\n Scenario: y\n  And no step before\n", ":3: "),
    ],
)
def test_a_feature_that_does_not_parse_is_named(tmp_path: Path, text: bytes, told: str):
    file = tmp_path / "broken.feature"
    file.write_bytes(text)
    with pytest.raises(FeatureFault) as caught:
        read_suite_index((tmp_path,))
    assert str(caught.value).startswith(str(file))
    assert told in str(caught.value)


def test_listed_cases_are_the_cases_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    one = "MQSD-2.2.1"
    run_command(["run", "--req", one, "--out", str(tmp_path)])
    ran = [record["id"] for record in read_results(tmp_path) if record["record"] == "case"]
    capsys.readouterr()
    assert run_command(["list", "--cases", "--req", one]) == 0
    assert sorted(capsys.readouterr().out.split()) == sorted(ran)
    assert len(ran) > 5


# The command


def test_each_requirement_has_one_line_with_its_summary(capsys: pytest.CaptureFixture[str]):
    lines = listed(capsys)
    known = list(load_catalogue().values())
    assert [line.split()[0] for line in lines] == [one.id for one in known]
    for line, requirement in zip(lines, known, strict=True):
        scenarios = len(load_suite_index().of_requirement(requirement.id))
        columns = [requirement.id, requirement.level, requirement.section, requirement.judged, str(scenarios)]
        assert line.split()[:5] == columns
        assert line.endswith(f"  {requirement.summary}")


@pytest.mark.parametrize("prefix", ["MQSD", "MQSD-3.2.5", "MQSD-3.2.5.1-07"])
def test_a_prefix_is_a_specification_a_section_or_an_id(capsys: pytest.CaptureFixture[str], prefix: str):
    found = [one["id"] for one in records(capsys, "--req", prefix)]
    assert found == [one for one in load_catalogue() if one == prefix or one.startswith((f"{prefix}-", f"{prefix}."))]
    assert found


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--req", "MQSD-3.2.5-99"), "no requirement has that id or prefix; did you mean MQSD-3.2.5"),
        (("--req", ""), "no requirement has that id or prefix"),
        (("--role", "server"), "'server' is not one of 'router'"),
        (("extra",), "unexpected extra argument"),
    ],
)
def test_what_cannot_match_is_refused(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str):
    assert run_command(["list", *arguments]) == 4
    assert told in capsys.readouterr().err
