"""Requirements that failed, in groups: what is violated, and what fails in the same cases because of it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar


class Caused(Protocol):
    """What names the violated requirement that explains its failures."""

    @property
    def cause(self) -> str:
        """Id of that requirement, empty for a violated one."""


AnyCaused = TypeVar("AnyCaused", bound=Caused)


def by_cause(
    violated: Iterable[AnyCaused], id_of: Callable[[AnyCaused], str], likeliest: Sequence[str] = ()
) -> list[tuple[AnyCaused, list[AnyCaused]]]:
    """Return each violated requirement with the affected ones.

    Those of ``likeliest`` come first, as they stand there; then those with most affected ones, else in the order given.
    What is affected by something that is not among them stands for itself.
    """
    violations = list(violated)
    ids = {id_of(violation) for violation in violations}
    groups: dict[str, tuple[AnyCaused, list[AnyCaused]]] = {
        id_of(violation): (violation, []) for violation in violations if violation.cause not in ids
    }
    for violation in violations:
        if violation.cause in groups:
            groups[violation.cause][1].append(violation)
    places = {requirement: place for place, requirement in enumerate(likeliest)}
    return sorted(groups.values(), key=lambda group: (places.get(id_of(group[0]), len(places)), -len(group[1])))
