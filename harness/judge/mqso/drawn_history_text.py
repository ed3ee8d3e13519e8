"""Histories of a queue manager as they are drawn: small numbers that become sentences of scenarios that make sense.

A number stands for a deed whatever came before it, so that a history stays one when parts of it are taken out.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

from mqconform.harness.judge.mqso import queue_manager_steps
from mqconform.harness.judge.mqso.drawn_story import (
    DEAD_LETTER,
    EVERYTHING,
    FOCUSES,
    READERS,
    SCALES,
    SYSTEM_QUEUES,
    TRANSACTIONAL,
    TRANSACTIONS,
    Offer,
    Story,
)
from mqconform.harness.judge.mqso.scenes import QueueManagerScene
from mqconform.harness.judge.mqso.sketch import Choices, Sketch
from mqconform.harness.suite.steps import Step, steps_of

ALWAYS: Final = ("send", "send round", "time")
"""Kinds of deeds that every history has."""


Deeds = Iterator[str]


def deeds(sketch: Sketch, offer: Offer = EVERYTHING) -> Deeds:
    """Yield the sentences of a history; what makes no sense where it stands is left out."""
    story = Story(offer.wishes, offer.transactions, offer.identifiers, offer.cursors, offer.rooms, offer.seals)
    for kind, number in sketch:
        yield from _DEEDS[kind](story, Choices(number))


def perform(scene: QueueManagerScene, sentence: str) -> None:
    """Do what a sentence says."""
    step = next(step for step in _steps() if step.parser.is_matching(sentence))
    step.function(scene, **step.arguments(sentence))


@cache
def _steps() -> tuple[Step, ...]:
    return steps_of((queue_manager_steps.__name__,))


def _focused(story: Story, choices: Choices) -> Deeds:
    story.plain, story.transactional = choices.of(FOCUSES)
    yield from ()


def _sent(story: Story, choices: Choices) -> Deeds:
    yield _send(story, choices, choices.of(story.plain))


def _send(story: Story, choices: Choices, queue: str, within: str = "") -> str:
    key = _named(story, queue)
    wishes = choices.of(story.wishes)
    if "5 seconds" in wishes:
        wishes = wishes.replace("5 seconds", f"{_duration(story, choices)} seconds")
    return f"{key} is sent to {queue}{within}{wishes}{choices.of(story.seals) if story.seals else ''}"


def _as(story: Story, choices: Choices) -> str:
    """Return on whose behalf something is asked for, empty where there are no users."""
    return f" as {choices.of(READERS)}" if story.seals else ""


def _named(story: Story, queue: str) -> str:
    """Return the name of the next message, for a queue."""
    key = f"m{len(story.places) + 1}"
    story.places[key] = queue
    story.there[queue] = story.there.get(queue, 0) + 1
    return key


def _received(story: Story, choices: Choices) -> Deeds:
    queue = choices.of(story.plain)
    if not story.there.get(queue):
        yield _send(story, choices, queue)
    yield _receive(story, choices, queue)


def _receive(story: Story, choices: Choices, queue: str, within: str = "") -> str:
    story.there[queue] = max(0, story.there.get(queue, 0) - 1)
    return f"a message is received from {queue}{within}{_as(story, choices)}"


def _looked(story: Story, choices: Choices) -> Deeds:
    yield f"an application looks at {choices.of(story.queues)}{_as(story, choices)}"


def _waited(story: Story, choices: Choices) -> Deeds:
    how = choices.of(("waits", "looks out"))
    yield _wait(story, choices, how, choices.of(story.plain if how == "waits" else story.queues))


def _served(story: Story, choices: Choices) -> Deeds:
    """Let some wait at one queue, within a transaction or not, and send a message or some there."""
    queue = choices.of(story.of_use)
    within = ""
    if queue in TRANSACTIONAL:
        yield from _begun(story, choices)
        within = f" in {story.open[-1]}"
    for how in choices.of((("waits", "waits"), ("looks out", "waits"), ("waits",), ("waits", "waits", "looks out"))):
        yield _wait(story, choices, how, queue, within if how == "waits" else "")
    if choices.of((False, True)):
        yield from choices.of((_gave_up, _purged, _looked, _closed))(story, choices)
    if within:
        yield from _sent_round(story, choices)
    else:
        yield from (_send(story, choices, queue) for _ in range(choices.of((1, 2))))
    if choices.of((True, True, False)):
        yield "an application asks what became of the waits"


def _wait(story: Story, choices: Choices, how: str, queue: str, within: str = "") -> str:
    story.waiting.append(f"r{len(story.waiting) + 1}")
    seconds = _duration(story, choices)
    return f"{story.waiting[-1]} {how} {seconds} seconds for {queue}{within}{_as(story, choices)}"


def _duration(story: Story, choices: Choices) -> int:
    """Return how long something waits or lives, so that what begins first need not end first."""
    return choices.of((5, 5, 12)) * story.scale


def _purged(story: Story, choices: Choices) -> Deeds:
    queue = choices.of(story.queues)
    story.there[queue] = 0
    yield f"{queue} is purged"


def _counted(story: Story, choices: Choices) -> Deeds:
    yield f"an application counts {choices.of(story.queues)}"


def _filled(story: Story, choices: Choices) -> Deeds:
    """Yield as many sends as a small queue has room for, and one more; then it may be emptied."""
    queue, within = choices.of((("small", ""), ("tight", " in t")))
    if within:
        yield from _begun(story, choices)
        within = f" in {story.open[-1]}"
    for _ in range(3):
        yield _send(story, choices, queue, within)
    if within:
        yield from _end(story, story.open[-1], "commits")


def _time(story: Story, choices: Choices) -> Deeds:
    yield f"the queue manager runs for {choices.of((1, 3, 7)) * story.scale} seconds"
    if story.waiting:
        yield "an application asks what became of the waits"


def _expired(story: Story, choices: Choices) -> Deeds:
    """Send messages that have little time, do something, and let that time go by, or nearly."""
    wishes = [wish for wish in story.wishes if "5 seconds" in wish]
    if not wishes:
        return
    queue = choices.of(story.of_use)
    within = ""
    if queue in TRANSACTIONAL:
        yield from _begun(story, choices)
        within = f" in {story.open[-1]}"
    for _ in range(choices.of((1, 2))):
        key = _named(story, queue)
        yield f"{key} is sent to {queue}{within}{choices.of(wishes)}".replace("5 s", f"{5 * story.scale} s")
    if within:
        yield from _end(story, story.open[-1], "commits")
    ways = [_looked, *([_cursor] if story.has_cursors else []), *([_identified] if story.identifiers else [])]
    yield from choices.of((_nothing, _sent, *ways))(story, choices)
    yield f"the queue manager runs for {choices.of((6, 4, 6)) * story.scale} seconds"
    yield from choices.of((_nothing, *ways))(story, choices)


def _scaled(story: Story, choices: Choices) -> Deeds:
    story.scale = choices.of(SCALES)
    yield from ()


def _restarted(story: Story, choices: Choices) -> Deeds:
    """Restart the queue manager, or start it though it runs, which changes nothing."""
    how = choices.of(
        ("is restarted", "is restarted after a crash", "is restarted", "is restarted after a crash", "starts")
    )
    if how != "starts":
        story.over += story.open
        story.open.clear()
    yield f"the queue manager {how}"


def _begun(story: Story, choices: Choices, kind: str = "") -> Deeds:
    kind = kind or choices.of((*story.transactions[:1] * 3, story.transactions[-1]))
    story.begun += 1
    story.open.append(f"t{story.begun}")
    if kind == TRANSACTIONS[1]:
        story.external.add(story.open[-1])
    yield f"{kind} {story.open[-1]} begins"


def _begun_external(story: Story, choices: Choices) -> Deeds:
    yield from _begun(story, choices, TRANSACTIONS[1])


def _sent_within(story: Story, choices: Choices) -> Deeds:
    if not story.open:
        yield from _begun(story, choices)
    within = choices.of(story.open)
    yield _send(story, choices, choices.of(story.transactional), f" in {within}")


def _received_within(story: Story, choices: Choices) -> Deeds:
    queue = choices.of(story.transactional)
    if not story.there.get(queue):
        yield from _sent_round(story, choices)
    if not story.open:
        yield from _begun(story, choices)
    yield _receive(story, choices, queue, f" in {choices.of(story.open)}")


def _waited_within(story: Story, choices: Choices) -> Deeds:
    if not story.open:
        yield from _begun(story, choices)
    within = choices.of(story.open)
    yield _wait(story, choices, "waits", choices.of(story.transactional), f" in {within}")


def _identified(story: Story, choices: Choices) -> Deeds:
    """Ask for one of the messages by its identifier, in a transaction where it was sent in one.

    It may be one that another transaction has just sent and not committed.
    """
    unseen = bool(story.transactions) and choices.of((False, False, True))
    if unseen or not story.places:
        yield from (_sent_within if unseen else _sent)(story, choices)
    how, key = choices.of(("received", "received", "looked at")), choices.of([*story.places][-1 if unseen else -4 :])
    queue, within = story.places[key], ""
    if queue in TRANSACTIONAL and how == "received":
        if unseen or not story.open:
            yield from _begun(story, choices)
        within = f" in {story.open[-1] if unseen else choices.of(story.open)}"
    yield f"{key} of {queue} is {how} by its identifier{within}{_as(story, choices)}"


def _cursor(story: Story, choices: Choices) -> Deeds:
    """Look at a message with a cursor or take one, and make the cursor first where there is none or one more."""
    more = choices.of((False, False, False, True))
    queues = (*story.queues, *story.queues, *(SYSTEM_QUEUES if DEAD_LETTER in story.wishes else ()))
    if more or not story.cursors:
        story.cursors_made += 1
        name = f"c{story.cursors_made}"
        story.cursors[name] = choices.of(queues)
        story.users[name] = _as(story, choices)
        yield f"cursor {name} is made for {story.cursors[name]}{story.users[name]}"
    cursor, queue = choices.of([*story.cursors.items()][-3:])
    for _ in range(choices.of((1, 2))):
        move, how = choices.of(("the next", "its")), choices.of(("looks at", "takes"))
        within = f" in {choices.of(story.open)}" if how == "takes" and story.open and queue in TRANSACTIONAL else ""
        how = "looks at" if queue in {*TRANSACTIONAL, SYSTEM_QUEUES[2]} and not within else how
        yield f"{cursor} {how} {move} message of {queue}{within}{story.users[cursor]}"


def _gave_up(story: Story, choices: Choices) -> Deeds:
    if not story.waiting:
        yield from _waited(story, choices)
    yield f"{choices.of(story.waiting[-3:])} gives up"


def _ended(story: Story, choices: Choices) -> Deeds:
    if not story.open:
        yield from _sent_within(story, choices)
        yield from _received_within(story, choices)
    yield from _end(story, choices.of(story.open), choices.of(("commits", "aborts")))


def _end(story: Story, name: str, how: str) -> Deeds:
    """End a transaction; of an external one the queue manager learns from its coordinator, which takes some time."""
    story.open.remove(name)
    story.over.append(name)
    yield f"{name} {how}"
    if name in story.external:
        yield "the queue manager runs for 4 seconds"


def _used_when_over(story: Story, choices: Choices) -> Deeds:
    """Use a transaction that has ended."""
    if not story.over:
        yield from _sent_round(story, choices)
    name, what = choices.of(story.over), choices.of(("commits", "aborts", "sends", "receives"))
    if what == "sends":
        yield _send(story, choices, choices.of(story.transactional), f" in {name}")
    elif what == "receives":
        yield _receive(story, choices, choices.of(story.transactional), f" in {name}")
    else:
        yield f"{name} {what}"


def _sent_round(story: Story, choices: Choices) -> Deeds:
    """Yield a transaction that sends a message or some and commits."""
    yield from _begun(story, choices)
    name = story.open[-1]
    for _ in range(choices.of((1, 2, 3))):
        yield _send(story, choices, choices.of(story.transactional), f" in {name}")
    yield from _end(story, name, "commits")


def _received_round(story: Story, choices: Choices) -> Deeds:
    """Yield a transaction that receives some messages, may send one, and commits, aborts, or stays open."""
    if not any(story.there.get(queue) for queue in story.transactional):
        yield from _sent_round(story, choices)
    yield from _begun(story, choices)
    name = story.open[-1]
    for _ in range(choices.of((1, 2, 3))):
        yield _receive(story, choices, choices.of(story.transactional), f" in {name}")
    if choices.of((False, True)):
        yield _send(story, choices, choices.of(story.transactional), f" in {name}")
    how = choices.of(("aborts", "commits", "aborts", "commits", ""))
    if how:
        yield from _end(story, name, how)


def _given_back(story: Story, choices: Choices) -> Deeds:
    """Receive messages in some way, abort that, and ask for messages in some way again, of the same queue."""
    queue = choices.of(story.transactional)
    if not story.there.get(queue):
        yield from _begun(story, choices)
        yield from (_send(story, choices, queue, f" in {story.open[-1]}") for _ in range(choices.of((1, 3, 3))))
        yield from _end(story, story.open[-1], "commits")
    for how in ("aborts", choices.of(("commits", "", "aborts"))):
        yield from _begun(story, choices)
        name = story.open[-1]
        for _ in range(choices.of((1, 2))):
            yield from _received_in_some_way(story, choices, queue, name)
        if how:
            yield from _end(story, name, how)


def _received_in_some_way(story: Story, choices: Choices, queue: str, transaction: str) -> Deeds:
    ways = ("first", *(("identifier",) if story.identifiers else ()), *(("cursor",) if story.has_cursors else ()))
    keys = [key for key, of in story.places.items() if of == queue]
    within, way = f" in {transaction}", choices.of(ways)
    if way == "identifier" and keys:
        yield f"{choices.of(keys[-3:])} of {queue} is received by its identifier{within}{_as(story, choices)}"
    elif way == "cursor":
        story.cursors_made += 1
        cursor, user = f"c{story.cursors_made}", _as(story, choices)
        yield f"cursor {cursor} is made for {queue}{user}"
        yield f"{cursor} takes its message of {queue}{within}{user}"
    else:
        yield _receive(story, choices, queue, within)


def _from_system_queue(story: Story, choices: Choices) -> Deeds:
    """Receive from a queue of the queue manager's own, or look at it."""
    if DEAD_LETTER not in story.wishes:
        return
    queue, how = choices.of(SYSTEM_QUEUES), choices.of(("looked", "received"))
    within = f" in {choices.of(story.open)}" if queue == SYSTEM_QUEUES[2] and story.open else ""
    yield f"an application looks at {queue}" if how == "looked" else f"a message is received from {queue}{within}"


