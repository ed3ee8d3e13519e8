"""The fingerprint of a case: its tags and steps. The name is left out, so that a renamed scenario is recognised."""

from collections.abc import Iterator, Mapping

from pytest_bdd.parser import ScenarioTemplate, Step

from mqconform.harness.records.fingerprint import fingerprint
from mqconform.harness.suite.naming import tags_of


def scenario_fingerprint(template: ScenarioTemplate, row: Mapping[str, str]) -> str:
    """Return the fingerprint of what a case does: its tags and its steps with the row put in."""
    steps = template.render(row).steps
    return fingerprint((*tags_of(template), *(part for step in steps for part in _step(step))))


def _step(step: Step) -> Iterator[str]:
    yield step.type
    yield step.name
    yield step.docstring or ""
    for line in step.datatable.raw() if step.datatable else ():
        yield " | ".join(map(str, line))
