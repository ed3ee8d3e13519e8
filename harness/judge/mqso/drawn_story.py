"""What a drawn history of a queue manager is about: its queues, what its sends ask for, and what it has come to."""

from dataclasses import dataclass, field
from typing import Final

QUEUES: Final = (
    ("queue", "transactional", "room"),
    ("inbox", "no", "any"),
    ("orders", "yes", "any"),
    ("acks", "no", "any"),
    ("small", "no", "2"),
    ("tight", "yes", "2"),
)
"""The queues of every history, as a table of a scenario."""
QUEUES_OF_USERS: Final = tuple(
    (*row, *lists)
    for row, lists in zip(
        QUEUES,
        (
            ("writers", "readers", "authenticated only"),
            ("anybody", "ann, bob", "no"),
            ("ann, bob", "ann", "no"),
            ("anybody", "anybody", "no"),
            ("ann", "ann", "no"),
            ("anybody", "ann", "yes"),
        ),
        strict=True,
    )
)
"""Those of every history of users."""
TRANSACTIONAL: Final = ("orders", "tight")
FOCUSES: Final = (
    (("inbox",), ("orders",)),
    (("inbox",), ("orders", "tight")),
    (("inbox", "small"), ("orders", "orders", "tight")),
    (("small",), ("tight",)),
)
"""The queues that a history is about: what its deeds do to each other shows sooner in few."""
SYSTEM_QUEUES: Final = ("the dead-letter queue", "the journal", "the transactional dead-letter queue")
DEAD_LETTER: Final = ", to be received within 5 seconds, asking for a dead letter"
WISHES: Final = (
    "", ", recoverable", ", recoverable", DEAD_LETTER, ", recoverable, asking for a copy in the journal",
    ", recoverable, asking for acknowledgment of its receive at acks",
    ", recoverable, to be received within 5 seconds, asking for everything, in answer to m1",
)  # fmt: skip
"""What sends ask for."""
SEALS: Final = (
    ", signed by ann", ", signed by ann", ", signed by bob", ", in the name of ann", ", signed by eve",
    ", signed by bob in the name of ann", ", signed by ann and altered",
)  # fmt: skip
"""What the sends of users carry of their senders."""
READERS: Final = ("ann", "ann", "bob", "eve")
TRANSACTIONS: Final = ("transaction", "external transaction")
SCALES: Final = (700_000, 1_000_000)
"""What a history may multiply its times by: some are beyond 31 bits of milliseconds then, or beyond 32."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What of a history an implementation offers though no capability says so.

    Attributes:
        wishes: what a send may ask for.
        rooms: a queue may have limited room.
        identifiers: messages can be asked for by their identifiers.
        cursors: there are cursors.
        transactions: the kinds of transactions there are.
        seals: what sends may carry of their senders, empty where there are no users.
    """

    wishes: tuple[str, ...] = WISHES
    rooms: bool = True
    identifiers: bool = True
    cursors: bool = True
    transactions: tuple[str, ...] = TRANSACTIONS
    seals: tuple[str, ...] = ()

    @property
    def queues(self) -> tuple[tuple[str, ...], ...]:
        """The queues of a history, as a table of a scenario."""
        rows: tuple[tuple[str, ...], ...] = QUEUES_OF_USERS if self.seals else QUEUES
        return rows if self.rooms else tuple((*row[:2], row[2].replace("2", "any"), *row[3:]) for row in rows)


EVERYTHING: Final = Offer()


@dataclass(slots=True)
class Story:
    """What a history has come to, so that the next deed makes sense.

    Attributes:
        wishes: what a send may ask for.
        transactions: the kinds of transactions there are.
        identifiers: messages can be asked for by their identifiers; ``has_cursors``: by cursors.
        rooms: a queue may have limited room; ``seals``: what sends may carry of their senders.
        plain: the queues that it is about; ``transactional``: those of transactions.
        there: how many messages each of them may have.
        scale: what times are multiplied by.
        begun: how many transactions were begun; ``open`` and ``over``: their names;
            ``external``: those of external ones.
        waiting: names of the operations that were to wait.
        cursors: each with its queue; ``users``: each with its user.
        places: to which queue each message was sent.
    """

    wishes: tuple[str, ...] = WISHES
    transactions: tuple[str, ...] = TRANSACTIONS
    identifiers: bool = True
    has_cursors: bool = True
    rooms: bool = True
    seals: tuple[str, ...] = ()
    plain: tuple[str, ...] = ("inbox",)
    transactional: tuple[str, ...] = ("orders",)
    there: dict[str, int] = field(default_factory=dict)
    scale: int = 1
    begun: int = 0
    open: list[str] = field(default_factory=list)
    external: set[str] = field(default_factory=set)
    over: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    cursors: dict[str, str] = field(default_factory=dict)
    users: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    cursors_made: int = 0

    @property
    def queues(self) -> tuple[str, ...]:
        """The queues that the history is about."""
        return (*self.plain, *self.transactional)

    @property
    def of_use(self) -> tuple[str, ...]:
        """Those of them to which messages can be sent."""
        return self.queues if self.transactions else self.plain
