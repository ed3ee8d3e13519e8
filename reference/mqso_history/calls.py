"""Which calls have to succeed and which have to fail, by what is certain before them."""

from collections.abc import Iterator
from typing import Final

from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import SYSTEM_QUEUES, Access, Assurance, Kind, State
from mqconform.reference.mqso.events import Committed, Event, Failed, Pending, Shown
from mqconform.reference.mqso_history.findings import Breach, Property, breach
from mqconform.reference.mqso_history.senders import surely_admitted, surely_allowed, surely_barred
from mqconform.reference.mqso_history.stays import Places
from mqconform.reference.mqso_history.timeline import LONGEST_STOP, Entry, Moment, Opening, ends

_WHILE_STOPPED: Final = (
    events.Start, events.Stop, events.TimePassed, events.Outcomes, events.StoreBecomes, events.CoordinatorBecomes,
    events.Throttle, events.ShowState, events.StoreBreaks, events.StoreMended, events.JoinDomain,
)  # fmt: skip


def wrong_answers(places: Places) -> Iterator[Breach]:
    """Yield the calls that failed and must not, and those that succeeded and must not."""
    for place, entry in enumerate(places.line.history):
        moment = places.line.before[place]
        failed = isinstance(entry.answer, Failed) or entry.answer == Committed(committed=False)
        failed = failed or (isinstance(entry.event, events.Send) and isinstance(entry.answer, Pending))
        must = must_fail(moment, entry.event)
        if must is not None and not failed:
            cause = _cause(places, place, entry.event)
            yield breach(Property.ANSWERS, f"a call succeeds although {must[0]}", (*cause, place), must[1])
        elif must is None and failed and _must_succeed(places, place, moment, entry):
            yield breach(Property.ANSWERS, "a call fails although nothing is in its way", (place,), _why(moment, entry))


def wrong_states(places: Places) -> Iterator[Breach]:
    """Yield states and modes that are told and cannot be; for some time after an end it may still be stopping."""
    line = places.line
    for place, entry in enumerate(line.history):
        moment = line.before[place]
        if not isinstance(entry.answer, Shown) or moment.unsure:
            continue
        ended = [at for at, event in line.all(events.Stop, events.StoreBreaks) if at < place and ends(event)]
        passing = bool(ended) and moment.now < line.before[ended[-1]].now + LONGEST_STOP
        stopped = (State.STOPPED, State.STOPPING) if passing else (State.STOPPED,)
        if entry.answer.state not in ((State.RUNNING,) if moment.running else stopped):
            yield breach(Property.ANSWERS, "the reported state is wrong", (*ended[-1:], place), "5.1.1.1-04 5.1.1.1-18")
        if entry.answer.mode not in {None, "workgroup" if moment.registered is None else "integrated"}:
            yield breach(Property.ANSWERS, "the reported mode is wrong", (place,), "4.3.1.3-01")


def must_fail(moment: Moment, event: Event) -> tuple[str, str] | None:  # noqa: PLR0911 - one arm an event
    """Return why a call has to fail, and the requirements that say so; None where it need not."""
    if not moment.running and not isinstance(event, _WHILE_STOPPED):
        return "the queue manager does not run", "6.7.1-01 5.1.1.1-03"
    match event:
        case events.Start() if moment.damaged:
            return "the store is beyond repair", "5.1.1.1-02 5.1.1.1-05 5.5.5-03 6.6.2-09"
        case events.CreateQueue(public=True):
            return "public queues are not for Workgroup mode", "4.3.1.3-02 1.1-06"
        case events.SetQueue(queue) | events.DeleteQueue(queue) if queue in SYSTEM_QUEUES:
            return "the queue is the queue manager's own", "5.1.1.2-25"
        case events.SetQueue(queue) | events.DeleteQueue(queue) | events.Purge(queue) | events.Count(queue):
            return None if queue in moment.queues else ("there is no such queue", "3.3.4.1-05")
        case events.Begin(kind=Kind.EXTERNAL) if moment.coordinator_lost:
            return "the coordinator is away", "5.5.3-04 4.3.3-01"
        case events.End(transaction=transaction, commit=True):
            lost = moment.coordinator_lost and moment.transactions.get(transaction) is Kind.EXTERNAL
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
    if opening is None or opening.access is not Access.SEND:
        return "its queue is not open for sending", "3.3.4.3-06"
    if opening.queue in SYSTEM_QUEUES:
        return "the queue is the queue manager's own", "5.1.1.2-25"
    if moment.throttled:
        return "the queue manager is throttled", "5.1.1.1-11 5.1.1.1-12"
    if event.transaction is not None and not _open(moment, event):
        return "its transaction cannot go on", "5.5.3-04 3.3.4.3-06"
    if moment.full and (event.transaction is not None or event.message.assurance is not Assurance.EXPRESS):
        return "the store is full", "5.5.5-01"
    return None


