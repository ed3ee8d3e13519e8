"""JUnit XML of a result file, for build servers.

One testsuite for each feature, one testcase for each case; the ids of its requirements and its own are properties
of the testcase. JUnit knows fewer outcomes than a run has:

- fail is ``failure`` and error is ``error``, as everywhere;
- inconclusive is ``skipped`` with a message that begins so, and property ``verdict`` says ``inconclusive``;
- unsupported and not-applicable are ``skipped`` with the reason as message;
- a case without any assertion is ``error``: a run with such a case does not conform either.

What no case shows stands in a testsuite named ``run``, present only where there is something to say. The result
file holds no times, so every ``time`` is 0.
"""

# mypy: allow-untyped-calls
# junitparser has types, and a few functions that it left without.

from collections.abc import Iterator
from itertools import starmap
from pathlib import Path

from junitparser import Error, Failure, Skipped, TestSuite
from junitparser import TestCase as JUnitCase
from junitparser.junitparser import FinalResult
from junitparser.xunit2 import JUnitXml, TestCase

from mqconform.reports.formats.junit_run import RUN, run_remarks
from mqconform.reports.printable import octets_text, shortened, visible, visible_lines
from mqconform.reports.result_file import ResultFile, read_result_file
from mqconform.reports.schema import Case, Header, Witness

LONGEST_MESSAGE = 300
LONGEST_DATAGRAM = 1024
"""Octets of a datagram that are shown; the result file has them all."""
RESULTS = {"failure": Failure, "error": Error, "skipped": Skipped}


def write(results: Path, target: Path) -> None:
    """Write the result file ``results`` as JUnit XML to ``target``.

    Raises:
        ResultFault: the result file cannot be used.
        OSError: ``target`` cannot be written.
    """
    document(read_result_file(results)).write(str(target), pretty=True)


def document(run: ResultFile) -> JUnitXml:
    """Return the JUnit document of a run."""
    witnesses = run.witnesses_by_case()
    cases = [*run.cases, *map(_unfinished_case, run.unfinished())]
    suites: dict[str, list[JUnitCase]] = {}
    for case in cases:
        suites.setdefault(case.feature, []).append(test_case(case, witnesses.get(case.id, ())))
    for remark in run_remarks(run):
        made = TestCase(name=remark.name, classname=RUN)
        made.result = _result(remark.element, remark.kind, remark.message, remark.text)
        suites.setdefault(RUN, []).append(made)
    xml = JUnitXml(name="mqconform")
    for feature, tests in suites.items():
        xml.append(_suite(feature, run.header, tests))
    xml.update_statistics()
    return xml


def test_case(case: Case, witnesses: tuple[Witness, ...]) -> TestCase:
    """Return a case as JUnit has it; its name is the part of its id behind the feature."""
    name = case.id.removeprefix(f"{case.feature}/")
    made = TestCase(name=visible(name), classname=visible(case.feature.replace("/", ".")))
    for key, value in _properties(case, witnesses):
        made.add_property(key, visible(value))
    if result := _outcome(case, witnesses):
        made.result = result
    return made


def _suite(feature: str, header: Header, tests: list[JUnitCase]) -> TestSuite:
    suite = TestSuite(name=visible(feature))
    known = {
        "harness": header.harness,
        "profile": header.profile,
        "seed": str(header.seed),
        "iut": header.iut.target,
        "iut.name": " ".join(part for part in (header.iut.vendor, header.iut.name, header.iut.version) if part),
    }
    for name, value in known.items():
        suite.add_property(name, visible(value))
    for name, revision in sorted(header.specifications.items()):
        suite.add_property(f"specification.{name}", visible(revision))
    suite.add_testcases(tests)
    return suite


def _properties(case: Case, witnesses: tuple[Witness, ...]) -> Iterator[tuple[str, str]]:
    judged = {one.requirement for one in witnesses}
    for requirement in (*case.requirements, *sorted(judged.difference(case.requirements))):
        yield "requirement", requirement
    yield "verdict", case.excused if _only_excused(case) else case.verdict
    yield "case", case.id
    if case.scenario:
        yield "scenario", case.scenario
    for reading in sorted({one.reading for one in witnesses if one.reading}):
        yield "reading", reading


def _outcome(case: Case, witnesses: tuple[Witness, ...]) -> FinalResult | None:
    if _only_excused(case):
        return _result("skipped", case.excused, case.reason or case.excused)
    if case.error:
        return _result("error", "error", case.error, f"{case.trace}\n\n{_evidence(witnesses)}".strip())
    blamed = tuple(one for one in witnesses if one.verdict == case.verdict)
    match case.verdict:
        case "pass":
            return None
        case "fail":
            return _result("failure", "fail", _headline(blamed), _evidence(blamed))
        case "inconclusive":
            return _result("skipped", "inconclusive", f"inconclusive: {_headline(blamed)}", _evidence(blamed))
        case _:
            return _result("error", "none", "no assertion was executed, so nothing was judged")


def _only_excused(case: Case) -> bool:
    """Tell whether a case was excused before an assertion said more than pass."""
    return bool(case.excused) and case.verdict in ("none", "pass")


def _result(element: str, kind: str, message: str, text: str = "") -> FinalResult:
    made: FinalResult = RESULTS[element](shortened(visible(message), LONGEST_MESSAGE), kind)
    made.text = visible_lines(text)
    return made


def _headline(blamed: tuple[Witness, ...]) -> str:
    if not blamed:
        return "the witness is missing in the result file"
    first = blamed[0]
    return f"{first.requirement}: expected {first.expected}; observed {first.observed}"


def _evidence(witnesses: tuple[Witness, ...]) -> str:
    return "\n\n".join("\n".join(starmap(_line, _lines(one))) for one in witnesses)


def _line(label: str, text: str) -> str:
    """Return a labelled text; further lines of it are indented, so that none can pass for a label."""
    return f"{label:<12}" + text.replace("\n", "\n" + " " * 12)


def _lines(seen: Witness) -> Iterator[tuple[str, str]]:
    yield "requirement", seen.requirement
    yield "verdict", seen.verdict
    yield "step", seen.step
    yield "expected", seen.expected
    yield "observed", seen.observed
    if seen.reading:
        yield "reading", seen.reading
    if seen.request:
        yield "request", f"{octets_text(seen.request, LONGEST_DATAGRAM)} over {seen.network}"
    if seen.reply:
        yield "reply", octets_text(seen.reply, LONGEST_DATAGRAM) + (f" from {seen.source}" if seen.source else "")
    if seen.span:
        yield "octets", f"{seen.span.length} at {seen.span.offset} of the reply, {seen.span.field}"


def _unfinished_case(case: str) -> Case:
    """Return a stand-in for a case whose record the run did not live to write."""
    feature = "/".join(case.split("/")[:2])
    return Case(case, feature, "", (), "error", error="the run ended within this case")
