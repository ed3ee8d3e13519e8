"""What time does: messages whose time is up, and operations that have waited long enough (5.1.1.3, 6.4.2, 3.3.4.6)."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from mqconform.reference.mqso.elements import SECOND, Entry, QueueName, Reader
from mqconform.reference.mqso.queues import bereft_of_transaction, failed
from mqconform.reference.mqso.readings import Expiry, ReaderOfEnded, TimerOfLocked, TimeToReach
from mqconform.reference.mqso.world import World, decided

if TYPE_CHECKING:
    from mqconform.reference.mqso.queue_manager import QueueManager

TOLERANCE: Final = SECOND // 2
"""How far the clock of an implementation may be from the harness's, either way (register SD-49, QM-45)."""


def expires(rules: "QueueManager", entry: Entry) -> int | None:
    """Return when the time of a message is up, None where it is not counted; on its way both timers count.

    While a transaction has it, it is left to the transaction (register QM-15). Section 5.1.1.3
    (MQSO-5.1.1.3-04, MQSO-5.1.1.3-05).
    """
    if not entry.available:
        return None
    return entry.until if entry.message.to is None else with_both(entry).until


def expired(rules: "QueueManager", world: World, name: QueueName, *, touched: bool) -> Iterator[World]:
    """Yield the worlds where the messages of a queue whose time is up have left it.

    They leave when their time is up, or when the queue is looked at next (register QM-45); near that instant they
    may be there or not.
    """
    queue = world.queues.get(name)
    entries = () if queue is None else queue.entries
    if not any(_may_be_due(rules, unlocked(with_both(entry)), world.now) for entry in entries):
        yield world
        return
    for counted, timers in _timers_of_all(rules, world, entries):
        times = [(entry, timers(entry)) for entry in entries]
        due = [entry for entry, timed in times if _may_be_due(rules, timed, world.now)]
        for following, choice in [(counted, Expiry.AT_ONCE)] if touched or not due else decided(counted, Expiry):
            if choice is Expiry.WHEN_TOUCHED:
                yield following
                continue
            certain = [entry for entry, timed in times if _is_due(rules, timed, world.now)]
            for leaving in dict.fromkeys((tuple(certain), tuple(due))):
                yield from _left(rules, following, name, leaving)


def expired_everywhere(rules: "QueueManager", world: World) -> Iterator[World]:
    """Yield the worlds where all messages whose time is up have left, queue by queue or in the order of their times.

    Dead letters and acknowledgments of them come in that order (5.1.1.2, 5.1.1.3).
    """
    worlds = [world]
    for name in world.queues:
        worlds = [after for current in worlds for after in rules.expired(current, name, touched=False)]
    counted = (rules.expires(unlocked(with_both(entry))) for queue in world.queues.values() for entry in queue.entries)
    sure = sorted({until + TOLERANCE + 1 for until in counted if until is not None and until + TOLERANCE < world.now})
    if len(sure) < 2:
        yield from worlds
        return
    in_time = [world]
    for instant in (*sure, world.now):
        for name in world.queues:
            at_instant = (replace(current, now=instant) for current in in_time)
            in_time = [after for current in at_instant for after in rules.expired(current, name, touched=False)]
    yield from dict.fromkeys((*worlds, *in_time))


def _timers_of_all(
    rules: "QueueManager", world: World, entries: tuple[Entry, ...]
) -> Iterator[tuple[World, Callable[[Entry], Entry]]]:
    """Yield how times count for what is there and for what a transaction has received, where that matters (QM-15).

    Section 5.1.1.3 has timers discard what is accepted, and a commit consume what is locked.
    """
    for reached, timers in _timers_there(rules, world, entries):
        if not any(entry.locked_by and _may_be_due(rules, unlocked(timers(entry)), world.now) for entry in entries):
            yield reached, timers
            continue
        for following, choice in decided(reached, TimerOfLocked):
            goes_on = choice is TimerOfLocked.GOES_ON
            yield following, partial(_unlocked_by, timers) if goes_on else timers


def _timers_there(
    rules: "QueueManager", world: World, entries: tuple[Entry, ...]
) -> Iterator[tuple[World, Callable[[Entry], Entry]]]:
    """Yield how the time to reach its queue counts for what is there, where that makes a difference (QM-63)."""
    if not any(
        _may_be_due(rules, with_both(entry), world.now) > _may_be_due(rules, entry, world.now) for entry in entries
    ):
        yield world, _as_it_is
        return
    for following, choice in decided(world, TimeToReach):
        yield following, with_both if choice is TimeToReach.GOES_ON else _as_it_is


def _may_be_due(rules: "QueueManager", entry: Entry, now: int) -> bool:
    until = rules.expires(entry)
    return until is not None and until - TOLERANCE <= now


def _is_due(rules: "QueueManager", entry: Entry, now: int) -> bool:
    until = rules.expires(entry)
    return until is not None and until + TOLERANCE < now


def _left(rules: "QueueManager", world: World, name: QueueName, leaving: tuple[Entry, ...]) -> Iterator[World]:
    worlds = [world.with_entries(name, (entry for entry in world.queues[name].entries if entry not in leaving))]
    for entry in leaving:
        worlds = [after for current in worlds for after in rules.undelivered(current, entry.message)]
    yield from worlds


def waited(rules: "QueueManager", world: World) -> Iterator[World]:
    """Yield the worlds where operations whose time is up have ended with an error (3.3.4.6, MQSO-3.3.4.6-05)."""
    waiting = [*world.bereft, *chain.from_iterable(queue.readers for queue in world.queues.values())]
    late = tuple(reader for reader in waiting if reader.until + TOLERANCE < world.now)
    either = tuple(reader for reader in waiting if reader not in late and reader.until - TOLERANCE <= world.now)
    for ending in dict.fromkeys((late, (*late, *either))):
        yield failed(without(world, ending), ending)


def left_waiting(rules: "QueueManager", world: World) -> Iterator[World]:
    """Yield the worlds where operations whose transaction has ended wait on, or have ended with an error.

    Section 3.3.4.7 says nothing of them (register QM-49).
    """
    waiting = [*world.bereft, *chain.from_iterable(queue.readers for queue in world.queues.values())]
    left = tuple(reader for reader in waiting if bereft_of_transaction(world, reader))
    for following, choice in decided(world, ReaderOfEnded) if left else [(world, ReaderOfEnded.GOES_ON)]:
        yield following if choice is ReaderOfEnded.GOES_ON else failed(without(following, left), left)


def with_both(entry: Entry) -> Entry:
    """Return a message at its place as if the first of its two timers were that to be received."""
    if entry.reach_until is None or (entry.until is not None and entry.until <= entry.reach_until):
        return entry
    return replace(entry, until=entry.reach_until)


def unlocked(entry: Entry) -> Entry:
    """Return a message at its place as if no transaction had received it."""
    return entry if entry.locked_by is None else replace(entry, locked_by=None)


def _unlocked_by(timers: Callable[[Entry], Entry], entry: Entry) -> Entry:
    return unlocked(timers(entry))


def _as_it_is(entry: Entry) -> Entry:
    return entry


def without(world: World, readers: tuple[Reader, ...]) -> World:
    """Return the world where some operations wait no longer."""
    if not readers:
        return world
    for name, queue in world.queues.items():
        if any(reader in readers for reader in queue.readers):
            left = tuple(reader for reader in queue.readers if reader not in readers)
            world = world.with_queue(name, replace(queue, readers=left))
    return replace(world, bereft=tuple(reader for reader in world.bereft if reader not in readers))
