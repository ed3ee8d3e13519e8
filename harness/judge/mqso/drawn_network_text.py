"""Histories of several queue managers as they are drawn: numbers that become sentences of scenarios that make sense.

Most deeds are followed by six hours, in which all passes that nothing hinders: what may have happened stays little so.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from mqconform.harness.judge.mqso import directory, network
from mqconform.harness.judge.mqso.scenes import NetworkScene
from mqconform.harness.judge.mqso.sketch import Choices, Sketch
from mqconform.harness.suite.steps import Step, steps_of

MACHINES: Final = ("laptop", "office", "shop")
QUEUES: Final = (
    ("machine", "queue", "transactional", "room"),
    *(
        (machine, *queue)
        for machine in MACHINES
        for queue in (("orders", "no", "any"), ("safe", "yes", "any"), ("acks", "no", "any"))
    ),
)
"""The queues of every history, as a table of a scenario."""
_HOUR_LONG: Final = ", to reach it within 3600 seconds"
_WISHES: Final = (
    ", recoverable", "", ", recoverable", ", recoverable, asking for acknowledgment of its receive at acks",
    ", recoverable, asking for a copy in the journal", f", recoverable{_HOUR_LONG}, asking for a dead letter",
    f", recoverable{_HOUR_LONG}, asking for acknowledgment of its failure at acks",
    ", recoverable, asking for acknowledgment of its arrival at acks, asking for an answer at acks",
)  # fmt: skip
_WISHES_OF_TRANSACTIONS: Final = (
    "", "", "", "", ", asking for acknowledgment of its receive at acks", f"{_HOUR_LONG}, asking for a dead letter",
    ", asking for a copy in the journal, asking for acknowledgment of its arrival at acks",
)  # fmt: skip
_LATE: Final = tuple(
    f"{_HOUR_LONG}{asked}"
    for asked in (
        ", asking for a dead letter, asking for acknowledgment of its failure at acks",
        ", asking for a dead letter", ", asking for acknowledgment of its failure at acks",
    )
)  # fmt: skip
ALWAYS: Final = ("send", "send round")
"""Kinds of deeds that every history has."""
SETTLES: Final = "6 hours pass everywhere"
BY_ADDRESS: Final = 4
"""One of this number of messages to public queues is sent by the address of its machine, which needs no directory."""
MOST_ON_THEIR_WAY: Final = 2
"""Messages that may be on their way at once: each doubles what may have happened."""


@dataclass(slots=True)
class Story:
    """What a history has come to.

    Attributes:
        offered: the kinds of deeds that the implementation can do.
        messages: how many were sent; ``moving``: how many of them since all was settled.
        begun: how many transactions were begun; ``open``: their names, with the machine of each.
        hindered: from where to where something hinders messages, None while nothing does.
        pairs: from where to where messages go, the most usual first.
        public: the queues are public, and most messages are sent by the names that the directory has.
    """

    offered: Collection[str]
    pairs: tuple[tuple[str, ...], ...] = (MACHINES[:2], MACHINES[:2], MACHINES[1::-1], MACHINES[::2], MACHINES[1:])
    public: bool = False
    messages: int = 0
    moving: int = 0
    begun: int = 0
    hindered: tuple[str, str] | None = None
    open: dict[str, str] = field(default_factory=dict)


Deeds = Iterator[str]
Deed = Callable[[Story, Choices], Deeds]


def deeds(sketch: Sketch, offered: Collection[str]) -> Deeds:
    """Yield the sentences of a history, of the kinds of deeds that are offered."""
    story = Story(offered)
    for kind, number in sketch:
        yield from DEEDS[kind](story, Choices(number))


def perform(scene: NetworkScene, sentence: str) -> None:
    """Do what a sentence says."""
    step = next(step for step in _steps() if step.kind == "when" and step.parser.is_matching(sentence))
    step.function(scene, **step.arguments(sentence))


@cache
def _steps() -> tuple[Step, ...]:
    return steps_of((network.__name__, directory.__name__))


def two_machines(story: Story, choices: Choices) -> tuple[str, str]:
    """Return two machines: those that something hinders, mostly, or else any, mostly the first two."""
    if story.hindered and choices.of((True, True, True, False)):
        return story.hindered
    machine, to = choices.of(story.pairs)
    return machine, to


def settled(story: Story, choices: Choices) -> Deeds:
    """Yield six hours, unless a few messages are on their way only and may be left there."""
    if story.moving and (choices.of((True, True, True, True, False)) or story.moving > MOST_ON_THEIR_WAY):
        story.moving = 0
        yield SETTLES


def message(story: Story, machine: str, queue: str, to: str, rest: str) -> str:
    """Return the send of one more message to a queue of another machine."""
    story.messages += 1
    story.moving += 1
    far = story.public and "office" not in {machine, to}
    by_name = far or (story.public and story.messages % BY_ADDRESS)
    if far:
        rest, *_ = rest.split(", asking")  # what answers it goes by an address, and so not over a routing server
    return f"machine {machine} sends m{story.messages} to {'public queue ' if by_name else ''}{queue} at {to}{rest}"


def _sent(story: Story, choices: Choices) -> Deeds:
    machine, to = two_machines(story, choices)
    yield message(story, machine, "orders", to, choices.of(_WISHES))
    yield from settled(story, choices)


def _sent_round(story: Story, choices: Choices) -> Deeds:
    """Yield a transaction that sends some messages, to one machine or two, and ends or stays open."""
    machine, to = two_machines(story, choices)
    other = choices.of((to, to, next(name for name in MACHINES if name not in {machine, to})))
    yield from begun(story, machine)
    name = f"t{story.begun}"
    for number in range(choices.of((1, 2, 3))):
        wishes = choices.of(_WISHES_OF_TRANSACTIONS)
        yield message(story, machine, "safe", other if number else to, f" in {name}{wishes}")
    yield from end(story, name, choices.of(("commits", "commits", "aborts", "")))
    yield from settled(story, choices)


def begun(story: Story, machine: str, kind: str = "transaction") -> Deeds:
    """Yield the begin of one more transaction."""
    story.begun += 1
    story.open[f"t{story.begun}"] = machine
    yield f"{machine} begins {kind} t{story.begun}"


def end(story: Story, name: str, how: str) -> Deeds:
    """Yield the end of a transaction; ``how``: ``commits`` or ``aborts``, empty for none."""
    if how:
        yield f"{story.open.pop(name)} {how} {name}"


def _ended(story: Story, choices: Choices) -> Deeds:
    if story.open:
        yield from end(story, choices.of([*story.open]), choices.of(("commits", "aborts")))
        yield from settled(story, choices)


def _received(story: Story, choices: Choices) -> Deeds:
    machine = two_machines(story, choices)[1]
    yield from settled(story, choices)
    yield f"machine {machine} receives {choices.of(('a message', '2 messages'))} from orders"


def _received_round(story: Story, choices: Choices) -> Deeds:
    """Yield a transaction that receives some messages and answers with one, perhaps, and ends or stays open."""
    to, machine = two_machines(story, choices)
    yield from settled(story, choices)
    yield from begun(story, machine)
    name = f"t{story.begun}"
    yield f"machine {machine} receives {choices.of(('a message', '2 messages'))} from safe in {name}"
    if choices.of((False, True)):
        yield message(story, machine, "safe", to, f" in {name}")
    yield from end(story, name, choices.of(("commits", "aborts", "commits", "")))
    yield from settled(story, choices)


def _received_from_afar(story: Story, choices: Choices) -> Deeds:
    machine, to = two_machines(story, choices)
    yield from settled(story, choices)
    yield choices.of(
        (
            f"machine {machine} receives a message from orders at {to}",
            f"machine {machine} looks at orders at {to}",
            f"machine {machine} receives a message from orders at {to}",
        )
    )


def _waited_from_afar(story: Story, choices: Choices) -> Deeds:
    """Wait for a message that comes, or for none."""
    machine, to = two_machines(story, choices)
    yield f"machine {machine} waits 60 seconds for orders at {to}"
    if choices.of((True, False)):
        yield f"machine {to} sends m{story.messages + 1} to orders{choices.of(_WISHES)}"
        story.messages += 1
    yield choices.of(("61 seconds pass everywhere", "4 seconds pass everywhere"))


def _received_externally(story: Story, choices: Choices) -> Deeds:
    machine, to = two_machines(story, choices)
    yield from settled(story, choices)
    yield from begun(story, machine, "external transaction")
    name = f"t{story.begun}"
    yield f"machine {machine} receives a message from safe at {to} in {name}"
    yield from end(story, name, choices.of(("aborts", "commits")))
    yield "4 seconds pass everywhere"


def _restarted(story: Story, choices: Choices) -> Deeds:
    machine = choices.of(two_machines(story, choices))
    yield from settled(story, choices)
    yield from started_anew(story, machine, choices.of(("after a crash", "")))


def _counted(story: Story, choices: Choices) -> Deeds:
    yield from settled(story, choices)
    machine, to = two_machines(story, choices)
    yield choices.of((f"an application counts what waits at {machine}", f"{machine} counts orders at {to}"))


def _local(story: Story, choices: Choices) -> Deeds:
    """Send to a queue of the machine itself, beside what comes from others."""
    machine = two_machines(story, choices)[1]
    story.messages += 1
    if choices.of((True, False)) and "send round" in story.offered:
        yield f"machine {machine} sends m{story.messages} to safe in a transaction"
    else:
        yield f"machine {machine} sends m{story.messages} to orders, recoverable"


def _too_late(story: Story, choices: Choices) -> Deeds:
    """Send what cannot arrive in its time; the source may start anew before that is over."""
    machine, to = two_machines(story, choices)
    if story.moving:
        story.moving = 0
        yield SETTLES
    yield f"the network between {machine} and {to} fails"
    for _ in range(choices.of((1, 2))):
        if choices.of((True, True, False)) and "send round" in story.offered:
            yield message(story, machine, "safe", to, f" in a transaction{choices.of(_LATE)}")
        else:
            yield message(story, machine, "orders", to, f", recoverable{choices.of(_LATE)}")
    if choices.of((True, False)) and "restart" in story.offered:
        yield from started_anew(story, machine, choices.of(("after a crash", "")))
    yield SETTLES
    yield f"the network between {machine} and {to} is back"
    story.moving = 0
    yield SETTLES


def started_anew(story: Story, machine: str, how: str) -> Deeds:
    """Yield a restart of a machine, which ends its transactions; ``how``: ``after a crash``, or empty."""
    yield f"queue manager {machine} is restarted {how}".rstrip()
    story.open = {name: at for name, at in story.open.items() if at != machine}


def _amid(begins: str, ends: str, place: int) -> Deed:
    """Return what yields some deeds while something hinders a machine: the first of two, or the second."""

    def amid(story: Story, choices: Choices) -> Deeds:
        pair = two_machines(story, choices)
        names = {"machine": pair[place], "other": pair[1 - place]}
        if story.moving:
            story.moving = 0
            yield SETTLES
        yield begins.format_map(names)
        story.hindered = pair
        for _ in range(choices.of((2, 1, 3))):
            kind = choices.of(("send round", "send", "receive", "receive round", "end", "count"))
            yield from DEEDS[kind if kind in story.offered else "send"](story, choices)
        if choices.of((False, True)) and "restart" in story.offered:
            yield from started_anew(story, pair[1 - place], "after a crash")
        story.hindered = None
        yield ends.format_map(names)
        story.moving = 0
        yield SETTLES

    return amid


DEEDS: Final[dict[str, Deed]] = {
    "send": _sent,
    "send round": _sent_round,
    "receive": _received,
    "receive round": _received_round,
    "end": _ended,
    "local": _local,
    "receive from afar": _received_from_afar,
    "wait from afar": _waited_from_afar,
    "receive externally": _received_externally,
    "restart": _restarted,
    "count": _counted,
    "too late": _too_late,
    "outage": _amid(
        "the network between {machine} and {other} fails", "the network between {machine} and {other} is back", 1
    ),
    "down": _amid("queue manager {machine} crashes", "queue manager {machine} starts", 1),
    "pause": _amid(
        "{machine} pauses what waits for safe at {other}", "{machine} resumes what waits for safe at {other}", 0
    ),
    "offline": _amid("{machine} is taken offline", "{machine} is brought online", 1),
    "throttling": _amid("{machine} begins to throttle", "{machine} ends throttling", 1),
    "full store": _amid("the store of {machine} is full", "the store of {machine} has room again", 1),
}
WEIGHTS: Final = {
    "too late": 2,
    "outage": 3,
    "down": 3,
    "restart": 3,
    "pause": 2,
    "offline": 2,
    "receive round": 2,
    "receive": 2,
}
"""How often a kind is drawn beside others, once where it is not named."""
NEEDS: Final = {
    **dict.fromkeys(("send round", "receive round", "end"), frozenset({"transactions"})),
    "receive from afar": frozenset({"remote-read"}),
    "wait from afar": frozenset({"remote-read"}),
    "receive externally": frozenset({"remote-read", "external-transactions", "transactions"}),
    "restart": frozenset({"restart"}),
    "down": frozenset({"restart"}),
    "count": frozenset({"management"}),
    "pause": frozenset({"offline"}),
    "offline": frozenset({"offline"}),
    "throttling": frozenset({"throttling"}),
    "full store": frozenset({"store-faults"}),
}
"""The capabilities without which a kind of deed is not drawn."""


def kinds_for(capabilities: Collection[str]) -> tuple[str, ...]:
    """Return the kinds of deeds that implementations with some capabilities can do."""
    return tuple(kind for kind in DEEDS if NEEDS.get(kind, frozenset()) <= {*capabilities})