def _receive_must_fail(moment: Moment, event: events.Receive) -> tuple[str, str] | None:
    opening = moment.handles.get(event.handle)
    fits = (Access.RECEIVE,) if event.takes else (Access.RECEIVE, Access.PEEK)
    if opening is None or opening.access not in fits or opening.queue not in moment.queues:
        return "its queue is not open for that", "3.3.4.6-03"
    if surely_barred(moment, opening):
        return "who wants to receive may not", "7.3-02"
    if event.transaction is not None and not _open(moment, event):
        return "its transaction cannot go on", "5.5.3-04 3.3.4.6-03"
    if event.cursor is not None and event.cursor not in moment.cursors:
        return "its cursor is gone", "5.1.1-05 5.1.1.2-16"
    return None


def _open(moment: Moment, event: events.Send | events.Receive) -> bool:
    kind = None if event.transaction is None else moment.transactions.get(event.transaction)
    return kind is Kind.INTERNAL or (kind is Kind.EXTERNAL and not moment.coordinator_lost)


def _must_succeed(places: Places, place: int, moment: Moment, entry: Entry) -> bool:  # noqa: C901, PLR0911, PLR0912 - one arm an event
    match entry.event:
        case _ if moment.unsure:
            return False
        case events.Receive():
            return False  # whether there was something to receive is looked at elsewhere
        case events.CreateQueue(queue):
            return queue not in moment.queues and not moment.full  # what a second creation is told is open
        case events.SetQueue():
            return not moment.full
        case events.Purge(queue) | events.Count(queue):
            return queue not in SYSTEM_QUEUES
        case events.Begin():
            return not moment.coordinator_left
        case events.Start():
            return True
        case events.Open(queue=queue, access=access, user=user):
            there = queue in moment.queues and (access is not Access.SEND or queue not in SYSTEM_QUEUES)
            return there and surely_allowed(moment, Opening(queue, access, user=user))
        case events.End(transaction=transaction, commit=commit):
            hindered = commit and (moment.full or moment.throttled)
            return moment.can_work(transaction) and not hindered
        case events.CreateCursor(handle=handle):
            opening = moment.handles.get(handle)
            usable = opening is not None and opening.sure and opening.access is not Access.SEND
            return usable and opening is not None and opening.queue in moment.queues
        case events.Send() as event:
            return _send_must_succeed(places, place, moment, event)
        case events.Stop():
            return False
        case _:
            return True


def _send_must_succeed(places: Places, place: int, moment: Moment, event: events.Send) -> bool:
    opening = moment.handles.get(event.handle)
    if opening is None or not opening.sure or moment.full or not moment.can_work(event.transaction):
        return False
    properties = moment.queues[opening.queue]
    fits = properties.transactional is (event.transaction is not None)
    fits = fits and surely_admitted(moment, properties, event.message)
    if not fits or properties.room is None:
        return fits
    size = event.message.size if properties.in_kilobytes else 1
    gets_reports = any(isinstance(entry.event, events.Send) and entry.event.message.administration == opening.queue
               for entry in places.line.history)  # fmt: skip
    return (
        not gets_reports
        and places.used(opening.queue, place, in_kilobytes=properties.in_kilobytes) + size <= properties.room
    )


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


def _cause(places: Places, place: int, event: Event) -> tuple[int, ...]:
    """Return the last event before a call that explains why it has to fail, as far as there is one."""
    kinds: tuple[type[Event], ...]
    moment = places.line.before[place]
    if not moment.running:
        kinds = (events.Stop,)
    elif isinstance(event, events.CreateQueue):
        kinds = (events.CreateQueue,)
    else:
        kinds = (
            events.Throttle, events.StoreBecomes, events.CoordinatorBecomes, events.Stop, events.DeleteQueue,
            events.End, events.Close, events.CloseCursor,
        )  # fmt: skip
    before = [at for at, _ in places.line.all(*kinds) if at < place]
    return tuple(before[-1:])
