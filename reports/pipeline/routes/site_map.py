"""The pairs of sites with most decisions that did not pass, as a map of sites by sites."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from mqconform.reports.pipeline.routes import verdicts

MOST_SITES: Final = 24
"""Sites on either side of the map."""


def site_map(pairs: Mapping[tuple[str, str], Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return the map.

    Args:
        pairs: counts of each pair of sites, by verdict.
        names: what sites are called, by their identifiers.
    """
    sums = {pair: int(counts[verdicts.FAIL]) + int(counts[verdicts.INCONCLUSIVE]) for pair, counts in pairs.items()}
    here, there = Counter[str](), Counter[str]()
    for (source, destination), count in sums.items():
        here[source] += count
        there[destination] += count
    sources, destinations = _worst(here), _worst(there)
    return {
        "sources": [names.get(site, site) for site in sources],
        "destinations": [names.get(site, site) for site in destinations],
        "cells": [
            {
                "source": row,
                "destination": column,
                **{name: int(pairs[source, destination][place]) for place, name in enumerate(verdicts.VERDICTS)},
            }
            for row, source in enumerate(sources)
            for column, destination in enumerate(destinations)
            if sums.get((source, destination))
        ],
    }


def _worst(counts: Counter[str]) -> list[str]:
    """Return the sites with most decisions that did not pass, in the order of their names."""
    ranked = sorted((site for site, count in counts.items() if count), key=lambda site: (-counts[site], site))
    return sorted(ranked[:MOST_SITES])
