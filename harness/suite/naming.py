"""Stable names of cases, by which results are compared, and fingerprints, by which a renamed case is recognised.

Line numbers never enter a name; a moved scenario keeps its history.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import PurePath

from pytest_bdd.parser import ScenarioTemplate, Step, render_string

from mqconform.harness.records.fingerprint import fingerprint

_NOT_SLUG = re.compile(r"[^a-z0-9]+")


def slug(text: str) -> str:
    """Return ``text`` in lower case with one hyphen for each run of other characters."""
    return _NOT_SLUG.sub("-", text.lower()).strip("-")


@cache
def feature_name(path: str) -> str:
    """Return the name of a feature file: its folder and its stem, ``mqsd/3_2_discovery_server``."""
    file = PurePath(path)
    return f"{file.parent.name}/{file.stem}"


def case_id(template: ScenarioTemplate, row: dict[str, str]) -> str:
    """Return the stable id of a scenario, or of one row of its Examples table (column ``case``)."""
    name = f"{feature_name(template.feature.filename)}/{slug(template.name)}"
    return f"{name}/{slug(row['case'])}" if "case" in row else name


def tags_of(template: ScenarioTemplate) -> tuple[str, ...]:
    """Return the tags of a scenario with those of its feature and rule, sorted, without the @."""
    of_rule = template.rule.tags if template.rule else set()
    return tuple(sorted(template.tags | template.feature.tags | of_rule))


def values_of(tags: tuple[str, ...], key: str) -> tuple[str, ...]:
    """Return what stands behind ``key:`` in the tags that begin with it."""
    prefix = f"{key}:"
    return tuple(tag.removeprefix(prefix) for tag in tags if tag.startswith(prefix))


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