def _made_anew(story: Story, choices: Choices) -> Deeds:
    """Delete a queue and create it again; cursors of the old one are of no use."""
    queue = choices.of(story.queues)
    story.there[queue] = 0
    story.cursors = {cursor: of for cursor, of in story.cursors.items() if of != queue}
    yield f"{queue} is deleted"
    yield from choices.of((_nothing, _sent, _sent_within, _ended))(story, choices)
    yield _created(story, choices, queue)


def _made_again(story: Story, choices: Choices) -> Deeds:
    """Create a queue that is there, with other properties: it stays as it is."""
    yield _created(story, choices, choices.of(story.queues))


def _created(story: Story, choices: Choices, queue: str) -> str:
    kind = "transactional" if queue in TRANSACTIONAL else "plain"
    room = choices.of(("", ", with room for 1 message")) if story.rooms else ""
    users = choices.of(("", ", for bob alone")) if story.seals else ""
    return f"a {kind} queue {queue} is created{room}{users}"


def _nothing(story: Story, choices: Choices) -> Deeds:
    del story, choices
    yield from ()


def _changed(story: Story, choices: Choices) -> Deeds:
    room = choices.of(("1 message", "3 messages", "any number of messages", "0 messages"))
    yield f"{choices.of(story.queues)} gets room for {room}"


