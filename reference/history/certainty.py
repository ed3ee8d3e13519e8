"""What is certain before each event of a history of a queue manager, by the events and their answers alone."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final, Protocol, TypeVar

from msgspec import field
from msgspec.structs import replace

from mqconform.reference.mqso import elements, events
from mqconform.reference.mqso.events import Answer, Committed, Done, Event, Failed
from mqconform.reference.mqso.immutable import Value

K = TypeVar("K")
V = TypeVar("V")

TOLERANCE: Final = elements.SECOND // 2
"""How far the clock of an implementation may be from the harness's, either way (register QM-45)."""
LONGEST_CHANGE: Final = 6 * elements.HOUR
"""By when a start that failed is judged to have been tried again (QM-34, QM-58), and a stop to be over (5.1.1.1)."""
MOST_ORDERS: Final = 300
"""The most orders of calls at the same time that are looked at; a history that has more is not decided."""


class Entry(Protocol):
    """An event of a history and what was answered."""

    @property
    def event(self) -> Event:
        """What happened."""

    @property
    def answer(self) -> Answer:
        """What was answered."""


class Call(Value, frozen=True):
    """One of several calls at the same time, or an event that had its moment to itself.

    Attributes:
        place: where it stands in the history that it comes from.
    """

    event: Event
    answer: Answer
    place: int


class Opening(Value, frozen=True):
    """A handle, for a user where one was named.

    Attributes:
        sure: it has to work, as its queue was there and no restart or deletion came (register QM-10).
    """

    queue: elements.QueueName
    access: elements.Access
    sure: bool = True
    user: elements.User | None = None


class Moment(Value, frozen=True):
    """What is certain at one moment.

    Attributes:
        damaged: the store is inconsistent beyond repair.
        retrying: a start has failed and is tried again by itself.
        unsure: whether that has succeeded is not known; ``running`` is true then.
        coordinator_left: the coordinator is away and was there before, so that internal transactions may fail (QM-25).
        registered: the users whose certificates the directory has, None in Workgroup mode.
        doubtful: transactions that may be aborted: internal ones when the coordinator was lost (QM-26), and all when a
            queue was deleted (QM-43).
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
    queues: Mapping[elements.QueueName, elements.Properties] = field(
        default_factory=lambda: dict.fromkeys(elements.SYSTEM_QUEUES, elements.PLAIN)
    )
    handles: Mapping[elements.Handle, Opening] = field(default_factory=dict)
    cursors: Mapping[elements.CursorId, elements.QueueName] = field(default_factory=dict)
    transactions: Mapping[elements.TransactionId, elements.Kind] = field(default_factory=dict)
    doubtful: frozenset[elements.TransactionId] = frozenset()
    registered: frozenset[elements.User] | None = None

    def can_work(self, transaction: elements.TransactionId | None) -> bool:
        """Return whether a call has nothing to fear from its transaction, if it has one."""
        if transaction is None:
            return True
        return transaction in self.transactions and transaction not in self.doubtful and not self.coordinator_left

    def is_genuine(self, message: elements.Message) -> bool:
        """Return whether a message certainly comes from the sender that it names (7.4.1.4)."""
        seal = message.seal
        if seal is None or seal.altered or self.registered is None:
            return False
        return seal.identity is not None and seal.signed_by == seal.identity and seal.identity in self.registered

    def surely_admits(self, properties: elements.Properties, message: elements.Message) -> bool:
        """Return whether a message certainly gets into a queue as far as its sender is concerned."""
        if self.registered is None or message.seal is None:
            return self.registered is None  # register QM-38
        return self.is_genuine(message) and (properties.writers is None or message.seal.identity in properties.writers)

    def surely_allows(self, opening: Opening) -> bool:
        """Return whether a queue may certainly be used by whom it was opened for."""
        properties = self.queues.get(opening.queue, elements.PLAIN)
        listed = properties.writers if opening.access is elements.Access.SEND else properties.readers
        return listed is None or opening.user in listed


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


OPEN: Final = Fate(None, None)
"""Of a transaction that did not end, or of none."""


def in_order(history: Sequence[Entry]) -> Iterator[tuple[Call, ...]]:
    """Yield the histories without calls at the same time that a history may stand for, by lanes and times."""
    parts = [[*_merged(place, entry.event, entry.answer)] for place, entry in enumerate(history)]
    yield from (tuple(call for part in parts_ for call in part) for parts_ in product(*parts))


def _merged(place: int, event: Event, answer: Answer) -> Iterator[tuple[Call, ...]]:
    if not isinstance(event, events.Together) or not isinstance(answer, events.Answers):
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


def moments(history: Sequence[Entry]) -> tuple[list[Moment], dict[elements.TransactionId, Fate]]:
    """Return what is certain before each event of a history and after the last, and how transactions ended."""
    before = [Moment()]
    fates: dict[elements.TransactionId, Fate] = {}
    for place, entry in enumerate(history):
        after = replace(before[-1], **_changes(before[-1], entry.event, entry.answer))
        for transaction in after.doubtful - before[-1].doubtful:
            fates[transaction] = Fate(None, None, place)
        for transaction in before[-1].transactions.keys() - after.transactions.keys():
            committed, doubt = _committed(entry), fates.get(transaction)
            fates[transaction] = Fate(place, committed, doubt.perhaps if doubt and not committed else None)
        before.append(after)
    return before, fates


def ends(event: object) -> bool:
    """Return whether an event ends a queue manager that runs."""
    return isinstance(event, events.Stop) or (isinstance(event, events.StoreBreaks) and event.beyond_repair)


def _committed(entry: Entry) -> bool | None:
    if not isinstance(entry.event, events.End) or not entry.event.commit:
        return False
    return entry.answer.committed if isinstance(entry.answer, Committed) else None


def _changes(moment: Moment, event: Event, answer: Answer) -> dict[str, Any]:
    """Return what an event and its answer change in what is certain."""
    changes = _of_machine(moment, event, answer) | _of_transactions(moment, event, answer)
    if isinstance(answer, Done):
        changes |= _of_queues(moment, event)
    return changes


def _of_machine(moment: Moment, event: Event, answer: Answer) -> dict[str, Any]:  # noqa: PLR0911 - one arm an event
    """Return what changes of clock, store, directory and the queue manager's running."""
    match event:
        case events.TimePassed(by=by):
            now = moment.now + by
            if not moment.retrying or moment.damaged or (moment.running and not moment.unsure):
                return {"now": now}
            # a start is tried again: when that succeeds is open up to a limit
            return {"now": now, "running": True, "unsure": now < moment.repaired_at + LONGEST_CHANGE}
        case events.Throttle(on=on):
            return {"throttled": on}
        case events.StoreBecomes(full=full):
            return {"full": full}
        case events.StoreMended():
            return {"damaged": False, "full": False, "repaired_at": moment.now}
        case events.JoinDomain(registered=registered):
            return {"registered": registered}
        case events.Start() if not isinstance(answer, Failed):
            return {"running": True, "retrying": False, "unsure": False}
        case events.Start() if not moment.running:
            return {"retrying": True}
        case events.Stop() | events.StoreBreaks(beyond_repair=True) if isinstance(answer, Done):
            broken = isinstance(event, events.StoreBreaks)
            damaged, retrying = moment.damaged or broken, moment.retrying and broken
            return {"running": False, "unsure": False, "damaged": damaged, "retrying": retrying}
        case _:
            return {}


