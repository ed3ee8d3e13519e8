"""SARIF 2.1.0 of a result file, for code scanning and security dashboards.

Each requirement that a result names is a rule, each failed or inconclusive case a result of the first requirement it
violates, placed at its scenario's feature file; one that the baseline expected is suppressed. What went wrong in the
harness is a notification of the invocation, not a result: it says nothing of the implementation.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible, visible_lines
from mqconform.harness.records.report_writers import named
from mqconform.harness.records.result_file import ResultFile, read_result_file
from mqconform.harness.records.results import Case, Finding, Witness
from mqconform.reports.formats.case_outcome import all_cases, blamed, details, message, outcome
from mqconform.reports.formats.expected_failures import expected_failures
from mqconform.reports.formats.run_remarks import INFORMATION, run_remarks
from mqconform.reports.formats.scenario_text import line_of

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FEATURES: Final = "FEATURES"
"""Base of the locations: the folder of features that ships with mqconform."""
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
    text = json.dumps(document(read_result_file(results)), indent=1)
    target.write_text(f"{text}\n", "utf-8")


def document(run: ResultFile) -> dict[str, Any]:
    """Return the SARIF log of a run."""
    witnesses, expected = run.witnesses_by_case(), expected_failures(run)
    found = [(case, requirement, witnesses.get(case.id, ())) for case, requirement in _results(run)]
    rules = sorted({requirement for _, requirement, _ in found})
    findings = {one.id: one for one in run.findings}
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
                        "rules": [_rule(one, findings.get(one)) for one in rules],
                    }
                },
                "automationDetails": {"id": visible(f"mqconform/{header.profile}/{header.iut.target}")},
                "originalUriBaseIds": {FEATURES: {"description": {"text": "features/ of the mqconform package"}}},
                "invocations": [_invocation(run)],
                "results": [
                    _result(*one, rules.index(one[1]), _suppressions(expected.get(one[0].id, ""))) for one in found
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
            named = dict.fromkeys(one.requirement for one in blamed(case, witnesses.get(case.id, ())))
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


def _result(
    case: Case, requirement: str, witnesses: tuple[Witness, ...], rule: int, suppressions: list[dict[str, str]]
) -> dict[str, Any]:
    of_it = tuple(one for one in witnesses if one.requirement == requirement)
    failed = outcome(case) == "fail"
    text = f"{visible(message(case, of_it))}\n\n{visible_lines(details(case, of_it))}".rstrip()
    return {
        "ruleId": requirement,
        "ruleIndex": rule,
        "kind": "fail" if failed else "open",
        **({} if failed else {"level": "none"}),  # the rule's own level counts where a result failed
        "message": {"text": text},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": f"{visible(case.feature)}.feature", "uriBaseId": FEATURES},
                    "region": {"startLine": line_of(case)},
                },
                "logicalLocations": [{"fullyQualifiedName": visible(case.id), "kind": "member"}],
            }
        ],
        "partialFingerprints": {"mqconformCase/v1": visible(f"{case.id}#{requirement}")},
        "suppressions": suppressions,  # of all results or of none: an empty list says that nobody expected it
    }


def _suppressions(expected: str) -> list[dict[str, str]]:
    justification = f"{expected}, by the baseline of the run"
    return [{"kind": "external", "status": "accepted", "justification": justification}] if expected else []


def _invocation(run: ResultFile) -> dict[str, Any]:
    errors = [f"{case.id}: {case.error or 'no assertion was executed'}" for case in all_cases(run) if _ours(case)]
    remarks = list(run_remarks(run))
    errors += [f"{one.name}: {one.message}" for one in remarks if one.kind not in INFORMATION]
    notes = [f"{one.name}: {one.message}" for one in remarks if one.kind in INFORMATION]
    made: dict[str, Any] = {"executionSuccessful": run.footer is not None and run.footer.exit_code in JUDGED}
    if run.footer is not None:
        made["exitCode"] = run.footer.exit_code
    told = [("error", one) for one in errors] + [("note", one) for one in notes]
    if told:
        made["toolExecutionNotifications"] = [
            {"level": level, "message": {"text": visible(one)}} for level, one in told
        ]
    return made


def _ours(case: Case) -> bool:
    return outcome(case) in ("error", "unjudged")
