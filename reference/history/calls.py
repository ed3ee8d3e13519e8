"""Which calls have to succeed and which have to fail, and what is said of states, senders and cursors."""

from collections.abc import Iterator
from typing import Final

from mqconform.reference.history.breach import Breach, breach
from mqconform.reference.history.certainty import LONGEST_CHANGE, Entry, Moment, Opening, ends
from mqconform.reference.history.stays import Past
from mqconform.reference.mqso import elements, events
from mqconform.reference.mqso.events import Committed, Ended, Event, Failed, Got, Move, Pending, Shown

_WHILE_STOPPED: Final = (
    events.Start, events.Stop, events.TimePassed, events.Outcomes, events.StoreBecomes, events.CoordinatorBecomes,
    events.Throttle, events.ShowState, events.StoreBreaks, events.StoreMended, events.JoinDomain,
)  # fmt: skip
_CAUSES: Final = (
    events.Throttle, events.StoreBecomes, events.CoordinatorBecomes, events.Stop, events.DeleteQueue, events.End,
    events.Close, events.CloseCursor,
)  # fmt: skip


def wrong_answers(past: Past) -> Iterator[Breach]:
    """Yield the calls that failed and must not, and those that succeeded and must not."""
    for place, entry in enumerate(past.history):
        moment = past.before[place]
        failed = isinstance(entry.answer, Failed) or entry.answer == Committed(committed=False)
        failed = failed or (isinstance(entry.event, events.Send) and isinstance(entry.answer, Pending))
        must = must_fail(moment, entry.event)
        if must is not None and not failed:
            cause = _cause(past, place, entry.event)
            yield breach(f"a call succeeds although {must[0]}", (*cause, place), must[1])
        elif must is None and failed and not moment.unsure and _must_succeed(past, place, moment, entry):
            yield breach("a call fails although nothing is in its way", (place,), _why(moment, entry))


def _cause(past: Past, place: int, event: Event) -> tuple[int, ...]:
    """Return the last event before a call that explains why it has to fail, as far as there is one."""
    kinds: tuple[type[Event], ...] = (events.CreateQueue,) if isinstance(event, events.CreateQueue) else _CAUSES
    kinds = kinds if past.before[place].running else (events.Stop,)
    return tuple([at for at, _ in past.all(*kinds) if at < place][-1:])


def must_fail(moment: Moment, event: Event) -> tuple[str, str] | None:  # noqa: PLR0911 - one arm an event
    """Return why a call has to fail, and the requirements that say so; None where it need not."""
    if not moment.running and not isinstance(event, _WHILE_STOPPED):
        return "the queue manager does not run", "6.7.1-01 5.1.1.1-03"
    match event:
        case events.Start() if moment.damaged:
            return "the store is beyond repair", "5.1.1.1-02 5.1.1.1-05 5.5.5-03 6.6.2-09"
        case events.CreateQueue(public=True):
            return "public queues are not for Workgroup mode", "4.3.1.3-02 1.1-06"
        case events.SetQueue(queue) | events.DeleteQueue(queue) if queue in elements.SYSTEM_QUEUES:
            return "the queue is the queue manager's own", "5.1.1.2-25"
        case events.SetQueue(queue) | events.DeleteQueue(queue) | events.Purge(queue) | events.Count(queue):
            return None if queue in moment.queues else ("there is no such queue", "3.3.4.1-05")
        case events.Begin(kind=elements.Kind.EXTERNAL) if moment.coordinator_lost:
            return "the coordinator is away", "5.5.3-04 4.3.3-01"
        case events.End(transaction=transaction, commit=True):
            lost = moment.coordinator_lost and moment.transactions.get(transaction) is elements.Kind.EXTERNAL
            is_open = transaction in moment.transactions
            return None if is_open and not lost else ("its transaction is gone", "5.5.3-03 5.5.1-02")
        case events.Send():
            return _send_must_fail(moment, event)
        case events.Receive():
            return _receive_must_fail(moment, event)
        case _:
            return None


def _send_must_fail(moment: Moment, event: events.Send) -> tuple[str, str] | None:
    opening = moment.handles.get(event.handle)
    if opening is None or opening.access is not elements.Access.SEND:
        return "its queue is not open for sending", "3.3.4.3-06"
    if opening.queue in elements.SYSTEM_QUEUES:
        return "the queue is the queue manager's own", "5.1.1.2-25"
    if moment.throttled:
        return "the queue manager is throttled", "5.1.1.1-11 5.1.1.1-12"
    if event.transaction is not None and not _open(moment, event):
        return "its transaction cannot go on", "5.5.3-04 3.3.4.3-06"
    if moment.full and (event.transaction is not None or event.message.assurance is not elements.Assurance.EXPRESS):
        return "the store is full", "5.5.5-01"
    return None