def _of_transactions(moment: Moment, event: Event, answer: Answer) -> dict[str, Any]:  # noqa: PLR0911 - one arm an event
    """Return what changes of transactions and their coordinator; a stop ends those that are open (5.5.1)."""
    match event:
        case events.CoordinatorBecomes(lost=lost):
            internal = {name: kind for name, kind in moment.transactions.items() if kind is elements.Kind.INTERNAL}
            lost_with_it = {"transactions": internal, "doubtful": frozenset(internal)} if lost else {}
            return {"coordinator_lost": lost, "coordinator_left": lost, **lost_with_it}
        case events.NoCoordinator():
            return {"coordinator_lost": True}
        case events.End(transaction=transaction):
            left = _without(moment.transactions, transaction)
            return {"transactions": left, "doubtful": moment.doubtful - {transaction}}
        case _ if not isinstance(answer, Done):
            return {}
        case events.Begin(transaction, kind):
            return {"transactions": {**moment.transactions, transaction: kind}}
        case events.DeleteQueue():  # those with messages there may be aborted
            return {"doubtful": moment.doubtful | {*moment.transactions}}
        case _ if ends(event):
            return {"transactions": {}, "doubtful": frozenset()}
        case _:
            return {}


def _of_queues(moment: Moment, event: Event) -> dict[str, Any]:  # noqa: PLR0911 - one arm an event
    """Return what an event that was done changes of queues, handles and cursors."""
    match event:
        case events.CreateQueue(queue, properties):
            return {"queues": {queue: properties, **moment.queues}}
        case events.SetQueue(queue, room) if queue in moment.queues:
            return {"queues": {**moment.queues, queue: replace(moment.queues[queue], room=room)}}
        case events.DeleteQueue(queue):
            handles = {
                name: replace(opening, sure=opening.sure and opening.queue != queue)
                for name, opening in moment.handles.items()
            }
            return {"queues": _without(moment.queues, queue), "handles": handles}
        case events.Open(handle, queue, access, user):
            return {"handles": {**moment.handles, handle: Opening(queue, access, queue in moment.queues, user)}}
        case events.Close(handle):
            return {"handles": _without(moment.handles, handle)}
        case events.CreateCursor(cursor, handle) if handle in moment.handles:
            return {"cursors": {**moment.cursors, cursor: moment.handles[handle].queue}}
        case events.CloseCursor(cursor):
            return {"cursors": _without(moment.cursors, cursor)}
        case _ if ends(event):  # whether a handle outlives a restart is open (register QM-10)
            return {
                "handles": {name: replace(opening, sure=False) for name, opening in moment.handles.items()},
                "cursors": {},
            }
        case _:
            return {}


def _without(mapping: Mapping[K, V], key: K) -> dict[K, V]:
    return {name: value for name, value in mapping.items() if name != key}
