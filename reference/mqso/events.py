"""What happens to a queue manager, and what it answers.

Handles, operations, cursors and transactions are named by the author of the history; what an implementation calls them
is translated outside of the model. The tag of an event is its operation in the IUT protocol, and a field has the name
of its parameter there, be it by ``rename``.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar, Final

from mqconform.reference.mqso import elements
from mqconform.reference.mqso.immutable import Value


class Happening(Value, frozen=True):
    """What happens.

    Attributes:
        who: whose doing it is.
        words: what is done, with the fields in braces; of two the first where the event has a flag that is set.
    """

    who: ClassVar[str] = "application"
    words: ClassVar[str | tuple[str, str]] = ""


class Circumstance(Happening, frozen=True):
    """What happens to a queue manager, and is no question to it."""


class CreateQueue(Happening, frozen=True, tag="create_queue"):
    """An application creates a queue; a public one is in the directory."""

    queue: elements.QueueName
    properties: elements.Properties = elements.PLAIN
    public: bool = False


class SetQueue(Happening, frozen=True, tag="set_queue", rename={"room": "properties"}):
    """An application changes what it may change of a queue: its room."""

    queue: elements.QueueName
    room: int | None


class DeleteQueue(Happening, frozen=True, tag="delete_queue"):
    """An application deletes a queue."""

    queue: elements.QueueName
    words = "delete {queue}"


class Purge(Happening, frozen=True, tag="purge"):
    """An application removes all messages of a queue."""

    queue: elements.QueueName
    words = "purge {queue}"


class Count(Happening, frozen=True, tag="queue_properties"):
    """An application asks how many messages a queue has."""

    queue: elements.QueueName
    words = "count the messages in {queue}"


class Open(Happening, frozen=True, tag="open", rename={"queue": "address"}):
    """An application opens a queue, for a user where one is named."""

    handle: elements.Handle
    queue: elements.QueueName
    access: elements.Access
    user: elements.User | None = None


class Close(Happening, frozen=True, tag="close"):
    """An application closes a queue."""

    handle: elements.Handle
    words = "close {handle}"


class Send(Happening, frozen=True, tag="send"):
    """An application sends a message; with a transaction it is transactional."""

    handle: elements.Handle
    message: elements.Message
    transaction: elements.TransactionId | None = None


class Move(StrEnum):
    """Which message a cursor is asked for."""

    CURRENT = "current"
    NEXT = "next"


class Receive(Happening, frozen=True, tag="receive", rename={"key": "id"}):
    """An application receives a message or, unless ``takes``, looks at it.

    Attributes:
        wait: how long it waits for one, nanoseconds.
        key: the one message that it wants, None for the first.
    """

    operation: elements.Operation
    handle: elements.Handle
    takes: bool = True
    wait: int = 0
    transaction: elements.TransactionId | None = None
    cursor: elements.CursorId | None = None
    move: Move = Move.CURRENT
    key: elements.Key | None = None


class Cancel(Happening, frozen=True, tag="cancel"):
    """An application no longer waits."""

    operation: elements.Operation
    words = "give up waiting"


class Outcomes(Happening, frozen=True, tag="outcomes"):
    """An application asks for the outcomes of the operations that had to wait."""

    words = "ask for the results of the waits"


class CreateCursor(Happening, frozen=True, tag="create_cursor"):
    """An application makes a cursor."""

    cursor: elements.CursorId
    handle: elements.Handle
    words = "make cursor {cursor} for {handle}"


class CloseCursor(Happening, frozen=True, tag="close_cursor"):
    """An application gives a cursor up."""

    cursor: elements.CursorId
    words = "close cursor {cursor}"


class Begin(Happening, frozen=True, tag="begin"):
    """An application begins a transaction."""

    transaction: elements.TransactionId
    kind: elements.Kind = elements.Kind.INTERNAL


class End(Happening, frozen=True, tag="commit"):
    """An application commits a transaction, or aborts it."""

    transaction: elements.TransactionId
    commit: bool
    words = ("commit", "abort")


class TimePassed(Circumstance, frozen=True, tag="advance_clock", rename={"by": "seconds"}):
    """Time passes, nanoseconds."""

    by: int
    who, words = "clock", "{by} s pass"


class Stop(Circumstance, frozen=True, tag="stop"):
    """The queue manager ends, in order or suddenly."""

    suddenly: bool = False
    who, words = "queue manager", ("crashes", "stops")


class Start(Happening, frozen=True, tag="start"):
    """The queue manager is started."""

    who, words = "queue manager", "starts"


class Throttle(Circumstance, frozen=True, tag="throttle"):
    """Memory or storage become scarce, or sufficient again."""

    on: bool
    who, words = "queue manager", ("begins to throttle", "ends throttling")


class StoreBecomes(Circumstance, frozen=True, tag="fail_store"):
    """The store becomes full, or has room again."""

    full: bool
    who, words = "store", ("is full", "has room again")


class StoreBreaks(Circumstance, frozen=True, tag="fail_store"):
    """The store becomes inconsistent, and can be repaired or not."""

    beyond_repair: bool
    who, words = "store", ("breaks beyond repair", "breaks")


class StoreMended(Circumstance, frozen=True, tag="fail_store"):
    """An administrator has repaired the store."""

    who, words = "store", "is repaired"


class ShowState(Happening, frozen=True, tag="state"):
    """An administrator asks for the state of the queue manager."""

    words = "ask for its state"


class NoCoordinator(Happening, frozen=True):
    """The queue manager is one for which no external coordinator was ever there."""

    who, words = "coordinator", "was never there"


class JoinDomain(Happening, frozen=True):
    """The queue manager is one of a domain, whose directory has certificates of some users."""

    registered: frozenset[elements.User]
    who = "queue manager"


class CoordinatorBecomes(Circumstance, frozen=True, tag="fail_coordinator", rename={"lost": "failing"}):
    """The external coordinator goes away, or comes back."""

    lost: bool
    who, words = "coordinator", ("is lost", "is back")


class Together(Happening, frozen=True, tag="together"):
    """Applications call at the same time; the calls of a lane are made one after the other.

    Attributes:
        before: pairs of calls of different lanes of which the first had its answer before the second was made, each
            call by the number of its lane and its place there.
    """

    lanes: "tuple[tuple[Event, ...], ...]"
    before: frozenset[tuple[tuple[int, int], tuple[int, int]]] = frozenset()


class At(Happening, frozen=True):
    """Something happens at one of several machines.

    Attributes:
        machine: the machine that is called.
        on: the machine whose queue the call is about, empty where it is the same.
    """

    machine: elements.MachineName
    event: "Event"
    on: elements.MachineName = elements.HERE


class NetworkBecomes(Circumstance, frozen=True, tag="fail_network", rename={"cut": "failing"}):
    """The network between two machines, or between one and all others, fails or is back."""

    machines: frozenset[elements.MachineName]
    cut: bool
    who, words = "network", ("fails between {machines}", "is back between {machines}")


class Pause(Circumstance, frozen=True, tag="pause"):
    """An administrator pauses an outgoing queue, or resumes it."""

    machine: elements.MachineName
    address: elements.QueueName
    on: bool
    who, words = "administrator", ("pause what {machine} has for {address}", "resume what {machine} has for {address}")


class DirectoryBecomes(Circumstance, frozen=True, tag="fail_directory", rename={"lost": "failing"}):
    """The directory goes out of the reach of machines, or comes back."""

    machines: frozenset[elements.MachineName]
    lost: bool
    who, words = "directory", ("is lost for {machines}", "is back for {machines}")


class ChangeDomain(Circumstance, frozen=True, tag="join_domain"):
    """The machine of a queue manager is in another domain, or in none where that is empty."""

    machine: elements.MachineName
    domain: str = ""
    who = "administrator"


class PutObject(Circumstance, frozen=True, tag="put_object"):
    """The directory gets an object of a queue manager in a domain: with its identifier, or with another one.

    Attributes:
        domain: empty for that of its machine.
    """

    machine: elements.MachineName
    domain: str = ""
    own: bool = False
    who = "directory"


class Provision(Happening, frozen=True, tag="provision"):
    """An administrator has a queue manager provisioned (6.6.1)."""

    who, words = "administrator", "provision the queue manager"


class ShowObjects(Happening, frozen=True, tag="directory_objects"):
    """An administrator looks at the directory's objects of queue managers, and at the identifiers of these.

    Attributes:
        identified: the machines that show their identifiers.
        with_roles: those of whose objects the roles are shown.
    """

    identified: frozenset[elements.MachineName]
    with_roles: frozenset[elements.MachineName]
    who, words = "administrator", "look at the objects of queue managers"


class EnterForeignQueue(Circumstance, frozen=True, tag="create_foreign_queue"):
    """An administrator enters a foreign queue into the directory, with the connector server that stands for it."""

    machine: elements.MachineName
    queue: elements.QueueName
    who, words = "administrator", "enter foreign queue {queue} with connector server {machine}"


class FindQueues(Happening, frozen=True, tag="find_queues"):
    """An application looks for public queues of a name in the directory."""

    queue: elements.QueueName
    words = "look for {queue} in the directory"


class TakeOffline(Circumstance, frozen=True, tag="take_offline"):
    """An administrator takes a queue manager offline, or online again."""

    machine: elements.MachineName
    on: bool
    who, words = "administrator", ("take {machine} offline", "take {machine} online")


class CountOutgoing(Happening, frozen=True, tag="outgoing"):
    """An administrator asks how many messages wait in each outgoing queue of a machine."""

    machine: elements.MachineName
    who, words = "administrator", "count the messages that wait at {machine}"


Event = (
    CreateQueue | SetQueue | DeleteQueue | Purge | Count | Open | Close | Send | Receive | Cancel | Outcomes
    | CreateCursor | CloseCursor | Begin | End | TimePassed | Stop | Start | Throttle | StoreBecomes
    | CoordinatorBecomes | StoreBreaks | StoreMended | ShowState | NoCoordinator | JoinDomain | Together
    | At | NetworkBecomes | Pause | TakeOffline | CountOutgoing | DirectoryBecomes | FindQueues
    | ChangeDomain | PutObject | Provision | ShowObjects | EnterForeignQueue
)  # fmt: skip

VARIANTS: Final[Mapping[str, tuple[type[Event], Mapping[str, object]]]] = {
    "receive": (Receive, {"takes": True}),
    "peek": (Receive, {"takes": False}),
    "commit": (End, {"commit": True}),
    "abort": (End, {"commit": False}),
    "stop": (Stop, {"suddenly": False}),
    "crash": (Stop, {"suddenly": True}),
    "leave_domain": (ChangeDomain, {"domain": ""}),
    "replace_object": (PutObject, {"domain": "", "own": False}),
}
"""Operations that share an event, each with what the event holds then."""


class Done(Value, frozen=True):
    """It is done, and there is nothing more to say."""


class Failed(Value, frozen=True):
    """It is not done; no code is required of it (register QM-40)."""


class Got(Value, frozen=True):
    """A message; an acknowledgment is known by the message that it is about and by what it says of it.

    Attributes:
        correlation: the message that it is said to answer, None where its sender named none.
        response: the queue to which an answer is asked for, likewise.
        authenticated: whether its sender is, None where nothing was said of the sender.
    """

    key: elements.Key
    correlation: elements.Key | None = None
    response: elements.QueueName | None = None
    authenticated: bool | None = None


class Pending(Value, frozen=True):
    """The operation waits; what becomes of it is among the outcomes."""


class Counted(Value, frozen=True):
    """How many messages there are."""

    messages: int


class Shown(Value, frozen=True):
    """The state of the queue manager, and where it shows them its mode and DirectoryOffline."""

    state: elements.State
    mode: str | None = None
    directory_offline: bool | None = None


class Committed(Value, frozen=True):
    """What became of a commit."""

    committed: bool


class Ended(Value, frozen=True):
    """What became of operations that waited, since it was last asked; in no order, as several end at one time."""

    outcomes: frozenset[tuple[elements.Operation, Got | Failed]]


class Outgoing(Value, frozen=True):
    """How many messages wait in each outgoing queue; queues that have none are left out."""

    messages: frozenset[tuple[elements.QueueName, int]]


class Found(Value, frozen=True):
    """The public queues that the directory has of a name, each with its room, None for any number of messages."""

    queues: frozenset[tuple[elements.QueueName, int | None]]


class ShownObject(Value, frozen=True):
    """What the directory has of a queue manager, None for what is not shown.

    Attributes:
        number: of its identifier, in the order in which identifiers were shown.
        own: that is the identifier which the queue manager has now.
        routing: it says that this is a routing server; ``directory``: a directory server.
    """

    machine: elements.MachineName
    domain: str
    number: int
    own: bool | None = None
    routing: bool | None = None
    directory: bool | None = None


class Objects(Value, frozen=True):
    """The directory's objects of queue managers."""

    objects: frozenset[ShownObject]


class Answers(Value, frozen=True):
    """What was answered to calls at the same time, lane by lane."""

    lanes: "tuple[tuple[Answer, ...], ...]"


Answer = Done | Failed | Got | Pending | Counted | Committed | Ended | Shown | Outgoing | Found | Objects | Answers