def _receive_must_fail(moment: Moment, event: events.Receive) -> tuple[str, str] | None:
    opening = moment.handles.get(event.handle)
    fits = (elements.Access.RECEIVE,) if event.takes else (elements.Access.RECEIVE, elements.Access.PEEK)
    if opening is None or opening.access not in fits or opening.queue not in moment.queues:
        return "its queue is not open for that", "3.3.4.6-03"
    readers = moment.queues[opening.queue].readers
    if readers is not None and opening.user is not None and opening.user not in readers:
        return "who wants to receive may not", "7.3-02"
    if event.transaction is not None and not _open(moment, event):
        return "its transaction cannot go on", "5.5.3-04 3.3.4.6-03"
    if event.cursor is not None and event.cursor not in moment.cursors:
        return "its cursor is gone", "5.1.1-05 5.1.1.2-16"
    return None


def _open(moment: Moment, event: events.Send | events.Receive) -> bool:
    kind = None if event.transaction is None else moment.transactions.get(event.transaction)
    return kind is elements.Kind.INTERNAL or (kind is elements.Kind.EXTERNAL and not moment.coordinator_lost)


def _must_succeed(past: Past, place: int, moment: Moment, entry: Entry) -> bool:  # noqa: C901, PLR0911 - one arm an event
    match entry.event:
        case events.Receive() | events.Stop():
            return False  # whether there was something to receive is looked at elsewhere
        case events.Start():
            return not moment.running  # what comes of a start while it runs is not said
        case events.CreateQueue(queue):
            return queue not in moment.queues and not moment.full  # what a second creation is told is open
        case events.SetQueue():
            return not moment.full
        case events.Purge(queue) | events.Count(queue):
            return queue not in elements.SYSTEM_QUEUES
        case events.Begin():
            return not moment.coordinator_left
        case events.Open(queue=queue, access=access, user=user):
            there = queue in moment.queues and (
                access is not elements.Access.SEND or queue not in elements.SYSTEM_QUEUES
            )
            return there and moment.surely_allows(Opening(queue, access, user=user))
        case events.End(transaction=transaction, commit=commit):
            hindered = moment.full or moment.throttled or _is_curtailed(past, place, transaction)
            hindered = hindered or _may_lack_room(past, moment, transaction)
            return moment.can_work(transaction) and not (commit and hindered)
        case events.CreateCursor():
            opening = past.opening(place)
            usable = opening is not None and opening.sure and opening.access is not elements.Access.SEND
            usable = usable and opening is not None and opening.queue in moment.queues
            return usable and opening is not None and moment.surely_allows(opening)
        case events.Send() as event:
            return _send_must_succeed(past, place, moment, event)
        case _:
            return True


def _may_lack_room(past: Past, moment: Moment, transaction: elements.TransactionId) -> bool:
    """Return whether a transaction has sent to a queue of limited room, at which a commit may look (register QM-19)."""
    queues = {stay.queue for stays in past.stays.values() for stay in stays if stay.transaction == transaction}
    return any(queue in moment.queues and moment.queues[queue].room is not None for queue in queues)


def _is_curtailed(past: Past, place: int, transaction: elements.TransactionId) -> bool:
    """Return whether a queue was deleted while a transaction was open: it may have had messages there."""
    begun = [at for at, event in past.all(events.Begin) if at < place and event.transaction == transaction]
    return any(begun[-1] < at < place for at, _ in past.all(events.DeleteQueue)) if begun else False


def _send_must_succeed(past: Past, place: int, moment: Moment, event: events.Send) -> bool:
    opening = past.opening(place)
    if opening is None or not opening.sure or moment.full or not moment.can_work(event.transaction):
        return False
    queue, properties = opening.queue, moment.queues[opening.queue]
    fits = properties.transactional is (event.transaction is not None)
    fits = fits and moment.surely_admits(properties, event.message)
    if not fits or properties.room is None:
        return fits
    sends = (entry.event for entry in past.history if isinstance(entry.event, events.Send))
    gets_reports = any(send.message.administration == queue for send in sends)
    return not gets_reports and past.has_room(queue, place, event.message, surely=True)


