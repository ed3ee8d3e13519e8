"""Places in an enterprise document: their paths as text, and the lines of a file that they stand on."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

Steps: TypeAlias = tuple[str | int, ...]
"""Keys and list indices that lead from the document to a value; empty for the document itself."""

Position: TypeAlias = tuple[Steps, int]
"""A place and its line, counted from 1."""

MAX_STEP = 60
"""Longest key that a path repeats, in characters."""


def path_text(steps: Iterable[str | int]) -> str:
    """Return steps as the reference writes them, such as ``routing_links[3].cost``; empty for the document."""
    path = ""
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        else:
            path += f".{step[:MAX_STEP]}" if path else step[:MAX_STEP]
    return path


def parent_path(path: str) -> str:
    """Return the path of what holds a place, the empty path for a place at the top."""
    if path.endswith("]"):
        return path[: path.rfind("[")]
    return path[: max(path.rfind("."), 0)]


def values(document: object) -> Iterator[tuple[Steps, object]]:
    """Yield every value of a document with its place, in the order of the document, however deep it is."""
    waiting: list[tuple[Steps, object]] = [((), document)]
    while waiting:
        steps, value = waiting.pop()
        yield steps, value
        if isinstance(value, dict):
            waiting += [((*steps, key), held) for key, held in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [((*steps, place), held) for place, held in reversed(list(enumerate(value)))]


def lines_of(positions: Iterable[Position], paths: Iterable[str]) -> Mapping[str, int]:
    """Return the line of each path; of one that is not in the file, such as a missing key, that of what holds it."""
    wanted = set(paths)
    if not wanted:
        return {}
    sought = set(wanted)
    for path in wanted:
        holder = path
        while holder:
            holder = parent_path(holder)
            sought.add(holder)
    found: dict[str, int] = {}
    for steps, line in positions:
        path = path_text(steps)
        if path in sought:
            found.setdefault(path, line)
            if len(found) == len(sought):
                break
    return {path: _nearest(found, path) for path in wanted}


def _nearest(found: Mapping[str, int], path: str) -> int:
    while path and path not in found:
        path = parent_path(path)
    return found.get(path, 1)
