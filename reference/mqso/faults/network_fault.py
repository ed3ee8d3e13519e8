"""What a fault between queue managers is."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mqconform.reference.allowed import ids
from mqconform.reference.fault import altered
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import NetworkedQueueManager


@dataclass(frozen=True)
class FaultTogether:
    """A rule that is broken between queue managers.

    Attributes:
        name: of the faulty queue managers; ``says``: what they do.
        breaks: ids of the requirements that they break, the one that they break most plainly first.
        rules: the rules of the text, of each machine or of what passes between them, but for what breaks them.
    """

    name: str
    says: str
    breaks: tuple[str, ...]
    rules: type[Network] | type[NetworkedQueueManager]

    @cached_property
    def model(self) -> Network:
        """The queue managers themselves."""
        return self.rules() if issubclass(self.rules, Network) else Network(self.rules)


def breaks(*requirements: str) -> Callable[[type[Network] | type[NetworkedQueueManager]], FaultTogether]:
    """Return what makes a fault of the rules of a class, that breaks requirements, by section and number."""

    def fault_of(rules: type[Network] | type[NetworkedQueueManager]) -> FaultTogether:
        name = re.sub(r"(?<!^)(?=[A-Z])", "-", rules.__name__).lower()
        return FaultTogether(name, rules.__doc__ or "", tuple(f"MQSO-{number}" for number in requirements), rules)

    return fault_of


def fault(
    base: type[Network] | type[NetworkedQueueManager], name: str, breaks: str, says: str, **rules: Callable[..., Any]
) -> FaultTogether:
    """Return a row of a fault: ``rules`` are changed methods of one statement, ``breaks`` as in ``reference.fault``."""
    return FaultTogether(name, says, ids("MQSO", breaks), altered(base, **rules))
