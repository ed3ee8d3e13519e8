"""The page of trends, out of what ``mqconform history trend --format json`` wrote."""

import json
from pathlib import Path
from typing import Any

from mqconform.harness.records.printable import shortened
from mqconform.reports.html.documents import read_document
from mqconform.reports.html.site import Extra

REMEDY = "write it with `mqconform history trend --format json`"


def trends_page(file: Path) -> Extra:
    """Return the page of trends.

    Raises:
        DocumentFault: the file holds no trend.
    """
    trend = read_document(file, "history", REMEDY, "trend")
    values = {"trend": trend, "coverage": _coverage(trend), "mutation": _mutation(trend), "who": who}
    return Extra("trends", "Trends", "trends.html", values, charts=bool(trend["coverage"] or trend["mutation"]))


def first_bad(file: Path) -> dict[str, list[dict[str, Any]]]:
    """Return, by requirement, since which run it is violated.

    Raises:
        DocumentFault: the file holds no trend.
    """
    by_requirement: dict[str, list[dict[str, Any]]] = {}
    for record in read_document(file, "history", REMEDY, "trend")["first_bad"]:
        by_requirement.setdefault(record["requirement"], []).append(record | {"who": who(record)})
    return by_requirement


def who(row: dict[str, Any]) -> str:
    """Return how a history is called: the implementation, the profile, and which part of the suite it was asked."""
    name = " ".join(part for part in (row["vendor"], row["name"]) if part)
    return f"{name or 'without a name'}, {row['profile']}{_part(row.get('selection', ''))}"


def _part(selection: str) -> str:
    """Return in brackets what a run was limited to, empty for the whole suite."""
    if not selection:
        return ""
    try:
        limits = json.loads(selection)
        asked = " ".join(filter(None, (*limits["requirements"], limits["expression"])))
    except (ValueError, TypeError, LookupError):  # not as the history writes it, and no reason to show no page
        asked = "part of the suite"
    return f" ({shortened(asked, 40)})"


def _coverage(trend: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a chart: verified and violated requirements of each implementation over time."""
    lines: dict[str, list[list[Any]]] = {}
    for row in trend["coverage"]:
        for what in ("verified", "violated"):
            lines.setdefault(f"{who(row)}: {what}", []).append([row["time"], row[what]])
    return _lines(lines, "requirements")


def _mutation(trend: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a chart: the mutation score over time, in percent."""
    lines: dict[str, list[list[Any]]] = {}
    for row in trend["mutation"]:
        if row["rate"] is not None:
            lines.setdefault(row["measure"], []).append([row["time"], round(100 * row["rate"], 2)])
    return _lines(lines, "percent")


def _lines(lines: dict[str, list[list[Any]]], unit: str) -> dict[str, Any]:
    return {
        "tooltip": {"trigger": "axis"},
        "legend": {"type": "scroll"},
        "xAxis": {"type": "time", "axisLabel": {"hideOverlap": True}},
        "yAxis": {"type": "value", "name": unit, "scale": True},
        "series": [{"name": name, "type": "line", "data": points} for name, points in lines.items()],
    }
