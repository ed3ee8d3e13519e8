"""What happens to a queue manager, and what it answers.

Handles, operations, cursors and transactions are named by whoever makes the history; what an implementation calls them
is translated outside of the model.
"""

from dataclasses import dataclass
from enum import StrEnum

from mqconform.reference.mqso.elements import (
    PLAIN,
    Access,
    CursorId,
    Handle,
    Key,
    Kind,
    Message,
    Operation,
    Properties,
    QueueName,
    TransactionId,
)


@dataclass(frozen=True, slots=True)
class CreateQueue:
    """An application creates a queue."""

    queue: QueueName
    properties: Properties = PLAIN


@dataclass(frozen=True, slots=True)
class SetQueue:
    """An application changes what it may change of a queue: its room."""

    queue: QueueName
    room: int | None


@dataclass(frozen=True, slots=True)
class DeleteQueue:
    """An application deletes a queue."""

    queue: QueueName


@dataclass(frozen=True, slots=True)
class Purge:
    """An application removes all messages of a queue."""

    queue: QueueName


@dataclass(frozen=True, slots=True)
class Count:
    """An application asks how many messages a queue has."""

    queue: QueueName


@dataclass(frozen=True, slots=True)
class Open:
    """An application opens a queue."""

    handle: Handle
    queue: QueueName
    access: Access


@dataclass(frozen=True, slots=True)
class Close:
    """An application closes a queue."""

    handle: Handle


@dataclass(frozen=True, slots=True)
class Send:
    """An application sends a message; with a transaction it is transactional."""

    handle: Handle
    message: Message
    transaction: TransactionId | None = None


class Move(StrEnum):
    """Which message a cursor is asked for."""

    CURRENT = "current"
    NEXT = "next"


@dataclass(frozen=True, slots=True)
class Receive:
    """An application receives a message or, unless ``takes``, looks at it.

    Attributes:
        wait: how long it waits for one, nanoseconds.
        key: the one message that it wants, None for the first.
    """

    operation: Operation
    handle: Handle
    takes: bool = True
    wait: int = 0
    transaction: TransactionId | None = None
    cursor: CursorId | None = None
    move: Move = Move.CURRENT
    key: Key | None = None


@dataclass(frozen=True, slots=True)
class Cancel:
    """An application no longer waits."""

    operation: Operation


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Somebody asks what became of the operations that had to wait."""


@dataclass(frozen=True, slots=True)
class CreateCursor:
    """An application makes a cursor."""

    cursor: CursorId
    handle: Handle


@dataclass(frozen=True, slots=True)
class CloseCursor:
    """An application gives a cursor up."""

    cursor: CursorId


@dataclass(frozen=True, slots=True)
class Begin:
    """An application begins a transaction."""

    transaction: TransactionId
    kind: Kind = Kind.INTERNAL


@dataclass(frozen=True, slots=True)
class End:
    """An application commits a transaction, or aborts it."""

    transaction: TransactionId
    commit: bool


@dataclass(frozen=True, slots=True)
class TimePassed:
    """Time passes, nanoseconds."""

    by: int


@dataclass(frozen=True, slots=True)
class Stop:
    """The queue manager ends, in order or suddenly."""

    suddenly: bool = False


@dataclass(frozen=True, slots=True)
class Start:
    """The queue manager is started."""


@dataclass(frozen=True, slots=True)
class Throttle:
    """Memory or storage become scarce, or sufficient again."""

    on: bool


@dataclass(frozen=True, slots=True)
class StoreBecomes:
    """The store becomes full, or has room again."""

    full: bool


@dataclass(frozen=True, slots=True)
class CoordinatorBecomes:
    """The external coordinator goes away, or comes back."""

    lost: bool


Event = (
    CreateQueue | SetQueue | DeleteQueue | Purge | Count | Open | Close | Send | Receive | Cancel | Outcomes
    | CreateCursor | CloseCursor | Begin | End | TimePassed | Stop | Start | Throttle | StoreBecomes
    | CoordinatorBecomes
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Done:
    """It is done, and there is nothing more to say."""


@dataclass(frozen=True, slots=True)
class Failed:
    """It is not done; no code is required of it (register QM-40)."""


@dataclass(frozen=True, slots=True)
class Got:
    """A message; an acknowledgment is known by the message that it is about and by what it says of it."""

    key: Key


@dataclass(frozen=True, slots=True)
class Pending:
    """The operation waits; what becomes of it is among the outcomes."""


@dataclass(frozen=True, slots=True)
class Counted:
    """How many messages there are."""

    messages: int


@dataclass(frozen=True, slots=True)
class Committed:
    """What became of a commit."""

    committed: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of operations that waited, since it was last asked; in no order, as several end at one time."""

    outcomes: frozenset[tuple[Operation, Got | Failed]]


Answer = Done | Failed | Got | Pending | Counted | Committed | Ended
