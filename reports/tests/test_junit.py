"""JUnit XML: every verdict has its element, ids survive, and nothing that an implementation sends breaks it."""

from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import result_records
import xmlschema
from hypothesis import given, settings
from hypothesis import strategies as st
from junitparser import Error, Failure, Skipped
from junitparser.xunit2 import JUnitXml, TestCase
from result_records import FEATURE, FOOTER, case, header, requirement, witness

from mqconform.reports.formats.junit import write

HOSTILE = "\0\x1b[31m ]]> \u202e<&\"' \ud800 \U000e0001\r\n\ufffe \\ end"
HEADER = header("strict", 7)
SCHEMA = Path(__file__).parent / "schemas" / "junit-10.xsd"
RESULTS = {"failure": "failures", "error": "errors", "skipped": "skipped"}
"""The results of a testcase, and how a testsuite counts them."""


def written(folder: Path, *records: dict[str, Any]) -> JUnitXml:
    target = folder / "junit.xml"
    write(result_records.written(folder, *records) / "results.ndjson", target)
    assert [error.reason for error in schema().iter_errors(str(target))] == []
    for suite in ET.parse(target).iter("testsuite"):  # noqa: S314 - our own output
        assert_counted(suite)
    return JUnitXml.fromfile(str(target))


def only(folder: Path, *records: dict[str, Any]) -> TestCase:
    (found,) = (test for suite in written(folder, HEADER, *records, FOOTER) for test in suite)
    return found


def properties(test: TestCase) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in test.properties():
        found.setdefault(one.name, []).append(one.value)
    return found


@cache
def schema() -> xmlschema.XMLSchema:
    """The schema that build servers agree on, that of Jenkins."""
    return xmlschema.XMLSchema(SCHEMA)


def assert_counted(suite: ET.Element) -> None:
    """What a schema cannot say: a testsuite counts its testcases, and each of those has one result at most."""
    counted = {tag: str(len(suite.findall(f"testcase/{tag}"))) for tag in RESULTS}
    assert {tag: suite.attrib[attribute] for tag, attribute in RESULTS.items()} == counted
    assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
    assert all(sum(child.tag in RESULTS for child in test) <= 1 for test in suite.findall("testcase"))


# Verdicts


def test_a_failed_case_names_what_is_likely_to_blame(tmp_path: Path):
    violated = {"standing": "violated", "witnesses": 1}
    findings = [requirement(id="MQSD-3.2.5-01", cause="MQSD-3.2.5-02", **violated), requirement(**violated)]
    test = only(tmp_path, witness("a", "fail"), case("a", "fail"), *findings)
    assert properties(test)["cause"] == ["MQSD-3.2.5-02"]


def test_a_passed_case_has_no_result_and_names_its_requirements(tmp_path: Path):
    test = only(
        tmp_path,
        witness("a/b", "pass", reading="SD-05/queried-port"),
        witness("a/b", "pass", requirement="MQSD-3.2.5.1-04"),
        case("a/b", "pass", requirements=["MQSD-3.2.5-01", "MQSD-3.2.5-02"], row="b"),
    )
    assert (test.name, test.classname) == ("a/b", "mqsd.3_2_discovery_server")
    assert test.result == []
    assert properties(test) == {
        "requirement": ["MQSD-3.2.5-01", "MQSD-3.2.5-02", "MQSD-3.2.5.1-04"],
        "verdict": ["pass"],
        "case": [f"{FEATURE}/a/b"],
        "scenario": ["About a/b"],
        "reading": ["SD-05/queried-port"],
    }


def test_a_failed_case_shows_what_was_expected_what_was_observed_and_the_octets(tmp_path: Path):
    evidence = {
        "network": "ip",
        "request": "00010203",
        "reply": "00020304",
        "source": "192.0.2.7:1801",
        "span": {"offset": 1, "length": 2, "field": "Type"},
    }
    (result,) = only(tmp_path, witness("a", "pass"), witness("a", "fail", **evidence), case("a", "fail")).result
    assert isinstance(result, Failure)
    assert result.type == "fail"
    assert result.message == "MQSD-3.2.5-01: expected one reply; observed two replies"
    assert result.text.splitlines() == [
        "requirement MQSD-3.2.5-01",
        "verdict     fail",
        "step        Then it answers",
        "expected    one reply",
        "observed    two replies",
        "request     00 01 02 03 over ip",
        "reply       00 02 03 04 from 192.0.2.7:1801",
        "octets      2 at 1 of the reply, Type",
    ]


def test_a_failed_case_shows_its_time_line_and_what_was_allowed(tmp_path: Path):
    moments = [
        {"at": 0, "who": "application", "what": "send m1 to inbox", "answer": "success"},
        {"at": 5, "who": "reader r1", "what": "receive from inbox", "answer": "m2", "allowed": ["m1"]},
    ]
    (result,) = only(tmp_path, witness("a", "fail"), case("a", "fail", timeline=moments)).result
    assert result.text.splitlines()[-3:] == [
        "  0 s  application  send m1 to inbox    success",
        "> 5 s  reader r1    receive from inbox  m2",
        "       allowed: m1",
    ]


def test_an_error_of_the_harness_is_an_error_with_its_trace(tmp_path: Path):
    (result,) = only(tmp_path, case("a", "error", error="KeyError: 'x'", trace="in line 3")).result
    assert isinstance(result, Error)
    assert (result.type, result.message, result.text) == ("error", "KeyError: 'x'", "in line 3")


