"""Histories of a queue manager as they are drawn: small numbers that become sentences of scenarios that make sense.

A number stands for a deed whatever came before it, so that a history stays one when parts of it are taken out.
"""

from collections.abc import Callable, Collection, Generator, Iterator
from dataclasses import dataclass, field
from typing import Final

from mqconform.harness.judge.mqso.history_search import Choices, Sketch

ALWAYS: Final = ("send", "send round", "time")
"""Kinds of deeds that every history has."""
QUEUES: Final = (
    ("queue", "transactional", "room"),
    ("inbox", "no", "any"),
    ("orders", "yes", "any"),
    ("acks", "no", "any"),
    ("small", "no", "2"),
    ("tight", "yes", "2"),
)
"""The queues of every history, as a table of a scenario."""
_PLAIN: Final = ("inbox", "inbox", "small")
_TRANSACTIONAL: Final = ("orders", "orders", "tight")
_SYSTEM_QUEUES: Final = ("the dead-letter queue", "the journal", "the transactional dead-letter queue")
_DEAD_LETTER: Final = ", to be received within 5 seconds, asking for a dead letter"
WISHES: Final = (
    "", ", recoverable", ", recoverable", _DEAD_LETTER, ", recoverable, asking for a copy in the journal",
    ", recoverable, asking for acknowledgment of its receive at acks",
    ", recoverable, to be received within 5 seconds, asking for everything, in answer to m1",
)  # fmt: skip
"""What sends ask for."""
SCALES: Final = (700_000, 1_000_000)
"""What a history may multiply its times by: some are beyond 31 bits of milliseconds then, or beyond 32."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What of a history an implementation offers though no capability says so.

    Attributes:
        wishes: what a send may ask for.
        rooms: a queue may have limited room.
        identifiers: messages can be asked for by their identifiers.
    """

    wishes: tuple[str, ...] = WISHES
    rooms: bool = True
    identifiers: bool = True

    @property
    def queues(self) -> tuple[tuple[str, ...], ...]:
        """The queues of a history, as a table of a scenario."""
        return QUEUES if self.rooms else tuple((*row[:-1], "any" if row[-1].isdigit() else row[-1]) for row in QUEUES)


EVERYTHING: Final = Offer()


@dataclass(slots=True)
class Story:
    """What a history has come to, so that the next deed makes sense.

    Attributes:
        wishes: what a send may ask for.
        scale: what times are multiplied by.
        begun: how many transactions were begun; ``open`` and ``over``: their names.
        waiting: names of the operations that were to wait.
        cursors: each with its queue.
        places: to which queue each message was sent.
    """

    wishes: tuple[str, ...] = WISHES
    scale: int = 1
    begun: int = 0
    open: list[str] = field(default_factory=list)
    over: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    cursors: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    cursors_made: int = 0


Deeds = Iterator[str]


def deeds(sketch: Sketch, offer: Offer = EVERYTHING) -> Deeds:
    """Yield the sentences of a history; what makes no sense where it stands is left out."""
    story = Story(offer.wishes)
    for kind, number in sketch:
        yield from _DEEDS[kind](story, Choices(number))


def _sent(story: Story, choices: Choices) -> Deeds:
    yield _send(story, choices, choices.of(_PLAIN))


def _send(story: Story, choices: Choices, queue: str, within: str = "") -> str:
    key = f"m{len(story.places) + 1}"
    story.places[key] = queue
    wishes = choices.of(story.wishes)
    if "5 seconds" in wishes:
        wishes = wishes.replace("5 seconds", f"{_duration(story, choices)} seconds")
    return f"{key} is sent to {queue}{within}{wishes}"


def _received(_: Story, choices: Choices) -> Deeds:
    yield f"a message is received from {choices.of(_PLAIN)}"


def _looked(_: Story, choices: Choices) -> Deeds:
    yield f"an application looks at {choices.of(('inbox', 'orders', 'small', 'tight'))}"


def _waited(story: Story, choices: Choices) -> Deeds:
    how, queue = choices.of((("waits", "inbox"), ("looks out", "inbox"), ("waits", "small"), ("looks out", "orders")))
    yield _wait(story, choices, how, queue)


def _wait(story: Story, choices: Choices, how: str, queue: str) -> str:
    story.waiting.append(f"r{len(story.waiting) + 1}")
    return f"{story.waiting[-1]} {how} {_duration(story, choices)} seconds for {queue}"


def _duration(story: Story, choices: Choices) -> int:
    """Return how long something waits or lives, so that what begins first need not end first."""
    return choices.of((5, 5, 12)) * story.scale


def _purged(_: Story, choices: Choices) -> Deeds:
    yield f"{choices.of(('inbox', 'orders', 'small', 'tight'))} is purged"


def _counted(_: Story, choices: Choices) -> Deeds:
    yield f"an application counts {choices.of(('inbox', 'orders', 'small', 'tight'))}"


