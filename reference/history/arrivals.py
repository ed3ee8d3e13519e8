"""Which messages came to which queue: what was sent there, and the copies, dead letters and acknowledgments of it."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from mqconform.reference.history.certainty import TOLERANCE, Entry, moments
from mqconform.reference.history.stays import Past, Stay
from mqconform.reference.mqso import elements, events
from mqconform.reference.mqso.events import Pending

Since = tuple[int | None, int | None]
"""The event since which something may be in a queue, and that since which it has to be."""


def past_of(history: Sequence[Entry]) -> Past:
    """Return a history with where each of its messages was."""
    past = Past(history, *moments(history))
    report_queues = {event.message.administration for _, event in past.all(events.Send)}
    for place, event in past.all(events.Send):
        opening = past.opening(place)
        if opening is not None:
            _add(past, _sent(past, place, event, opening.queue, report_queues))
    for stay in [stay for some in past.stays.values() for stay in some]:
        for further in _brought(past, stay):
            _add(past, further)
    return past


def _add(past: Past, stay: Stay) -> None:
    past.stays[stay.where] = (*past.stays.get(stay.where, ()), stay)


def report_key(of: elements.Key, *, positive: bool) -> elements.Key:
    """Return what an acknowledgment is known by in a history."""
    return elements.Key(f"{'positive' if positive else 'negative'} acknowledgment of {of}")


def _sent(
    past: Past, place: int, event: events.Send, queue: elements.QueueName, report_queues: set[elements.QueueName | None]
) -> Stay:
    message, moment, transactional = event.message, past.before[place], event.transaction is not None
    fate = past.fate(event.transaction)
    visible_from: int | None = place
    if isinstance(past.history[place].answer, Pending):  # it waits for the end of throttling (register QM-20)
        visible_from = next((at for at, throttle in past.all(events.Throttle) if at > place and not throttle.on), None)
    if transactional:
        visible_from = fate.ended if fate is not None and fate.committed is not False else None
    properties = moment.queues.get(queue)
    refused = properties is None or (properties.transactional and not transactional)
    sure = properties is not None and properties.transactional is transactional and not moment.throttled
    sure = sure and properties is not None and moment.surely_admits(properties, message)
    if properties is not None and properties.room is not None and queue not in elements.SYSTEM_QUEUES:
        sure = sure and past.has_room(queue, place, message, surely=True) and queue not in report_queues
        refused = refused or not (transactional or past.has_room(queue, place, message, surely=False))
    rejectable = not sure or refused
    sure = sure and not (fate is not None and fate.committed is None)
    timers = [timer for timer in (message.reach_within, message.receive_within) if timer is not None]  # register QM-63
    shown_at = moment.now if visible_from is None else past.before[visible_from].now
    return Stay(
        message,
        queue,
        message.key,
        place,
        visible_from=None if refused else visible_from,
        sure=visible_from if sure and not refused else None,
        express=message.assurance is elements.Assurance.EXPRESS and not transactional,
        until=moment.now + min(timers) if timers else None,
        over=None if message.receive_within is None else shown_at + message.receive_within,
        transaction=event.transaction,
        refused=refused,
        rejectable=rejectable,
    )


def _brought(past: Past, stay: Stay) -> Iterator[Stay]:
    """Yield what a message that was taken on may have brought to other queues."""
    message = stay.message
    received, undelivered = [*_received(past, stay)], [*_undelivered(past, stay)]
    emptied = [at for at in past.emptied(stay.queue) if stay.put < at]
    if message.journal:  # a copy has to be there at the receive at last (register QM-18)
        by = min((sure for _, sure in received if sure is not None), default=None)
        yield _further(stay, elements.JOURNAL, stay.key, (stay.put if stay.rejectable else stay.visible_from, by))
    dead = elements.DEAD_LETTERS if stay.transaction is None else elements.TRANSACTIONAL_DEAD_LETTERS
    if message.dead_letter or stay.transaction is not None:
        certain = message.dead_letter and not stay.refused  # register QM-11, QM-13
        for since, sure in undelivered:
            yield _further(stay, dead, stay.key, (since, sure if certain else None))
    for removed in emptied if message.dead_letter else ():
        taken = any(take.final and take.latest < removed for take in past.takes_from(stay.where))
        if not taken and past.gone_at(stay, removed) is None:
            yield _further(stay, dead, stay.key, (removed, None))  # register QM-17, QM-43
    if message.administration is None:
        return
    if elements.Asked.REACH in message.asked and not stay.refused:
        yield _report(past, stay, (stay.visible_from, stay.sure), positive=True)
    if elements.Asked.RECEIVE in message.asked:
        yield from (_report(past, stay, since, positive=True) for since in received)
    if elements.Asked.NEGATIVE in message.asked:
        removals: list[Since] = [(removed, None) for removed in emptied]  # register QM-17, QM-43
        yield from (_report(past, stay, since, positive=False) for since in (*undelivered, *removals))


def _further(stay: Stay, queue: elements.QueueName, key: elements.Key, since: Since) -> Stay:
    visible_from, sure = since
    put = stay.put if visible_from is None else visible_from
    # Whether what an express message has left outlives a restart is open (register QM-09).
    return Stay(stay.message, queue, key, put, visible_from, sure, sent=False, fleeting=stay.express)


def _report(past: Past, stay: Stay, since: Since, *, positive: bool) -> Stay:
    visible_from, sure = since
    queue = stay.message.administration or elements.QueueName("")
    properties = None if sure is None else past.before[sure].queues.get(queue)
    certain = sure if properties is not None and not properties.transactional else None
    report = _further(stay, queue, report_key(stay.key, positive=positive), (visible_from, certain))
    return replace(report, fleeting=True)


def _received(past: Past, stay: Stay) -> Iterator[Since]:
    """Yield when a message may have been consumed, and when it certainly was."""
    for take in past.takes_from(stay.where):
        by = take.latest if take.fate.ended is None else max(take.latest, take.fate.ended)
        emptied = any(take.earliest < end <= by for end in past.emptied(stay.queue))  # register QM-17
        if take.final or take.waited or take.fate.committed is None:
            yield take.earliest, by if take.final and not emptied else None
    silent = past.silent_since(stay.queue)
    if silent is not None:
        yield max(silent, stay.put), None


def _undelivered(past: Past, stay: Stay) -> Iterator[Since]:
    """Yield when it may have been found that a message cannot be received, and when it has to be."""
    if stay.refused:
        yield stay.put, stay.put if stay.transaction is None else None
        return
    if stay.rejectable or (stay.sure is None and (stay.transaction is None or stay.visible_from is not None)):
        yield stay.put, None
    if stay.until is None:
        return
    for place in range(stay.put, len(past.history)):
        if past.before[place + 1].now >= stay.until - TOLERANCE:
            yield place, _surely_late(past, stay)
            return


def _surely_late(past: Past, stay: Stay) -> int | None:
    """Return the first event at which a message that is late must have left its queue, None without one."""
    for place, entry in enumerate(past.history):
        moment, opening = past.before[place], past.opening(place)
        looks = isinstance(entry.event, events.Count | events.Purge) and entry.event.queue == stay.queue
        if isinstance(entry.event, events.Receive):
            looks = opening is not None and opening.queue == stay.queue and opening.sure
        if looks and moment.running and stay.over is not None and moment.now > stay.over + TOLERANCE:
            return place if _left_to_time(past, stay, place) else None
    return None


def _left_to_time(past: Past, stay: Stay, place: int) -> bool:
    """Return whether nothing but time can have taken a message from its queue before an event."""
    taken = any(take.earliest < place for take in past.takes_from(stay.where))
    there = stay.sure is not None and stay.sure < place and not past.maybe_gone(stay, place, by_time=False)
    return there and not taken and past.silent_since(stay.queue) is None
