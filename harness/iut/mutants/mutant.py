"""What a mutant is: the reference in one role, with one thing changed on purpose."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mqconform.harness.records.requirement import RoleName
from mqconform.reference.fault import Fault


class Kind(StrEnum):
    """What a run has to make of a mutant."""

    FAULTY = "faulty"
    """Convict it."""
    CONFORMING = "conforming"
    """Leave it alone."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """An implementation of one role with one known peculiarity.

    Attributes:
        name: after ``mutant:`` on the command line.
        says: what is peculiar, in one sentence.
        role: the one role that it has.
        make: makes the object that plays the role, with a method for each of its operations.
        breaks: requirements of which at least one has to be found violated; none where it is not faulty.
        capabilities: what it offers beyond what it has to; None for all that the reference offers.
    """

    name: str
    says: str
    role: RoleName
    make: Callable[[], Any]
    breaks: tuple[str, ...] = ()
    capabilities: tuple[str, ...] | None = None

    @property
    def kind(self) -> Kind:
        """What a run has to make of it."""
        return Kind.FAULTY if self.breaks else Kind.CONFORMING


def playing(
    role: RoleName, rows: Iterable[Fault[Any]], player: Callable[[Fault[Any]], Callable[[], Any]]
) -> Iterator[Mutant]:
    """Yield the mutants of rows: ``player`` returns what makes the object that plays the role."""
    for row in rows:
        yield Mutant(row.name, row.says, role, player(row), row.breaks)
