"""Who took which message: receives with a message, and operations that waited for one."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import Key, Operation, QueueName, TransactionId
from mqconform.reference.mqso.events import Ended, Failed, Got, Pending
from mqconform.reference.mqso.immutable import Value
from mqconform.reference.mqso_history.timeline import Timeline


class Take(Value, frozen=True):
    """A message that was taken, after event ``earliest - 1`` and by event ``latest``.

    Attributes:
        ended: at which event its transaction ended; ``committed``: how, None where that is not known.
        perhaps: the event that may have aborted its transaction before, None without.
        waited: its outcome came later; whether its transaction or its wait ended first is not observable.
    """

    operation: Operation
    earliest: int
    latest: int
    transaction: TransactionId | None = None
    ended: int | None = None
    committed: bool | None = None
    perhaps: int | None = None
    waited: bool = False

    @property
    def final(self) -> bool:
        """Whether the message has certainly left the system by it."""
        return self.transaction is None or (self.committed is True and not self.waited)

    def surely_away(self, place: int) -> bool:
        """Return whether before an event the message is certainly gone or locked by this."""
        if self.latest >= place:
            return False
        if self.perhaps is not None and self.perhaps < place:
            return False
        return self.final or (not self.waited and (self.ended is None or self.ended >= place))

    def maybe_away(self, place: int) -> bool:
        """Return whether before an event the message may be gone or locked by this."""
        if self.earliest >= place:
            return False
        undone = self.committed is False and self.ended is not None and self.ended < place
        return not undone or self.waited


class Wait(Value, frozen=True):
    """An operation that had to wait.

    Attributes:
        began: the event at which; ``until``: when its time is up.
        reported_at: the event that reported its outcome, None if none did.
        unended: the last event at which it was not among the outcomes and so had not ended.
    """

    event: events.Receive
    queue: QueueName
    began: int
    until: int
    reported_at: int | None
    outcome: Got | Failed | None
    unended: int


class Takes(Value, frozen=True):
    """All takes of a history.

    Attributes:
        of: by queue and message.
        silent: receives without an outcome: each may have a message since ``unended``.
    """

    of: Mapping[tuple[QueueName, Key], tuple[Take, ...]]
    waits: tuple[Wait, ...]

    def silent_since(self, queue: QueueName) -> int | None:
        """Return the event after which a receive without an outcome may have a message of a queue, or None."""
        silent = [
            wait.unended for wait in self.waits if wait.queue == queue and wait.event.takes and wait.reported_at is None
        ]
        return min(silent, default=None)


def takes_of(line: Timeline) -> Takes:
    """Return the receives of a history and what they took."""
    waits = tuple(_waits(line))
    takes: defaultdict[tuple[QueueName, Key], list[Take]] = defaultdict(list)
    for place, entry in enumerate(line.history):
        event, answer = entry.event, entry.answer
        if isinstance(event, events.Receive) and event.takes and isinstance(answer, Got):
            opening = line.before[place].handles.get(event.handle)
            if opening is not None:
                takes[opening.queue, answer.key].append(_take(line, event, place, place))
    for wait in waits:
        if wait.event.takes and isinstance(wait.outcome, Got) and wait.reported_at is not None:
            takes[wait.queue, wait.outcome.key].append(
                _take(line, wait.event, wait.unended + 1, wait.reported_at, waited=True)
            )
    return Takes({where: tuple(some) for where, some in takes.items()}, waits)


def _take(line: Timeline, event: events.Receive, earliest: int, latest: int, *, waited: bool = False) -> Take:
    fate = None if event.transaction is None else line.fates.get(event.transaction)
    if fate is None:
        return Take(event.operation, earliest, latest, event.transaction, waited=waited)
    return Take(event.operation, earliest, latest, event.transaction, fate.ended, fate.committed, fate.perhaps, waited)


def _waits(line: Timeline) -> Iterator[Wait]:
    outcomes = {
        operation: (place, outcome)
        for place, entry in reversed([*enumerate(line.history)])
        if isinstance(entry.answer, Ended)
        for operation, outcome in entry.answer.outcomes
    }
    asked = [place for place, entry in enumerate(line.history) if isinstance(entry.answer, Ended)]
    for place, entry in enumerate(line.history):
        event = entry.event
        if not isinstance(event, events.Receive) or not isinstance(entry.answer, Pending):
            continue
        opening = line.before[place].handles.get(event.handle)
        if opening is None:
            continue
        when, outcome = outcomes.get(event.operation, (None, None))
        silent = [at for at in asked if place < at and (when is None or at < when)]
        until = line.before[place].now + event.wait
        yield Wait(event, opening.queue, place, until, when, outcome, max(silent, default=place))