def test_an_inconclusive_case_is_skipped_and_says_so(tmp_path: Path):
    test = only(tmp_path, witness("a", "inconclusive"), case("a", "inconclusive"))
    (result,) = test.result
    assert isinstance(result, Skipped)
    assert result.type == "inconclusive"
    assert result.message.startswith("inconclusive: MQSD-3.2.5-01: ")
    assert properties(test)["verdict"] == ["inconclusive"]


def test_an_excused_case_is_skipped_with_the_reason(tmp_path: Path):
    test = only(tmp_path, case("a", "none", excused="unsupported", reason="it does not offer ipx"))
    (result,) = test.result
    assert isinstance(result, Skipped)
    assert (result.type, result.message) == ("unsupported", "it does not offer ipx")
    assert properties(test)["verdict"] == ["unsupported"]


def test_a_case_without_any_assertion_is_an_error(tmp_path: Path):
    (result,) = only(tmp_path, case("a", "none")).result
    assert isinstance(result, Error)
    assert result.message == "no check ran, so nothing was judged"


# The run as a whole


def test_features_are_testsuites_that_say_what_was_judged_and_how(tmp_path: Path):
    other = case("a", "pass") | {"id": "mqbr/3_1/a", "feature": "mqbr/3_1"}
    suites = list(written(tmp_path, HEADER, witness("a", "pass"), case("a", "pass"), other, case("b", "none"), FOOTER))
    assert [(suite.name, suite.tests, suite.errors) for suite in suites] == [(FEATURE, 2, 1), ("mqbr/3_1", 1, 0)]
    assert {one.name: one.value for one in suites[0].properties()} == {
        "harness": "mqconform 0.1.0",
        "profile": "strict",
        "seed": "7",
        "iut": "api:server:Server",
        "iut.name": "Example a server 2",
        "specification.MQSD": "13.0",
        "verdict": "conforms",
    }


def test_what_no_case_shows_stands_in_a_testsuite_of_its_own(tmp_path: Path):
    for records, name, element, told in (
        ((), "selection", Error, "nothing was judged"),
        ((FOOTER | {"problem": "exited: gone", "exit_code": 1},), "connection", Failure, "exited: gone"),
        ((FOOTER | {"problem": "nothing there", "exit_code": 2},), "connection", Skipped, "inconclusive: nothing"),
        ((FOOTER | {"problem": "code 4", "exit_code": 3},), "runner", Error, "code 4"),
        ((case("a", "pass"), requirement()), "coverage", Error, "no check ran for 1 requirements"),
        ((case("a", "pass"), FOOTER | {"inconstant_readings": ["SD-05"]}), "readings", Skipped, "inconclusive: two"),
    ):
        ended = records if records and records[-1]["record"] == "footer" else (*records, FOOTER)
        (suite,) = (suite for suite in written(tmp_path, HEADER, *ended) if suite.name == "run")
        (test,) = suite
        (result,) = test.result
        assert (test.name, type(result)) == (name, element), (records, name)
        assert told in result.message, (records, name)


def test_a_run_that_was_killed_is_an_error_within_the_case_it_was_killed_in(tmp_path: Path):
    feature, run = written(tmp_path, HEADER, witness("a", "pass"), case("a", "pass"), witness("b", "fail"))
    assert [(test.name, test.is_error) for test in feature] == [("a", False), ("b", True)]
    assert "observed    two replies" in list(feature)[1].result[0].text
    assert [test.result[0].message for test in run] == ["the run ended early, after 1 cases"]


# Hostile text


def hostile(text: str) -> tuple[dict[str, Any], ...]:
    begun = header("strict", 7, name=text, vendor=text, version=text, target=text)
    seen = witness("a", "fail", step=text, expected=text, observed=text)
    failed = case("a", "fail", scenario=text, reason=text)
    excused = case("b", "none", scenario=text, excused="unsupported", reason=text)
    broken = case("c", "error", error=text or "x", trace=text)
    problem = FOOTER | {"problem": text or "x", "exit_code": 3}
    return begun, seen, failed, excused, broken, problem


def test_hostile_text_is_shown_character_by_character(tmp_path: Path):
    feature, _run = written(tmp_path, *hostile(HOSTILE))
    shown = r"\u0000\u001b[31m ]]> \u202e<&" + '"' + r"' \ud800 \U000e0001\u000d\u000a\ufffe \\ end"
    assert properties(next(iter(feature)))["scenario"] == [shown]
    text = next(iter(feature)).result[0].text
    assert "\nobserved    " + shown.replace(r"\u000a", "\n" + " " * 12) in text


def test_a_text_of_several_lines_cannot_pass_for_another_witness(tmp_path: Path):
    forged = "x\n\nrequirement MQSD-3.2.5-01\nverdict     pass"
    (result,) = only(tmp_path, witness("a", "fail", observed=forged), case("a", "fail")).result
    assert [line for line in result.text.splitlines() if line.startswith("verdict")] == ["verdict     fail"]


@settings(deadline=None, max_examples=15)
@given(text=st.text(st.characters(exclude_categories=()), max_size=60))
def test_no_text_makes_the_document_ill_formed(tmp_path_factory: pytest.TempPathFactory, text: str):
    feature, run = written(tmp_path_factory.mktemp("hostile"), *hostile(text))
    assert [len(test.result) for test in (*feature, *run)] == [1, 1, 1, 1]


def test_datagrams_and_messages_are_shortened_and_say_by_how_much(tmp_path: Path):
    seen = witness("a", "fail", observed="y" * 2_000, reply="00" * 2_000)
    (result,) = only(tmp_path, seen, case("a", "fail")).result
    assert result.message.endswith(" characters omitted")
    assert len(result.message) < 400
    assert "00 ... 976 octets omitted" in result.text
