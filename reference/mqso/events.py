"""What happens to a queue manager, and what it answers.

Handles, operations, cursors and transactions are named by the author of the history; what an implementation calls them
is translated outside of the model.
"""

from dataclasses import dataclass
from enum import StrEnum

from mqconform.reference.mqso.elements import (
    HERE,
    PLAIN,
    Access,
    CursorId,
    Handle,
    Key,
    Kind,
    MachineName,
    Message,
    Operation,
    Properties,
    QueueName,
    State,
    TransactionId,
    User,
)


@dataclass(frozen=True, slots=True)
class CreateQueue:
    """An application creates a queue; a public one is in the directory."""

    queue: QueueName
    properties: Properties = PLAIN
    public: bool = False


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
    """An application opens a queue, for a user where one is named."""

    handle: Handle
    queue: QueueName
    access: Access
    user: User | None = None


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
    """An application asks for the outcomes of the operations that had to wait."""


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
class StoreBreaks:
    """The store becomes inconsistent, and can be repaired or not."""

    beyond_repair: bool


@dataclass(frozen=True, slots=True)
class StoreMended:
    """An administrator has repaired the store."""


@dataclass(frozen=True, slots=True)
class ShowState:
    """An administrator asks for the state of the queue manager."""


@dataclass(frozen=True, slots=True)
class NoCoordinator:
    """The queue manager is one for which no external coordinator was ever there."""


@dataclass(frozen=True, slots=True)
class JoinDomain:
    """The queue manager is one of a domain, whose directory has certificates of some users."""

    registered: frozenset[User]


@dataclass(frozen=True, slots=True)
class CoordinatorBecomes:
    """The external coordinator goes away, or comes back."""

    lost: bool


@dataclass(frozen=True, slots=True)
class Together:
    """Applications call at the same time; the calls of a lane are made one after the other.

    Attributes:
        before: pairs of calls of different lanes of which the first had its answer before the second was made, each
            call by the number of its lane and its place there.
    """

    lanes: "tuple[tuple[Event, ...], ...]"
    before: frozenset[tuple[tuple[int, int], tuple[int, int]]] = frozenset()


@dataclass(frozen=True, slots=True)
class At:
    """Something happens at one of several machines.

    Attributes:
        machine: the machine that is called.
        on: the machine whose queue the call is about, empty where it is the same.
    """

    machine: MachineName
    event: "Event"
    on: MachineName = HERE


@dataclass(frozen=True, slots=True)
class NetworkBecomes:
    """The network between two machines, or between one and all others, fails or is back."""

    machines: frozenset[MachineName]
    cut: bool


@dataclass(frozen=True, slots=True)
class Pause:
    """An administrator pauses an outgoing queue, or resumes it."""

    machine: MachineName
    address: QueueName
    on: bool


@dataclass(frozen=True, slots=True)
class DirectoryBecomes:
    """The directory goes out of the reach of machines, or comes back."""

    machines: frozenset[MachineName]
    lost: bool


@dataclass(frozen=True, slots=True)
class ChangeDomain:
    """The machine of a queue manager is in another domain, or in none where that is empty."""

    machine: MachineName
    domain: str = ""


@dataclass(frozen=True, slots=True)
class PutObject:
    """The directory gets an object of a queue manager in a domain: with its identifier, or with another one.

    Attributes:
        domain: empty for that of its machine.
    """

    machine: MachineName
    domain: str = ""
    own: bool = False


@dataclass(frozen=True, slots=True)
class Provision:
    """An administrator has a queue manager provisioned (6.6.1)."""


@dataclass(frozen=True, slots=True)
class ShowObjects:
    """An administrator looks at the directory's objects of queue managers, and at the identifiers of these.

    Attributes:
        identified: the machines that show their identifiers.
        with_roles: those of whose objects the roles are shown.
    """

    identified: frozenset[MachineName]
    with_roles: frozenset[MachineName]


@dataclass(frozen=True, slots=True)
class EnterForeignQueue:
    """An administrator enters a foreign queue into the directory, with the connector server that stands for it."""

    machine: MachineName
    queue: QueueName


@dataclass(frozen=True, slots=True)
class FindQueues:
    """An application looks for public queues of a name in the directory."""

    queue: QueueName


@dataclass(frozen=True, slots=True)
class TakeOffline:
    """An administrator takes a queue manager offline, or online again."""

    machine: MachineName
    on: bool


@dataclass(frozen=True, slots=True)
class CountOutgoing:
    """An administrator asks how many messages wait in each outgoing queue of a machine."""

    machine: MachineName


Event = (
    CreateQueue | SetQueue | DeleteQueue | Purge | Count | Open | Close | Send | Receive | Cancel | Outcomes
    | CreateCursor | CloseCursor | Begin | End | TimePassed | Stop | Start | Throttle | StoreBecomes
    | CoordinatorBecomes | StoreBreaks | StoreMended | ShowState | NoCoordinator | JoinDomain | Together
    | At | NetworkBecomes | Pause | TakeOffline | CountOutgoing | DirectoryBecomes | FindQueues
    | ChangeDomain | PutObject | Provision | ShowObjects | EnterForeignQueue
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Done:
    """It is done, and there is nothing more to say."""


@dataclass(frozen=True, slots=True)
class Failed:
    """It is not done; no code is required of it (register QM-40)."""


@dataclass(frozen=True, slots=True)
class Got:
    """A message; an acknowledgment is known by the message that it is about and by what it says of it.

    Attributes:
        correlation: the message that it is said to answer, None where its sender named none.
        response: the queue to which an answer is asked for, likewise.
        authenticated: whether its sender is, None where nothing was said of the sender.
    """

    key: Key
    correlation: Key | None = None
    response: QueueName | None = None
    authenticated: bool | None = None


@dataclass(frozen=True, slots=True)
class Pending:
    """The operation waits; what becomes of it is among the outcomes."""


@dataclass(frozen=True, slots=True)
class Counted:
    """How many messages there are."""

    messages: int


@dataclass(frozen=True, slots=True)
class Shown:
    """The state of the queue manager, and where it shows them its mode and DirectoryOffline."""

    state: State
    mode: str | None = None
    directory_offline: bool | None = None


@dataclass(frozen=True, slots=True)
class Committed:
    """What became of a commit."""

    committed: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of operations that waited, since it was last asked; in no order, as several end at one time."""

    outcomes: frozenset[tuple[Operation, Got | Failed]]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """How many messages wait in each outgoing queue; queues that have none are left out."""

    messages: frozenset[tuple[QueueName, int]]


@dataclass(frozen=True, slots=True)
class Found:
    """The public queues that the directory has of a name, each with its room, None for any number of messages."""

    queues: frozenset[tuple[QueueName, int | None]]


@dataclass(frozen=True, slots=True)
class ShownObject:
    """What the directory has of a queue manager, None for what is not shown.

    Attributes:
        number: of its identifier, in the order in which identifiers were shown.
        own: that is the identifier which the queue manager has now.
        routing: it says that this is a routing server; ``directory``: a directory server.
    """

    machine: MachineName
    domain: str
    number: int
    own: bool | None = None
    routing: bool | None = None
    directory: bool | None = None


@dataclass(frozen=True, slots=True)
class Objects:
    """The directory's objects of queue managers."""

    objects: frozenset[ShownObject]


@dataclass(frozen=True, slots=True)
class Answers:
    """What was answered to calls at the same time, lane by lane."""

    lanes: "tuple[tuple[Answer, ...], ...]"


Answer = Done | Failed | Got | Pending | Counted | Committed | Ended | Shown | Outgoing | Found | Objects | Answers
