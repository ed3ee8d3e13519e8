"""Measuring side by side: the candidates take turns, so that a busy machine slows all of them alike."""

from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter


def medians(candidates: Mapping[str, Callable[[], object]], runs: int) -> dict[str, float]:
    """Return the median seconds of each candidate over ``runs`` rounds, after one round that does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in candidates}
    for turn in range(runs + 1):
        for name, candidate in candidates.items():
            start = perf_counter()
            candidate()
            if turn:
                seconds[name].append(perf_counter() - start)
    return {name: median(found) for name, found in seconds.items()}
