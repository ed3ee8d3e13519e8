"""What a history shows of senders and of access to queues (7.3, 7.4.1.4), by seals of messages and users of handles."""

from collections.abc import Iterator

from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import SYSTEM_QUEUES, Access, Message, Properties, QueueName, User
from mqconform.reference.mqso.events import Ended, Got
from mqconform.reference.mqso_history.findings import Breach, Property, breach
from mqconform.reference.mqso_history.stays import Places
from mqconform.reference.mqso_history.timeline import Moment, Opening


def surely_admitted(moment: Moment, properties: Properties, message: Message) -> bool:
    """Return whether a message certainly gets into a queue as far as its sender is concerned."""
    if moment.registered is None or message.seal is None:
        return moment.registered is None  # register QM-38
    return _is_genuine(moment, message) and (properties.writers is None or message.seal.identity in properties.writers)


def surely_allowed(moment: Moment, opening: Opening) -> bool:
    """Return whether a queue may certainly be used by whom it was opened for."""
    properties = moment.queues.get(opening.queue)
    listed = None if properties is None else _list(properties, sends=opening.access is Access.SEND)
    return listed is None or opening.user in listed


def surely_barred(moment: Moment, opening: Opening) -> bool:
    """Return whether who named himself certainly may not receive from a queue."""
    properties = moment.queues.get(opening.queue)
    listed = None if properties is None else properties.readers
    return listed is not None and opening.user is not None and opening.user not in listed


def wrong_senders(places: Places) -> Iterator[Breach]:
    """Yield messages that were handed out with a wrong word of their sender, or that their sender keeps out."""
    line = places.line
    sends = {
        event.message.key: (place, event) for place, event in line.all(events.Send) if isinstance(event, events.Send)
    }
    for place, got in _handed_out(places):
        if got.key in sends and sends[got.key][1].message.seal is not None:
            yield from _wrong(places, place, got, *sends[got.key])


def _handed_out(places: Places) -> Iterator[tuple[int, Got]]:
    for place, entry in enumerate(places.line.history):
        if isinstance(entry.answer, Got) and not _is_copy(places, place, entry.event):
            yield place, entry.answer
        elif isinstance(entry.answer, Ended):
            yield from ((place, got) for _, got in entry.answer.outcomes if isinstance(got, Got))


def _is_copy(places: Places, place: int, event: events.Event) -> bool:
    opening = places.line.before[place].handles.get(event.handle) if isinstance(event, events.Receive) else None
    return opening is not None and opening.queue in SYSTEM_QUEUES


def _wrong(places: Places, place: int, got: Got, sent: int, send: events.Send) -> Iterator[Breach]:
    moment = places.line.before[sent]
    seal, opening = send.message.seal, moment.handles.get(send.handle)
    if seal is None or moment.registered is None or got.authenticated is None:
        return
    genuine = _is_genuine(moment, send.message)
    if got.authenticated is not genuine:
        says = "a sender is said to be authenticated and is not, or the other way round"
        requirements = "7.4.1.4.2-01" if genuine else "7.4.1.4.1-01" if seal.altered else "7.4.1.4.2-04 7.4.1.4.2-05"
        yield breach(Property.SENDERS, says, (sent, place), requirements)
    signer_known = not seal.altered and seal.signed_by in moment.registered
    if signer_known and seal.identity is not None and seal.identity != seal.signed_by:
        says = "a message is handed out that names another sender than its signature"
        yield breach(Property.SENDERS, says, (sent, place), "7.4.1.4.2-03")
    listed = None if opening is None else _writers(moment, opening.queue)
    if listed is not None and seal.identity is not None and seal.identity not in listed:
        yield breach(Property.SENDERS, "a queue has a message of who may not write to it", (sent, place), "7.3-03")


def _is_genuine(moment: Moment, message: Message) -> bool:
    seal = message.seal
    if seal is None or seal.altered or moment.registered is None:
        return False
    return seal.identity is not None and seal.signed_by == seal.identity and seal.identity in moment.registered


def _writers(moment: Moment, queue: QueueName) -> frozenset[User] | None:
    properties = moment.queues.get(queue)
    return None if properties is None else _list(properties, sends=True)


def _list(properties: Properties, *, sends: bool) -> frozenset[User] | None:
    return properties.writers if sends else properties.readers
