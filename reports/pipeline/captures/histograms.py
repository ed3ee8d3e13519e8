"""How long servers took to answer and how long clients waited before they asked again, as histograms by host."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int64s, Masks
from mqconform.reports.pipeline.captures.columns import address_text
from mqconform.reports.pipeline.captures.host_counts import MOST_HOSTS, HostCounts

ANSWER_EDGES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000)
"""Milliseconds; a client stops waiting after the last of them (MS-MQSD 3.1.2.1)."""
RETRY_EDGES: Final = (
    *(100, 1_000, 5_000, 10_000, 14_000, 14_500, 14_900, 15_000, 15_100),
    *(15_500, 16_000, 20_000, 29_500, 30_500, 60_000, 300_000, 1_200_000),
)
"""Milliseconds; fine about 15 s, after which a client asks its next network, and about 30 s, as long as one waits that
was answered by another site at the last moment (3.1.5.2)."""
MOST_SHOWN: Final = 20
"""Hosts that have counts of their own in a summary."""
MILLISECOND: Final = 1_000_000


class Histograms(NamedTuple):
    """Counts by host; column n is for what is not under edge n - 1 and under edge n."""

    answers: HostCounts
    """By server."""
    retries: HostCounts
    """By client."""


def no_histograms(most: int = MOST_HOSTS) -> Histograms:
    """Return histograms in which nothing is counted yet."""
    return Histograms(HostCounts(len(ANSWER_EDGES) + 1, most), HostCounts(len(RETRY_EDGES) + 1, most))


def count_times(counts: HostCounts, edges: tuple[int, ...], hosts: Masks, nanoseconds: Int64s) -> None:
    """Count times.

    Args:
        counts: where they are counted.
        edges: milliseconds, rising.
        hosts: whose each time is, two numbers for each.
        nanoseconds: the times.
    """
    if len(nanoseconds):
        bounds = np.array(edges, np.int64) * MILLISECOND
        counts.count(hosts, np.searchsorted(bounds, nanoseconds, side="right"))


def histogram_record(counts: HostCounts, edges: tuple[int, ...]) -> dict[str, Any]:
    """Return a histogram as it stands in the summary."""
    total = counts.total()
    return {
        "edges_ms": list(edges),
        "counts": total.tolist(),
        "hosts": list(_hosts(counts)),
    }


def _hosts(counts: HostCounts) -> Iterator[dict[str, Any]]:
    """Yield the hosts with most times; further ones together as ``(others)``."""
    sums = counts.counts.sum(axis=1)
    ranked = np.lexsort((*counts.addresses.T[::-1], -sums))
    for number in ranked[:MOST_SHOWN].tolist():
        yield _host(address_text(counts.octets(number)), counts.counts[number])
    others = counts.others + counts.counts[ranked[MOST_SHOWN:]].sum(axis=0)
    if others.any():
        yield _host("(others)", others)


def _host(name: str, counts: Int64s) -> dict[str, Any]:
    return {"host": name, "counts": counts.tolist()}
