"""Which messages came to which queue: what was sent there, and the copies, dead letters and acknowledgments of it."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import (
    DEAD_LETTERS,
    JOURNAL,
    SYSTEM_QUEUES,
    TRANSACTIONAL_DEAD_LETTERS,
    Asked,
    Assurance,
    Key,
    QueueName,
)
from mqconform.reference.mqso.events import Pending
from mqconform.reference.mqso_history.senders import surely_admitted
from mqconform.reference.mqso_history.stays import Places, Stay
from mqconform.reference.mqso_history.takes import takes_of
from mqconform.reference.mqso_history.timeline import TOLERANCE, Entry, timeline

Where = tuple[QueueName, Key]


def places_of(history: Sequence[Entry]) -> Places:
    """Return where each message of a history was."""
    line = timeline(history)
    stays: dict[Where, tuple[Stay, ...]] = {}
    places = Places(line, takes_of(line), stays)
    report_queues = {
        event.message.administration for _, event in line.all(events.Send) if isinstance(event, events.Send)
    }
    for place, event in line.all(events.Send):
        assert isinstance(event, events.Send)
        opening = line.before[place].handles.get(event.handle)
        if opening is not None:
            stay = _sent(places, place, event, opening.queue, report_queues)
            _add(stays, stay)
    for stay in [stay for some in stays.values() for stay in some]:
        for further in _brought(places, stay):
            _add(stays, further)
    return places


def _add(stays: dict[Where, tuple[Stay, ...]], stay: Stay) -> None:
    where = (stay.queue, stay.key)
    stays[where] = (*stays.get(where, ()), stay)


def report_key(of: Key, *, positive: bool) -> Key:
    """Return what an acknowledgment is known by in a history."""
    return Key(f"{'positive' if positive else 'negative'} acknowledgment of {of}")


def _sent(
    places: Places, place: int, event: events.Send, queue: QueueName, report_queues: set[QueueName | None]
) -> Stay:
    line, message = places.line, event.message
    moment = line.before[place]
    fate = None if event.transaction is None else line.fates.get(event.transaction)
    visible_from: int | None = place
    if isinstance(line.history[place].answer, Pending):  # it waits for the end of throttling (register QM-20)
        ends = (
            at
            for at, throttle in line.all(events.Throttle)
            if isinstance(throttle, events.Throttle) and not throttle.on
        )
        visible_from = next((at for at in ends if at > place), None)
    if event.transaction is not None:
        visible_from = fate.ended if fate is not None and fate.committed is not False else None
    properties = moment.queues.get(queue)
    wrong = properties is None or (properties.transactional and event.transaction is None)
    sure = properties is not None and properties.transactional is (event.transaction is not None)
    sure = sure and properties is not None and surely_admitted(moment, properties, message) and not moment.throttled
    if fate is not None and fate.committed is None:
        sure = False
    room = None if properties is None or queue in SYSTEM_QUEUES else properties.room
    if properties is not None and room is not None:
        size = message.size if properties.in_kilobytes else 1
        most = places.used(queue, place, in_kilobytes=properties.in_kilobytes)
        least = places.used(queue, place, in_kilobytes=properties.in_kilobytes, surely=True)
        sure = sure and most + size <= room and queue not in report_queues
        wrong = wrong or least + size > room
    timers = [timer for timer in (message.reach_within, message.receive_within) if timer is not None]  # register QM-63
    until = moment.now + min(timers) if timers else None
    shown_at = moment.now if visible_from is None else line.before[visible_from].now
    over = None if message.receive_within is None else shown_at + message.receive_within
    express = message.assurance is Assurance.EXPRESS and event.transaction is None
    certain = visible_from if sure else None
    stay = Stay(message, queue, message.key, place, visible_from, certain, express, until, over, event.transaction)
    return replace(stay, visible_from=None, sure=None, refused=True) if wrong else stay


def _brought(places: Places, stay: Stay) -> Iterator[Stay]:
    """Yield what a message that was taken on may have brought to other queues."""
    message = stay.message
    if message.journal:
        yield _further(stay, JOURNAL, stay.key, *_copied(places, stay))
    dead = DEAD_LETTERS if stay.transaction is None else TRANSACTIONAL_DEAD_LETTERS
    if message.dead_letter or stay.transaction is not None:
        for visible_from, sure in _undelivered(places, stay):
            certain = message.dead_letter and not stay.refused  # register QM-11, QM-13
            yield _further(stay, dead, stay.key, visible_from, sure if certain else None)
    for removed in (*places.purges.get(stay.queue, ()), *places.deletions.get(stay.queue, ())):
        if message.dead_letter and stay.put < removed and _perhaps_there(places, stay, removed):
            yield _further(stay, dead, stay.key, removed, None)  # register QM-17, QM-43
    if message.administration is not None:
        yield from _reports(places, stay, message.administration)


def _perhaps_there(places: Places, stay: Stay, place: int) -> bool:
    """Return whether a message may still be in its queue before an event, or locked there."""
    received = any(take.final and take.latest < place for take in places.takes_of(stay))
    return not received and places.gone_at(stay, place) is None


def _further(stay: Stay, queue: QueueName, key: Key, visible_from: int | None, sure: int | None) -> Stay:
    put = stay.put if visible_from is None else visible_from
    # Whether what an express message has left outlives a restart is open (register QM-09).
    return Stay(stay.message, queue, key, put, visible_from, sure, express=False, sent=False, fleeting=stay.express)


def _reports(places: Places, stay: Stay, administration: QueueName) -> Iterator[Stay]:
    def report(visible_from: int | None, sure: int | None, *, positive: bool) -> Stay:
        there = sure is not None and administration in places.line.before[sure].queues
        plain = there and sure is not None and not places.line.before[sure].queues[administration].transactional
        key = report_key(stay.key, positive=positive)
        return replace(
            _further(stay, administration, key, visible_from, sure if plain else None), express=False, fleeting=True
        )

    asked = stay.message.asked
    if Asked.REACH in asked and not stay.refused:
        yield report(stay.visible_from, stay.sure, positive=True)
    if Asked.RECEIVE in asked:
        yield from (report(visible_from, sure, positive=True) for visible_from, sure in _received(places, stay))
    if Asked.NEGATIVE in asked:
        for visible_from, sure in _undelivered(places, stay):
            yield report(visible_from, sure, positive=False)
        for removed in (*places.purges.get(stay.queue, ()), *places.deletions.get(stay.queue, ())):
            if stay.put < removed:
                yield report(removed, None, positive=False)  # register QM-17, QM-43


def _copied(places: Places, stay: Stay) -> tuple[int | None, int | None]:
    """Return since when a copy may be in the journal, and since when it has to be: at the receive at last (QM-18)."""
    received = [sure for _, sure in _received(places, stay) if sure is not None]
    return (stay.put if stay.refused else stay.visible_from), min(received, default=None)


def _received(places: Places, stay: Stay) -> Iterator[tuple[int, int | None]]:
    """Yield when a message may have been consumed, and when it certainly was."""
    ends = (*places.purges.get(stay.queue, ()), *places.deletions.get(stay.queue, ()))
    for take in places.takes_of(stay):
        by = take.latest if take.ended is None else max(take.latest, take.ended)
        certain = take.final and not any(take.earliest < end <= by for end in ends)  # register QM-17
        if take.final or take.waited or take.committed is None:
            yield take.earliest, by if certain else None
    silent = places.takes.silent_since(stay.queue)
    if silent is not None:
        yield max(silent, stay.put), None


def _undelivered(places: Places, stay: Stay) -> Iterator[tuple[int, int | None]]:
    """Yield when it may have been found that a message cannot be received, and when it has to be."""
    if stay.refused:
        yield stay.put, stay.put
        return
    if stay.sure is None and stay.transaction is None:
        yield stay.put, None
    if stay.sure is None and stay.transaction is not None and stay.visible_from is not None:
        yield stay.put, None
    if stay.until is None:
        return
    line = places.line
    late = [at for at in range(stay.put, len(line.history)) if line.before[at + 1].now >= stay.until - TOLERANCE]
    if late:
        yield late[0], _surely_late(places, stay)


def _surely_late(places: Places, stay: Stay) -> int | None:
    """Return the first event at which a message that is late must have left its queue, None without one."""
    line = places.line
    for place, entry in enumerate(line.history):
        moment = line.before[place]
        looks = isinstance(entry.event, events.Count | events.Purge) and entry.event.queue == stay.queue
        if isinstance(entry.event, events.Receive):
            opening = moment.handles.get(entry.event.handle)
            looks = opening is not None and opening.queue == stay.queue and opening.sure
        if looks and moment.running and stay.over is not None and moment.now > stay.over + TOLERANCE:
            return place if _left_to_time(places, stay, place) else None
    return None


def _left_to_time(places: Places, stay: Stay, place: int) -> bool:
    """Return whether nothing but time can have taken a message from its queue before an event."""
    silent = places.takes.silent_since(stay.queue)
    taken = any(take.earliest < place for take in places.takes_of(stay))
    return (
        stay.sure is not None
        and stay.sure < place
        and not taken
        and silent is None
        and not places.maybe_gone(stay, place, by_time=False)
    )
