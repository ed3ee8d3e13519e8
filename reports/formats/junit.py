"""JUnit XML of a result file, for build servers.

One testsuite for each feature, one testcase for each case; the ids of its requirements and its own are properties
of the testcase. JUnit knows fewer outcomes than a run has:

- fail is ``failure`` and error is ``error``, as everywhere;
- inconclusive is ``skipped`` with a message that begins so, and property ``verdict`` says ``inconclusive``;
- unsupported and not-applicable are ``skipped`` with the reason as message;
- a case without any assertion is ``error``: a run with such a case does not conform either;
- a failure that the baseline expected is ``skipped`` with type and property ``expected``: the gate is open.

A failed testcase has property ``cause``: the violated requirement that explains what failed in it. Where the run
behaves like a known fault, property ``behaves-like`` of each testsuite says so.

Cases for roles that the implementation does not have are left out. What no case shows stands in a testsuite named
``run``, present only where there is something to say.
"""

# mypy: allow-untyped-calls
# junitparser has types, and a few functions that it left without.

from collections.abc import Iterator, Mapping
from pathlib import Path

from junitparser import Error, Failure, Skipped, TestSuite
from junitparser import TestCase as JUnitCase
from junitparser.junitparser import FinalResult
from junitparser.xunit2 import JUnitXml, TestCase

from mqconform.harness.records.diagnosis_text import likenesses
from mqconform.harness.records.printable import shortened, visible, visible_lines
from mqconform.harness.records.report_writers import named
from mqconform.harness.records.result_file import ResultFile, read_result_file
from mqconform.harness.records.results import Case, Witness
from mqconform.harness.records.scope import NO_ROLE
from mqconform.harness.records.verdict import FAILED
from mqconform.reports.formats.case_outcome import all_cases, details, failed_cases, message, outcome, requirements
from mqconform.reports.formats.expected_failures import expected_failures, prefixed
from mqconform.reports.formats.run_remarks import RUN, run_remarks
from mqconform.reports.formats.scope import word_of

LONGEST_MESSAGE = 300
RESULTS = {"failure": Failure, "error": Error, "skipped": Skipped}


@named("junit.xml")
def write(results: Path, target: Path) -> None:
    """Write the result file ``results`` as JUnit XML to ``target``.

    Raises:
        ResultFault: the result file cannot be used.
        OSError: ``target`` cannot be written.
    """
    document(read_result_file(results)).write(str(target), pretty=True)


def document(run: ResultFile) -> JUnitXml:
    """Return the JUnit document of a run."""
    witnesses, expected = run.witnesses_by_case(), expected_failures(run)
    causes = {finding.id: finding.cause or finding.id for finding in run.findings if finding.standing in FAILED}
    suites: dict[str, list[JUnitCase]] = {}
    for case in all_cases(run):
        if case.excused and case.reason.startswith(NO_ROLE):
            continue
        suites.setdefault(case.feature, []).append(
            test_case(case, witnesses.get(case.id, ()), expected.get(case.id, ""), causes)
        )
    for remark in run_remarks(run):
        made = TestCase(name=remark.name, classname=RUN)
        made.result = _result(remark.element, remark.kind, remark.message, remark.text)
        suites.setdefault(RUN, []).append(made)
    xml = JUnitXml(name="mqconform")
    for feature, tests in suites.items():
        xml.append(_suite(feature, run, tests))
    xml.update_statistics()
    return xml


def test_case(case: Case, witnesses: tuple[Witness, ...], expected: str, causes: Mapping[str, str]) -> TestCase:
    """Return a case as JUnit has it; its name is the part of its id behind the feature.

    Args:
        case: what is written.
        witnesses: of the case.
        expected: what the baseline calls its failure, empty where it expects none.
        causes: of violated requirements, the one that explains their failures.
    """
    name = case.id.removeprefix(f"{case.feature}/")
    made = TestCase(name=visible(name), classname=visible(case.feature.replace("/", ".")))
    made.time = case.seconds
    for key, value in _properties(case, witnesses):
        made.add_property(key, visible(value))
    broken = dict.fromkeys(causes.get(witness.requirement, "") for witness in witnesses if witness.verdict == "fail")
    for cause in filter(None, broken):
        made.add_property("cause", visible(cause))
    if expected:
        made.add_property("expected", expected)
        made.result = _result(
            "skipped", "expected", prefixed(message(case, witnesses), expected), details(case, witnesses)
        )
    elif result := _outcome(case, witnesses):
        made.result = result
    return made


def _suite(feature: str, run: ResultFile, tests: list[JUnitCase]) -> TestSuite:
    header = run.header
    suite = TestSuite(name=visible(feature))
    properties = {
        "harness": header.harness,
        "profile": header.profile,
        "seed": str(header.seed),
        "iut": header.iut.target,
        "iut.name": " ".join(part for part in (header.iut.vendor, header.iut.name, header.iut.version) if part),
    }
    for name, value in properties.items():
        suite.add_property(name, visible(value))
    for name, revision in sorted(header.specifications.items()):
        suite.add_property(f"specification.{name}", visible(revision))
    suite.add_property("verdict", visible(word_of(run)[0]))
    for where, says, _ in likenesses(run.footer.diagnosis if run.footer else (), failed_cases(run)):
        suite.add_property("behaves-like", visible(f"{where}: {says}"))
    suite.add_testcases(tests)
    return suite


def _properties(case: Case, witnesses: tuple[Witness, ...]) -> Iterator[tuple[str, str]]:
    for requirement in requirements(case, witnesses):
        yield "requirement", requirement
    came_to = outcome(case)
    yield "verdict", case.verdict if came_to in ("error", "unjudged") else came_to
    yield "case", case.id
    if case.scenario:
        yield "scenario", case.scenario
    for reading in sorted({witness.reading for witness in witnesses if witness.reading}):
        yield "reading", reading


def _outcome(case: Case, witnesses: tuple[Witness, ...]) -> FinalResult | None:
    why, text = message(case, witnesses), details(case, witnesses)
    match outcome(case):
        case "pass":
            return None
        case "fail":
            return _result("failure", "fail", why, text)
        case "error":
            return _result("error", "error", why, text)
        case "unjudged":
            return _result("error", "none", why)
        case excuse:
            return _result("skipped", excuse, why, text)


def _result(element: str, kind: str, message: str, text: str = "") -> FinalResult:
    made: FinalResult = RESULTS[element](shortened(visible(message), LONGEST_MESSAGE), kind)
    made.text = visible_lines(text)
    return made
