"""What may come of calls at the same time: what may come of them one after the other, in some order (1.1, 5.1.1.2).

Each call takes effect at one moment between its beginning and its answer; a receive fetches and removes in one step
(MQSO-1.1-04), so that any order that fits the lanes and the times of the calls explains them.
"""

from collections.abc import Callable, Iterable, Iterator

from mqconform.reference.mqso.events import Answer, Answers, Event, Together
from mqconform.reference.mqso.world import Branches, World

Step = Callable[[World, Event], Iterable[tuple[World, Answer]]]
Given = tuple[tuple[Answer, ...], ...]
"""The answers to the calls that have taken effect, lane by lane."""


def in_any_order(step: Step, world: World, event: Together) -> Branches:
    """Yield what may come of calls at the same time; worlds that several orders lead to are followed once."""
    states: set[tuple[World, Given]] = {(world, tuple(() for _ in event.lanes))}
    for _ in range(sum(map(len, event.lanes))):
        states = {further for state in states for further in _one_more(step, event, *state)}
    yield from ((after, Answers(answers)) for after, answers in states)


def _one_more(step: Step, event: Together, world: World, answers: Given) -> Iterator[tuple[World, Given]]:
    for lane in callable_now(event, tuple(map(len, answers))):
        for after, answer in step(world, event.lanes[lane][len(answers[lane])]):
            yield after, (*answers[:lane], (*answers[lane], answer), *answers[lane + 1 :])


def callable_now(event: Together, done: tuple[int, ...]) -> Iterator[int]:
    """Yield the lanes whose next call may take effect now.

    Args:
        event: the calls.
        done: how many calls of each lane have taken effect.
    """
    for lane, calls in enumerate(event.lanes):
        call = (lane, done[lane])
        waits = any(later == call and done[first[0]] <= first[1] for first, later in event.before)
        if done[lane] < len(calls) and not waits:
            yield lane
