"""A row of the lists of faults: an implementation of one role with one changed rule, and how a rule is changed.

Each specification has one list, ``reference.<specification>.faults``; its rows read alike: name, what is broken, what
the implementation does, the changed rule.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from mqconform.reference.allowed import ids

Rule = TypeVar("Rule")
Rule_co = TypeVar("Rule_co", covariant=True)
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Fault(Generic[Rule_co]):
    """An implementation with one changed rule.

    Attributes:
        breaks: ids of the requirements of which it breaks at least one; none where it conforms all the same.
        says: what it does, one sentence for people.
        rule: what is done in place of the rule of the text.
    """

    name: str
    breaks: tuple[str, ...]
    says: str
    rule: Rule_co


def row(specification: str, name: str, breaks: str, says: str, rule: Rule) -> Fault[Rule]:
    """Return a row; ``breaks`` has ids without the specification."""
    return Fault(name, ids(specification, breaks), says, rule)


def variant(name: str, says: str, rule: Rule) -> Fault[Rule]:
    """Return a row of an implementation that conforms: its rule is another, and none that the text excludes."""
    return Fault(name, (), says, rule)


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
        return lambda self, *args, **named: method(self, *view(*args, **named))

    return altered(base, **{name: misled(getattr(base, name), view) for name, view in views.items()})