def _time(story: Story, choices: Choices) -> Deeds:
    yield f"the queue manager runs for {choices.of((1, 3, 7)) * story.scale} seconds"
    if story.waiting:
        yield "an application asks what became of the waits"


def _scaled(story: Story, choices: Choices) -> Deeds:
    story.scale = choices.of(SCALES)
    yield from ()


def _restarted(story: Story, choices: Choices) -> Deeds:
    story.over += story.open
    story.open.clear()
    yield f"the queue manager {choices.of(('is restarted', 'is restarted after a crash'))}"


def _begun(story: Story, choices: Choices, kind: str = "transaction") -> Deeds:
    del choices
    story.begun += 1
    story.open.append(f"t{story.begun}")
    yield f"{kind} {story.open[-1]} begins"


def _begun_external(story: Story, choices: Choices) -> Deeds:
    yield from _begun(story, choices, "external transaction")


def _open(story: Story, choices: Choices) -> Generator[str, None, str]:
    """Return an open transaction, begun first where there is none."""
    if not story.open:
        yield from _begun(story, choices)
    return choices.of(story.open)


def _sent_within(story: Story, choices: Choices) -> Deeds:
    within = yield from _open(story, choices)
    yield _send(story, choices, choices.of(_TRANSACTIONAL), f" in {within}")


def _received_within(story: Story, choices: Choices) -> Deeds:
    within = yield from _open(story, choices)
    yield f"a message is received from {choices.of(_TRANSACTIONAL)} in {within}"


def _waited_within(story: Story, choices: Choices) -> Deeds:
    within = yield from _open(story, choices)
    yield f"{_wait(story, choices, 'waits', choices.of(_TRANSACTIONAL))} in {within}"


def _identified(story: Story, choices: Choices) -> Deeds:
    """Ask for one of the messages by its identifier, in a transaction where it was sent in one."""
    if not story.places:
        return
    how, key = choices.of(("received", "received", "looked at")), choices.of([*story.places])
    queue, within = story.places[key], ""
    if queue in _TRANSACTIONAL and how == "received":
        name = yield from _open(story, choices)
        within = f" in {name}"
    yield f"{key} of {queue} is {how} by its identifier{within}"


def _cursor(story: Story, choices: Choices) -> Deeds:
    """Look at a message with a cursor or take one, and make the cursor first where there is none or one more."""
    more = choices.of((False, False, False, True))
    queues = ("inbox", "orders", "small", "tight", *(_SYSTEM_QUEUES if _DEAD_LETTER in story.wishes else ()))
    if more or not story.cursors:
        story.cursors_made += 1
        name = f"c{story.cursors_made}"
        story.cursors[name] = choices.of(queues)
        yield f"cursor {name} is made for {story.cursors[name]}"
        return
    cursor, queue = choices.of([*story.cursors.items()])
    move, how = choices.of(("the next", "its")), choices.of(("looks at", "takes"))
    within = f" in {choices.of(story.open)}" if how == "takes" and story.open and queue in _TRANSACTIONAL else ""
    how = "looks at" if queue in {*_TRANSACTIONAL, _SYSTEM_QUEUES[2]} and not within else how
    yield f"{cursor} {how} {move} message of {queue}{within}"


def _gave_up(story: Story, choices: Choices) -> Deeds:
    if story.waiting:
        yield f"{choices.of(story.waiting)} gives up"


def _ended(story: Story, choices: Choices) -> Deeds:
    if story.open:
        name = choices.of(story.open)
        yield _end(story, name, choices.of(("commits", "commits", "aborts")))


def _end(story: Story, name: str, how: str) -> str:
    story.open.remove(name)
    story.over.append(name)
    return f"{name} {how}"


def _used_when_over(story: Story, choices: Choices) -> Deeds:
    """Use a transaction that has ended."""
    if not story.over:
        return
    name, what = choices.of(story.over), choices.of(("commits", "aborts", "sends", "receives"))
    if what == "sends":
        yield _send(story, choices, "orders", f" in {name}")
    elif what == "receives":
        yield f"a message is received from orders in {name}"
    else:
        yield f"{name} {what}"


def _sent_round(story: Story, choices: Choices) -> Deeds:
    """Yield a transaction that sends a message or some and commits."""
    yield from _begun(story, choices)
    name = story.open[-1]
    for _ in range(choices.of((1, 2, 3))):
        yield _send(story, choices, choices.of(_TRANSACTIONAL), f" in {name}")
    yield _end(story, name, "commits")


def _received_round(story: Story, choices: Choices) -> Deeds:
    """Yield a transaction that receives a message or some, and commits, aborts, or stays open."""
    yield from _begun(story, choices)
    name = story.open[-1]
    for _ in range(choices.of((1, 2, 3))):
        yield f"a message is received from {choices.of(_TRANSACTIONAL)} in {name}"
    how = choices.of(("aborts", "commits", "aborts", "commits", ""))
    if how:
        yield _end(story, name, how)


