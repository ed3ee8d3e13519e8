"""The first and the last record of a result file."""

import json
from importlib.metadata import version
from typing import Any

from mqconform.harness.iut.interface import IutDescription
from mqconform.harness.records.fingerprint import fingerprint
from mqconform.harness.records.run_file import SCHEMA_VERSION
from mqconform.harness.run.code_fingerprints import built_in_fingerprint, judging_fingerprints
from mqconform.harness.run.plan import Outcome, Plan
from mqconform.harness.suite.added_features import added_fingerprints
from mqconform.harness.suite.catalogue import load_catalogue

BUILT_IN = ("ref", "mutant")


def header(plan: Plan, description: IutDescription) -> dict[str, Any]:
    """Return the first record: what is judged, by what, and how."""
    catalogue = load_catalogue()
    line = {
        "record": "header",
        "schema": SCHEMA_VERSION,
        "harness": f"mqconform {version('mqconform')}",
        "specifications": {one.id: one.revision for one in catalogue.specifications},
        "judging": dict(judging_fingerprints()),
        "profile": plan.profile.value,
        "seed": plan.seed,
        "selection": {"requirements": list(plan.selection.requirements), "expression": plan.selection.expression},
        "iut": _implementation(plan, description),
    }
    extra: dict[str, Any] = {"shard": plan.shard.record() if plan.shard else {}, "clock": plan.options.clock}
    extra["features"] = added_fingerprints(plan.features)
    extra["declaration"] = plan.declaration.record() if plan.declaration else {}
    return line | {key: value for key, value in extra.items() if value}


def _implementation(plan: Plan, description: IutDescription) -> dict[str, Any]:
    kind = plan.iut.partition(":")[0]
    facts = plan.options.facts
    known = {
        "build": plan.build or (built_in_fingerprint() if kind in BUILT_IN else ""),
        "facts": fingerprint([json.dumps(facts.params(), sort_keys=True)]) if facts else "",
        "declined": sorted(description.declined),
    }
    return {
        "kind": kind,
        "target": plan.iut,
        "name": description.name,
        "version": description.version,
        "vendor": description.vendor,
        "roles": sorted(description.roles),
        "capabilities": sorted(description.capabilities),
    } | {key: value for key, value in known.items() if value}


def footer(outcome: Outcome) -> dict[str, Any]:
    """Return the last record; a file without it is of a run that did not end."""
    verdicts = [case.excused or case.verdict.word for case in outcome.cases]
    standings = [finding.standing.value for finding in outcome.findings]
    line: dict[str, Any] = {
        "record": "footer",
        "exit_code": outcome.exit_code,
        "cases": {word: verdicts.count(word) for word in sorted(set(verdicts))},
        "requirements": {word: standings.count(word) for word in sorted(set(standings))},
        "readings": outcome.readings,
        "mixed_readings": outcome.mixed,
    }
    extra: dict[str, Any] = {
        "problem": outcome.problem,
        "planned": outcome.planned if outcome.plan.shard else 0,
        "lost": outcome.lost,
        "baseline": _baseline(outcome) if outcome.plan.baseline else {},
    }
    return line | {key: value for key, value in extra.items() if value}


def _baseline(outcome: Outcome) -> dict[str, list[str]]:
    expected = outcome.expected
    return {
        "expected": sorted(expected.tolerated - expected.flaked),
        "flaked": sorted(expected.flaked),
        "problems": [f"{one.entry.case}: {one.told}" for one in expected.problems],
    }
