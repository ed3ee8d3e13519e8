"""What a mutant is: the reference in one role, with one thing changed on purpose."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from mqconform.harness.records.requirement import RoleName

Part = TypeVar("Part")


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


def altered(base: type[Part], **changes: Any) -> type[Part]:
    """Return a class that is ``base`` but for some methods, given as functions of ``self``, or constants."""
    return type(f"Altered{base.__name__}", (base,), changes)


def with_answers(base: type[Part], **changes: Callable[..., Any]) -> type[Part]:
    """Return ``base`` with other answers: functions of ``self``, of the answer of ``base`` and of the arguments."""

    def changed(method: Callable[..., Any], change: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, *args, **kwargs: change(self, method(self, *args, **kwargs), *args, **kwargs)

    return altered(base, **{name: changed(getattr(base, name), change) for name, change in changes.items()})


def with_arguments(base: type[Part], **views: Callable[..., tuple[Any, ...]]) -> type[Part]:
    """Return ``base`` with other arguments: functions, without ``self``, of those that the method is called with."""

    def misled(method: Callable[..., Any], view: Callable[..., tuple[Any, ...]]) -> Callable[..., Any]:
        return lambda self, *args: method(self, *view(*args))

    return altered(base, **{name: misled(getattr(base, name), view) for name, view in views.items()})
