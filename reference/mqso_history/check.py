"""Check a recorded history of a queue manager by its properties; a second opinion beside the model of worlds.

Nothing here follows the model: each property looks at where a message was sent and who took it, and says nothing
where the text or the register leaves open what happened.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import (
    DEAD_LETTERS,
    JOURNAL,
    TRANSACTIONAL_DEAD_LETTERS,
    CursorId,
    Key,
    Operation,
    QueueName,
    TransactionId,
)
from mqconform.reference.mqso.events import Counted, Failed, Got, Move, Pending
from mqconform.reference.mqso_history.arrivals import places_of, report_key
from mqconform.reference.mqso_history.calls import must_fail, wrong_answers, wrong_states
from mqconform.reference.mqso_history.cursors import misplaced_cursors
from mqconform.reference.mqso_history.findings import Breach, Property, breach
from mqconform.reference.mqso_history.orders import MOST_ORDERS, Call, in_order
from mqconform.reference.mqso_history.senders import surely_allowed, wrong_senders
from mqconform.reference.mqso_history.stays import Places, Stay
from mqconform.reference.mqso_history.takes import Take
from mqconform.reference.mqso_history.timeline import Entry, Moment
from mqconform.reference.mqso_history.waits import wrong_waits

Where = tuple[QueueName, Key]


def check_history(history: Sequence[Entry]) -> tuple[Breach, ...]:
    """Return the properties that a history does not have, in the order in which that shows.

    Of calls at the same time it takes the order that shows least; there is none where one shows nothing, or where
    there are too many orders to look at.
    """
    least: tuple[Breach, ...] | None = None
    for number, calls in enumerate(in_order(history)):
        breaches = tuple(_where_it_stood(finding, calls) for finding in _breaches(calls))
        least = breaches if least is None or len(breaches) < len(least) else least
        if not least or number == MOST_ORDERS:
            return ()
    return least or ()


def _where_it_stood(broken: Breach, calls: Sequence[Call]) -> Breach:
    """Return a breach with the places of its events in the history that the calls come from."""
    return replace(broken, events=tuple(sorted({calls[number].place for number in broken.events})))


def _breaches(history: Sequence[Entry]) -> list[Breach]:
    places = places_of(history)
    breaches = [
        *wrong_answers(places),
        *wrong_states(places),
        *_handed_out(places),
        *wrong_senders(places),
        *_received_twice(places),
        *_out_of_order(places),
        *_missed(places),
        *_counted(places),
        *wrong_waits(places),
        *misplaced_cursors(places),
    ]
    return sorted(breaches, key=lambda finding: finding.events[-1])


def _handed_out(places: Places) -> Iterator[Breach]:
    """Yield what was handed out and could not be."""
    for place, entry in enumerate(places.line.history):
        event, moment = entry.event, places.line.before[place]
        if isinstance(event, events.Receive) and isinstance(entry.answer, Got) and not must_fail(moment, event):
            where = (moment.handles[event.handle].queue, entry.answer.key)
            if event.transaction is not None and _has_sent(places, where, event.transaction):
                continue  # register QM-60
            wrong = _why_not(places, where, place)
            if wrong is not None:
                yield wrong
            else:
                yield from _altered(places, where, entry.answer, place)
    for wait in places.takes.waits:
        if not isinstance(wait.outcome, Got) or wait.reported_at is None:
            continue
        where = (wait.queue, wait.outcome.key)
        during = [
            _why_not(places, where, place, wait.event.operation)
            for place in range(wait.unended + 1, wait.reported_at + 1)
        ]
        if all(during) and during[-1] is not None:
            last = during[-1]
            yield replace(last, events=tuple(sorted({*last.events, wait.reported_at})))


def _has_sent(places: Places, where: Where, transaction: TransactionId) -> bool:
    """Return whether a transaction has sent a message itself."""
    return any(stay.transaction == transaction for stay in places.stays.get(where, ()))


def _altered(places: Places, where: Where, got: Got, place: int) -> Iterator[Breach]:
    """Yield that a message does not say what its sender said of answers."""
    stay = _single(places, where)
    if stay is None or "acknowledgment of" in stay.key:
        return
    if (got.correlation, got.response) != (stay.message.correlation, stay.message.response):
        says = "a message does not say what its sender said of answers"
        yield breach(Property.VISIBLE, says, (stay.put, place), "2.1-02 5.1.1-03")


def _why_not(places: Places, where: Where, place: int, waiting: Operation | None = None) -> Breach | None:
    """Return why a message cannot be handed out at an event, None where it can be.

    An operation that ``waiting`` names may have had it before, and time is no reason against it.
    """
    stays = places.stays.get(where, ())
    if not stays:
        return _from_nowhere(places, where, place)
    came = [stay for stay in stays if stay.visible_from is not None and stay.visible_from < place]
    if not came:
        return _not_shown(places, stays[-1], place)
    ends = [places.gone_at(stay, place, looked_at=waiting is None) for stay in came]
    last = ends[-1]
    if all(ends) and last is not None:
        return _was_gone(came[-1], *last, place)
    away = [take for take in places.takes.of.get(where, ()) if take.surely_away(place) and take.operation != waiting]
    return _was_taken(came[-1], away[-1], place) if len(away) >= len(came) else None


def _from_nowhere(places: Places, where: Where, place: int) -> Breach:
    queue, key = where
    sent = [at for at, entry in enumerate(places.line.history)
            if isinstance(entry.event, events.Send) and _is_about(key, entry.event.message.key)]  # fmt: skip
    says, requirements = "a message is handed out that never came there", "3.3.4.8-01 5.1.1.3-17 5.1.1.2-14"
    if queue == JOURNAL:
        says, requirements = "the journal has what did not ask for it", "5.1.1.2-26"
    elif queue in {DEAD_LETTERS, TRANSACTIONAL_DEAD_LETTERS}:
        other = ({DEAD_LETTERS, TRANSACTIONAL_DEAD_LETTERS} - {queue}).pop()
        says, requirements = "a message is a dead letter that did not ask for it", "5.1.1.3-18"
        if (other, key) in places.stays:
            says, requirements = "a dead letter is in the queue of the other kind", "5.1.1.2-28"
    elif "acknowledgment of" in key:
        says, requirements = "an acknowledgment has no cause", "6.1.6.5-01 6.1.6.5-02"
    broken = Property.VISIBLE if says.startswith("a message is handed") else Property.TOLD
    return breach(broken, says, (*sent[-1:], place), requirements)


def _is_about(key: Key, sent: Key) -> bool:
    return key in {sent, report_key(sent, positive=True), report_key(sent, positive=False)}


def _not_shown(places: Places, stay: Stay, place: int) -> Breach:
    if not stay.sent:
        requirements = "6.1.6.5-01 6.1.6.5-02" if "acknowledgment of" in stay.key else "5.1.1.3-05 5.1.1.2-26"
        return breach(Property.TOLD, "it precedes its cause", (stay.put, place), requirements)
    if stay.refused:
        return breach(
            Property.VISIBLE, "a queue has what it cannot take", (stay.put, place), "5.1.1.2-07 3.2.1-07 3.3.4.3-06"
        )
    fate = None if stay.transaction is None else places.line.fates.get(stay.transaction)
    if fate is not None and fate.committed is False and fate.ended is not None and fate.ended < place:
        return breach(
            Property.VISIBLE,
            "a message shows whose transaction was undone",
            (stay.put, fate.ended, place),
            "3.3.4.4-02 4.3.1.2-05 5.5.1-02",
        )
    return breach(Property.VISIBLE, "a message shows before its commit", (stay.put, place), "3.3.4.4-01 4.3.1.2-04")


def _was_gone(stay: Stay, by: str, at: int, place: int) -> Breach:
    broken, says, requirements = {
        "purge": (Property.FATE, "a message is there after a purge", "5.1.1.2-12"),
        "deletion": (Property.FATE, "a message is there after its queue was deleted", "5.1.1.2-14"),
        "stop": (Property.RESTART, "an express message is there after a restart", "5.5.1-08 1.1-03 3.2.1-01"),
        "time": (Property.TIME, "a message is there after its time", "5.1.1.3-04 4.3.1.2-16 5.1.1.3-05"),
    }[by]
    return breach(broken, says, (stay.put, at, place), requirements)


def _was_taken(stay: Stay, take: Take, place: int) -> Breach:
    if not take.final:
        return breach(
            Property.VISIBLE,
            "a message shows that a transaction has received",
            (stay.put, take.latest, place),
            "3.3.4.7-04 4.3.1.2-09 5.1.1.3-13",
        )
    requirements = "3.3.4.6-02 5.1.1.3-14 5.1.1.2-09" if take.transaction is None else "4.3.1.2-10 3.3.4.7-01"
    return breach(Property.ONCE, "a message shows that was received", (stay.put, take.latest, place), requirements)


def _received_twice(places: Places) -> Iterator[Breach]:
    """Yield messages that two receives of which neither was undone have got."""
    for where, takes in places.takes.of.items():
        final = [take for take in takes if take.final]
        if len(final) > max(1, len(places.stays.get(where, ()))):
            first, second = final[0].latest, final[-1].latest
            put = places.stays[where][0].put if where in places.stays else first
            yield breach(Property.ONCE, "a message is received twice", (put, first, second), "1.1-04 5.1.1.2-09")


def _out_of_order(places: Places) -> Iterator[Breach]:
    """Yield messages that were handed out while one that came before them was there."""
    for place, queue, key in _free_choices(places):
        later = _single(places, (queue, key))
        for where in places.in_queue(queue) if later is not None else ():
            earlier = _single(places, where)
            if earlier is None or later is None or not precedes(earlier, later):
                continue
            if places.surely_there(where, place):
                events_ = (earlier.put, later.put, place)
                yield breach(Property.ORDER, "what came later is handed out first", events_, "5.1.1.2-01")
                break


def precedes(stay: Stay, other: Stay) -> bool:
    """Return whether a message comes before another, in the order of sends and in that of commits (QM-44)."""
    if stay.sure is None or other.visible_from is None:
        return False
    if not stay.sent or not other.sent:
        return stay.sure < other.visible_from
    return stay.put < other.put and stay.sure <= other.visible_from


def _single(places: Places, where: Where) -> Stay | None:
    stays = places.stays.get(where, ())
    return stays[0] if len(stays) == 1 else None


def _free_choices(places: Places) -> Iterator[tuple[int, QueueName, Key]]:
    """Yield the receives that asked for the first message, and what they got."""
    moved: set[CursorId] = set()
    for place, entry in enumerate(places.line.history):
        event = entry.event
        if isinstance(event, events.CreateCursor):
            moved.discard(event.cursor)
        if not isinstance(event, events.Receive) or not isinstance(entry.answer, Got) or event.key is not None:
            continue
        opening = places.line.before[place].handles.get(event.handle)
        moves_on = (
            event.cursor is not None and event.move is Move.NEXT
        )  # of a new cursor to the second, perhaps (QM-62)
        if opening is not None and event.cursor not in moved and not moves_on:
            yield place, opening.queue, entry.answer.key
        if event.cursor is not None:
            moved.add(event.cursor)


def _missed(places: Places) -> Iterator[Breach]:
    """Yield receives that found nothing although something was certainly there."""
    for place, entry in enumerate(places.line.history):
        event, moment = entry.event, places.line.before[place]
        if not isinstance(event, events.Receive) or not isinstance(entry.answer, Failed | Pending):
            continue
        if moment.unsure or must_fail(moment, event) or event.cursor is not None:
            continue
        opening = moment.handles[event.handle]
        if not opening.sure or not surely_allowed(moment, opening):
            continue
        queue = moment.handles[event.handle].queue
        if event.takes and _may_be_refused(moment, queue, event):
            continue
        there = [
            message
            for message in places.in_queue(queue)
            if event.key in {None, message[1]} and places.surely_there(message, place)
        ]
        if there:
            yield _overlooked(places, there[0], place)
        elif event.wait and isinstance(entry.answer, Failed) and event.key is None:
            yield breach(Property.WAITS, "a receive does not wait", (place,), "3.3.4.6-04 5.1.1.2-10")


def _may_be_refused(moment: Moment, queue: QueueName, event: events.Receive) -> bool:
    """Return whether a receive may fail for any content of its queue."""
    transactional = moment.queues[queue].transactional or queue == TRANSACTIONAL_DEAD_LETTERS
    if transactional and event.transaction is None:
        return True  # register QM-01
    return moment.full or not moment.can_work(event.transaction)  # register QM-41, QM-25


def _overlooked(places: Places, where: Where, place: int) -> Breach:
    stay = places.stays[where][0]
    if not stay.sent:
        dead = where[0] in {DEAD_LETTERS, TRANSACTIONAL_DEAD_LETTERS}
        reports = "6.1.6.5-02" if where[1].startswith("negative") else "6.1.6.5-01"
        copies = "5.1.1.3-06 4.3.1.2-16 5.1.1.2-27" if dead else "5.1.1.2-26"
        requirements = copies if dead or where[0] == JOURNAL else reports
        return breach(Property.TOLD, "what was asked for is not there", (stay.put, place), requirements)
    by = stay.put if stay.sure is None else stay.sure
    stops = [stop for stop in places.stops if by < stop < place]
    if stops:
        requirements = "5.5.1-07 1.1-05 5.5.1-01" if stay.transaction is None else "5.5.1-04 5.5.1-01"
        return breach(Property.RESTART, "a message is lost in a restart", (stay.put, stops[-1], place), requirements)
    undone = [take.ended for take in places.takes_of(stay) if take.committed is False and take.ended is not None]
    if undone:
        requirements = "3.3.4.7-02 4.3.1.2-11 5.1.1.3-15"
        return breach(
            Property.FATE, "what a transaction gave back is gone", (stay.put, undone[-1], place), requirements
        )
    if stay.transaction is not None:
        requirements = "3.3.4.4-04 3.2.1-05 4.3.1.2-13"
        return breach(Property.FATE, "what was committed does not show", (stay.put, by, place), requirements)
    return breach(
        Property.FATE, "a message that is there is not handed out", (stay.put, place), "3.3.4.6-02 3.3.4.3-07"
    )


def _counted(places: Places) -> Iterator[Breach]:
    """Yield numbers that are not those of the messages that are there."""
    for place, entry in enumerate(places.line.history):
        if not isinstance(entry.event, events.Count) or not isinstance(entry.answer, Counted):
            continue
        where = [*places.in_queue(entry.event.queue)]
        least = sum(places.surely_there(message, place) for message in where)
        most = sum(places.held(message, place, looked_at=True) for message in where)
        if not least <= entry.answer.messages <= most:
            last = max((places.stays[message][-1].put for message in where), default=place)
            says = f"{entry.answer.messages} messages are counted; there are {least} to {most}"
            yield breach(Property.COUNT, says, (min(last, place), place), "3.3.4.2-06")