def _from_system_queue(story: Story, choices: Choices) -> Deeds:
    """Receive from a queue of the queue manager's own, or look at it."""
    if _DEAD_LETTER not in story.wishes:
        return
    queue, how = choices.of(_SYSTEM_QUEUES), choices.of(("looked", "received"))
    within = f" in {choices.of(story.open)}" if queue == _SYSTEM_QUEUES[2] and story.open else ""
    yield f"an application looks at {queue}" if how == "looked" else f"a message is received from {queue}{within}"


def _made_anew(story: Story, choices: Choices) -> Deeds:
    """Delete a queue and create it again; cursors of the old one are of no use."""
    queue = choices.of(("inbox", "orders", "tight", "small"))
    story.cursors = {cursor: of for cursor, of in story.cursors.items() if of != queue}
    yield f"{queue} is deleted"
    yield from choices.of((_nothing, _sent, _sent_within, _ended))(story, choices)
    yield f"a {'transactional' if queue in _TRANSACTIONAL else 'plain'} queue {queue} is created"


def _nothing(story: Story, choices: Choices) -> Deeds:
    del story, choices
    yield from ()


def _changed(_: Story, choices: Choices) -> Deeds:
    yield f"{choices.of(('small', 'tight'))} gets room for {choices.of(('1 message', '3 messages'))}"


def _closed(story: Story, choices: Choices) -> Deeds:
    """Close a handle; what waits with one, or is a cursor of one, is left alone."""
    queue = choices.of(("inbox", "orders", "small", "tight"))
    receives = choices.of((False, True)) and not story.waiting and queue not in story.cursors.values()
    yield f"the application that {'receives from' if receives else 'sent to'} {queue} ends"


def _amid(begins: str, ends: str) -> Callable[[Story, Choices], Deeds]:
    """Return what yields some deeds while something is not as usual."""

    def amid(story: Story, choices: Choices) -> Deeds:
        wishes, story.wishes = story.wishes, story.wishes[:1]  # a report says nothing of a send that was pending
        yield begins
        for _ in range(2):
            yield from choices.of((_sent, _sent_within, _received, _received_within, _ended, _looked))(story, choices)
        story.wishes = wishes
        yield ends

    return amid


_DEEDS: Final[dict[str, Callable[[Story, Choices], Deeds]]] = {
    "send": _sent,
    "receive": _received,
    "look": _looked,
    "wait": _waited,
    "purge": _purged,
    "count": _counted,
    "time": _time,
    "restart": _restarted,
    "begin": _begun,
    "send within": _sent_within,
    "receive within": _received_within,
    "end": _ended,
    "identify": _identified,
    "cursor": _cursor,
    "wait within": _waited_within,
    "give up": _gave_up,
    "send round": _sent_round,
    "receive round": _received_round,
    "external": _begun_external,
    "over": _used_when_over,
    "system queue": _from_system_queue,
    "anew": _made_anew,
    "room": _changed,
    "close": _closed,
    "scale": _scaled,
    "throttling": _amid("throttling begins", "throttling ends"),
    "full store": _amid("the store is full", "the store has room again"),
    "no coordinator": _amid("the coordinator is lost", "the coordinator is back"),
}
WEIGHTS: Final = {
    "receive": 2, "end": 2, "receive round": 2, "identify": 2, "cursor": 2, "wait within": 2, "wait": 2, "restart": 2,
}  # fmt: skip
"""How often a kind is drawn beside others, once where it is not named."""
_WITHIN: Final = ("begin", "send within", "receive within", "end", "send round", "receive round")
_OTHERWISE: Final = (
    "identify", "cursor", "wait within", "give up", "external", "over", "system queue", "anew", "room", "close",
    "scale", "throttling", "full store", "no coordinator",
)  # fmt: skip
"""Messages that are asked for in another way than as the first, waits, and what is rare."""
_WITHOUT: Final = ("send", "receive", "wait", "time")
LEFT_OUT: Final = {
    "of plain messages": (*_WITHIN, *_OTHERWISE),
    "with transactions": (*_WITHOUT, *_OTHERWISE),
    "of all kinds": (),
}
"""The kinds of deeds that each kind of histories does without."""
NEEDS: Final = {
    "count": "management",
    "time": "virtual-clock",
    "scale": "virtual-clock",
    "restart": "restart",
    "cursor": "cursors",
    "external": "external-transactions",
    "throttling": "throttling",
    "full store": "store-faults",
    "no coordinator": "coordinator-faults",
    **dict.fromkeys((*_WITHIN, "wait within", "over"), "transactions"),
}
"""The capability without which a kind of deed is not drawn."""


def kinds_for(capabilities: Collection[str], histories: str, offer: Offer = EVERYTHING) -> tuple[str, ...]:
    """Return the kinds of deeds that an implementation with some capabilities can do."""
    left_out = {
        *LEFT_OUT[histories],
        *(() if offer.identifiers else ("identify",)),
        *(() if offer.rooms else ("room",)),
    }
    offered = (kind for kind in _DEEDS if NEEDS.get(kind) is None or NEEDS[kind] in capabilities)
    return tuple(kind for kind in offered if kind not in left_out)
