"""What is certain before each event of a history, by the events and their answers alone."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Protocol, TypeVar

from msgspec import field
from msgspec.structs import replace

from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import (
    HOUR,
    PLAIN,
    SECOND,
    SYSTEM_QUEUES,
    Access,
    CursorId,
    Handle,
    Kind,
    Properties,
    QueueName,
    TransactionId,
    User,
)
from mqconform.reference.mqso.events import Answer, Committed, Done, Event, Failed
from mqconform.reference.mqso.immutable import Value

K = TypeVar("K")
V = TypeVar("V")

TOLERANCE: Final = SECOND // 2
"""How far the clock of an implementation may be from the harness's, either way (register QM-45)."""

LONGEST_RETRY: Final = 6 * HOUR
"""By when a start that failed is judged to have been tried again (registers QM-34 and QM-58)."""
LONGEST_STOP: Final = 6 * HOUR
"""By when a queue manager that stops is judged to have stopped (5.1.1.1)."""


class Entry(Protocol):
    """An event of a history and what was answered."""

    @property
    def event(self) -> Event:
        """What happened."""

    @property
    def answer(self) -> Answer:
        """What was answered."""


class Opening(Value, frozen=True):
    """A handle, for a user where one was named.

    Attributes:
        sure: it has to work, as its queue was there and no restart or deletion came (register QM-10).
    """

    queue: QueueName
    access: Access
    sure: bool = True
    user: User | None = None


class Moment(Value, frozen=True):
    """What is certain at one moment.

    Attributes:
        damaged: the store is inconsistent beyond repair.
        retrying: a start has failed and is tried again by itself.
        unsure: whether that has succeeded is not known; ``running`` is true then.
        coordinator_left: the coordinator is away and was there before, so that internal transactions may fail (QM-25).
        registered: the users whose certificates the directory has, None in Workgroup mode.
        doubtful: internal transactions that the loss of the coordinator may have aborted (QM-26).
    """

    now: int = 0
    running: bool = True
    throttled: bool = False
    full: bool = False
    damaged: bool = False
    repaired_at: int = 0
    retrying: bool = False
    unsure: bool = False
    coordinator_lost: bool = False
    coordinator_left: bool = False
    queues: Mapping[QueueName, Properties] = field(default_factory=lambda: dict.fromkeys(SYSTEM_QUEUES, PLAIN))
    handles: Mapping[Handle, Opening] = field(default_factory=dict)
    cursors: Mapping[CursorId, QueueName] = field(default_factory=dict)
    transactions: Mapping[TransactionId, Kind] = field(default_factory=dict)
    doubtful: frozenset[TransactionId] = frozenset()
    registered: frozenset[User] | None = None

    def can_work(self, transaction: TransactionId | None) -> bool:
        """Return whether a call has nothing to fear from its transaction, if it has one."""
        if transaction is None:
            return True
        if transaction not in self.transactions or transaction in self.doubtful:
            return False
        return not self.coordinator_left


class Fate(Value, frozen=True):
    """How a transaction ended, and at which event.

    Attributes:
        ended: None where it is still open at the end of the history.
        committed: None where the answer does not tell.
        perhaps: the event that may have aborted it before, None without.
    """

    ended: int | None
    committed: bool | None
    perhaps: int | None = None


class Timeline(Value, frozen=True):
    """A history with what is certain before each of its events, and after the last."""

    history: Sequence[Entry]
    before: Sequence[Moment]
    fates: Mapping[TransactionId, Fate]

    def all(self, *kinds: type[Event]) -> Iterator[tuple[int, Event]]:
        """Yield place and event of those of some kinds that were not refused."""
        for place, entry in enumerate(self.history):
            if isinstance(entry.event, kinds) and not isinstance(entry.answer, Failed):
                yield place, entry.event

    def stops(self) -> Iterator[int]:
        """Yield the places at which a queue manager that ran was ended, or ended itself."""
        for place, event in self.all(events.Stop, events.StoreBreaks):
            if self.before[place].running and ends(event):
                yield place


def timeline(history: Sequence[Entry]) -> Timeline:
    """Return what is certain at each moment of a history."""
    before = [Moment()]
    fates: dict[TransactionId, Fate] = {}
    for place, entry in enumerate(history):
        after = _after(before[-1], entry.event, entry.answer)
        for transaction in after.doubtful - before[-1].doubtful:
            fates[transaction] = Fate(None, None, place)
        for transaction in before[-1].transactions.keys() - after.transactions.keys():
            committed, doubt = _committed(entry), fates.get(transaction)
            fates[transaction] = Fate(place, committed, doubt.perhaps if doubt and not committed else None)
        before.append(after)
    return Timeline(history, before, fates)


