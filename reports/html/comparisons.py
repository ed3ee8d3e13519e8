"""The pages that compare two runs: every change under its one cause, and which guarantees a migration keeps."""

from collections import Counter
from pathlib import Path
from typing import Any

from mqconform.reports.comparison.compare import Comparison, by_weight, compare_files
from mqconform.reports.html.names import page_name
from mqconform.reports.html.site import Extra
from mqconform.reports.migration.compare import Fate, migration
from mqconform.reports.migration.formats import implementation_name


def comparison_page(then: Path, now: Path) -> Extra:
    """Return the page of a comparison.

    Raises:
        ResultFault: a result file cannot be used.
    """
    comparison = compare_files(then, now)
    causes = [(cause, by_weight(comparison, cause)) for cause in comparison.counts()]
    values = {"comparison": comparison, "causes": causes, "chart": _chart(comparison), "link": _link}
    return Extra("comparison", "Comparison", "comparison.html", values, charts=len(causes) > 1)


def _chart(comparison: Comparison) -> dict[str, Any]:
    """Return the options of a chart: changes by cause, those for the worse apart."""
    counts = comparison.counts()
    worse = Counter(change.cause for change in comparison.changes if change.worse)
    names = [cause.value for cause in counts]
    return {
        "tooltip": {"trigger": "axis", "axisPointer": {"type": "shadow"}},
        "legend": {},
        "grid": {"left": 150, "right": 30},
        "xAxis": {"type": "value", "minInterval": 1},
        "yAxis": {"type": "category", "data": names, "inverse": True},
        "series": [
            _bars("worse", [worse[cause] for cause in counts], "#b3261e"),
            _bars("better or neither", [counts[cause] - worse[cause] for cause in counts], "#2e7d4f"),
        ],
    }


def _bars(name: str, numbers: list[int], colour: str) -> dict[str, Any]:
    return {"name": name, "type": "bar", "stack": "all", "data": numbers, "itemStyle": {"color": colour}}


def _link(kind: str, identifier: str) -> str:
    """Return where the page of a changed requirement or case is."""
    return f"{'requirement' if kind == 'requirement' else 'case'}/{page_name(identifier)}.html"


def migration_page(before: Path, after: Path) -> Extra:
    """Return the page of a migration.

    Raises:
        ResultFault: a result file cannot be used.
    """
    comparison = migration(before, after)
    fates = [
        (fate, [guarantee for guarantee in comparison.guarantees if guarantee.fate is fate])
        for fate in Fate
        if fate in comparison.counts()
    ]
    values = {"migration": comparison, "fates": fates, "implementation_name": implementation_name}
    return Extra("migration", "Migration", "migration.html", values)
