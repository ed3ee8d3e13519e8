"""Histories of a domain as they are drawn: public names, routing, changes from afar, a lost directory, aborts.

Beside these deeds there are those of several machines without a directory, by public names mostly.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from mqconform.harness.judge.mqso import drawn_network_text as text
from mqconform.harness.judge.mqso.drawn_network_text import Deeds, Story
from mqconform.harness.judge.mqso.sketch import Choices, Sketch

SITES: Final = (
    ("machine", "site", "gate"),
    ("laptop", "West", "no"),
    ("office", "West", "yes"),
    ("shop", "East", "yes"),
)
"""The machines of a domain: messages between the first and the last go over the second, which is a routing server."""
ROUTED: Final = "a domain with the routing links West-East 1 and the machines"
MODES: Final = (
    ("machine", "mode", "queue", "kind"),
    *((machine, "integrated", "none", "private") for machine in text.MACHINES),
)
"""The machines where there is no routing: any two reach each other."""
UNROUTED: Final = "queue managers with a directory and the queues"
PUBLIC_QUEUES: Final = ", ".join(
    f"{queue} at {machine}" for machine in text.MACHINES for queue in ("orders", "transactional safe", "acks")
)
ALWAYS: Final = ("send round",)
"""Kinds of deeds that every history has: what is lost in an outage, or not, has to be followed both ways."""
_NEIGHBOURS: Final = (text.MACHINES[:2], text.MACHINES[:0:-1], text.MACHINES[1::-1])
_SHARED: Final = (
    "send", "send round", "receive", "receive round", "end", "restart", "outage", "down", "offline", "throttling",
    "full store",
)  # fmt: skip


@dataclass(slots=True)
class DomainStory(Story):
    """What a history of a domain has come to.

    Attributes:
        created: how many public queues were created.
    """

    pairs: tuple[tuple[str, ...], ...] = field(
        default=(text.MACHINES[::2], text.MACHINES[:2], text.MACHINES[::-2], text.MACHINES[1:])
    )
    public: bool = True
    created: int = 0


def deeds(sketch: Sketch, offered: Collection[str]) -> Deeds:
    """Yield the sentences of a history of a domain, of the kinds of deeds that are offered."""
    story = DomainStory(offered)
    for kind, number in sketch:
        yield from _deed(story, kind, Choices(number))


def _deed(story: DomainStory, kind: str, choices: Choices) -> Deeds:
    if kind in _OF_DOMAIN:
        yield from _OF_DOMAIN[kind](story, choices)
    else:
        yield from text.DEEDS[kind](story, choices)


def _settles(story: DomainStory) -> Deeds:
    if story.moving:
        story.moving = 0
        yield text.SETTLES


def _changed(story: DomainStory, choices: Choices) -> Deeds:
    """Change the room of a public queue, of the machine itself or from afar, once or twice, and send to it."""
    machine, to = text.two_machines(story, choices)
    queue = choices.of(("safe", "orders")) if "send round" in story.offered else "orders"
    yield from _settles(story)
    for _ in range(choices.of((1, 2))):
        room = choices.of((1, 3, 2))
        yield f"{choices.of((machine, machine, to))} gives public queue {queue} at {to} room for {room} messages"
        yield text.SETTLES
    for _ in range(choices.of((1, 2))):
        within = queue == "safe" and choices.of((True, False))  # outside a transaction it never arrives
        yield text.message(story, machine, queue, to, " in a transaction" if within else ", recoverable")
    yield from _settles(story)


def _created(story: DomainStory, choices: Choices) -> Deeds:
    """Create a public queue at a machine or from afar, and see whether it is of use there, and found."""
    machine, to = text.two_machines(story, choices)
    yield from _settles(story)
    story.created += 1
    queue = f"orders{story.created}"
    yield f"{choices.of((machine, to))} creates public queue {queue} at {to}"
    yield text.SETTLES
    story.messages += 1
    yield f"machine {to} sends m{story.messages} to {queue}, recoverable"
    yield f"machine {to} receives a message from {queue}"
    yield f"{machine} looks for {choices.of((queue, 'orders'))} in the directory"


def _looked(story: DomainStory, choices: Choices) -> Deeds:
    machine, _ = text.two_machines(story, choices)
    yield f"{machine} looks for orders in the directory"


def _without_directory(story: DomainStory, choices: Choices) -> Deeds:
    """Let one machine or all be without the directory for some deeds, and perhaps start without it."""
    machine, to = text.two_machines(story, choices)
    lost = choices.of((machine, to, machine, "all"))
    yield from _settles(story)
    yield f"the directory is lost for {lost}"
    for name in text.MACHINES if lost == "all" else (lost,):  # so that it meets the loss
        yield f"{name} looks for orders in the directory"
    starts = "restart" in story.offered and choices.of((False, True))
    story.hindered = machine, to
    for _ in range(choices.of((1, 2))):
        kind = choices.of(("send round", "send round", "create", "send", "change"))
        yield from _deed(story, kind if kind in story.offered else "send", choices)
    if starts:
        yield from text.started_anew(story, machine, "")
    story.hindered = None
    yield f"the directory is back for {lost}"
    yield text.SETTLES
    if starts:
        yield from text.started_anew(story, machine, "")
        yield text.SETTLES
    story.moving = 0


def _aborted_from_afar(story: DomainStory, choices: Choices) -> Deeds:
    """Receive another machine's message in a transaction, and abort that amid an outage or after a restart there.

    The message is there again when all is well.
    """
    machine, to = choices.of(_NEIGHBOURS)
    story.messages += 1
    yield f"machine {to} sends m{story.messages} to safe in a transaction"
    yield from _settles(story)
    yield from text.begun(story, machine, "external transaction")
    name = f"t{story.begun}"
    yield f"machine {machine} receives a message from safe at {to} in {name}"
    amid = choices.of(("outage", "restart", ""))
    if amid == "outage":
        yield f"the network between {machine} and {to} fails"
    elif amid and "restart" in story.offered:
        yield from text.started_anew(story, to, choices.of(("after a crash", "")))
    yield from text.end(story, name, "aborts")
    if amid == "outage":
        yield f"the network between {machine} and {to} is back"
    yield text.SETTLES
    yield f"machine {to} receives a message from safe in a transaction"


_OF_DOMAIN: Final[dict[str, Callable[[DomainStory, Choices], Deeds]]] = {
    "change": _changed,
    "create": _created,
    "look": _looked,
    "without directory": _without_directory,
    "abort from afar": _aborted_from_afar,
}
WEIGHTS: Final = {"without directory": 2, "change": 2, "create": 2, "restart": 2}
"""How often a kind is drawn beside others, once where it is not named."""
NEEDS: Final = {**text.NEEDS, "abort from afar": text.NEEDS["receive externally"]}
"""The capabilities without which a kind of deed is not drawn."""


def kinds_for(capabilities: Collection[str]) -> tuple[str, ...]:
    """Return the kinds of deeds that implementations with some capabilities can do."""
    kinds = (*_SHARED, *_OF_DOMAIN)
    return tuple(kind for kind in kinds if NEEDS.get(kind, frozenset()) <= {*capabilities})