def ends(event: Event) -> bool:
    """Return whether an event ends a queue manager that runs."""
    return isinstance(event, events.Stop) or (isinstance(event, events.StoreBreaks) and event.beyond_repair)


def _committed(entry: Entry) -> bool | None:
    if not isinstance(entry.event, events.End) or not entry.event.commit:
        return False
    return entry.answer.committed if isinstance(entry.answer, Committed) else None


def _after(moment: Moment, event: Event, answer: Answer) -> Moment:  # noqa: C901, PLR0911 - one arm an event
    match event:
        case events.TimePassed(by=by):
            return _later(replace(moment, now=moment.now + by))
        case events.Throttle(on=on):
            return replace(moment, throttled=on)
        case events.StoreBecomes(full=full):
            return replace(moment, full=full)
        case events.Start() if isinstance(answer, Failed):
            return replace(moment, retrying=True)
        case events.Start():
            return replace(moment, running=True, retrying=False, unsure=False)
        case events.StoreMended():
            return replace(moment, damaged=False, full=False, repaired_at=moment.now)
        case events.CoordinatorBecomes(lost=lost):
            became = replace(moment, coordinator_lost=lost, coordinator_left=lost)
            internal = {name: kind for name, kind in moment.transactions.items() if kind is Kind.INTERNAL}
            return replace(became, transactions=internal, doubtful=frozenset(internal)) if lost else became
        case events.NoCoordinator():
            return replace(moment, coordinator_lost=True)
        case events.JoinDomain(registered=registered):
            return replace(moment, registered=registered)
        case events.End(transaction=transaction):
            left = _without(moment.transactions, transaction)
            return replace(moment, transactions=left, doubtful=moment.doubtful - {transaction})
        case _ if isinstance(answer, Done):
            return _done(moment, event)
        case _:
            return moment


def _later(moment: Moment) -> Moment:
    """Return a moment with what is known of a start that is tried again: when it succeeds is open up to a limit."""
    if not moment.retrying or moment.damaged or (moment.running and not moment.unsure):
        return moment
    return replace(moment, running=True, unsure=moment.now < moment.repaired_at + LONGEST_RETRY)


def _done(moment: Moment, event: Event) -> Moment:  # noqa: PLR0911 - one arm an event
    match event:
        case events.Stop() | events.StoreBreaks(beyond_repair=True):
            damaged = moment.damaged or isinstance(event, events.StoreBreaks)
            unsure = {handle: replace(opening, sure=False) for handle, opening in moment.handles.items()}
            return replace(
                moment,
                running=False,
                handles=unsure,
                cursors={},
                transactions={},
                doubtful=frozenset(),
                damaged=damaged,
                retrying=moment.retrying and isinstance(event, events.StoreBreaks),
                unsure=False,
            )
        case events.CreateQueue(queue, properties):
            return replace(moment, queues={queue: properties, **moment.queues})
        case events.SetQueue(queue, room) if queue in moment.queues:
            properties = replace(moment.queues[queue], room=room)
            return replace(moment, queues={**moment.queues, queue: properties})
        case events.DeleteQueue(queue):
            handles = {
                handle: replace(opening, sure=opening.sure and opening.queue != queue)
                for handle, opening in moment.handles.items()
            }
            return replace(moment, queues=_without(moment.queues, queue), handles=handles)
        case events.Open(handle, queue, access, user):
            opening = Opening(queue, access, sure=queue in moment.queues, user=user)
            return replace(moment, handles={**moment.handles, handle: opening})
        case events.Close(handle):
            return replace(moment, handles=_without(moment.handles, handle))
        case events.CreateCursor(cursor, handle) if handle in moment.handles:
            return replace(moment, cursors={**moment.cursors, cursor: moment.handles[handle].queue})
        case events.CloseCursor(cursor):
            return replace(moment, cursors=_without(moment.cursors, cursor))
        case events.Begin(transaction, kind):
            return replace(moment, transactions={**moment.transactions, transaction: kind})
        case _:
            return moment


def _without(mapping: Mapping[K, V], key: K) -> dict[K, V]:
    return {name: value for name, value in mapping.items() if name != key}
