"""Charts of an audit of captures: how long answers took, and how long clients waited before they asked again."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mqconform.reports.html.charts import Chart, HeatMap, histogram
from mqconform.reports.time_bins import bin_names, within

ASKED: Final = (
    ("answers", "Time to the first reply", "server"),
    ("retries", "Time between requests of a client", "client"),
)
SHARES: Final = ((0.5, "median"), (0.95, "95th percentile"), (0.99, "99th percentile"))
HEIGHT: Final = 380
"""Pixels."""


def time_charts(times: Mapping[str, Any]) -> Iterator[Chart]:
    """Yield a histogram of each kind of time, and a map by host where there are several hosts.

    Args:
        times: as the summary of an audit has them.
    """
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
    rows = [(name, count, _share(count, total)) for name, count in zip(names, counts, strict=False)]
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


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.2f} %"
