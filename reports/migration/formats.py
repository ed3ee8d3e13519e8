"""A migration as lines of text, and as JSON."""

import json
from collections.abc import Iterator
from typing import Any, Final

from mqconform.harness.records.printable import shortened, visible
from mqconform.harness.records.results import Implementation
from mqconform.reports.migration.compare import Comparison, Fate, Migration, Shown

SCHEMA: Final = 1
LONGEST: Final = 200
MOST: Final = 3
"""Scenarios of one guarantee that the text lists; JSON has all."""
IN_NO_GUARANTEE: Final = "passed before, fails now, in no guarantee"


def text(migration: Migration) -> str:
    """Return the guarantees, the worst first; what an implementation sent is made visible."""
    return "\n".join(_lines(migration)) + "\n"


def _lines(migration: Migration) -> Iterator[str]:
    for remark in migration.remarks:
        yield f"note: {visible(remark)}"
    yield f"from {implementation_name(migration.before)}"
    yield f"to   {implementation_name(migration.after)}"
    for fate in Fate:
        those = [comparison for comparison in migration.guarantees if comparison.fate is fate]
        if those:
            yield ""
            yield fate.value.upper()
        for comparison in those:
            yield f"  {comparison.guarantee.promise}"
            yield from _evidence(comparison)
    if migration.others:
        yield ""
        yield IN_NO_GUARANTEE.upper()
        yield from (f"  {visible(scenario.case)}: {_sides(scenario)}" for scenario in migration.others)
    yield ""
    yield "guarantees: " + ", ".join(f"{number} {fate.value}" for fate, number in migration.counts().items())


def _evidence(comparison: Comparison) -> Iterator[str]:
    """Yield the scenarios that decide, where there is something to explain, and the requirements."""
    if comparison.fate is Fate.KEPT:
        number = len(comparison.witnesses)
        yield f"      {number} scenario{'' if number == 1 else 's'}; {', '.join(comparison.requirements)}"
        return
    if not comparison.scenarios:
        yield "      no scenario yet"
    for scenario in comparison.witnesses[:MOST]:
        yield f"      {visible(scenario.case)}: {_sides(scenario)}"
    if len(comparison.witnesses) > MOST:
        yield f"      and {len(comparison.witnesses) - MOST} more, all of them with --format json"
    if comparison.fate is Fate.WEAKER:
        holding = sum(scenario.fate in {Fate.KEPT, Fate.DIFFERENT} for scenario in comparison.scenarios)
        yield f"      {holding} of {len(comparison.scenarios)} scenarios still show it"
    if comparison.requirements:
        yield f"      {', '.join(comparison.requirements)}"


def _sides(scenario: Shown) -> str:
    if scenario.fate is Fate.DIFFERENT and scenario.before is scenario.after:
        return " -> ".join(", ".join(sorted(side)) for side in scenario.readings)
    change = f"{scenario.before.value} -> {scenario.after.value}"
    return f"{change}; {shortened(visible(scenario.reason), LONGEST)}" if scenario.reason else change


def implementation_name(implementation: Implementation) -> str:
    """Return what an implementation calls itself, or how it was reached, with its version."""
    return shortened(
        visible(f"{implementation.name or implementation.target} {implementation.version}".strip()), LONGEST
    )


def document(migration: Migration) -> dict[str, Any]:
    """Return the migration as a JSON object."""
    return {
        "schema": SCHEMA,
        "from": {"name": migration.before.name, "version": migration.before.version},
        "to": {"name": migration.after.name, "version": migration.after.version},
        "remarks": list(migration.remarks),
        "counts": {fate.value: number for fate, number in migration.counts().items()},
        "guarantees": [_guarantee(comparison) for comparison in migration.guarantees],
        "others": [_scenario(scenario) for scenario in migration.others],
    }


def json_text(migration: Migration) -> str:
    """Return the migration as JSON text, ASCII and with sorted keys."""
    return json.dumps(document(migration), indent=2, sort_keys=True) + "\n"


def _guarantee(comparison: Comparison) -> dict[str, Any]:
    return {
        "id": comparison.guarantee.id,
        "promise": comparison.guarantee.promise,
        "fate": comparison.fate.value,
        "requirements": list(comparison.requirements),
        "scenarios": [_scenario(scenario) for scenario in comparison.scenarios],
    }


def _scenario(scenario: Shown) -> dict[str, Any]:
    return {
        "case": scenario.case,
        "requirements": list(scenario.requirements),
        "before": scenario.before.value,
        "after": scenario.after.value,
        "fate": scenario.fate.value,
        "readings": {"before": sorted(scenario.readings[0]), "after": sorted(scenario.readings[1])},
        "reason": scenario.reason,
    }
