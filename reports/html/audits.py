"""The page of audits, out of the summaries that ``mqconform audit`` wrote."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mqconform.reports.html.documents import DocumentFault, read_document
from mqconform.reports.html.site import Extra

SUMMARY: Final = "summary.json"
VERDICTS: Final = (("pass", "#2e7d4f"), ("inconclusive", "#b7791f"), ("fail", "#b3261e"))
MOST_BARS: Final = 40


def audits_page(folders: Sequence[Path]) -> Extra:
    """Return the page of audits.

    Args:
        folders: ``--out`` folders of audits, or their summaries.

    Raises:
        DocumentFault: a folder holds no summary.
    """
    audits = [_audit(folder, number) for number, folder in enumerate(folders)]
    return Extra("audits", "Audits", "audits.html", {"audits": audits}, charts=True)


def _audit(folder: Path, number: int) -> dict[str, Any]:
    file = folder / SUMMARY if folder.is_dir() else folder
    kind = _kind(file)
    summary = read_document(file, f"audit_{kind}", "give the --out folder of `mqconform audit`")
    charts = _route_charts(summary) if kind == "routes" else _capture_charts(summary)
    named = [(f"audit-{number}-{place}", title, options) for place, (title, options) in enumerate(charts)]
    return {
        "kind": kind,
        "of": summary["decisions" if kind == "routes" else "captures"],
        "summary": summary,
        "charts": named,
    }


def _kind(file: Path) -> str:
    """Return which audit a summary is of, by the one key that only it has."""
    try:
        found = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise DocumentFault(f"{file}: {error.strerror or error}; give the --out folder of `mqconform audit`") from error
    except (ValueError, RecursionError):
        return "routes"
    return "captures" if isinstance(found, dict) and "captures" in found else "routes"


def _route_charts(summary: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    charts = [
        ("Verdicts by branch of the algorithm", _bars([(one["rule"], one) for one in summary["branches"]])),
        ("Verdicts by requirement", _bars([(_id(one["requirement"]), one) for one in summary["requirements"]])),
    ]
    pairs = summary["site_pairs"]["worst"]
    if pairs:
        charts.insert(0, ("Site pairs with most rows that did not pass", _heat_map(pairs)))
    return charts


def _id(requirement: Any) -> str:
    return str(requirement.get("id", "")) if isinstance(requirement, Mapping) else str(requirement)


def _capture_charts(summary: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    found = [one for one in summary["requirements"] if one["fail"] or one["inconclusive"]]
    return [("Findings by requirement", _bars([(one["requirement"], one) for one in found]))] if found else []


def _bars(rows: Sequence[tuple[str, Mapping[str, int]]]) -> dict[str, Any]:
    shown = sorted(rows, key=lambda row: (-row[1].get("fail", 0), -row[1].get("inconclusive", 0)))[:MOST_BARS]
    return {
        "tooltip": {"trigger": "axis", "axisPointer": {"type": "shadow"}},
        "legend": {},
        "grid": {"left": 170, "right": 40},
        "xAxis": {"type": "value", "minInterval": 1},
        "yAxis": {"type": "category", "data": [name for name, _ in shown], "inverse": True},
        "series": [
            {"name": verdict, "type": "bar", "stack": "all", "itemStyle": {"color": colour},
             "data": [row.get(verdict, 0) for _, row in shown]}
            for verdict, colour in VERDICTS
        ],
    }  # fmt: skip


def _heat_map(pairs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a map of sites by sites; the warmer, the more rows of the pair did not pass."""
    sources = sorted({one["source_site"] for one in pairs})
    destinations = sorted({one["destination_site"] for one in pairs})
    cells = [
        [
            destinations.index(one["destination_site"]),
            sources.index(one["source_site"]),
            one["fail"] + one["inconclusive"],
        ]
        for one in pairs
    ]
    return {
        "tooltip": {},
        "grid": {"left": 170, "right": 40, "bottom": 110},
        "xAxis": {"type": "category", "name": "to", "data": destinations, "axisLabel": {"rotate": 40}},
        "yAxis": {"type": "category", "name": "from", "data": sources},
        "visualMap": {"min": 0, "max": max(cell[2] for cell in cells), "orient": "horizontal", "left": "center",
                      "bottom": 0, "inRange": {"color": ["#fdf0d0", "#e0893a", "#8c1d18"]}},
        "series": [{"type": "heatmap", "data": cells, "label": {"show": True}}],
    }  # fmt: skip
