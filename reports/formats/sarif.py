"""SARIF 2.1.0 of a result file, for code scanning and security dashboards.

Each requirement that a result names is a rule, each failed or inconclusive case a result of each requirement it
violates. It is placed at the file of the user's repository that the run noted, with the scenario as a related location;
at the scenario itself where the run noted none. One that the baseline expected is suppressed. What went wrong in the
harness is a notification of the invocation, not a result: it says nothing of the implementation.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible, visible_lines
from mqconform.harness.records.report_writers import named
from mqconform.harness.records.result_file import ResultFile, read_result_file
from mqconform.harness.records.results import Case, Finding, Witness
from mqconform.reports.formats.case_outcome import all_cases, blamed, details, message, outcome
from mqconform.reports.formats.expected_failures import expected_failures
from mqconform.reports.formats.repository import source_of
from mqconform.reports.formats.run_remarks import INFORMATION, run_remarks
from mqconform.reports.formats.scenario_text import scenario_text

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FEATURES: Final = "FEATURES"
"""Base of the locations: the folder of features that ships with mqconform."""
REPOSITORY: Final = "%SRCROOT%"
"""Base of the locations in the user's repository; the name is the one that viewers know."""
BASES: Final = {
    FEATURES: {"description": {"text": "features/ of the mqconform package"}},
    REPOSITORY: {"description": {"text": "the repository of the implementation"}},
}
JUDGED: Final = frozenset({ExitCode.OK, ExitCode.FAIL, ExitCode.INCONCLUSIVE, ExitCode.BASELINE})
"""Ends of a run that did what it was asked to, whatever came of it."""
LEVELS: Final = {"must": "error", "must-not": "error", "should": "warning", "should-not": "warning"}


@named("results.sarif")
def write(results: Path, target: Path) -> None:
    """Write the result file ``results`` as SARIF to ``target``.

    Raises:
        ResultFault: the result file cannot be used.
        OSError: ``target`` cannot be written.
    """
    text = json.dumps(document(read_result_file(results), source_of(results)), indent=1)
    target.write_text(f"{text}\n", "utf-8")


def document(run: ResultFile, source: str = "") -> dict[str, Any]:
    """Return the SARIF log of a run; ``source`` is the path of a file from the top of the user's repository."""
    witnesses, expected = run.witnesses_by_case(), expected_failures(run)
    blames = [(case, requirement, witnesses.get(case.id, ())) for case, requirement in _results(run)]
    rules = sorted({requirement for _, requirement, _ in blames})
    findings = {finding.id: finding for finding in run.findings}
    header = run.header
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "mqconform",
                        "semanticVersion": header.harness.removeprefix("mqconform "),
                        "rules": [_rule(rule, findings.get(rule)) for rule in rules],
                    }
                },
                "automationDetails": {"id": visible(f"mqconform/{header.profile}/{header.iut.target}")},
                "originalUriBaseIds": BASES,
                "invocations": [_invocation(run)],
                "results": [
                    _result(*blame, rules.index(blame[1]), _suppressions(expected.get(blame[0].id, "")), source)
                    for blame in blames
                ],
                "columnKind": "unicodeCodePoints",
            }
        ],
    }


def _results(run: ResultFile) -> Iterator[tuple[Case, str]]:
    """Yield cases that did not pass, with each requirement to blame."""
    witnesses = run.witnesses_by_case()
    for case in all_cases(run):
        if outcome(case) in ("fail", "inconclusive"):
            named = dict.fromkeys(witness.requirement for witness in blamed(case, witnesses.get(case.id, ())))
            for requirement in named or case.requirements[:1]:
                yield case, requirement


def _rule(requirement: str, finding: Finding | None) -> dict[str, Any]:
    if finding is None:
        return {"id": requirement, "shortDescription": {"text": requirement}}
    level = LEVELS.get(finding.level, "note")
    where = f"{requirement.partition('-')[0]} section {finding.section}, level {finding.level}"
    return {
        "id": requirement,
        "shortDescription": {"text": visible(finding.summary)},
        "fullDescription": {"text": visible(f"{finding.summary} ({where})")},
        "help": {"text": f"Run: mqconform explain {requirement}"},
        "defaultConfiguration": {"level": level},
        "properties": {"section": finding.section, "level": finding.level, "kind": finding.kind},
    }


def _result(  # noqa: PLR0913, PLR0917 - a case, a requirement and what is known of them
    case: Case,
    requirement: str,
    witnesses: tuple[Witness, ...],
    rule: int,
    suppressions: list[dict[str, str]],
    source: str,
) -> dict[str, Any]:
    of_it = tuple(witness for witness in witnesses if witness.requirement == requirement)
    failed = outcome(case) == "fail"
    text = f"{visible(message(case, of_it))}\n\n{visible_lines(details(case, of_it))}".rstrip()
    return {
        "ruleId": requirement,
        "ruleIndex": rule,
        "kind": "fail" if failed else "open",
        **({} if failed else {"level": "none"}),  # the rule's own level counts where a result failed
        "message": {"text": text},
        **_places(case, source),
        "partialFingerprints": {"mqconformCase/v1": visible(f"{case.id}#{requirement}")},
        "suppressions": suppressions,  # of all results or of none: an empty list says that it was not expected
    }


def _places(case: Case, source: str) -> dict[str, Any]:
    """Return where a result is shown, and what else it is about."""
    text = scenario_text(case)
    scenario = _place(f"{visible(case.feature)}.feature", FEATURES, text.line if text else 1)
    place = _place(quote(source), REPOSITORY, 1) if source else dict(scenario)
    place["logicalLocations"] = [{"fullyQualifiedName": visible(case.id), "kind": "member"}]
    related = [scenario | {"id": 1, "message": {"text": "the scenario"}}] if source else []
    return {"locations": [place]} | ({"relatedLocations": related} if related else {})


def _place(uri: str, base: str, line: int) -> dict[str, Any]:
    return {
        "physicalLocation": {"artifactLocation": {"uri": uri, "uriBaseId": base}, "region": {"startLine": line}},
    }


def _suppressions(expected: str) -> list[dict[str, str]]:
    justification = f"{expected}, by the baseline of the run"
    return [{"kind": "external", "status": "accepted", "justification": justification}] if expected else []


def _invocation(run: ResultFile) -> dict[str, Any]:
    errors = [f"{case.id}: {case.error or 'no check ran'}" for case in all_cases(run) if _ours(case)]
    remarks = list(run_remarks(run))
    errors += [f"{remark.name}: {remark.message}" for remark in remarks if remark.kind not in INFORMATION]
    notes = [f"{remark.name}: {remark.message}" for remark in remarks if remark.kind in INFORMATION]
    made: dict[str, Any] = {"executionSuccessful": run.footer is not None and run.footer.exit_code in JUDGED}
    if run.footer is not None:
        made["exitCode"] = run.footer.exit_code
    notifications = [("error", text) for text in errors] + [("note", text) for text in notes]
    if notifications:
        made["toolExecutionNotifications"] = [
            {"level": level, "message": {"text": visible(text)}} for level, text in notifications
        ]
    return made


def _ours(case: Case) -> bool:
    return outcome(case) in ("error", "unjudged")
