"""Which sentences are broken where a history cannot be explained: those of the fault that explains it.

A fault that explains the whole history is better than one that explains it up to the first answer that contradicts
the text; a fault that always shows is better than one that shows at times. Where no fault explains it, the answer
itself tells what is wrong.
"""

from collections.abc import Iterator, Sequence

from mqconform.harness.judge.mqso.symptoms import strange_messages, symptoms_of
from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.explanation import Seen, explain
from mqconform.reference.mqso.faults import FAULTS, Fault
from mqconform.reference.mqso.queue_manager import QueueManager


def broken_by(history: Sequence[Seen], tagged: tuple[str, ...]) -> tuple[str, ...]:
    """Return the requirements that a history breaks, the fewest that explain it.

    Args:
        history: what the text does not explain.
        tagged: the requirements of the scenario: what they say is broken is named first, and all of them where nothing
            is known of what was seen.
    """
    contradiction = explain(history).contradiction
    if contradiction is None:
        return tagged
    strange = strange_messages(contradiction.seen.answer)
    if strange:
        return _named(strange, tagged)
    symptoms = symptoms_of(history, contradiction)
    until = history[: contradiction.place + 1]
    for at_times in (False, True):
        first: Fault | None = None
        for fault in _explaining(until, tagged, at_times=at_times):
            if len(until) == len(history) or _explains(_model(fault, at_times=at_times), history):
                return _named(fault.breaks, tagged)
            first = first or fault
        if first is not None and not at_times:
            return _named(first.breaks, tagged)
    return _named(symptoms, tagged) or tagged


def _named(broken: tuple[str, ...], tagged: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(requirement for requirement in broken if requirement in tagged) or broken[:1]


def _explaining(history: Sequence[Seen], tagged: tuple[str, ...], *, at_times: bool) -> Iterator[Fault]:
    """Yield the faults that explain a history, those first that break what the scenario is about.

    A fault that shows at times explains too much to be looked for everywhere.
    """
    about = [fault for fault in FAULTS if set(fault.breaks).intersection(tagged)]
    others = [] if at_times else [fault for fault in FAULTS if fault not in about]
    for fault in (*about, *others):
        if _explains(_model(fault, at_times=at_times), history):
            yield fault


def _model(fault: Fault, *, at_times: bool) -> QueueManager:
    return fault.at_times if at_times else fault.model


def _explains(model: QueueManager, history: Sequence[Seen]) -> bool:
    standing = explain(history, model).standing
    return standing is not None and standing <= Standing.PERMITTED
