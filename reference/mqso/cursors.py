"""Cursors: each a place of its own in a queue, moved by its own operations only (5.1.1, 5.1.1.2)."""

from collections.abc import Iterator

from msgspec.structs import replace

from mqconform.reference.mqso.elements import Cursor, CursorId, Queue
from mqconform.reference.mqso.events import Move
from mqconform.reference.mqso.lifecycle import Lifecycle
from mqconform.reference.mqso.readings import CursorOfGone, NextOfNew
from mqconform.reference.mqso.world import World, decided


class Cursors(Lifecycle):
    """Rules of cursors; each is a method, so that a faulty queue manager differs in one of them."""

    def places_of(self, world: World, cursor: CursorId, move: Move) -> Iterator[tuple[World, int | None]]:
        """Yield the places that a cursor may come to: if its message has left the queue there are two readings.

        Section 5.1.1 (MQSO-5.1.1-04), register QM-59.
        """
        position = world.cursors[cursor]
        queue = world.queues[position.queue]
        if position.at is None and move is Move.NEXT:
            yield from self.next_of_new(world, cursor)
            return
        following = self.place_of(queue, position, Move.NEXT)
        if position.at in {None, *(entry.message.key for entry in queue.entries)} or following is None:
            yield world, self.place_of(queue, position, move)
            return
        for after, choice in decided(world, CursorOfGone):
            stands = self.moved(after, cursor, following) if choice is CursorOfGone.AT_THE_FOLLOWING else after
            yield stands, self.place_of(queue, stands.cursors[cursor], move)

    def next_of_new(self, world: World, cursor: CursorId) -> Iterator[tuple[World, int | None]]:
        """Yield the places to which a cursor that was not moved yet may come when it is moved on (register QM-62)."""
        queue = world.queues[world.cursors[cursor].queue]
        first = self.place_of(queue, world.cursors[cursor], Move.NEXT)
        for after, choice in decided(world, NextOfNew) if first is not None else [(world, NextOfNew.THE_FIRST)]:
            if choice is NextOfNew.THE_SECOND and first is not None:
                stands = self.moved(after, cursor, first)
                yield stands, self.place_of(queue, stands.cursors[cursor], Move.NEXT)
            else:
                yield after, None if choice is NextOfNew.REFUSED else first

    def place_of(self, queue: Queue, cursor: Cursor, move: Move) -> int | None:
        """Return the place of the message that a cursor comes to: where it stands, or the next; None without one.

        A cursor that was not moved yet stands at the first message. Section 5.1.1.2 (MQSO-5.1.1.2-15).
        """
        for place, entry in enumerate(queue.entries):
            key = entry.message.key
            if not entry.available:
                continue
            if move is Move.CURRENT and (cursor.at is None or key == cursor.at):
                return place
            if move is Move.NEXT and key not in cursor.passed:
                return place
        return None

    def moved(self, world: World, cursor: CursorId, place: int) -> World:
        """Return the world where a cursor stands at a message."""
        before = world.cursors[cursor]
        entries = world.queues[before.queue].entries
        passed = before.passed | {entry.message.key for entry in entries[: place + 1]}
        now = replace(before, at=entries[place].message.key, passed=passed)
        return replace(world, cursors=world.cursors.having(cursor, now))
