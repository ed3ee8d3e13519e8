"""Cucumber Messages of a result file: NDJSON that Cucumber's own report tools read.

Features and pickles are those that ship with mqconform, parsed by Cucumber's own parser; each step of a case has a
result: passed up to the step that gave the verdict, skipped behind it. Inconclusive and harness errors have no word of
their own in Cucumber: the step is ``PENDING`` or ``FAILED`` and its message begins with the run's word. A failure that
the baseline expected is ``SKIPPED``, and says so. A scenario that the package does not have, out of a feature that a
user added, is written with what the result file says of it.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible, visible_lines
from mqconform.harness.records.report_writers import named
from mqconform.harness.records.result_file import ResultFile, read_result_file
from mqconform.harness.records.results import Case, Witness
from mqconform.reports.formats.case_outcome import Outcome, all_cases, details, message, outcome, requirements
from mqconform.reports.formats.expected_failures import expected_failures, prefixed
from mqconform.reports.formats.run_remarks import run_remarks
from mqconform.reports.formats.scenario_text import feature_text
from mqconform.reports.formats.unknown_scenario import pickle_of_case

PROTOCOL_VERSION: Final = "32.0.0"
RUN: Final = "run"
NOT_TIMED: Final = {"seconds": 0, "nanos": 0}
STATUS: Final[dict[Outcome, str]] = {
    "pass": "PASSED",
    "fail": "FAILED",
    "error": "FAILED",
    "unjudged": "FAILED",
    "inconclusive": "PENDING",
    "unsupported": "SKIPPED",
    "not-applicable": "SKIPPED",
}
Envelope = dict[str, Any]


@named("cucumber.ndjson")
def write(results: Path, target: Path) -> None:
    """Write the result file ``results`` as Cucumber Messages to ``target``.

    Raises:
        ResultFault: the result file cannot be used.
        OSError: ``target`` cannot be written.
    """
    with target.open("w", encoding="utf-8") as stream:
        for envelope in envelopes(read_result_file(results)):
            stream.write(json.dumps(envelope) + "\n")


def envelopes(run: ResultFile) -> Iterator[Envelope]:
    """Yield the messages of a run in the order that Cucumber prescribes."""
    cases = all_cases(run)
    witnesses, expected = run.witnesses_by_case(), expected_failures(run)
    yield {"meta": _meta(run)}
    yield from _features(cases)
    pickles: list[Mapping[str, Any]] = []
    for case in cases:
        feature = feature_text(case.feature)
        pickle = feature.pickle_of(case) if feature else None
        if pickle is None:
            unknown = pickle_of_case(case, witnesses.get(case.id, ()))
            yield from unknown.envelopes
            pickle = unknown.pickle
        pickles.append(pickle)
        yield {"pickle": pickle}
    yield {"testRunStarted": {"id": RUN, "timestamp": NOT_TIMED}}
    for number, pickle in enumerate(pickles):
        yield {"testCase": _test_case(number, pickle)}
    for number, (case, pickle) in enumerate(zip(cases, pickles, strict=True)):
        yield from _executed(number, case, pickle, witnesses.get(case.id, ()), expected.get(case.id, ""))
    yield {"testRunFinished": _finished(run)}


def _meta(run: ResultFile) -> dict[str, Any]:
    name, _, version = run.header.harness.partition(" ")
    return {
        "protocolVersion": PROTOCOL_VERSION,
        "implementation": {"name": name, "version": version},
        "runtime": {"name": visible(run.header.iut.name or run.header.iut.target)},
        "os": {"name": "not recorded"},
        "cpu": {"name": "not recorded"},
    }


def _features(cases: tuple[Case, ...]) -> Iterator[Envelope]:
    for name in dict.fromkeys(case.feature for case in cases):
        if feature := feature_text(name):
            yield {"source": {"uri": feature.uri, "data": feature.text, "mediaType": "text/x.cucumber.gherkin+plain"}}
            yield {"gherkinDocument": feature.tree}


def _test_case(number: int, pickle: Mapping[str, Any]) -> dict[str, Any]:
    steps = [
        {"id": _step_id(number, place), "pickleStepId": step["id"], "stepDefinitionIds": []}
        for place, step in enumerate(pickle["steps"])
    ]
    return {"id": f"case-{number}", "pickleId": pickle["id"], "testSteps": steps, "testRunStartedId": RUN}


def _step_id(number: int, place: int) -> str:
    return f"step-{number}-{place}"


def _executed(
    number: int, case: Case, pickle: Mapping[str, Any], witnesses: tuple[Witness, ...], expected: str
) -> Iterator[Envelope]:
    attempt = f"attempt-{number}"
    yield {"testCaseStarted": {"id": attempt, "testCaseId": f"case-{number}", "attempt": 0, "timestamp": NOT_TIMED}}
    came_to = outcome(case)
    decided = "SKIPPED" if expected else STATUS[came_to]
    deciding = _deciding_step(case, pickle, witnesses)
    for place in range(len(pickle["steps"])):
        step = {"testCaseStartedId": attempt, "testStepId": _step_id(number, place), "timestamp": NOT_TIMED}
        status = "PASSED" if place < deciding else decided if place == deciding else "SKIPPED"
        result: dict[str, Any] = {"duration": NOT_TIMED, "status": status}
        yield {"testStepStarted": step}
        if place == deciding and came_to != "pass":
            result["message"] = prefixed(_why(case, witnesses), expected)
            yield _evidence(attempt, _step_id(number, place), case, witnesses)
        yield {"testStepFinished": step | {"testStepResult": result}}
    yield {"testCaseFinished": {"testCaseStartedId": attempt, "timestamp": NOT_TIMED, "willBeRetried": False}}


def _deciding_step(case: Case, pickle: Mapping[str, Any], witnesses: tuple[Witness, ...]) -> int:
    """Return the place of the step that gave the case its verdict; behind the last one if all passed."""
    steps = [step["text"] for step in pickle["steps"]]
    match outcome(case):
        case "pass":
            return len(steps)
        case "unsupported" | "not-applicable":
            return 0
        case verdict:
            blamed = [witness.step.partition(" ")[2] for witness in witnesses if witness.verdict == verdict]
            places = [place for place, text in enumerate(steps) if text in blamed]
            return min(places, default=max(len(steps) - 1, 0))


def _why(case: Case, witnesses: tuple[Witness, ...]) -> str:
    return f"{outcome(case)}: {visible(message(case, witnesses))}"


def _evidence(attempt: str, step: str, case: Case, witnesses: tuple[Witness, ...]) -> Envelope:
    named = ", ".join(requirements(case, witnesses))
    text = f"requirements: {named}\n\n{details(case, witnesses)}".rstrip()
    return {
        "attachment": {
            "testCaseStartedId": attempt,
            "testStepId": step,
            "body": visible_lines(text),
            "mediaType": "text/plain",
            "contentEncoding": "IDENTITY",
            "timestamp": NOT_TIMED,
        }
    }


def _finished(run: ResultFile) -> dict[str, Any]:
    success = run.footer is not None and run.footer.exit_code == ExitCode.OK
    made: dict[str, Any] = {"success": success, "timestamp": NOT_TIMED, "testRunStartedId": RUN}
    remarks = "; ".join(run_remark.message for run_remark in run_remarks(run))
    return made | ({"message": visible(remarks)} if remarks else {})
