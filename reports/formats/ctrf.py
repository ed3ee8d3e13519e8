"""CTRF, the common test report format (https://ctrf.io), of a result file.

CTRF knows fewer outcomes than a run has: fail and error are ``failed``, inconclusive is ``other``, unsupported and
not-applicable are ``skipped``; ``rawStatus`` has the word of the run. A failure that the baseline expected is
``other``, as ``extra.expected`` says. A result file holds no times, so every time is 0.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from mqconform.harness.records.printable import visible, visible_lines
from mqconform.harness.records.report_writers import named
from mqconform.harness.records.result_file import ResultFile, read_result_file
from mqconform.harness.records.results import Case, Witness
from mqconform.reports.formats.case_outcome import Outcome, all_cases, details, message, outcome, requirements
from mqconform.reports.formats.expected_failures import expected_failures, prefixed
from mqconform.reports.formats.run_remarks import run_remarks

SPEC_VERSION: Final = "0.0.0"
STATUS: Final[dict[Outcome, str]] = {
    "pass": "passed",
    "fail": "failed",
    "error": "failed",
    "unjudged": "failed",
    "inconclusive": "other",
    "unsupported": "skipped",
    "not-applicable": "skipped",
}
REMARK_STATUS: Final = {"failure": "failed", "error": "failed", "skipped": "other"}


@named("ctrf.json")
def write(results: Path, target: Path) -> None:
    """Write the result file ``results`` as CTRF JSON to ``target``.

    Raises:
        ResultFault: the result file cannot be used.
        OSError: ``target`` cannot be written.
    """
    text = json.dumps(document(read_result_file(results)), indent=1)
    target.write_text(f"{text}\n", "utf-8")


def document(run: ResultFile) -> dict[str, Any]:
    """Return the CTRF document of a run."""
    witnesses, expected = run.witnesses_by_case(), expected_failures(run)
    tests = [_test(case, witnesses.get(case.id, ()), expected.get(case.id, "")) for case in all_cases(run)]
    tests += [
        {
            "name": remark.name,
            "status": REMARK_STATUS[remark.element],
            "duration": 0,
            "suite": ["run"],
            "message": visible(remark.message),
            "trace": visible_lines(remark.text),
            "rawStatus": remark.kind,
        }
        for remark in run_remarks(run)
    ]
    iut = run.header.iut
    return {
        "reportFormat": "CTRF",
        "specVersion": SPEC_VERSION,
        "generatedBy": run.header.harness,
        "results": {
            "tool": {"name": "mqconform", "version": run.header.harness.removeprefix("mqconform ")},
            "summary": _summary(tests),
            "tests": tests,
            "environment": {
                "appName": visible(iut.name or iut.target),
                "appVersion": visible(iut.version),
                "testEnvironment": visible(iut.target),
                "extra": {"profile": run.header.profile, "seed": run.header.seed, "vendor": visible(iut.vendor)},
            },
        },
    }


def _summary(tests: list[dict[str, Any]]) -> dict[str, int]:
    counts = Counter(test["status"] for test in tests)
    suites = len({tuple(test["suite"]) for test in tests})
    states = {state: counts[state] for state in ("passed", "failed", "skipped", "pending", "other")}
    return {"tests": len(tests), **states, "suites": suites, "start": 0, "stop": 0}


def _test(case: Case, witnesses: tuple[Witness, ...], expected: str) -> dict[str, Any]:
    came_to = outcome(case)
    test: dict[str, Any] = {
        "id": str(uuid5(NAMESPACE_URL, f"mqconform:{case.id}")),
        "name": visible(case.id),
        "status": "other" if expected else STATUS[came_to],
        "duration": 0,
        "rawStatus": came_to,
        "suite": [visible(case.feature)],
        "type": "conformance",
        "filePath": f"features/{visible(case.feature)}.feature",
        "tags": [visible(requirement) for requirement in requirements(case, witnesses)],
        "extra": {"requirements": [visible(requirement) for requirement in requirements(case, witnesses)]},
    }
    if expected:
        test["extra"]["expected"] = expected
    if why := message(case, witnesses):
        test["message"] = visible(prefixed(why, expected))
    if text := details(case, witnesses):
        test["trace"] = visible_lines(text)
    return test
