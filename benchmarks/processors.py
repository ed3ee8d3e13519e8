"""Seconds of processors of this process and all below it: less swayed by a busy machine than time is."""

import os
from pathlib import Path


def processor_seconds() -> dict[int, float]:
    """Return what this process and each below it have used so far, with what their children that ended had used."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for one in Path("/proc").iterdir():
        if one.name.isdigit():
            try:
                fields = (one / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it ended meanwhile
            parents[int(one.name)] = int(fields[1])
            used[int(one.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    found = [os.getpid()]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return {process: used[process] for process in found}


def used_since(before: dict[int, float]) -> float:
    """Return how many seconds of processors were used since ``processor_seconds`` gave something."""
    return sum(used - before.get(process, 0) for process, used in processor_seconds().items())
