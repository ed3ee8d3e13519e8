"""Allure results of a result file: a folder with one JSON document for each case.

Inconclusive cases, and errors of the harness, are ``broken``; what was not judged is ``skipped``, and so is a failure
that the baseline expected, marked as known, or as flaky. Requirement ids are tags and links that
``allure.link.requirement.pattern`` can resolve. A result file holds no times, so every time is 0.
"""

import json
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from mqconform.harness.records.printable import visible, visible_lines
from mqconform.harness.records.report_writers import named
from mqconform.harness.records.result_file import ResultFile, read_result_file
from mqconform.harness.records.results import Case, Witness
from mqconform.reports.formats.case_outcome import Outcome, all_cases, details, message, outcome, requirements
from mqconform.reports.formats.expected_failures import WORDS, expected_failures, prefixed
from mqconform.reports.formats.run_remarks import INFORMATION, Remark, run_remarks

STATUS: Final[dict[Outcome, str]] = {
    "pass": "passed",
    "fail": "failed",
    "error": "broken",
    "unjudged": "broken",
    "inconclusive": "broken",
    "unsupported": "skipped",
    "not-applicable": "skipped",
}
REMARK_STATUS: Final = {"failure": "failed", "error": "broken", "skipped": "broken"}
OURS: Final = "*-result.json"


@named("allure-results")
def write(results: Path, target: Path) -> None:
    """Write the result file ``results`` into the folder ``target``; results of an earlier run there are replaced.

    Raises:
        ResultFault: the result file cannot be used.
        OSError: ``target`` cannot be written.
    """
    run = read_result_file(results)
    target.mkdir(exist_ok=True)
    for old in target.glob(OURS):
        old.unlink()
    for document in documents(run):
        (target / f"{document['uuid']}-result.json").write_text(json.dumps(document), "utf-8")
    (target / "environment.properties").write_text("".join(_environment(run)), "ascii")


def documents(run: ResultFile) -> list[dict[str, Any]]:
    """Return the Allure documents of a run, one for each case and each remark on the run."""
    witnesses, expected = run.witnesses_by_case(), expected_failures(run)
    target = run.header.iut.target
    made = [_case(case, witnesses.get(case.id, ()), target, expected.get(case.id, "")) for case in all_cases(run)]
    return made + [_remark(run_remark, target) for run_remark in run_remarks(run)]


def _case(case: Case, witnesses: tuple[Witness, ...], target: str, expected: str) -> dict[str, Any]:
    folder, _, feature = case.feature.partition("/")
    named = [visible(requirement) for requirement in requirements(case, witnesses)]
    status, why = STATUS[outcome(case)], prefixed(message(case, witnesses), expected)
    made = _document(case.id, target, "skipped" if expected else status, why, details(case, witnesses))
    if expected:
        made["statusDetails"] |= {"known": True, "flaky": expected == WORDS["flaked"]}
    labels = [("parentSuite", folder), ("suite", feature), ("feature", feature), ("framework", "mqconform")]
    made["labels"] = [{"name": name, "value": visible(value)} for name, value in labels]
    made["labels"] += [{"name": "tag", "value": requirement} for requirement in named]
    made["links"] = [{"type": "requirement", "name": requirement, "url": requirement} for requirement in named]
    made["steps"] = [_step(witness) for witness in witnesses]
    return made


def _remark(remark: Remark, target: str) -> dict[str, Any]:
    status = "skipped" if remark.kind in INFORMATION else REMARK_STATUS[remark.element]
    made = _document(f"run/{remark.name}", target, status, remark.message, remark.text)
    return made | {"labels": [{"name": "suite", "value": "run"}]}


def _document(name: str, target: str, status: str, why: str, text: str) -> dict[str, Any]:
    made: dict[str, Any] = {
        "uuid": str(uuid5(NAMESPACE_URL, f"mqconform:{target}:{name}")),
        "historyId": str(uuid5(NAMESPACE_URL, f"mqconform:{name}")),
        "name": visible(name.rpartition("/")[2] if name.startswith("run/") else "/".join(name.split("/")[2:]) or name),
        "fullName": visible(name),
        "status": status,
        "stage": "finished",
        "start": 0,
        "stop": 0,
    }
    if why or text:
        made["statusDetails"] = {"message": visible(why), "trace": visible_lines(text)}
    return made


def _step(witness: Witness) -> dict[str, Any]:
    status = {"pass": "passed", "fail": "failed"}.get(witness.verdict, "broken")
    parameters = {"requirement": witness.requirement, "expected": witness.expected, "observed": witness.observed}
    return {
        "name": visible(witness.step),
        "status": status,
        "stage": "finished",
        "parameters": [{"name": name, "value": visible(value)} for name, value in parameters.items()],
        "start": 0,
        "stop": 0,
    }


def _environment(run: ResultFile) -> list[str]:
    header = run.header
    properties = {
        "iut": header.iut.target,
        "harness": header.harness,
        "profile": header.profile,
        "seed": str(header.seed),
    }
    return [f"{name}={_property(value)}\n" for name, value in properties.items()]


def _property(text: str) -> str:
    """Return a value of a Java properties file; ``visible`` has left no line breaks in it."""
    return visible(text).replace("\\", "\\\\").encode("ascii", "backslashreplace").decode("ascii")
