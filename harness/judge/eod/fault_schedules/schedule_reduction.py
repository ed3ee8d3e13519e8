"""Reduce a fault schedule: take out what is not needed to show the trouble."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mqconform.harness.iut.drivers.ordered_delivery.schedule import STREAMS, Schedule, Step
from mqconform.reference.eod.elements import SECOND

_SHORT: Final = (SECOND, 40 * SECOND)
"""Durations that a step may come down to, shortest first."""


def smaller_schedules(schedule: Schedule) -> Iterator[Schedule]:
    """Yield schedules that are smaller in one respect: halves gone, steps gone, steps plainer."""
    half = len(schedule) // 2
    if half > 1:
        yield schedule[half:]
        yield schedule[:half]
    for place in reversed(range(len(schedule))):
        yield _without(schedule, place)
        yield schedule[:place] + schedule[place + 1 :]
    for place, step in enumerate(schedule):
        for plainer in _plainer(step):
            yield (*schedule[:place], plainer, *schedule[place + 1 :])
    for place in reversed(range(len(schedule) - 1)):  # two that only make sense together
        yield schedule[:place] + schedule[place + 2 :]
    for stream in (name for name in STREAMS[1:] if any(step.stream == name for step in schedule)):
        yield tuple(replace(step, stream=STREAMS[0]) if step.stream == stream else step for step in schedule)


def _without(schedule: Schedule, place: int) -> Schedule:
    """Take a step out; its time passes all the same where another step follows."""
    gone, rest = schedule[place], schedule[place + 1 :]
    if rest and gone.after:
        rest = (replace(rest[0], after=rest[0].after + gone.after), *rest[1:])
    return (*schedule[:place], *rest)


def _plainer(step: Step) -> Iterator[Step]:
    if step.after:
        yield replace(step, after=0)
    for short in _SHORT:
        if step.after > short:
            yield replace(step, after=short)
        if step.lasting > short:
            yield replace(step, lasting=short)
    if step.which > 1:
        yield replace(step, which=1)