def _closed(story: Story, choices: Choices) -> Deeds:
    """Close a handle; what waits with one, or is a cursor of one, is left alone."""
    queue = choices.of(story.queues)
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


def _without_coordinator(story: Story, choices: Choices) -> Deeds:
    """Lose the coordinator of one transaction or more, and end what is still open when it is back."""
    pending: list[str] = []
    for _ in range(choices.of((2, 1)) if TRANSACTIONS[1] in story.transactions else 0):
        yield from _begun_external(story, choices)
        pending.append(story.open[-1])
        yield _send(story, choices, choices.of(story.transactional), f" in {pending[-1]}")
    yield from _amid("the coordinator is lost", "the coordinator is back")(story, choices)
    for name in pending:
        if name in story.open:
            yield from _end(story, name, choices.of(("commits", "aborts", "commits")))


_DEEDS: Final[dict[str, Callable[[Story, Choices], Deeds]]] = {
    "queues": _focused,
    "send": _sent,
    "receive": _received,
    "look": _looked,
    "wait": _waited,
    "serve": _served,
    "purge": _purged,
    "count": _counted,
    "time": _time,
    "expire": _expired,
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
    "given back": _given_back,
    "over": _used_when_over,
    "letters": _from_system_queue,
    "anew": _made_anew,
    "again": _made_again,
    "room": _changed,
    "close": _closed,
    "fill": _filled,
    "scale": _scaled,
    "throttling": _amid("throttling begins", "throttling ends"),
    "full store": _amid("the store is full", "the store has room again"),
    "no coordinator": _without_coordinator,
}
KINDS: Final = tuple(_DEEDS)
"""Of deeds."""
