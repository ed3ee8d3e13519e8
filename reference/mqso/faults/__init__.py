"""Queue managers that break one sentence each: what a contradiction is explained by, and what mutants are made of.

A fault is a queue manager with one rule replaced. A history that the text does not explain and a fault does is told as
a breach of the sentences of that fault.
"""

from typing import Final

from mqconform.reference.mqso.faults import (
    acknowledgments,
    lifecycle,
    limits,
    queues,
    restarts,
    security,
    transactions,
    waits_and_timers,
)
from mqconform.reference.mqso.faults.fault import Fault

FAULTS: Final = tuple(
    value
    for module in (
        security,
        acknowledgments,
        lifecycle,
        transactions,
        queues,  # what concerns few histories first
        waits_and_timers,
        limits,
        restarts,
    )
    for value in vars(module).values()
    if isinstance(value, Fault)
)
"""One for each rule that one machine can be seen to break."""
__all__ = ("FAULTS", "Fault")