def _why(moment: Moment, entry: Entry) -> str:
    match entry.event:
        case events.Begin() | events.End():
            return "4.3.1.2-14 4.3.3-02" if moment.coordinator_lost else "5.5.3-06 4.3.1.2-12"
        case events.Start():
            return "5.1.1.1-04 5.5.3-02" if moment.coordinator_lost else "5.1.1.1-04"
        case events.Send():
            return "3.3.4.3-05 5.5.3-05" if moment.coordinator_lost else "3.3.4.3-05"
        case events.Open():
            return "4.3.1-01 5.1.1.2-05"
        case events.CreateCursor():
            return "5.1.1-04"
        case _:
            return "3.3.4.1-05"


def wrong_states(past: Past) -> Iterator[Breach]:
    """Yield states and modes that are told and cannot be; for some time after an end it may still be stopping."""
    for place, entry in enumerate(past.history):
        moment = past.before[place]
        if not isinstance(entry.answer, Shown) or moment.unsure:
            continue
        ended = [at for at, event in past.all(events.Stop, events.StoreBreaks) if at < place and ends(event)][-1:]
        passing = bool(ended) and moment.now < past.before[ended[0]].now + LONGEST_CHANGE
        stopped = (elements.State.STOPPED, elements.State.STOPPING) if passing else (elements.State.STOPPED,)
        if entry.answer.state not in ((elements.State.RUNNING,) if moment.running else stopped):
            yield breach("the reported state is wrong", (*ended, place), "5.1.1.1-04 5.1.1.1-18")
        if entry.answer.mode not in {None, "workgroup" if moment.registered is None else "integrated"}:
            yield breach("the reported mode is wrong", (place,), "4.3.1.3-01")


def wrong_senders(past: Past) -> Iterator[Breach]:
    """Yield messages that were handed out with a wrong word of their sender, or that their sender keeps out."""
    sends = {event.message.key: (place, event) for place, event in past.all(events.Send)}
    for place, got in _handed_out(past):
        if got.key in sends and got.authenticated is not None:
            yield from _wrong_sender(past, place, got, *sends[got.key])


def _handed_out(past: Past) -> Iterator[tuple[int, Got]]:
    for place, entry in enumerate(past.history):
        opening = past.opening(place) if isinstance(entry.event, events.Receive) else None
        if isinstance(entry.answer, Got) and (opening is None or opening.queue not in elements.SYSTEM_QUEUES):
            yield place, entry.answer
        elif isinstance(entry.answer, Ended):
            yield from ((place, got) for _, got in entry.answer.outcomes if isinstance(got, Got))


def _wrong_sender(past: Past, place: int, got: Got, sent: int, send: events.Send) -> Iterator[Breach]:
    moment, opening, seal = past.before[sent], past.opening(sent), send.message.seal
    if seal is None or moment.registered is None:
        return
    genuine = moment.is_genuine(send.message)
    if got.authenticated is not genuine:
        says = "a sender is said to be authenticated and is not, or the other way round"
        requirements = "7.4.1.4.2-01" if genuine else "7.4.1.4.1-01" if seal.altered else "7.4.1.4.2-04 7.4.1.4.2-05"
        yield breach(says, (sent, place), requirements)
    signer_known = not seal.altered and seal.signed_by in moment.registered
    if signer_known and seal.identity is not None and seal.identity != seal.signed_by:
        says = "a message is handed out that names another sender than its signature"
        yield breach(says, (sent, place), "7.4.1.4.2-03")
    writers = None if opening is None else moment.queues.get(opening.queue, elements.PLAIN).writers
    if writers is not None and seal.identity is not None and seal.identity not in writers:
        yield breach("a queue has a message of who may not write to it", (sent, place), "7.3-03")


def misplaced_cursors(past: Past) -> Iterator[Breach]:
    """Yield looks by a cursor at another message than that of its place, or at one that it went by."""
    stood: dict[
        elements.CursorId, dict[elements.Key, int]
    ] = {}  # where each stood, and at which event it was last seen there
    for place, entry in enumerate(past.history):
        event = entry.event
        if isinstance(event, events.CreateCursor):
            stood[event.cursor] = {}
        if not isinstance(event, events.Receive) or event.cursor is None or not isinstance(entry.answer, Got):
            continue
        before, key = stood.setdefault(event.cursor, {}), entry.answer.key
        last = next(reversed(before), None)
        opening = past.opening(place)
        stays = opening is not None and last is not None and past.surely_there((opening.queue, last), place)
        if event.move is Move.CURRENT and last is not None and key != last and stays:  # register QM-59
            says = "a cursor is at another message than before"
            yield breach(says, (before[last], place), "5.1.1.2-15")
        elif event.move is Move.NEXT and key in before:
            says = "a cursor comes to a message that it was at"
            yield breach(says, (before[key], place), "5.1.1-04")
        before.pop(key, None)
        before[key] = place
