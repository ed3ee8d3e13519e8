"""Histories of a queue manager as they are drawn: small numbers that become sentences of scenarios that make sense.

A number stands for a deed whatever came before it, so that a history stays one when parts of it are taken out.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Final

from hypothesis import strategies as st

from mqconform.harness.judge.mqso import queue_manager_steps
from mqconform.harness.judge.mqso.queue_manager_scene import QueueManagerScene

LENGTH: Final = 16
"""Deeds of a history that is drawn: short ones show little, and what they show longer ones show as well."""
_OCTETS: Final = 2
"""Of a deed as it is drawn."""
QUEUES: Final = (
    ("queue", "transactional", "room"),
    ("inbox", "no", "any"),
    ("orders", "yes", "any"),
    ("acks", "no", "any"),
    ("small", "no", "2"),
)
"""The queues of every history, as a table of a scenario."""
WISHES: Final = (
    "", ", recoverable", ", recoverable", ", to be received within 5 seconds, asking for a dead letter",
    ", recoverable, asking for a copy in the journal",
    ", recoverable, asking for acknowledgment of its receive at acks",
)  # fmt: skip

Sketch = tuple[tuple[str, int], ...]
"""Kinds of deeds, each with a number that says the rest."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that happens: as a sentence of a scenario, and as what the sentence does."""

    says: str
    does: Callable[[QueueManagerScene], None]


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
    """What a history has come to, so that the next deed makes sense."""

    wishes: tuple[str, ...] = WISHES
    messages: int = 0
    begun: int = 0
    readers: int = 0
    open: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    cursors: list[tuple[str, str]] = field(default_factory=list)
    """Each with its queue."""
    places: dict[str, str] = field(default_factory=dict)
    """To which queue each message was sent."""


def sketches(kinds: Collection[str]) -> st.SearchStrategy[Sketch]:
    """Draw histories of some kinds of deeds."""
    weighted = [kind for kind in kinds for _ in range(_WEIGHTS.get(kind, 1))]

    def decoded(octets: bytes) -> Sketch:
        pairs = zip(octets[::_OCTETS], octets[1::_OCTETS], strict=True)
        return tuple((weighted[kind % len(weighted)], number) for kind, number in pairs)

    return st.binary(min_size=LENGTH * _OCTETS, max_size=LENGTH * _OCTETS).map(decoded)


def deeds(sketch: Sketch, offer: Offer = EVERYTHING) -> Iterator[Deed]:
    """Yield the deeds of a history; what makes no sense where it stands is left out."""
    story = Story(offer.wishes)
    for kind, number in sketch:
        if kind in _ROUNDS:
            yield from _ROUNDS[kind](story, number)
        elif deed := _DEEDS[kind](story, number):
            yield deed


def _sent(story: Story, number: int) -> Deed:
    story.messages += 1
    key, queue, wishes = (
        f"m{story.messages}",
        ("inbox", "inbox", "small")[number % 3],
        story.wishes[number % len(story.wishes)],
    )
    story.places[key] = queue
    return Deed(
        f"{key} is sent to {queue}{wishes}", lambda scene: queue_manager_steps.are_sent(scene, key, queue, None, wishes)
    )


def _received(_: Story, number: int) -> Deed:
    queue = ("inbox", "inbox", "small")[number % 3]
    return Deed(
        f"a message is received from {queue}", lambda scene: queue_manager_steps.are_received(scene, "a", queue, None)
    )


def _looked(_: Story, number: int) -> Deed:
    queue = ("inbox", "orders", "small")[number % 3]
    return Deed(f"an application looks at {queue}", lambda scene: queue_manager_steps.is_looked_at(scene, queue))


def _waited(story: Story, number: int) -> Deed:
    story.readers += 1
    reader, how = f"r{story.readers}", ("waits", "looks out")[number % 2]
    story.waiting.append(reader)
    return Deed(
        f"{reader} {how} 5 seconds for inbox",
        lambda scene: queue_manager_steps.waits(scene, reader, how, "5", "inbox", None),
    )


def _purged(_: Story, number: int) -> Deed:
    queue = ("inbox", "orders", "small")[number % 3]
    return Deed(f"{queue} is purged", lambda scene: queue_manager_steps.is_purged(scene, queue, "purged"))


def _counted(_: Story, number: int) -> Deed:
    queue = ("inbox", "orders", "small")[number % 3]
    return Deed(f"an application counts {queue}", lambda scene: queue_manager_steps.counts(scene, queue))


def _time(_: Story, number: int) -> Deed:
    seconds = ("1", "3", "7")[number % 3]
    return Deed(
        f"the queue manager runs for {seconds} seconds", lambda scene: queue_manager_steps.seconds_pass(scene, seconds)
    )


def _restarted(story: Story, number: int) -> Deed:
    how = ("is restarted", "is restarted after a crash")[number % 2]
    story.open.clear()
    return Deed(f"the queue manager {how}", lambda scene: queue_manager_steps.stops(scene, how))


def _begun(story: Story, _: int) -> Deed:
    story.begun += 1
    name = f"t{story.begun}"
    story.open.append(name)
    return Deed(f"transaction {name} begins", lambda scene: queue_manager_steps.begins(scene, "transaction", name))


def _sent_within(story: Story, number: int) -> Deed:
    if not story.open:
        return _begun(story, number)
    story.messages += 1
    key, within = f"m{story.messages}", story.open[number % len(story.open)]
    story.places[key] = "orders"
    return Deed(
        f"{key} is sent to orders in {within}",
        lambda scene: queue_manager_steps.are_sent(scene, key, "orders", within, ""),
    )


