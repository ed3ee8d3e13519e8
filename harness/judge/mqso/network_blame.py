"""Which sentences are broken where the history of several queue managers cannot be explained.

As for one machine: those of the fault that explains it, the one that breaks what the scenario is about first.
"""

from collections.abc import Iterator, Sequence

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.explanation import Seen, explain
from mqconform.reference.mqso.faults.network_fault import FaultTogether
from mqconform.reference.mqso.faults.network_faults import faults_that_can_show
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.system import System


def broken_by_several(history: Sequence[Seen], tagged: tuple[str, ...], start: System) -> tuple[str, ...]:
    """Return the requirements that a history breaks, the fewest that explain it.

    Args:
        history: what the text does not explain.
        tagged: the requirements of the scenario, all of which are named where no known fault explains the history.
        start: the machines before it.
    """
    contradiction = explain(history, Network(), start).contradiction
    if contradiction is None:
        return tagged
    until = history[: contradiction.place + 1]
    first: FaultTogether | None = None
    for fault in _explaining(until, tagged, start):
        if len(until) == len(history) or _explains(fault, history, start):
            first = fault
            break
        first = first or fault
    if first is None:
        return tagged
    return tuple(requirement for requirement in first.breaks if requirement in tagged) or first.breaks[:1]


def _explaining(history: Sequence[Seen], tagged: tuple[str, ...], start: System) -> Iterator[FaultTogether]:
    known_faults = faults_that_can_show(start, [exchange.event for exchange in history])
    about = [fault for fault in known_faults if set(fault.breaks).intersection(tagged)]
    about.sort(key=lambda fault: fault.breaks[0] not in tagged)  # what a fault breaks most plainly comes first
    for fault in (*about, *(other for other in known_faults if other not in about)):
        if _explains(fault, history, start):
            yield fault


def _explains(fault: FaultTogether, history: Sequence[Seen], start: System) -> bool:
    standing = explain(history, fault.model, start).standing
    return standing is not None and standing <= Standing.PERMITTED
