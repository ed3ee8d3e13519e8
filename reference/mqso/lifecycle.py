"""How a queue manager ends and starts again, and what outlives it (5.1.1.1, 5.5.1)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from mqconform.reference.mqso.elements import Assurance, Cursor, CursorId, Entry, Queue
from mqconform.reference.mqso.frozen_map import FrozenMap
from mqconform.reference.mqso.queues import failed
from mqconform.reference.mqso.readings import HandlesAfterRestart, ReadersAtStop
from mqconform.reference.mqso.transactions import Transactions
from mqconform.reference.mqso.world import World, decided


class Lifecycle(Transactions):
    """Rules of ends and starts; each is a method, so that a faulty queue manager differs in one of them."""

    def outlives(self, entry: Entry) -> bool:
        """Return whether a message in its queue is there after a restart.

        Express messages are not, recoverable and transactional ones are, but for those that no commit has shown yet.
        Sections 3.2.1 and 5.5.1 (MQSO-3.2.1-01, MQSO-3.2.1-02, MQSO-5.5.1-04, MQSO-5.5.1-07, MQSO-5.5.1-08).
        """
        return entry.hidden_by is None and entry.message.assurance is not Assurance.EXPRESS

    def stopped(self, world: World, *, suddenly: bool) -> Iterator[World]:  # noqa: ARG002 - mutants look at it
        """Yield the worlds after an end, in order or not: open transactions are undone, cursors gone.

        What an implementation tells those who wait, and whether handles are of use afterwards, is open (register
        QM-10). Section 5.5.1 (MQSO-5.5.1-01, MQSO-5.5.1-02), 5.1.1 (MQSO-5.1.1-05).
        """
        queues = FrozenMap({name: self.restored(queue) for name, queue in world.queues.items()})
        readers = (*world.bereft, *chain.from_iterable(queue.readers for queue in world.queues.values()))
        ended = replace(
            world,
            running=False,
            queues=queues,
            transactions=FrozenMap(),
            cursors=self.cursors_after(world.cursors),
            bereft=(),
        )
        for following in self._handles(ended):
            if not readers:
                yield following
                continue
            for after, told in decided(following, ReadersAtStop):
                yield failed(after, readers) if told is ReadersAtStop.FAIL else after

    def restored(self, queue: Queue) -> Queue:
        """Return a queue as it is found after a restart."""
        kept = (replace(entry, locked_by=None) for entry in queue.entries if self.outlives(entry))
        return replace(queue, entries=tuple(kept), readers=())

    def cursors_after(self, cursors: FrozenMap[CursorId, Cursor]) -> FrozenMap[CursorId, Cursor]:  # noqa: ARG002
        """Return what is left of the cursors after a restart: nothing (5.1.1, MQSO-5.1.1-05)."""
        return FrozenMap()

    def _handles(self, world: World) -> Iterator[World]:
        if not world.handles:
            yield world
            return
        for following, choice in decided(world, HandlesAfterRestart):
            kept = choice is HandlesAfterRestart.KEPT
            yield following if kept else replace(following, handles=FrozenMap())
