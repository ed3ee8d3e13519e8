"""Requirements and cases in lines, for people and as JSON."""

import json
from collections.abc import Iterator
from typing import Any

from mqconform.harness.suite.catalogue import Requirement, load_catalogue
from mqconform.harness.suite.index import IndexedScenario, SuiteIndex, load_suite_index
from mqconform.harness.suite.selection import Selection


def requirement_lines(selection: Selection, role: str | None, *, as_json: bool) -> Iterator[str]:
    """Return a line for each requirement that is asked for."""
    suite = load_suite_index()
    requirements = [
        requirement
        for requirement in load_catalogue().values()
        if selection.wants((requirement.id,)) and (role is None or role in requirement.roles)
    ]
    return (
        (json.dumps(record(requirement, suite)) for requirement in requirements)
        if as_json
        else table(requirements, suite)
    )


def case_lines(selection: Selection, role: str | None, *, as_json: bool) -> Iterator[str]:
    """Yield a line for each case that bears on what is asked for."""
    for scenario in load_suite_index().scenarios:
        of_role = role is None or not scenario.roles or role in scenario.roles
        if of_role and selection.wants_scenario(scenario.id, scenario.requirements):
            yield from (json.dumps(case) if as_json else case["id"] for case in case_records(scenario))


def record(requirement: Requirement, suite: SuiteIndex) -> dict[str, Any]:
    """Return a requirement with the size of its suite as JSON has it."""
    scenarios = suite.of_requirement(requirement.id)
    return {
        "id": requirement.id,
        "level": requirement.level,
        "section": requirement.section,
        "kind": requirement.kind,
        "roles": sorted(requirement.roles),
        "judged": requirement.judged,
        "summary": requirement.summary,
        "scenarios": len(scenarios),
        "cases": sum(len(scenario.cases) for scenario in scenarios),
    }


def case_records(scenario: IndexedScenario) -> Iterator[dict[str, Any]]:
    """Yield the cases of a scenario as JSON has them."""
    for case in scenario.cases:
        yield {
            "id": case.id,
            "feature": scenario.feature,
            "scenario": scenario.name,
            "row": case.row,
            "requirements": list(scenario.requirements),
            "roles": list(scenario.roles),
            "needs": list(scenario.needs),
        }


def table(requirements: list[Requirement], suite: SuiteIndex) -> Iterator[str]:
    """Yield one line for each requirement, in columns; the summary is last and never cut."""
    counts = [str(len(suite.of_requirement(requirement.id))) for requirement in requirements]
    widest = max(map(len, counts), default=0)
    rows = [
        (requirement.id, requirement.level, requirement.section, requirement.judged, count.rjust(widest))
        for requirement, count in zip(requirements, counts, strict=True)
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for requirement, row in zip(requirements, rows, strict=True):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield "  ".join((*cells, requirement.summary))
