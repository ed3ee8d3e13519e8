"""What time does: messages whose time is up, and operations that have waited long enough (5.1.1.3, 6.4.2, 3.3.4.6)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Final

from mqconform.reference.mqso.elements import SECOND, Entry, QueueName, Reader
from mqconform.reference.mqso.queues import Queues, failed
from mqconform.reference.mqso.readings import Expiry
from mqconform.reference.mqso.world import World, decided

TOLERANCE: Final = SECOND // 2
"""How far the clock of an implementation may be from the harness's, either way (register SD-49, QM-45)."""


class Timers(Queues):
    """Rules of timers; each is a method, so that a faulty queue manager differs in one of them."""

    def expires(self, entry: Entry) -> int | None:
        """Return when the time of a message in its queue is up, None where it is not counted.

        While a transaction has it, it is left to the transaction (register QM-15). Section 5.1.1.3
        (MQSO-5.1.1.3-04).
        """
        return entry.until if entry.available else None

    def expired(self, world: World, name: QueueName, *, touched: bool) -> Iterator[World]:
        """Yield the worlds where the messages of a queue whose time is up have left it.

        They leave when their time is up, or when the queue is looked at next (register QM-45); near that instant they
        may be there or not.
        """
        queue = world.queues.get(name)
        due = [] if queue is None else [one for one in queue.entries if self._may_be_due(one, world.now)]
        if not due:
            yield world
            return
        for following, choice in [(world, Expiry.AT_ONCE)] if touched else decided(world, Expiry):
            if choice is Expiry.WHEN_TOUCHED:
                yield following
                continue
            certain = [one for one in due if (one.until or 0) + TOLERANCE < world.now]
            for leaving in {tuple(certain), tuple(due)}:
                yield from self._left(following, name, leaving)

    def _may_be_due(self, entry: Entry, now: int) -> bool:
        until = self.expires(entry)
        return until is not None and until - TOLERANCE <= now

    def _left(self, world: World, name: QueueName, leaving: tuple[Entry, ...]) -> Iterator[World]:
        worlds = [world.with_entries(name, (one for one in world.queues[name].entries if one not in leaving))]
        for entry in leaving:
            worlds = [after for one in worlds for after in self.undelivered(one, entry.message)]
        yield from worlds

    def waited(self, world: World) -> Iterator[World]:
        """Yield the worlds where operations whose time is up have ended with an error (3.3.4.6, MQSO-3.3.4.6-05)."""
        waiting = [*world.bereft, *chain.from_iterable(queue.readers for queue in world.queues.values())]
        late = tuple(one for one in waiting if one.until + TOLERANCE < world.now)
        either = tuple(one for one in waiting if one not in late and one.until - TOLERANCE <= world.now)
        for ending in {late, (*late, *either)}:
            yield failed(without(world, ending), ending)


def without(world: World, readers: tuple[Reader, ...]) -> World:
    """Return the world where some operations wait no longer."""
    if not readers:
        return world
    for name, queue in world.queues.items():
        if any(one in readers for one in queue.readers):
            left = tuple(one for one in queue.readers if one not in readers)
            world = world.with_queue(name, replace(queue, readers=left))
    return replace(world, bereft=tuple(one for one in world.bereft if one not in readers))
