"""Where each message was and who took it: since which event it may be in a queue, and since which it has to be."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from mqconform.reference.history.certainty import OPEN, TOLERANCE, Entry, Fate, Moment, Opening, ends
from mqconform.reference.mqso import elements, events
from mqconform.reference.mqso.events import Ended, Failed, Got, Pending
from mqconform.reference.mqso.immutable import Value

E = TypeVar("E", bound=Value)
Where = tuple[elements.QueueName, elements.Key]
"""A message and the queue where it is looked for."""


class Stay(Value, frozen=True):
    """A message in one queue.

    Attributes:
        put: the event that brought it; ``visible_from``: that since which it may be seen, None for never.
        sure: the event since which it has to be there, None where the text leaves that open.
        until: when the first of its times may be up, None without one; ``over``: when it is (register QM-15: the time
            of what a transaction sends may begin with its commit).
        sent: it was sent there; otherwise it is a copy, a dead letter or an acknowledgment.
        refused: it certainly never got in; ``rejectable``: it may have been refused, in a transaction at the send or
            at the commit.
        fleeting: it may be lost in a restart and need not (register QM-50).
    """

    message: elements.Message
    queue: elements.QueueName
    key: elements.Key
    put: int
    visible_from: int | None
    sure: int | None
    express: bool = False
    until: int | None = None
    over: int | None = None
    transaction: elements.TransactionId | None = None
    sent: bool = True
    refused: bool = False
    rejectable: bool = False
    fleeting: bool = False

    @property
    def where(self) -> Where:
        """Its queue and itself."""
        return self.queue, self.key


class Take(Value, frozen=True):
    """A message that was taken, after event ``earliest - 1`` and by event ``latest``.

    Attributes:
        fate: how its transaction ended, ``OPEN`` without one or where it did not end.
        waited: its outcome came later; whether its transaction or its wait ended first is not observable. So it is
            with what a transaction takes from a queue that is not transactional (register QM-46).
    """

    operation: elements.Operation
    earliest: int
    latest: int
    transaction: elements.TransactionId | None = None
    fate: Fate = OPEN
    waited: bool = False

    @property
    def final(self) -> bool:
        """Whether the message has certainly left the system by it."""
        return self.transaction is None or (self.fate.committed is True and not self.waited)

    def surely_away(self, place: int) -> bool:
        """Return whether before an event the message is certainly gone or locked by this."""
        if self.latest >= place or (self.fate.perhaps is not None and self.fate.perhaps < place):
            return False
        return self.final or (not self.waited and (self.fate.ended is None or self.fate.ended >= place))

    def maybe_away(self, place: int) -> bool:
        """Return whether before an event the message may be gone or locked by this."""
        undone = self.fate.committed is False and self.fate.ended is not None and self.fate.ended < place
        return self.earliest < place and (not undone or self.waited)


class Wait(Value, frozen=True):
    """An operation that had to wait.

    Attributes:
        began: the event at which; ``until``: when its time is up.
        reported_at: the event that reported its outcome, None if none did.
        unended: the last event at which it was not among the outcomes and so had not ended.
    """

    event: events.Receive
    queue: elements.QueueName
    began: int
    until: int
    reported_at: int | None
    outcome: Got | Failed | None
    unended: int


@dataclass(frozen=True)
class Past:
    """A history with what is certain before each of its events and after the last, and where messages were.

    Attributes:
        stays: by queue and message, in the order of their events.
    """

    history: Sequence[Entry]
    before: Sequence[Moment]
    fates: Mapping[elements.TransactionId, Fate]
    stays: dict[Where, tuple[Stay, ...]] = field(default_factory=dict)

    def all(self, *kinds: type[E]) -> Iterator[tuple[int, E]]:
        """Yield place and event of those of some kinds that were not refused."""
        for place, entry in enumerate(self.history):
            if isinstance(entry.event, kinds) and not isinstance(entry.answer, Failed):
                yield place, entry.event

    def opening(self, place: int) -> Opening | None:
        """Return the handle that an event names, None where it is not open."""
        handle = getattr(self.history[place].event, "handle", None)
        return None if handle is None else self.before[place].handles.get(handle)

    def fate(self, transaction: elements.TransactionId | None) -> Fate | None:
        """Return how a transaction ended, None where it did not."""
        return None if transaction is None else self.fates.get(transaction)

    @cached_property
    def stops(self) -> tuple[int, ...]:
        """The events at which a queue manager that ran was ended, or ended itself."""
        stops = self.all(events.Stop, events.StoreBreaks)
        return tuple(place for place, event in stops if self.before[place].running and ends(event))

    @cached_property
    def purges(self) -> Mapping[elements.QueueName, Sequence[int]]:
        """The events at which each queue was purged."""
        return self._by_queue(events.Purge)

    @cached_property
    def deletions(self) -> Mapping[elements.QueueName, Sequence[int]]:
        """The events at which each queue was deleted."""
        return self._by_queue(events.DeleteQueue)

    def _by_queue(self, kind: type[events.Purge | events.DeleteQueue]) -> Mapping[elements.QueueName, Sequence[int]]:
        places: defaultdict[elements.QueueName, list[int]] = defaultdict(list)
        for place, event in self.all(kind):
            places[event.queue].append(place)
        return places

    def emptied(self, queue: elements.QueueName) -> Sequence[int]:
        """Return the events at which a queue was purged or deleted."""
        return *self.purges.get(queue, ()), *self.deletions.get(queue, ())

    @cached_property
    def waits(self) -> Sequence[Wait]:
        """The operations that had to wait."""
        asked = [(place, entry.answer.outcomes) for place, entry in enumerate(self.history)
                 if isinstance(entry.answer, Ended)]  # fmt: skip
        outcomes = {name: (place, outcome) for place, some in reversed(asked) for name, outcome in some}
        waits = []
        for place, entry in enumerate(self.history):
            event, opening = entry.event, self.opening(place)
            if isinstance(event, events.Receive) and isinstance(entry.answer, Pending) and opening is not None:
                when, outcome = outcomes.get(event.operation, (None, None))
                silent = [at for at, _ in asked if place < at and (when is None or at < when)]
                until = self.before[place].now + event.wait
                waits.append(Wait(event, opening.queue, place, until, when, outcome, max(silent, default=place)))
        return waits

    @cached_property
    def takes(self) -> Mapping[Where, Sequence[Take]]:
        """The receives that took a message, by queue and message."""
        takes: defaultdict[Where, list[Take]] = defaultdict(list)

        def take(event: events.Receive, where: Where, earliest: int, latest: int, *, waited: bool) -> None:
            fate = self.fate(event.transaction) or OPEN
            properties = self.before[latest].queues.get(where[0])
            plain = properties is None or not properties.transactional
            waited |= event.transaction is not None and plain and where[0] != elements.TRANSACTIONAL_DEAD_LETTERS
            takes[where].append(Take(event.operation, earliest, latest, event.transaction, fate, waited))

        for place, entry in enumerate(self.history):
            event, opening = entry.event, self.opening(place)
            if isinstance(event, events.Receive) and event.takes and isinstance(entry.answer, Got) and opening:
                take(event, (opening.queue, entry.answer.key), place, place, waited=False)
        for wait in self.waits:
            if wait.event.takes and isinstance(wait.outcome, Got) and wait.reported_at is not None:
                where = (wait.queue, wait.outcome.key)
                take(wait.event, where, wait.unended + 1, wait.reported_at, waited=True)
        return takes

    def takes_from(self, where: Where) -> Sequence[Take]:
        """Return the receives that took a message from its queue."""
        return self.takes.get(where, ())

    def silent_since(self, queue: elements.QueueName) -> int | None:
        """Return the event after which a receive without an outcome may have a message of a queue, or None."""
        silent = [wait for wait in self.waits if wait.queue == queue and wait.event.takes and wait.reported_at is None]
        return min((wait.unended for wait in silent), default=None)

    def _silent(self, queue: elements.QueueName, place: int) -> bool:
        silent = self.silent_since(queue)
        return silent is not None and silent + 1 < place

    def gone_at(self, stay: Stay, place: int, *, looked_at: bool = True) -> tuple[str, int] | None:
        """Return what certainly removed an unreceived message before an event, and at which event.

        Args:
            stay: where it was.
            place: the event.
            looked_at: the event looks at the queue, so that what is late leaves it now at the latest (QM-45).
        """
        by = stay.visible_from if stay.sent else stay.sure  # it was there by then if it ever was
        for purge in self.purges.get(stay.queue, ()):
            locked = any(take.transaction and take.maybe_away(purge) for take in self.takes_from(stay.where))
            free = not locked and not self._silent(stay.queue, purge)  # register QM-17
            if by is not None and by < purge < place and free:
                return "purge", purge
        since = stay.put if stay.sent else place if by is None else by
        removed = [("deletion", at) for at in self.deletions.get(stay.queue, ())]
        removed += [("stop", at) for at in self.stops if stay.express]
        for cause, at in removed:
            if since < at < place:
                return cause, at
        late = stay.over is not None and self.before[place].now > stay.over + TOLERANCE
        return ("time", place) if looked_at and late else None

    def maybe_gone(self, stay: Stay, place: int, *, by_time: bool = True) -> bool:
        """Return whether an unreceived message may be gone before an event."""
        since = stay.put if stay.visible_from is None else stay.visible_from
        stops = self.stops if stay.express or stay.fleeting else ()
        removed = any(stay.put < end < place for end in (*self.emptied(stay.queue), *stops))
        late = by_time and stay.until is not None and self.before[place].now >= stay.until - TOLERANCE
        return removed or since >= place or late

    def surely_there(self, where: Where, place: int) -> bool:
        """Return whether a message is certainly in a queue before an event, and free to be received."""
        if self._silent(where[0], place):
            return False
        sure = [stay for stay in self.stays.get(where, ()) if stay.sure is not None and stay.sure < place]
        there = sum(not self.maybe_gone(stay, place) for stay in sure)
        return there > sum(take.maybe_away(place) for take in self.takes_from(where))

    def most_held(self, where: Where, place: int, *, looked_at: bool) -> int:
        """Return how often a message may be in a queue before an event, seen or not."""
        stays = [stay for stay in self.stays.get(where, ()) if not stay.refused and stay.put < place]
        left = [stay for stay in stays if not self._has_left(stay, place, looked_at=looked_at)]
        taken = sum(
            take.latest < place and take.final and (take.fate.ended is None or take.fate.ended < place)
            for take in self.takes_from(where)
        )
        return max(0, min(len(left), len(stays) - taken))

    def _has_left(self, stay: Stay, place: int, *, looked_at: bool) -> bool:
        """Return whether an unreceived message is gone; what a transaction has received does not expire (QM-15)."""
        free = stay.visible_from is not None and stay.visible_from < place and not self._silent(stay.queue, place)
        free = free and not any(take.maybe_away(place) for take in self.takes_from(stay.where))
        undone = self.undone_at(stay, place) is not None
        return undone or self.gone_at(stay, place, looked_at=looked_at and free) is not None

    def undone_at(self, stay: Stay, place: int) -> int | None:
        """Return the event before this one that undid the transaction which sent a message, None without."""
        fate = self.fate(stay.transaction)
        undone = fate is not None and fate.committed is False and fate.ended is not None and fate.ended < place
        return fate.ended if undone and fate is not None else None

    def in_queue(self, queue: elements.QueueName) -> Sequence[Where]:
        """Return the messages that were ever in a queue."""
        return [where for where in self.stays if where[0] == queue]

    def has_room(self, queue: elements.QueueName, place: int, message: elements.Message, *, surely: bool) -> bool:
        """Return whether a queue certainly, or else perhaps, has room for a message before an event."""
        properties = self.before[place].queues[queue]
        if properties.room is None:
            return True
        used = 0
        for where in [*self.in_queue(queue)]:
            size = self.stays[where][0].message.size if properties.in_kilobytes else 1
            used += size * (
                self.most_held(where, place, looked_at=False) if surely else self.surely_there(where, place)
            )
        return used + (message.size if properties.in_kilobytes else 1) <= properties.room
