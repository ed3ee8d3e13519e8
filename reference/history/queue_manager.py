"""Check a recorded history of a queue manager by its properties: the second oracle beside the model of worlds.

Each property looks at where a message was sent and who took it, and says nothing where the text or the register leaves
open what happened.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from mqconform.reference.history.arrivals import past_of, report_key
from mqconform.reference.history.breach import Breach, breach
from mqconform.reference.history.calls import misplaced_cursors, must_fail, wrong_answers, wrong_senders, wrong_states
from mqconform.reference.history.certainty import MOST_ORDERS, TOLERANCE, Entry, Moment, in_order
from mqconform.reference.history.stays import Past, Stay, Take, Wait, Where
from mqconform.reference.mqso import elements, events
from mqconform.reference.mqso.events import Counted, Ended, Failed, Got, Move, Pending


def check_history(history: Sequence[Entry]) -> tuple[Breach, ...]:
    """Return the properties that a history does not have, in the order in which that shows.

    Of calls at the same time it takes the order that shows least; there is none where one shows nothing, or where
    there are too many orders to look at.
    """
    least: tuple[Breach, ...] | None = None
    for order, calls in enumerate(in_order(history)):
        breaches = tuple(
            replace(broken, places=tuple(sorted({calls[number].place for number in broken.places})))
            for broken in _breaches(calls)
        )
        least = breaches if least is None or len(breaches) < len(least) else least
        if not least or order == MOST_ORDERS:
            return ()
    return least or ()


def _breaches(history: Sequence[Entry]) -> list[Breach]:
    past = past_of(history)
    rules = (
        wrong_answers, wrong_states, _handed_out, wrong_senders, _received_twice, _out_of_order, _missed, _counted,
        _wrong_waits, misplaced_cursors,
    )  # fmt: skip
    return sorted((found for rule in rules for found in rule(past)), key=lambda found: found.places[-1])


def _handed_out(past: Past) -> Iterator[Breach]:
    """Yield what was handed out and could not be."""
    for place, entry in enumerate(past.history):
        event, opening = entry.event, past.opening(place)
        if not isinstance(event, events.Receive) or not isinstance(entry.answer, Got) or opening is None:
            continue
        stays = past.stays.get(where := (opening.queue, entry.answer.key), ())
        if _is_own(past, event, where) or must_fail(past.before[place], event):
            continue
        wrong = _why_not(past, where, place)
        if wrong is not None:
            yield wrong
        elif len(stays) == 1 and "acknowledgment of" not in stays[0].key:
            message = stays[0].message
            if (entry.answer.correlation, entry.answer.response) != (message.correlation, message.response):
                says = "a message does not say what its sender said of answers"
                yield breach(says, (stays[0].put, place), "2.1-02 5.1.1-03")
    for wait in past.waits:
        if not isinstance(wait.outcome, Got) or wait.reported_at is None:
            continue
        where = (wait.queue, wait.outcome.key)
        during = [
            _why_not(past, where, place, wait.event.operation)
            for place in range(wait.unended + 1, wait.reported_at + 1)
        ]
        if all(during) and during[-1] is not None:
            yield replace(during[-1], places=tuple(sorted({*during[-1].places, wait.reported_at})))


def _is_own(past: Past, event: events.Receive, where: Where) -> bool:
    """Return whether a transaction receives what it has sent itself, of which it may know (register QM-60)."""
    sent_by = {stay.transaction for stay in past.stays.get(where, ())}
    return event.transaction is not None and event.transaction in sent_by


def _why_not(past: Past, where: Where, place: int, waiting: elements.Operation | None = None) -> Breach | None:
    """Return why a message cannot be handed out at an event, None where it can be.

    An operation that ``waiting`` names may have had it before, and time is no reason against it.
    """
    stays = past.stays.get(where, ())
    if not stays:
        return _from_nowhere(past, where, place)
    came = [stay for stay in stays if stay.visible_from is not None and stay.visible_from < place]
    if not came:
        return _not_shown(past, stays[-1], place)
    ends = [past.gone_at(stay, place, looked_at=waiting is None) for stay in came]
    if all(ends) and ends[-1] is not None:
        cause, at = ends[-1]
        return breach(_GONE[cause][0], (came[-1].put, at, place), _GONE[cause][1])
    away = [take for take in past.takes_from(where) if take.surely_away(place) and take.operation != waiting]
    return _was_taken(came[-1], away[-1], place) if len(away) >= len(came) else None


_GONE = {
    "purge": ("a message is there after a purge", "5.1.1.2-12"),
    "deletion": ("a message is there after its queue was deleted", "5.1.1.2-14"),
    "stop": ("an express message is there after a restart", "5.5.1-08 1.1-03 3.2.1-01"),
    "time": ("a message is there after its time", "5.1.1.3-04 4.3.1.2-16 5.1.1.3-05"),
}
"""What is wrong with a message that is there after something removed it."""


def _from_nowhere(past: Past, where: Where, place: int) -> Breach:
    queue, key = where
    says, requirements = "a message is a dead letter that did not ask for it", "5.1.1.3-18"
    if queue == elements.JOURNAL:
        says, requirements = "the journal has what did not ask for it", "5.1.1.2-26"
    elif queue in _DEAD and any((dead, key) in past.stays for dead in _DEAD):
        says, requirements = "a dead letter is in the queue of the other kind", "5.1.1.2-28"
    elif queue not in _DEAD and "acknowledgment of" in key:
        says, requirements = "an acknowledgment has no cause", "6.1.6.5-01 6.1.6.5-02"
    elif queue not in _DEAD:
        says, requirements = "a message is handed out that never came there", "3.3.4.8-01 5.1.1.3-17 5.1.1.2-14"
    sends = (
        (at, entry.event.message.key) for at, entry in enumerate(past.history) if isinstance(entry.event, events.Send)
    )
    sent = [at for at, of in sends if key in {of, report_key(of, positive=True), report_key(of, positive=False)}]
    return breach(says, (*sent[-1:], place), requirements)


_DEAD = (elements.DEAD_LETTERS, elements.TRANSACTIONAL_DEAD_LETTERS)


def _not_shown(past: Past, stay: Stay, place: int) -> Breach:
    if not stay.sent:
        requirements = "6.1.6.5-01 6.1.6.5-02" if "acknowledgment of" in stay.key else "5.1.1.3-05 5.1.1.2-26"
        return breach("it precedes its cause", (stay.put, place), requirements)
    undone = past.undone_at(stay, place)
    if stay.refused:
        says, undone, requirements = "a queue has what it cannot take", None, "5.1.1.2-07 3.2.1-07 3.3.4.3-06"
    elif undone is not None:
        says, requirements = "a message shows whose transaction was undone", "3.3.4.4-02 4.3.1.2-05 5.5.1-02"
    else:
        says, requirements = "a message shows before its commit", "3.3.4.4-01 4.3.1.2-04"
    return breach(says, (stay.put, place if undone is None else undone, place), requirements)


def _was_taken(stay: Stay, take: Take, place: int) -> Breach:
    says = "a message shows that was received"
    requirements = "3.3.4.6-02 5.1.1.3-14 5.1.1.2-09" if take.transaction is None else "4.3.1.2-10 3.3.4.7-01"
    if not take.final:
        says, requirements = "a message shows that a transaction has received", "3.3.4.7-04 4.3.1.2-09 5.1.1.3-13"
    return breach(says, (stay.put, take.latest, place), requirements)


def _received_twice(past: Past) -> Iterator[Breach]:
    """Yield messages that two receives of which neither was undone have got."""
    for where, takes in past.takes.items():
        final, stays = [take for take in takes if take.final], past.stays.get(where, ())
        if len(final) > max(1, len(stays)):
            put = stays[0].put if stays else final[0].latest
            shown = (put, final[0].latest, final[-1].latest)
            yield breach("a message is received twice", shown, "1.1-04 5.1.1.2-09")


def _out_of_order(past: Past) -> Iterator[Breach]:
    """Yield messages that were handed out while one that came before them was there."""
    for place, where in _free_choices(past):
        later = past.stays.get(where, ())
        for other in past.in_queue(where[0]) if len(later) == 1 else ():
            earlier = past.stays[other]
            if len(earlier) == 1 and precedes(earlier[0], later[0]) and past.surely_there(other, place):
                shown = (earlier[0].put, later[0].put, place)
                yield breach("what came later is handed out first", shown, "5.1.1.2-01")
                break


def precedes(stay: Stay, other: Stay) -> bool:
    """Return whether a message comes before another, in the order of sends and in that of commits (QM-44)."""
    if stay.sure is None or other.visible_from is None:
        return False
    if not stay.sent or not other.sent:
        return stay.sure < other.visible_from
    return stay.put < other.put and stay.sure <= other.visible_from


def _free_choices(past: Past) -> Iterator[tuple[int, Where]]:
    """Yield the receives that asked for the first message, and what they got."""
    moved: set[elements.CursorId] = set()
    for place, entry in enumerate(past.history):
        event, opening = entry.event, past.opening(place)
        if isinstance(event, events.CreateCursor):
            moved.discard(event.cursor)
        if not isinstance(event, events.Receive) or not isinstance(entry.answer, Got) or event.key is not None:
            continue
        # the next one of a new cursor may be the second (QM-62)
        moves_on = event.cursor is not None and event.move is Move.NEXT
        if opening is not None and event.cursor not in moved and not moves_on:
            where = opening.queue, entry.answer.key
            if not _is_own(past, event, where):
                yield place, where
        if event.cursor is not None:
            moved.add(event.cursor)


def _missed(past: Past) -> Iterator[Breach]:
    """Yield receives that found nothing although something was certainly there."""
    for place, entry in enumerate(past.history):
        event, moment, opening = entry.event, past.before[place], past.opening(place)
        if not isinstance(event, events.Receive) or not isinstance(entry.answer, Failed | Pending):
            continue
        if moment.unsure or opening is None or must_fail(moment, event) or event.cursor is not None:
            continue
        if not opening.sure or not moment.surely_allows(opening):
            continue
        queue = opening.queue
        if event.takes and _may_be_refused(moment, queue, event):
            continue
        wanted = (where for where in past.in_queue(queue) if event.key in {None, where[1]})
        there = next((where for where in wanted if past.surely_there(where, place)), None)
        if there is not None:
            yield _overlooked(past, there, place)
        elif event.wait and isinstance(entry.answer, Failed) and event.key is None:
            yield breach("a receive does not wait", (place,), "3.3.4.6-04 5.1.1.2-10")


def _may_be_refused(moment: Moment, queue: elements.QueueName, event: events.Receive) -> bool:
    """Return whether a receive may fail for any content of its queue."""
    transactional = moment.queues[queue].transactional or queue == elements.TRANSACTIONAL_DEAD_LETTERS
    if transactional is (event.transaction is None):
        return True  # register QM-01, QM-46
    return moment.full or not moment.can_work(event.transaction)  # register QM-41, QM-25


def _overlooked(past: Past, where: Where, place: int) -> Breach:
    stay = past.stays[where][0]
    by = stay.put if stay.sure is None else stay.sure
    stops = [stop for stop in past.stops if by < stop < place]
    undone = [
        take.fate.ended
        for take in past.takes_from(where)
        if take.fate.committed is False and take.fate.ended is not None
    ]
    says, since = "a message that is there is not handed out", stay.put
    requirements = "3.3.4.6-02 3.3.4.3-07"
    if not stay.sent:
        says = "what was asked for is not there"
        copies = "5.1.1.3-06 4.3.1.2-16 5.1.1.2-27" if where[0] in _DEAD else "5.1.1.2-26"
        report = "6.1.6.5-02" if where[1].startswith("negative") else "6.1.6.5-01"
        requirements = copies if where[0] in {*_DEAD, elements.JOURNAL} else report
    elif stops:
        says, since = "a message is lost in a restart", stops[-1]
        requirements = "5.5.1-07 1.1-05 5.5.1-01" if stay.transaction is None else "5.5.1-04 5.5.1-01"
    elif undone:
        says, since = "what a transaction gave back is gone", undone[-1]
        requirements = "3.3.4.7-02 4.3.1.2-11 5.1.1.3-15"
    elif stay.transaction is not None:
        says, since = "what was committed does not show", by
        requirements = "3.3.4.4-04 3.2.1-05 4.3.1.2-13"
    return breach(says, (stay.put, since, place), requirements)


def _counted(past: Past) -> Iterator[Breach]:
    """Yield numbers that are not those of the messages that are there."""
    for place, entry in enumerate(past.history):
        if not isinstance(entry.event, events.Count) or not isinstance(entry.answer, Counted):
            continue
        there = past.in_queue(entry.event.queue)
        least = sum(past.surely_there(where, place) for where in there)
        most = sum(past.most_held(where, place, looked_at=True) for where in there)
        if not least <= entry.answer.messages <= most:
            last = max((past.stays[where][-1].put for where in there), default=place)
            says = f"{entry.answer.messages} messages are counted; there are {least} to {most}"
            yield breach(says, (min(last, place), place), "3.3.4.2-06")


def _wrong_waits(past: Past) -> Iterator[Breach]:
    """Yield waits that ended too early, too late, twice, or not though there was a message."""
    for wait in past.waits:
        if isinstance(wait.outcome, Failed) and wait.reported_at is not None:
            early = past.before[wait.reported_at].now < wait.until - TOLERANCE
            if early and not _disturbed(past, wait, wait.reported_at):
                purges = [at for at, _ in past.all(events.Purge) if wait.began < at < wait.reported_at]
                shown = (wait.began, *purges[-1:], wait.reported_at)
                yield breach("a wait ends before its time", shown, "5.1.1.2-13 3.3.4.6-05")
        yield from _not_ended(past, wait)
    began = {wait.event.operation: wait.began for wait in past.waits}
    ended = set[elements.Operation]()
    for place, entry in enumerate(past.history):
        for operation, _ in entry.answer.outcomes if isinstance(entry.answer, Ended) else ():
            if operation in ended or began.get(operation, place) >= place:
                says = "an operation that does not wait has an outcome"
                yield breach(says, (place,), "3.3.4.6-05")
            ended.add(operation)


def _disturbed(past: Past, wait: Wait, place: int) -> bool:
    """Return whether something else than time may have ended a wait: who waits, a stop, a deletion, or its transaction.

    The last is register QM-49.
    """
    cancels = (at for at, cancel in past.all(events.Cancel) if cancel.operation == wait.event.operation)
    fate = past.fate(wait.event.transaction)
    of_transaction = () if fate is None else (fate.ended, fate.perhaps)
    ends = (*past.stops, *past.deletions.get(wait.queue, ()), *of_transaction)
    return any(at < place for at in cancels) or any(at is not None and wait.began < at < place for at in ends)


def _not_ended(past: Past, wait: Wait) -> Iterator[Breach]:
    for place in range(wait.began + 1, wait.unended + 1):
        if not isinstance(past.history[place].answer, Ended):
            continue
        if any(wait.began < stop < place for stop in past.stops):
            return  # whether waiting operations fail at a stop is open (register QM-10)
        if past.before[place].now > wait.until + TOLERANCE:
            says = "a wait does not end in its time"
            yield breach(says, (wait.began, place), "3.3.4.6-05 5.1.1.2-11")
            return
        if _disturbed(past, wait, place) or wait.event.transaction is not None:
            continue
        if not wait.event.wait and (wait.event.key is not None or wait.event.cursor is not None):
            continue  # it had no time to wait for another message than the one that it asked for (register QM-03)
        properties = past.before[place].queues.get(wait.queue)
        if properties is None or (properties.transactional and wait.event.takes):
            continue
        stays = (past.stays[where][0] for where in past.in_queue(wait.queue))
        there = next((stay for stay in stays if stay.sent and past.surely_there(stay.where, place)), None)
        if there is not None:
            says = "an operation waits though there is a message"
            yield breach(says, (wait.began, there.put, place), "5.1.1.2-08")
            return
