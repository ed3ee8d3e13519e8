"""A fault: a queue manager that breaks one rule, with the requirements that it breaks by that."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mqconform.reference.allowed import ids
from mqconform.reference.fault import altered
from mqconform.reference.mqso.events import Answer, Event
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World


@dataclass(frozen=True)
class Fault:
    """A rule that is broken.

    Attributes:
        name: of the faulty queue manager; ``says``: what it does.
        breaks: ids of the requirements that it breaks, the one that it breaks most plainly first.
        rules: the rules of the text, but for the methods that break them.
    """

    name: str
    says: str
    breaks: tuple[str, ...]
    rules: type[QueueManager]

    @cached_property
    def model(self) -> QueueManager:
        """The queue manager itself."""
        return self.rules()

    @cached_property
    def at_times(self) -> QueueManager:
        """A queue manager that shows the fault at some events and at others not."""
        return _AtTimes(self.model)


class _AtTimes(QueueManager):
    """A queue manager that follows the text or breaks it, at each event anew."""

    def __init__(self, broken: QueueManager) -> None:
        self._broken = broken

    def step(self, world: World, event: Event) -> frozenset[tuple[World, Answer]]:
        """Return all that may come of an event, with the fault and without."""
        return super().step(world, event) | self._broken.step(world, event)


def breaks(*requirements: str) -> Callable[[type[QueueManager]], Fault]:
    """Make a fault of a class: its name and docstring are those of the fault.

    Args:
        requirements: what it breaks, ids without the specification.
    """

    def fault_of(rules: type[QueueManager]) -> Fault:
        name = re.sub(r"(?<!^)(?=[A-Z])", "-", rules.__name__).lower()
        return Fault(name, rules.__doc__ or "", tuple(f"MQSO-{number}" for number in requirements), rules)

    return fault_of


def fault(name: str, breaks: str, says: str, **rules: Callable[..., Any]) -> Fault:
    """Return a row of a fault: ``rules`` are changed methods of one statement, ``breaks`` as in ``reference.fault``."""
    return Fault(name, says, ids("MQSO", breaks), altered(QueueManager, **rules))
