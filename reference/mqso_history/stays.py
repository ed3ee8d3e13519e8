"""Where each message was: its stay in a queue, from which event on it may be there and from which it has to be."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import Key, Message, QueueName, TransactionId
from mqconform.reference.mqso.immutable import Value
from mqconform.reference.mqso_history.takes import Take, Takes
from mqconform.reference.mqso_history.timeline import TOLERANCE, Timeline


class Stay(Value, frozen=True):
    """A message in one queue.

    Attributes:
        put: the event that brought it; ``visible_from``: that since which it may be seen, None for never.
        sure: the event since which it has to be there, None where the text leaves that open.
        until: when the first of its times may be up, None without one; ``over``: when it is (register QM-15: the time
            of what a transaction sends may begin with its commit).
        sent: it was sent there; otherwise it is a copy, a dead letter or an acknowledgment.
        refused: it certainly never got in.
        fleeting: it may be lost in a restart and need not (register QM-50).
    """

    message: Message
    queue: QueueName
    key: Key
    put: int
    visible_from: int | None
    sure: int | None
    express: bool
    until: int | None = None
    over: int | None = None
    transaction: TransactionId | None = None
    sent: bool = True
    refused: bool = False
    fleeting: bool = False

    @property
    def arrived_by(self) -> int | None:
        """The event by which it was there if it ever was, None where that is not known."""
        return self.visible_from if self.sent else self.sure


@dataclass(frozen=True)
class Places:
    """All stays of a history, with what ended them.

    Attributes:
        stays: by queue and message, in the order of their events.
    """

    line: Timeline
    takes: Takes
    stays: Mapping[tuple[QueueName, Key], tuple[Stay, ...]]

    @cached_property
    def purges(self) -> Mapping[QueueName, tuple[int, ...]]:
        """The events at which each queue was purged."""
        return self._by_queue(events.Purge)

    @cached_property
    def deletions(self) -> Mapping[QueueName, tuple[int, ...]]:
        """The events at which each queue was deleted."""
        return self._by_queue(events.DeleteQueue)

    @cached_property
    def stops(self) -> tuple[int, ...]:
        """The events at which the queue manager was ended."""
        return tuple(self.line.stops())

    def _by_queue(self, kind: type[events.Purge | events.DeleteQueue]) -> Mapping[QueueName, tuple[int, ...]]:
        places: defaultdict[QueueName, list[int]] = defaultdict(list)
        for place, event in self.line.all(kind):
            assert isinstance(event, events.Purge | events.DeleteQueue)
            places[event.queue].append(place)
        return {queue: tuple(some) for queue, some in places.items()}

    def takes_of(self, stay: Stay) -> tuple[Take, ...]:
        """Return the receives that took a message from its queue."""
        return self.takes.of.get((stay.queue, stay.key), ())

    def gone_at(self, stay: Stay, place: int, *, looked_at: bool = True) -> tuple[str, int] | None:
        """Return what certainly removed an unreceived message before an event, and at which event.

        Args:
            stay: where it was.
            place: the event.
            looked_at: the event looks at the queue, so that what is late leaves it now at the latest (QM-45).
        """
        by = stay.arrived_by
        for purge in self.purges.get(stay.queue, ()):
            locked = any(take.transaction and take.maybe_away(purge) for take in self.takes_of(stay))
            free = not locked and not self._silent(stay.queue, purge)  # register QM-17
            if by is not None and by < purge < place and free:
                return "purge", purge
        for deletion in self.deletions.get(stay.queue, ()):
            if (stay.put if stay.sent else by if by is not None else place) < deletion < place:
                return "deletion", deletion
        for stop in self.stops if stay.express else ():
            if (stay.put if stay.sent else by if by is not None else place) < stop < place:
                return "stop", stop
        if looked_at and stay.over is not None and self.line.before[place].now > stay.over + TOLERANCE:
            return "time", place
        return None

    def maybe_gone(self, stay: Stay, place: int, *, by_time: bool = True) -> bool:
        """Return whether an unreceived message may be gone before an event."""
        since = stay.put if stay.visible_from is None else stay.visible_from
        ends = [*self.purges.get(stay.queue, ()), *self.deletions.get(stay.queue, ())]
        if any(stay.put < end < place for end in (*ends, *(self.stops if stay.express or stay.fleeting else ()))):
            return True
        late = stay.until is not None and self.line.before[place].now >= stay.until - TOLERANCE
        return since >= place or (by_time and late)

    def surely_there(self, where: tuple[QueueName, Key], place: int, *, by_time: bool = True) -> bool:
        """Return whether a message is certainly in a queue before an event, and free to be received."""
        if self._silent(where[0], place):
            return False
        there = [
            stay
            for stay in self.stays.get(where, ())
            if stay.sure is not None and stay.sure < place and not self.maybe_gone(stay, place, by_time=by_time)
        ]
        return len(there) > sum(take.maybe_away(place) for take in self.takes.of.get(where, ()))

    def held(self, where: tuple[QueueName, Key], place: int, *, looked_at: bool) -> int:
        """Return how often a message may be in a queue before an event, seen or not."""
        stays = [stay for stay in self.stays.get(where, ()) if not stay.refused and stay.put < place]
        left = [stay for stay in stays if not self._has_left(stay, place, looked_at=looked_at)]
        taken = sum(
            take.latest < place and take.final and (take.ended is None or take.ended < place)
            for take in self.takes.of.get(where, ())
        )
        return max(0, min(len(left), len(stays) - taken))

    def _has_left(self, stay: Stay, place: int, *, looked_at: bool) -> bool:
        """Return whether an unreceived message is gone; what a transaction has received does not expire (QM-15)."""
        free = stay.visible_from is not None and stay.visible_from < place
        free = free and not any(take.maybe_away(place) for take in self.takes_of(stay))
        free = free and not self._silent(stay.queue, place)
        return self._undone(stay, place) or self.gone_at(stay, place, looked_at=looked_at and free) is not None

    def _silent(self, queue: QueueName, place: int) -> bool:
        """Return whether an operation without an outcome may have received a message of a queue before an event."""
        silent = self.takes.silent_since(queue)
        return silent is not None and silent + 1 < place

    def _undone(self, stay: Stay, place: int) -> bool:
        fate = None if stay.transaction is None else self.line.fates.get(stay.transaction)
        return fate is not None and fate.committed is False and fate.ended is not None and fate.ended < place

    def in_queue(self, queue: QueueName) -> Iterable[tuple[QueueName, Key]]:
        """Return the messages that were ever in a queue."""
        return [where for where in self.stays if where[0] == queue]

    def used(self, queue: QueueName, place: int, *, in_kilobytes: bool, surely: bool = False) -> int:
        """Return how much room of a queue is taken before an event, at most or, ``surely``, at least."""
        used = 0
        for where in self.in_queue(queue):
            size = self.stays[where][0].message.size if in_kilobytes else 1
            used += size * (self.surely_there(where, place) if surely else self.held(where, place, looked_at=False))
        return used