def _received_within(story: Story, number: int) -> Deed:
    if not story.open:
        return _begun(story, number)
    within = story.open[number % len(story.open)]
    return Deed(
        f"a message is received from orders in {within}",
        lambda scene: queue_manager_steps.are_received(scene, "a", "orders", within),
    )


def _identified(story: Story, number: int) -> Deed | None:
    """Ask for one of the messages by its identifier, in a transaction where it was sent in one."""
    if not story.places:
        return None
    key = [*story.places][number % len(story.places)]
    queue, how = story.places[key], ("received", "received", "looked at")[number % 3]
    within = story.open[number % len(story.open)] if queue == "orders" and how == "received" and story.open else None
    if queue == "orders" and how == "received" and within is None:
        return _begun(story, number)
    where = f" in {within}" if within else ""
    return Deed(
        f"{key} of {queue} is {how} by its identifier{where}",
        lambda scene: queue_manager_steps.is_received_by_identifier(scene, key, queue, how, within),
    )


def _cursor(story: Story, number: int) -> Deed:
    """Make a cursor, or look at a message or take one with one that was made."""
    if not story.cursors or number % 5 == 0:
        name, queue = f"c{len(story.cursors) + 1}", ("inbox", "orders", "small")[number % 3]
        story.cursors.append((name, queue))
        return Deed(
            f"cursor {name} is made for {queue}", lambda scene: queue_manager_steps.cursor_is_made(scene, name, queue)
        )
    cursor, of_queue = story.cursors[number % len(story.cursors)]
    how = "takes" if number % 4 == 0 and of_queue != "orders" else "looks at"
    move = ("its", "the next")[number % 2]
    return Deed(
        f"{cursor} {how} {move} message of {of_queue}",
        lambda scene: queue_manager_steps.cursor_looks(scene, cursor, how, move, of_queue),
    )


def _waited_within(story: Story, number: int) -> Deed:
    if not story.open:
        return _begun(story, number)
    story.readers += 1
    reader, within = f"r{story.readers}", story.open[number % len(story.open)]
    story.waiting.append(reader)
    return Deed(
        f"{reader} waits 5 seconds for orders in {within}",
        lambda scene: queue_manager_steps.waits(scene, reader, "waits", "5", "orders", within),
    )


def _gave_up(story: Story, number: int) -> Deed | None:
    if not story.waiting:
        return None
    reader = story.waiting[number % len(story.waiting)]
    return Deed(f"{reader} gives up", lambda scene: queue_manager_steps.gives_up(scene, reader))


def _ended(story: Story, number: int) -> Deed | None:
    if not story.open:
        return None
    return _end_of(story.open.pop(number % len(story.open)), ("commits", "commits", "aborts")[number % 3])


def _sent_round(story: Story, number: int) -> Iterator[Deed]:
    """Yield a transaction that sends a message or two and commits."""
    yield _begun(story, number)
    last = len(story.open) - 1
    for _ in range(1 + number % 2):
        yield _sent_within(story, last)
    yield _end_of(story.open.pop(), "commits")


def _received_round(story: Story, number: int) -> Iterator[Deed]:
    """Yield a transaction that receives a message or two, and commits, aborts, or stays open."""
    yield _begun(story, number)
    last = len(story.open) - 1
    for _ in range(1 + number % 2):
        yield _received_within(story, last)
    if number % 5 < 4:
        yield _end_of(story.open.pop(), ("aborts", "commits")[number % 5 // 2])


def _end_of(name: str, how: str) -> Deed:
    return Deed(f"{name} {how}", lambda scene: queue_manager_steps.ends(scene, name, how))


_ROUNDS: Final[dict[str, Callable[[Story, int], Iterator[Deed]]]] = {
    "send round": _sent_round,
    "receive round": _received_round,
}
"""Whole transactions, so that few numbers come to something."""
_DEEDS: Final[dict[str, Callable[[Story, int], Deed | None]]] = {
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
}
_WEIGHTS: Final = {
    "send": 4, "receive": 2, "time": 2, "send within": 2, "receive within": 2, "end": 2, "send round": 4,
    "receive round": 4, "identify": 4, "cursor": 4, "wait within": 2,
}  # fmt: skip
"""How often a kind is drawn beside others, once where it is not named."""
_WITHIN: Final = ("begin", "send within", "receive within", "end", "send round", "receive round")
_OTHERWISE: Final = ("identify", "cursor", "wait within", "give up")
"""Messages that are asked for in another way than as the first, and waits."""
_WITHOUT: Final = ("send", "receive", "wait", "time")
LEFT_OUT: Final = {
    "of plain messages": (*_WITHIN, *_OTHERWISE),
    "with transactions": (*_WITHOUT, *_OTHERWISE),
    "of all kinds": ("purge", "count"),
}
"""The kinds of deeds that each kind of histories does without."""
NEEDS: Final = {
    "count": "management",
    "time": "virtual-clock",
    "restart": "restart",
    "begin": "transactions",
    "send within": "transactions",
    "receive within": "transactions",
    "end": "transactions",
    "send round": "transactions",
    "receive round": "transactions",
    "cursor": "cursors",
    "wait within": "transactions",
}
"""The capability without which a kind of deed is not drawn."""


def kinds_for(capabilities: Collection[str], histories: str, offer: Offer = EVERYTHING) -> tuple[str, ...]:
    """Return the kinds of deeds that an implementation with some capabilities can do.

    Args:
        capabilities: what it offers.
        histories: one of ``LEFT_OUT``.
        offer: what else it offers.
    """
    left_out = (*LEFT_OUT[histories], *(() if offer.identifiers else ("identify",)))
    offered = (kind for kind in (*_DEEDS, *_ROUNDS) if NEEDS.get(kind) is None or NEEDS[kind] in capabilities)
    return tuple(kind for kind in offered if kind not in left_out)
