"""The fingerprint of a case: its tags and steps. The name is left out, so that a renamed scenario is recognised."""

from collections.abc import Iterator, Mapping

from pytest_bdd.parser import ScenarioTemplate, Step, render_string

from mqconform.harness.records.fingerprint import fingerprint
from mqconform.harness.suite.naming import tags_of


def scenario_fingerprint(template: ScenarioTemplate, row: Mapping[str, str]) -> str:
    """Return the fingerprint of what a case does: its tags and its steps with the row put in."""
    # Not by template.render: it copies each table cell by cell, and took a fifth of a run of a few cases.
    parts = (part for step in template.steps for part in _step(step, row))
    return fingerprint((*tags_of(template), *parts))


def _step(step: Step, row: Mapping[str, str]) -> Iterator[str]:
    yield step.type
    yield _rendered(step.name, row)
    yield _rendered(step.docstring or "", row)
    for line in step.datatable.raw() if step.datatable else ():
        yield " | ".join(_rendered(str(cell), row) for cell in line)


def _rendered(text: str, row: Mapping[str, str]) -> str:
    # Nine in ten have no placeholder, and looking for one by a pattern takes longer.
    return render_string(text, row) if "<" in text else text
