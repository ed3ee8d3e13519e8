"""The pages of audits: what was judged, what broke which rule, and how long conversations took."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mqconform.reports.html.charts import Chart, HeatMap, histogram, verdict_bars
from mqconform.reports.html.documents import DocumentFault, read_document
from mqconform.reports.html.site import Extra
from mqconform.reports.time_bins import bin_names, within

ASKED: Final = (
    ("answers", "Time to the first reply", "server"),
    ("retries", "Time between requests of a client", "client"),
)
SHARES: Final = ((0.5, "median"), (0.95, "95th percentile"), (0.99, "99th percentile"))
HEIGHT: Final = 380
"""Pixels."""


def time_charts(times: Mapping[str, Any]) -> Iterator[Chart]:
    """Yield a histogram of each kind of time, and a map by host where there are several hosts."""
    for key, title, host in ASKED:
        measured = times[key]
        if not any(measured["counts"]):
            continue
        names = bin_names(measured["edges_ms"])
        bins = _occupied(measured["counts"], len(names))
        yield _histogram(title, names, measured, bins)
        if len(measured["hosts"]) > 1:
            yield _by_host(title, host, names[bins], [(row["host"], row["counts"][bins]) for row in measured["hosts"]])


def _occupied(counts: Sequence[int], bins: int) -> slice:
    """Return which bins to draw: those between the first and the last with any times, and one more on either side."""
    occupied = [place for place, count in enumerate(counts[:bins]) if count]
    return slice(max(0, occupied[0] - 1), occupied[-1] + 2) if occupied else slice(0, bins)


def _histogram(title: str, names: Sequence[str], measured: Mapping[str, Any], bins: slice) -> Chart:
    counts, total = measured["counts"], sum(measured["counts"])
    quantiles = ", ".join(f"{name} {within(measured['edges_ms'], counts, share)}" for share, name in SHARES)
    rows = [(name, count, f"{100 * count / total:.2f} %") for name, count in zip(names, counts, strict=False)]
    note = f"{total:,} times: {quantiles}."
    return Chart(title, note, histogram(names[bins], counts[bins]), HEIGHT, ("time", "how often", "share"), rows)


def _by_host(title: str, host: str, names: Sequence[str], hosts: Sequence[tuple[str, Sequence[int]]]) -> Chart:
    """Return a map whose cells are shares of their host's times, so that busy hosts do not outshine the others."""
    cells, rows = [], []
    for down, (name, counts) in enumerate(hosts):
        total = sum(counts)
        cells += [(across, down, round(100 * count / total, 1)) for across, count in enumerate(counts) if count]
        rows.append((name, total, *counts))
    drawn = HeatMap(names, [name for name, _ in hosts], cells, " %")
    note = f"Each row is a {host}, each cell the share of its times in percent; rows with most times first."
    return Chart(f"{title}, by {host}", note, drawn.options(), drawn.height, (host, "all", *names), rows)


SUMMARY: Final = "summary.json"
UNFINISHED: Final = "_staging"
"""Folder that an audit removes at its end; the pipeline, which names it, needs libraries of an extra."""


def audits_page(folders: Sequence[Path]) -> Extra:
    """Return the page of audits.

    Raises:
        DocumentFault: a folder holds no summary, or an audit that is unfinished.
    """
    audits = [_audit(folder, number) for number, folder in enumerate(folders)]
    return Extra("audits", "Audits", "audits.html", {"audits": audits}, charts=True)


def _audit(folder: Path, number: int) -> dict[str, Any]:
    if (folder / UNFINISHED).exists():
        raise DocumentFault(f"{folder}: the audit is unfinished; wait for its end, or run it again if it was killed")
    file = folder / SUMMARY if folder.is_dir() else folder
    kind = _kind(file)
    summary = read_document(file, f"audit_{kind}", "give the --out folder of `mqconform audit`")
    charts = _route_charts(summary) if kind == "routes" else _capture_charts(summary)
    return {
        "kind": kind,
        "of": summary["decisions" if kind == "routes" else "captures"],
        "summary": summary,
        "charts": [(f"audit-{number}-{place}", chart) for place, chart in enumerate(charts)],
    }


def _kind(file: Path) -> str:
    """Return which audit a summary is of, by the one key that only it has."""
    try:
        document = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise DocumentFault(f"{file}: {error.strerror or error}; give the --out folder of `mqconform audit`") from error
    except (ValueError, RecursionError):
        return "routes"
    return "captures" if isinstance(document, dict) and "captures" in document else "routes"


def _route_charts(summary: Mapping[str, Any]) -> Iterator[Chart]:
    if summary["site_pairs"]["map"]["cells"]:
        yield _site_pairs(summary["site_pairs"])
    yield verdict_bars("branch of the algorithm", [(branch["rule"], branch) for branch in summary["branches"]])
    yield verdict_bars(
        "requirement", [(requirement["requirement"], requirement) for requirement in summary["requirements"]]
    )


def _capture_charts(summary: Mapping[str, Any]) -> Iterator[Chart]:
    problems = [
        requirement for requirement in summary["requirements"] if requirement["fail"] or requirement["inconclusive"]
    ]
    if problems:
        yield verdict_bars("requirement", [(requirement["requirement"], requirement) for requirement in problems])
    yield from time_charts(summary["times"])


def _site_pairs(pairs: Mapping[str, Any]) -> Chart:
    """Return a map of sites by sites; the warmer, the more rows of the pair did not pass."""
    sources, destinations = pairs["map"]["sources"], pairs["map"]["destinations"]
    cells = [
        cell
        for cell in pairs["map"]["cells"]
        if cell["source"] < len(sources) and cell["destination"] < len(destinations)
    ]
    numbers = [(cell["destination"], cell["source"], cell["fail"] + cell["inconclusive"]) for cell in cells]
    drawn = HeatMap(destinations, sources, numbers)
    note = "Sites of sources down, sites of destinations across; cells count failed and inconclusive decisions."
    if pairs["different"] > len(cells):
        note += f" {len(cells):,} of {pairs['different']:,} pairs are shown; site_pairs.parquet has all of them."
    cells.sort(key=lambda cell: (-cell["fail"], -cell["inconclusive"]))
    rows = [
        (sources[cell["source"]], destinations[cell["destination"]], cell["fail"], cell["inconclusive"], cell["pass"])
        for cell in cells
    ]
    columns = ("from site", "to site", "fail", "inconclusive", "pass")
    return Chart("Failures by pair of sites", note, drawn.options(), drawn.height, columns, rows)
