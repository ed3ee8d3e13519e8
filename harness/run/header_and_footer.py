"""The first and the last record of a result file, and the fingerprints of code in the first.

Fingerprints are taken of packages and ignore the names of files: a file that moves, and the import statements that
follow it, change nothing.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from mqconform.harness.iut.connect import BUILT_IN_KINDS
from mqconform.harness.iut.interface import IutDescription
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.records.fingerprint import fingerprint
from mqconform.harness.records.results import SCHEMA_VERSION, Asked, Baseline, Clock, Footer, Header, Implementation
from mqconform.harness.records.run_file import ResultWriter
from mqconform.harness.run.plan import Outcome, Plan
from mqconform.harness.suite.added_features import added_fingerprints
from mqconform.harness.suite.catalogue import load_catalogue

JUDGES_ALL = ("mqconform.reference.*", "mqconform.harness.judge.*", "mqconform.harness.iut.operations")
"""What every family is judged with; ``.*`` is a package without the packages in it."""
BUILT_IN = (
    "mqconform.reference",
    "mqconform.harness.iut.operations",
    "mqconform.harness.iut.reference_iut",
    "mqconform.harness.iut.mutants",
)
"""Packages that the reference and the mutants are made of."""
_IMPORTS = re.compile(r"^[ ]*(?:from \S+ import (?:\([^)]*\)|[^\n]*)|import [^\n]*)\n", re.MULTILINE)


def header(plan: Plan, description: IutDescription) -> Header:
    """Return the first record: what is judged, by what, and how."""
    catalogue = load_catalogue()
    return Header(
        schema=SCHEMA_VERSION,
        harness=f"mqconform {version('mqconform')}",
        specifications={specification.id: specification.revision for specification in catalogue.specifications},
        profile=plan.profile.value,
        seed=plan.seed,
        thorough=plan.thorough,
        selection=Asked(tuple(plan.selection.requirements), plan.selection.expression),
        iut=_implementation(plan, description),
        judging=dict(judging_fingerprints()),
        shard=plan.shard,
        features=dict(added_fingerprints(plan.features)),
        clock=cast("Clock", plan.options.clock),
        declaration=plan.declaration,
    )


def _implementation(plan: Plan, description: IutDescription) -> Implementation:
    kind = plan.iut.partition(":")[0]
    facts = plan.options.facts
    return Implementation(
        kind=kind,
        target=plan.iut,
        name=description.name,
        version=description.version,
        vendor=description.vendor,
        roles=tuple(sorted(description.roles)),
        capabilities=tuple(sorted(description.capabilities)),
        declined=tuple(sorted(description.declined)),
        build=plan.build or (built_in_fingerprint() if kind in BUILT_IN_KINDS else ""),
        facts=fingerprint([json.dumps(facts.params(), sort_keys=True)]) if facts else "",
    )


def write_end(writer: ResultWriter, outcome: Outcome) -> None:
    """Write what a run established, and its last record."""
    for finding in outcome.findings:
        writer.write(finding.record())
    writer.write(footer(outcome))


def footer(outcome: Outcome) -> Footer:
    """Return the last record; a file without it is of a run that did not end."""
    verdicts: Counter[Any] = Counter(case.excused or case.verdict.word for case in outcome.cases)
    standings = Counter(finding.standing for finding in outcome.findings)
    return Footer(
        exit_code=outcome.exit_code,
        cases=dict(verdicts),
        requirements=dict(standings),
        readings=tuple(outcome.readings),
        mixed_readings=tuple(map(str, outcome.mixed)),
        inconstant_readings=tuple(map(str, outcome.inconstant)),
        problem=outcome.problem,
        planned=outcome.planned if outcome.plan.shard else 0,
        lost=tuple(outcome.lost),
        baseline=_baseline(outcome) if outcome.plan.baseline else None,
        diagnosis=tuple(record for explanation in outcome.diagnosis for record in explanation.records()),
        broken=tuple(explanation.requirement for explanation in outcome.diagnosis),
        selected_from=outcome.selected_from,
        not_tried=outcome.not_tried,
        seconds=round(sum(case.seconds for case in outcome.cases), 3) or 0,
    )


def _baseline(outcome: Outcome) -> Baseline:
    expected = outcome.expected
    return Baseline(
        expected=tuple(sorted(expected.tolerated - expected.flaked)),
        flaked=tuple(sorted(expected.flaked)),
        problems=tuple(f"{problem.entry.case}: {problem.text}" for problem in expected.problems),
    )


@cache
def judging_fingerprints() -> Mapping[str, str]:
    """Return the fingerprint of the code that judges, for each folder of features."""
    judges: dict[str, tuple[str, ...]] = {role.family: JUDGES_ALL for role in ROLES.values()}
    for role in ROLES.values():
        judges[role.family] += role.judging_packages
    return {family: packages_fingerprint(tuple(dict.fromkeys(packages))) for family, packages in judges.items()}


@cache
def built_in_fingerprint() -> str:
    """Return the fingerprint of the reference and the mutants as implementations under test."""
    return packages_fingerprint(BUILT_IN)


def packages_fingerprint(packages: tuple[str, ...]) -> str:
    """Return the fingerprint of the code in some packages, or modules."""
    return fingerprint(sorted(text for package in packages for text in _texts_of(package)))


def _texts_of(package: str) -> Iterator[str]:
    name = package.removesuffix(".*")
    spec = find_spec(name)
    alone = spec is not None and spec.submodule_search_locations is None and spec.origin
    texts = [Path(alone).read_text("utf-8")] if alone else _python_texts(files(name), deep=name == package)
    for text in texts:
        yield _IMPORTS.sub("", text)


def _python_texts(folder: Traversable, *, deep: bool) -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.is_dir() and deep and entry.name not in {"tests", "__pycache__"}:
            yield from _python_texts(entry, deep=True)
        elif entry.name.endswith(".py"):
            yield entry.read_text(encoding="utf-8")
