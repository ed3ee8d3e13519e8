"""Violated requirements in groups: the likely cause, and what likely follows from it."""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar


class Caused(Protocol):
    """What names the requirement whose breach likely broke it."""

    @property
    def cause(self) -> str:
        """Id of that requirement, empty where it is its own cause."""


AnyCaused = TypeVar("AnyCaused", bound=Caused)


def by_cause(
    violated: Iterable[AnyCaused], id_of: Callable[[AnyCaused], str]
) -> list[tuple[AnyCaused, list[AnyCaused]]]:
    """Return each cause with what follows from it, the one with most consequences first, else in the order given.

    What follows from something that is not among them is its own cause.
    """
    violations = list(violated)
    ids = {id_of(violation) for violation in violations}
    groups: dict[str, tuple[AnyCaused, list[AnyCaused]]] = {
        id_of(violation): (violation, []) for violation in violations if violation.cause not in ids
    }
    for violation in violations:
        if violation.cause in groups:
            groups[violation.cause][1].append(violation)
    return sorted(groups.values(), key=lambda group: -len(group[1]))
