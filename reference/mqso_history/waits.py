"""How operations that wait end: with a message as soon as there is one, or in their time."""

from collections.abc import Iterator

from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import Operation
from mqconform.reference.mqso.events import Ended, Failed
from mqconform.reference.mqso_history.findings import Breach, Property, breach
from mqconform.reference.mqso_history.stays import Places
from mqconform.reference.mqso_history.takes import Wait
from mqconform.reference.mqso_history.timeline import TOLERANCE


def wrong_waits(places: Places) -> Iterator[Breach]:
    """Yield waits that ended too early, too late, twice, or not though there was a message."""
    for wait in places.takes.waits:
        if isinstance(wait.outcome, Failed):
            yield from _too_early(places, wait)
        yield from _not_ended(places, wait)
    yield from _unknown(places)


def _too_early(places: Places, wait: Wait) -> Iterator[Breach]:
    assert wait.reported_at is not None
    now = places.line.before[wait.reported_at].now
    if now < wait.until - TOLERANCE and not _disturbed(places, wait, wait.reported_at):
        others = [at for at, _ in places.line.all(events.Purge) if wait.began < at < wait.reported_at]
        yield breach(
            Property.WAITS,
            "a wait ends before its time",
            (wait.began, *others[-1:], wait.reported_at),
            "5.1.1.2-13 3.3.4.6-05",
        )


def _disturbed(places: Places, wait: Wait, place: int) -> bool:
    """Return whether something else than time may have ended a wait: who waits, a stop, a deletion, or its transaction.

    The last is register QM-49.
    """
    cancelled = any(
        isinstance(cancel, events.Cancel) and cancel.operation == wait.event.operation and at < place
        for at, cancel in places.line.all(events.Cancel)
    )
    fate = None if wait.event.transaction is None else places.line.fates.get(wait.event.transaction)
    of_transaction = () if fate is None else (fate.ended, fate.perhaps)
    ends = (*places.stops, *places.deletions.get(wait.queue, ()), *of_transaction)
    return cancelled or any(at is not None and wait.began < at < place for at in ends)


def _not_ended(places: Places, wait: Wait) -> Iterator[Breach]:
    for place in range(wait.began + 1, wait.unended + 1):
        if not isinstance(places.line.history[place].answer, Ended):
            continue
        if any(wait.began < stop < place for stop in places.stops):
            return  # whether waiting operations fail at a stop is open (register QM-10)
        if places.line.before[place].now > wait.until + TOLERANCE:
            says = "a wait does not end in its time"
            yield breach(Property.WAITS, says, (wait.began, place), "3.3.4.6-05 5.1.1.2-11")
            return
        if _disturbed(places, wait, place) or wait.event.transaction is not None:
            continue
        opening = places.line.before[place].queues.get(wait.queue)
        if opening is None or (opening.transactional and wait.event.takes):
            continue
        for where in places.in_queue(wait.queue):
            stay = places.stays[where][0]
            if stay.sent and places.surely_there(where, place):
                says = "an operation waits though there is a message"
                yield breach(Property.WAITS, says, (wait.began, stay.put, place), "5.1.1.2-08")
                return


def _unknown(places: Places) -> Iterator[Breach]:
    waiting = {wait.event.operation: wait.began for wait in places.takes.waits}
    ended = set[Operation]()
    for place, entry in enumerate(places.line.history):
        for operation, _ in entry.answer.outcomes if isinstance(entry.answer, Ended) else ():
            if operation in ended or waiting.get(operation, place) >= place:
                says = "an operation that does not wait has an outcome"
                yield breach(Property.WAITS, says, (place,), "3.3.4.6-05")
            ended.add(operation)
