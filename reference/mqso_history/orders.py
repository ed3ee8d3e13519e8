"""Histories with calls at the same time as histories without: one for each order that their lanes and times allow."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from mqconform.reference.mqso.events import Answer, Answers, Event, Together
from mqconform.reference.mqso.immutable import Value
from mqconform.reference.mqso_history.timeline import Entry

MOST_ORDERS: Final = 300
"""The most orders that are looked at; a history that has more is not decided."""


class Call(Value, frozen=True):
    """One of several calls at the same time, or an event that had its moment to itself.

    Attributes:
        place: where it stands in the history that it comes from.
    """

    event: Event
    answer: Answer
    place: int


def in_order(history: Sequence[Entry]) -> Iterator[tuple[Call, ...]]:
    """Yield the histories without calls at the same time that a history may stand for."""
    parts = [[*_merged(place, entry.event, entry.answer)] for place, entry in enumerate(history)]
    yield from (tuple(call for part in parts_ for call in part) for parts_ in product(*parts))


def _merged(place: int, event: Event, answer: Answer) -> Iterator[tuple[Call, ...]]:
    if not isinstance(event, Together) or not isinstance(answer, Answers):
        yield (Call(event, answer, place),)
        return
    lanes = [
        [Call(call, reply, place) for call, reply in zip(*lane, strict=True)]
        for lane in zip(event.lanes, answer.lanes, strict=True)
    ]
    waiting: list[tuple[tuple[int, ...], tuple[Call, ...]]] = [(tuple(0 for _ in lanes), ())]
    while waiting:
        done, made = waiting.pop()
        if len(made) == sum(map(len, lanes)):
            yield made
        for lane, calls in enumerate(lanes):
            call = (lane, done[lane])
            must_wait = any(later == call and done[first[0]] <= first[1] for first, later in event.before)
            if done[lane] < len(calls) and not must_wait:
                waiting.append(((*done[:lane], done[lane] + 1, *done[lane + 1 :]), (*made, calls[done[lane]])))
