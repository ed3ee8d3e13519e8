"""What of one run is what of another: by name, and where a name is gone and another has come, by what it says."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Paired(Generic[T]):
    """Two runs' things beside each other.

    Attributes:
        both: name now, then and now; the names differ where it was renamed.
        removed: only in the older run.
        new: only in the newer run.
    """

    both: tuple[tuple[str, T, T], ...]
    removed: tuple[T, ...]
    new: tuple[T, ...]


def paired(then: Mapping[str, T], now: Mapping[str, T], mark: Callable[[T], str]) -> Paired[T]:
    """Pair two sets by name; ``mark`` is what a renamed member keeps, empty if unknown.

    A mark that several members share, as two scenarios with the same steps, proves nothing.
    """
    gone = [name for name in then if name not in now]
    come = [name for name in now if name not in then]
    renamed = _renamed({name: mark(then[name]) for name in gone}, {name: mark(now[name]) for name in come})
    same = [(name, then[name], now[name]) for name in now if name in then]
    moved = [(name, then[formerly], now[name]) for formerly, name in renamed.items()]
    return Paired(
        (*same, *moved),
        tuple(then[name] for name in gone if name not in renamed),
        tuple(now[name] for name in come if name not in renamed.values()),
    )


def _renamed(gone: Mapping[str, str], come: Mapping[str, str]) -> dict[str, str]:
    often_then, often_now = Counter(gone.values()), Counter(come.values())
    by_mark = {mark: name for name, mark in come.items() if often_now[mark] == 1}
    return {name: by_mark[mark] for name, mark in gone.items() if mark and often_then[mark] == 1 and mark in by_mark}
