"""Calls that applications make at the same time, and what the answers show: some order of them explains it, or none.

A call takes effect at one moment between its beginning and its answer. What the implementation says of these moments
rules orders out; where it says nothing useful, every order of the lanes is tried.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise, product
from typing import Final

from mqconform.harness.iut.interface import IutFault, Json
from mqconform.harness.iut.protocol import check_result
from mqconform.harness.judge.mqso.history_text import said_of
from mqconform.harness.judge.mqso.queue_manager_checks import emptied, judge
from mqconform.harness.judge.mqso.queue_manager_steps import are_sent, queue_of
from mqconform.harness.judge.mqso.scenes import QueueManagerScene
from mqconform.harness.suite.steps import then, when
from mqconform.reference.mqso.elements import Access, QueueName
from mqconform.reference.mqso.events import Answers, Purge, Together
from mqconform.reference.mqso.explanation import Seen

Place = tuple[int, int]
"""A call by the number of its lane and its place there."""
Deed = Callable[[QueueManagerScene], object]
_QUEUE: Final = r"the dead-letter queue|the transactional dead-letter queue|the journal|\w+"
_SEND: Final = re.compile(rf"send (m\d+) to ({_QUEUE})(?: in (t\d+))?(,.*)?")
_RECEIVE: Final = re.compile(rf"(receive from|look at) ({_QUEUE})(?: in (t\d+))?")
_END: Final = re.compile(r"(commit|abort) (t\d+)")
_PURGE: Final = re.compile(r"purge (\w+)")


@when("at the same time")
def at_the_same_time(queue_manager: QueueManagerScene, datatable: list[list[str]]) -> None:
    """Make calls in lanes: those of a lane one after the other, lanes at the same time."""
    for _, says in datatable[1:]:
        _opened(queue_manager, says)
    names = list(dict.fromkeys(lane for lane, _ in datatable[1:]))
    together(queue_manager, [[_deed(says) for lane, says in datatable[1:] if lane == name] for name in names])


def together(scene: QueueManagerScene, lanes: Sequence[Sequence[Deed]]) -> None:
    """Make calls at the same time, and note them as one event of the history.

    Each deed makes one call, and the queues that it needs are open. What cannot be asked for, as in a transaction that
    could not be begun, is left out.

    Raises:
        IutFault: what came back is not an answer for each call in times that can be.
    """
    lanes = [[deed for deed in lane if _calls_of(scene, deed)] for lane in lanes]
    lanes = [lane for lane in lanes if lane]
    if not lanes:
        return
    calls = [[call for deed in lane for call in _calls_of(scene, deed)] for lane in lanes]
    answer = scene.ask("together", {"lanes": calls})["lanes"]
    _check(calls, answer)
    exchanges = [
        [_exchange(scene, deed, entry["result"]) for deed, entry in zip(lane, entries, strict=True)]
        for lane, entries in zip(lanes, answer, strict=True)
    ]
    events = tuple(tuple(exchange.event for exchange in lane) for lane in exchanges)
    answers = tuple(tuple(exchange.answer for exchange in lane) for lane in exchanges)
    scene.add(Together(events, frozenset(_before(answer))), Answers(answers))


def _calls_of(scene: QueueManagerScene, deed: Deed) -> list[Json]:
    """Return the call that a deed makes, without making it; none where it cannot be made."""
    made: list[Json] = []

    def keep(operation: str, params: Json) -> Json:
        if operation != "open":  # a queue that could not be opened before
            made.append({"method": operation, "params": params})
        return {"failed": {}}

    deed(scene.seen_by(keep))
    return made


def _exchange(scene: QueueManagerScene, deed: Deed, result: Json) -> Seen:
    """Return the event that a deed is and what was answered to it."""
    alone = scene.seen_by(lambda operation, _: check_result(f"queue_manager.{operation}", result))
    deed(alone)
    return alone.history[0]


def _check(calls: Sequence[Sequence[Json]], answer: Sequence[Sequence[Json]]) -> None:
    if [len(lane) for lane in answer] != [len(lane) for lane in calls]:
        message = f"has lanes of {[len(lane) for lane in answer]} answers"
        raise IutFault("schema", f"queue_manager.together: result: {message}; expected {[len(lane) for lane in calls]}")
    for lane in answer:
        backwards = any(call["ended"] < call["began"] for call in lane)
        if backwards or any(later["began"] < earlier["ended"] for earlier, later in pairwise(lane)):
            raise IutFault(
                "schema",
                "queue_manager.together: result: a call ends before it begins, or begins before the one before it in "
                "its lane has ended; expected times of one clock",
            )


def _before(answer: Sequence[Sequence[Json]]) -> set[tuple[Place, Place]]:
    """Return the pairs of calls of different lanes of which the first had ended when the second began."""
    times = {(lane, place): call for lane, calls in enumerate(answer) for place, call in enumerate(calls)}
    return {
        (first, later)
        for first, later in product(times, times)
        if first[0] != later[0] and times[first]["ended"] < times[later]["began"]
    }


def _deed(says: str) -> Deed:
    if match := _SEND.fullmatch(says):
        key, queue, within, wishes = match.groups()
        return lambda scene: are_sent(scene, key, queue, within, wishes or "")
    if match := _RECEIVE.fullmatch(says):
        how, queue, within = match.groups()
        return lambda scene: scene.receive(queue_of(queue), takes=how == "receive from", transaction=within)
    if match := _END.fullmatch(says):
        how, transaction = match.groups()
        return lambda scene: scene.end(transaction, commit=how == "commit")
    match = _PURGE.fullmatch(says)
    assert match, f"no call is described by {says!r}"
    purge = Purge(QueueName(match[1]))
    return lambda scene: scene.perform(purge)


def _opened(scene: QueueManagerScene, says: str) -> None:
    """Open the queue of a call before it is made."""
    if match := _SEND.fullmatch(says):
        scene.opened(queue_of(match[2]), Access.SEND)
    elif match := _RECEIVE.fullmatch(says):
        scene.opened(queue_of(match[2]), Access.RECEIVE)


@then(rf"some order of the calls explains what was answered and what (?P<queue>{_QUEUE}) holds")
def some_order_explains_it(queue_manager: QueueManagerScene, queue: str) -> None:
    names = queue_manager.names()
    answers = [
        said_of(exchange.answer, names) for exchange in queue_manager.history if isinstance(exchange.event, Together)
    ]
    keys = ", ".join(emptied(queue_manager, queue)) or "nothing"
    expected = "the results of the calls one after the other, in some order"
    judge(queue_manager, expected, f"{' / '.join(answers)}; {queue} holds {keys}", holds=True)
