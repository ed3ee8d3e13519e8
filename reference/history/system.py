"""What a system of queue managers promises, held against what was sent and received (1.1, 3.2.1, 5.5.2).

The rules look at messages alone and know nothing of the model: what is sent in a transaction that commits is received
once, in the order of its sender, under all failures; what is sent otherwise once or never, and lost in failures only.
Each rule is a function of the fate of one message, or of the fates of the messages of one way, so that histories of
any length can be divided: ``audit deliveries --system`` applies the same functions to logs.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Final, NamedTuple

from mqconform.reference.history.breach import Breach
from mqconform.reference.mqso.elements import Assurance
from mqconform.reference.mqso.immutable import Value

LEAVES_ITS_SOURCE: Final = ("MQSO-4.3.1.2-08", "MQSO-5.1.1.3-08")
NEVER: Final = -1
"""The place of what did not happen."""
ENDLESS: Final = 2**62
"""The place at which an outage ends of which no end is told."""


class Sent(Value, frozen=True):
    """A message that a queue manager has taken on.

    Attributes:
        committed: whether the transaction was, where there is one.
        timer: seconds until its time to reach its queue or to be received ends, None where neither does.
        dead_letter: whether a dead letter is asked for, should it not be received.
        queue: the queue of the destination, empty where that is not told apart.
    """

    key: str
    source: str
    to: str
    assurance: Assurance
    committed: bool = True
    timer: int | None = None
    dead_letter: bool = False
    queue: str = ""

    @property
    def transactional(self) -> bool:
        """Whether a transaction sent it."""
        return self.assurance is Assurance.TRANSACTIONAL


class EventWord(StrEnum):
    """What an event is, as logs have it in their column ``event``."""

    SENT = "sent"
    REFUSED = "refused"
    """A queue manager, although it runs, did not take a message on: its send or the commit of that failed."""
    ROUTED = "routed"
    ARRIVED = "arrived"
    REJECTED = "rejected"
    RECEIVED = "received"
    """An application has received it for good."""
    PUT_BACK = "put_back"
    """An application received it in a transaction which did not commit."""
    DEAD_LETTERED = "dead_lettered"
    """Its sender finds it among its dead letters."""
    ACKNOWLEDGED = "acknowledged"
    """Its source has learned that its destination has it."""
    JOURNALED = "journaled"
    VANISHED = "vanished"
    SENT_AGAIN = "sent_again"
    """A source sent an ordered message that had left its queue, acknowledged or over."""
    WAITS = "waits"
    """It waits at its source when all failures are over and there was time enough."""
    FAILED = "failed"
    RECOVERED = "recovered"


class Happened(Value, frozen=True):
    """Something else than a send happened to a message at a machine."""

    what: EventWord
    key: str
    at: str


class Failure(Value, frozen=True):
    """Something failed: a machine, or the network between machines."""

    machines: frozenset[str]


class Aside(Value, frozen=True):
    """What no promise is about, told to readers: what an administrator did, or an answer that nothing explains."""

    says: str


class Outages(NamedTuple):
    """The outages that may excuse that a message is lost or comes again; each lasts from a failure to its end.

    Attributes:
        ends: the latest place up to which one at an end of the message's way lasted: ``ENDLESS`` where none is known to
            be over. One of the source itself lasts no longer than to its next send, so its beginning counts.
        anywhere: likewise of anything.
        destination: the places at which one of the destination began or ended.
    """

    ends: int = NEVER
    anywhere: int = NEVER
    destination: tuple[int, ...] = ()


Places = list[tuple[int, str]]
"""Where in a history something happened, and at which machine."""


@dataclass(slots=True)
class Fate:
    """What became of one message, by places of the history.

    Attributes:
        sent: None where nothing tells of it; ``begun``: its place.
        put_back: the latest of its places.
        outages: what may excuse that it is lost or comes again.
        complete: whether the history goes from the beginning until all failures were over and all queues were empty:
            what it does not tell did not happen.
    """

    key: str
    sent: Sent | None = None
    begun: int = NEVER
    received: Places = field(default_factory=list)
    put_back: int = NEVER
    dead_lettered: bool = False
    acknowledged: bool = False
    sent_again: Places = field(default_factory=list)
    waits: Places = field(default_factory=list)
    outages: Outages = Outages()  # noqa: RUF009 - a tuple, which nothing changes
    complete: bool = True


def broken_promises(history: Sequence[object]) -> tuple[Breach, ...]:
    """Return what is broken in a history that ended with all failures over and all queues emptied.

    Args:
        history: each ``Sent``, ``Happened`` or ``Failure``; anything else has no bearing on a promise.
    """
    fates = fates_in(history)
    ways: defaultdict[tuple[str, str, str], list[Fate]] = defaultdict(list)
    for fate in fates:
        if fate.sent is not None:
            ways[fate.sent.source, fate.sent.to, fate.sent.queue].append(fate)
    of_messages = (broken for fate in fates for broken in broken_by(fate))
    of_ways = (broken for way in ways.values() for _, broken in disordered(way))
    return (*of_messages, *of_ways)


def refusals(history: Sequence[object]) -> tuple[Breach, ...]:
    """Return the sends that failed although all rights, all room and a machine that runs were there (3.3.4.3, 5.5.2).

    A log does not tell whether they were, so that this is a rule of simulations alone.
    """
    return tuple(
        Breach(f"{event.at} runs and refuses {event.key}", ("MQSO-3.3.4.3-08", "MQSO-5.5.2-01"), (place,))
        for place, event in enumerate(history)
        if isinstance(event, Happened) and event.what is EventWord.REFUSED
    )


def fates_in(history: Sequence[object]) -> list[Fate]:
    """Return the fate of every message of a complete history, in the order in which they first occur."""
    fates: dict[str, Fate] = {}
    failures = [(place, event.machines) for place, event in enumerate(history) if isinstance(event, Failure)]
    for place, event in enumerate(history):
        if isinstance(event, Sent):
            fate = fates.setdefault(event.key, Fate(event.key))
            fate.sent, fate.begun = event, place
        elif isinstance(event, Happened) and event.what is not EventWord.REFUSED:
            _note(fates.setdefault(event.key, Fate(event.key)), place, event)
    for fate in fates.values():
        if fate.sent is not None:
            fate.outages = _outages(fate.sent, failures)
    return [*fates.values()]


def _note(fate: Fate, place: int, event: Happened) -> None:
    match event.what:
        case EventWord.RECEIVED:
            fate.received.append((place, event.at))
        case EventWord.PUT_BACK:
            fate.put_back = place
        case EventWord.DEAD_LETTERED:
            fate.dead_lettered = True
        case EventWord.ACKNOWLEDGED:
            fate.acknowledged = True
        case EventWord.SENT_AGAIN:
            fate.sent_again.append((place, event.at))
        case EventWord.WAITS:
            fate.waits.append((place, event.at))


def _outages(message: Sent, failures: Iterable[tuple[int, frozenset[str]]]) -> Outages:
    """Return the outages that touch a message, in a history that tells no ends of them."""
    at_ends, at_destination = [NEVER], []
    for place, machines in failures:
        if message.to in machines:
            at_destination.append(place)
        if message.to in machines or (message.source in machines and len(machines) > 1):
            at_ends.append(ENDLESS)
        elif message.source in machines:
            at_ends.append(place)
    return Outages(max(at_ends), ENDLESS if failures else NEVER, tuple(at_destination))


def broken_by(fate: Fate) -> Iterator[Breach]:
    """Yield what is broken for one message by itself."""
    yield from _strange(fate)
    yield from _lost(fate)
    yield from _lingering(fate)


def _strange(fate: Fate) -> Iterator[Breach]:
    """Yield what was received and should not have been: never sent, undone, elsewhere, or twice."""
    key, message, places = fate.key, fate.sent, tuple(place for place, _ in fate.received)
    if not places:
        return
    if message is None:
        if fate.complete:
            yield Breach(f"{key} was received and never sent", ("MQSO-5.1.1-03",), places)
        return
    if not message.committed:
        yield Breach(f"{key} was received, and its transaction aborted", ("MQSO-3.3.4.4-02",), (fate.begun, *places))
    elsewhere = [place for place, at in fate.received if at != message.to]
    if elsewhere:
        yield Breach(
            f"{key} was received elsewhere than it was sent to", ("MQSO-3.3.4.5-02",), (fate.begun, *elsewhere)
        )
    if len(places) > 1 and (message.transactional or not _forgotten(places, fate.outages)):
        broken = "MQSO-3.2.1-04" if message.transactional else "MQSO-1.1-01"
        yield Breach(f"{key} was received {len(places)} times", (broken, "MQSO-3.3.4.5-01"), (fate.begun, *places))


def _forgotten(places: tuple[int, ...], outages: Outages) -> bool:
    """Return whether an outage of the destination lies between all receives: a restart may forget (QM-08)."""
    return all(any(first <= place <= then for place in outages.destination) for first, then in pairwise(places))


def _lost(fate: Fate) -> Iterator[Breach]:
    """Yield what neither came nor came back, where nothing excuses it (1.1, 3.2.1, 4.3.1.2)."""
    message = fate.sent
    if message is None or not message.committed or not fate.complete or fate.received or _excused(message, fate):
        return
    if message.dead_letter and fate.dead_lettered:
        return
    if message.timer is None:
        broken = ("MQSO-3.2.1-04", "MQSO-5.5.2-02") if message.transactional else ("MQSO-3.3.4.3-09",)
        yield Breach(f"{fate.key} was never received", broken, (fate.begun,))
    elif message.dead_letter:
        says = f"{fate.key} was neither received nor dead-lettered"
        yield Breach(says, ("MQSO-1.1-02", "MQSO-4.3.1.2-16"), (fate.begun,))


def _excused(message: Sent, fate: Fate) -> bool:
    """Return whether a message may be lost: in a later outage of its ends, an express one in any (3.2.1)."""
    match message.assurance:
        case Assurance.TRANSACTIONAL:
            return False
        case Assurance.RECOVERABLE:
            return fate.outages.ends > fate.begun
        case Assurance.EXPRESS:
            return fate.outages.anywhere > fate.begun


def _lingering(fate: Fate) -> Iterator[Breach]:
    """Yield a message that waits at its source after its destination has it, or goes out again from there."""
    for at in dict.fromkeys(at for _, at in fate.sent_again):
        place = next(place for place, machine in fate.sent_again if machine == at)
        yield Breach(f"{at} sends {fate.key} again after it has left its queue", LEAVES_ITS_SOURCE, (place,))
    if fate.waits and (fate.received or fate.acknowledged):
        place, at = fate.waits[0]
        what = "received" if fate.received else "acknowledged"
        yield Breach(f"{fate.key} was {what} and still waits at {at}", LEAVES_ITS_SOURCE, (place,))


def disordered(way: Iterable[Fate]) -> Iterator[tuple[Fate, Breach]]:
    """Yield messages of transactions that came after another that was sent later (5.1.1.2).

    Args:
        way: the fates of what one sender sent to one queue.
    """
    came = [fate for fate in way if fate.received and fate.sent is not None and fate.sent.transactional]
    came.sort(key=lambda fate: (fate.received[0][0], fate.begun))
    latest: Fate | None = None
    for number, fate in enumerate(came):
        before = latest
        if fate.put_back > NEVER:  # while a transaction had it, others could pass
            others = (other for other in came[:number] if other.received[0][0] > fate.put_back)
            before = max(others, key=lambda other: other.begun, default=None)
        if before is not None and before.begun > fate.begun:
            says = f"{fate.key} was sent before {before.key} and received after it"
            yield fate, Breach(says, ("MQSO-5.1.1.2-01",), (before.received[0][0], fate.received[0][0]))
        if latest is None or fate.begun > latest.begun:
            latest = fate


Cell = str | int | bool | None
Row = dict[str, Cell]


def rows_of(history: Sequence[object], name: str) -> Iterator[Row]:
    """Yield the rows of one history for a log that ``mqconform audit deliveries --system`` reads.

    Args:
        history: what happened, as ``broken_promises`` takes it; a row has the columns that apply.
        name: of the history, so that one log can have several.
    """
    for place, event in enumerate(history):
        if not isinstance(event, Aside):  # no rule looks at it
            yield {"history": name, "position": place, **_cells(event)}


def _cells(event: object) -> Row:
    match event:
        case Sent():
            return {
                "event": EventWord.SENT,
                "message": event.key,
                "machine": event.source,
                "to": event.to,
                "queue": event.queue or None,
                "assurance": event.assurance,
                "committed": event.committed,
                "timer": event.timer,
                "dead_letter": event.dead_letter,
            }
        case Happened():
            return {"event": event.what, "message": event.key, "machine": event.at}
        case Failure(machines):
            machine, *others = sorted(machines)
            return {"event": EventWord.FAILED, "machine": machine, "to": others[0] if others else None}
        case _:
            raise TypeError(f"{type(event).__name__} is not an event of a system of queue managers")
