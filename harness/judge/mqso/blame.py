"""Which sentences are broken where a history cannot be explained: those of the fault that explains it.

A fault that explains the whole history is better than one that explains it up to the first answer that contradicts
the text; a fault that always shows is better than one that shows at times. Where no fault explains it, the answer
itself tells what is wrong.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mqconform.harness.judge.mqso.messages import OTHER_IDENTIFIER, STRANGE
from mqconform.reference.allowed import Standing
from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import Access, Assurance, Key
from mqconform.reference.mqso.events import (
    Answer,
    Answers,
    Committed,
    Counted,
    Done,
    Ended,
    Failed,
    Got,
    Pending,
    Receive,
    Send,
    Shown,
)
from mqconform.reference.mqso.explanation import Contradiction, Seen, explain
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


Broken = tuple[str, ...]
"""Ids of requirements without the specification, the plainest first."""
_NEVER_SENT: Final = ("5.1.1-03",)
_OTHER_IDENTIFIER: Final = ("5.1.1-03",)
"""An identifier travels with its message, and an answer can be matched to the message by it."""
_WRONG_REPORT: Final = ("6.1.6.5-01", "6.1.6.5-02")
_NOT_YET_COMMITTED: Final = ("3.3.4.4-01", "4.3.1.2-04")
_ABORTED: Final = ("3.3.4.4-02", "4.3.1.2-05")
_RECEIVED_BEFORE: Final = ("3.3.4.6-02", "5.1.1.3-14", "1.1-04", "3.3.4.7-04", "3.3.4.7-01")
_EXPRESS_AFTER_STOP: Final = ("5.5.1-08",)
_PURGED: Final = ("5.1.1.2-12",)
_EXPIRED: Final = ("5.1.1.3-04",)
_REFUSED_YET_THERE: Final = ("3.3.4.3-07",)
_OUT_OF_ORDER: Final = ("5.1.1.2-01",)
_BY_CURSOR: Final = ("5.1.1-04", "5.1.1.2-15", "5.1.1.3-13")
_LOST_AT_STOP: Final = ("5.5.1-07", "5.5.1-04", "5.5.1-02")
_LOST_AT_ABORT: Final = ("3.3.4.7-02", "4.3.1.2-11")
_LOST_IN_TIME: Final = ("5.1.1.3-04", "3.3.4.6-02")
_LOST: Final = ("3.3.4.6-02", "5.1.1.3-11", "3.3.4.3-07")
_FAILED_AT_ONCE: Final = ("3.3.4.6-04", "5.1.1.2-10")
_WAITS_WHERE_NOTHING_MAY: Final = ("3.3.4.6-02", "3.3.4.6-05", "5.1.1.3-11")
_NOT_SERVED: Final = ("5.1.1.2-08",)
_ENDED_OTHERWISE: Final = ("3.3.4.6-05", "5.1.1.2-11")
_COMMITTED: Final = ("5.5.3-04", "5.5.3-03", "5.5.5-01")
_NOT_COMMITTED: Final = ("3.3.4.4-04",)
_OF_CALLS: Final[Mapping[tuple[type, type], Broken]] = {
    (Send, Failed): ("3.3.4.3-07", "3.3.4.4-05", "3.3.4.3-05"),
    (Send, Done): ("3.3.4.3-06",),
    (Send, Pending): ("3.3.4.3-05",),
    (events.CreateQueue, Failed): ("3.3.4.1-05", "5.1.1-01"),
    (events.CreateQueue, Done): ("3.3.4.1-06", "4.3.1.3-02"),
    (events.SetQueue, Failed): ("3.3.4.1-05", "5.1.1-01"),
    (events.Open, Failed): ("3.3.4.1-05", "5.1.1-01"),
    (events.Count, Counted): ("3.3.4.2-06",),
    (events.ShowState, Shown): ("5.1.1.1-04", "5.1.1.1-18", "5.1.1.1-02"),
    (events.Start, Failed): ("5.1.1.1-04",),
}
"""By event and answer, what is broken where that answer is not allowed."""


def strange_messages(answer: Answer) -> tuple[str, ...]:
    """Return what is broken where a message is handed out that is none of the scenario, or not under its identifier."""
    keys = [got.key for got in _messages_of(answer)]
    if STRANGE in keys:
        return _ids(_NEVER_SENT)
    return _ids(_OTHER_IDENTIFIER) if any(key.endswith(OTHER_IDENTIFIER) for key in keys) else ()


def symptoms_of(history: Sequence[Seen], contradiction: Contradiction) -> tuple[str, ...]:
    """Return the requirements that an answer breaks on the face of it, the plainest first; none where it tells none."""
    event, answer = contradiction.seen.event, contradiction.seen.answer
    match event, answer:
        case Receive(), _:
            broken = _of_receive(history, contradiction)
        case _, Ended(outcomes=outcomes):
            broken = _ended(contradiction, failed=any(isinstance(outcome, Failed) for _, outcome in outcomes))
        case _, Committed(committed=committed):
            broken = _COMMITTED if committed else _NOT_COMMITTED
        case _:
            broken = _OF_CALLS.get((type(event), type(answer)), ())
    return _ids(broken)


def _ids(broken: Broken) -> tuple[str, ...]:
    return tuple(f"MQSO-{number}" for number in broken)


def _messages_of(answer: Answer) -> Iterator[Got]:
    """Yield the messages that an answer hands out."""
    match answer:
        case Got():
            yield answer
        case Ended(outcomes=outcomes):
            yield from (outcome for _, outcome in outcomes if isinstance(outcome, Got))
        case Answers(lanes=lanes):
            yield from (got for lane in lanes for answer in lane for got in _messages_of(answer))


def _of_receive(history: Sequence[Seen], contradiction: Contradiction) -> Broken:
    before, later = (
        _one_by_one(history[: contradiction.place]),
        {exchange.answer for exchange in history[contradiction.place + 1 :]},
    )
    event, answer = contradiction.seen.event, contradiction.seen.answer
    ready = any(isinstance(allowed, Got) for allowed in contradiction.allowed)
    gone = _handed_out(before, answer.key) if isinstance(answer, Got) else ()
    if isinstance(event, Receive) and event.cursor is not None:
        return _BY_CURSOR
    match answer:
        case Got() if gone or not ready:
            return gone or _REFUSED_YET_THERE
        case Got():
            return _OUT_OF_ORDER if later.intersection(contradiction.allowed) else _missing(before, contradiction)
        case Failed():
            return _missing(before, contradiction) if ready else _FAILED_AT_ONCE
        case _:
            return _WAITS_WHERE_NOTHING_MAY


def _one_by_one(history: Sequence[Seen]) -> list[Seen]:
    """Return a history with calls at the same time as single ones, lane by lane."""
    single: list[Seen] = []
    for exchange in history:
        if isinstance(exchange.event, events.Together) and isinstance(exchange.answer, Answers):
            for calls, answers in zip(exchange.event.lanes, exchange.answer.lanes, strict=True):
                single += map(Seen, calls, answers)
        else:
            single.append(exchange)
    return single


def _handed_out(before: Sequence[Seen], key: Key) -> Broken:
    """Return what is broken where a message is handed out that ought to be gone, nothing where it ought to be there."""
    sends = [(place, exchange.event) for place, exchange in enumerate(before) if isinstance(exchange.event, Send)]
    matches = [(place, send) for place, send in sends if send.message.key == key]
    if not matches:
        return _WRONG_REPORT if " acknowledgment of " in key else _NEVER_SENT
    place, send = matches[0]
    since, message = before[place + 1 :], send.message
    passed = sum(exchange.event.by for exchange in since if isinstance(exchange.event, events.TimePassed))
    ends = [exchange.event for exchange in since if isinstance(exchange.event, events.End)]
    ended = [end.commit for end in ends if end.transaction == send.transaction]
    stopped = any(isinstance(exchange.event, events.Stop) for exchange in since)
    reasons = {
        _NOT_YET_COMMITTED: send.transaction is not None and not ended,
        _ABORTED: False in ended,
        _RECEIVED_BEFORE: any(_takes(exchange, key) for exchange in since),
        _EXPRESS_AFTER_STOP: message.assurance is Assurance.EXPRESS and send.transaction is None and stopped,
        _PURGED: any(_purges(exchange, before, send) for exchange in since),
        _EXPIRED: message.receive_within is not None and passed > message.receive_within,
    }
    return next((broken for broken, holds in reasons.items() if holds), ())


def _missing(before: Sequence[Seen], contradiction: Contradiction) -> Broken:
    """Return what is broken where nothing is handed out and a message ought to be."""
    keys = {answer.key for answer in contradiction.allowed if isinstance(answer, Got)}
    since = before[max((place for place, exchange in enumerate(before) if _sends(exchange, keys)), default=0) :]
    if any(isinstance(exchange.event, events.Stop) for exchange in since):
        return _LOST_AT_STOP
    if any(isinstance(exchange.event, events.End) and not exchange.event.commit for exchange in since):
        return _LOST_AT_ABORT
    if any(isinstance(exchange.event, events.TimePassed) for exchange in since):
        return _LOST_IN_TIME
    return _LOST


def _ended(contradiction: Contradiction, *, failed: bool) -> Broken:
    """Return what is broken where operations that wait ended otherwise than they may."""
    due = [outcome for answer in contradiction.allowed if isinstance(answer, Ended) for _, outcome in answer.outcomes]
    if any(isinstance(outcome, Got) for outcome in due):
        return _NOT_SERVED
    return _FAILED_AT_ONCE if failed else _ENDED_OTHERWISE


def _sends(exchange: Seen, keys: set[Key]) -> bool:
    return isinstance(exchange.event, Send) and exchange.event.message.key in keys


def _takes(exchange: Seen, key: Key) -> bool:
    return isinstance(exchange.event, Receive) and exchange.event.takes and exchange.answer == Got(key)


def _purges(exchange: Seen, before: Sequence[Seen], send: Send) -> bool:
    opens = (exchange.event for exchange in before if isinstance(exchange.event, events.Open))
    queue = next(
        (opening.queue for opening in opens if (opening.handle, opening.access) == (send.handle, Access.SEND)), None
    )
    return isinstance(exchange.event, events.Purge) and exchange.event.queue == queue
