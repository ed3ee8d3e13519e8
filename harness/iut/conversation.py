"""All that harness and implementation said to each other during one case, bounded, over any carrier."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import time
from typing import Any, Final

from mqconform.harness.iut.interface import Datagram, Exchange, IutProblem, Json, Unsupported, excerpt

MAX_ENTRIES = 4_000
"""Calls and exchanges that are kept of one case; the oldest go first."""
MAX_NODES = 5_000
"""Values within one answer, with a node for each 64 characters of text; a larger answer is left out."""
MAX_REPLIES = 64
"""Datagrams that are kept of one exchange: a flood is proved by fewer than it has."""
MAX_WEIGHT = 250_000
"""Values as ``MAX_NODES`` counts them that are kept of one case, some 16 MiB of text; the oldest entries go first."""
SOUGHT_BY: Final = {"id": "identifier", "cursor": "cursor"}
USUAL: Final = frozenset(
    {
        "access", "address", "administration_queue", "assurance", "cursor", "handle", "id", "kind", "machine",
        "message", "move", "on", "operation", "properties", "queue", "seconds", "transaction", "transactional", "user",
        "wait",
    }
)  # fmt: skip
"""Parameters of which a list of what was not tried says nothing, or says it in other words."""
LEFT_OUT: Json = {"left_out": "the answer is too large to keep"}


@dataclass(frozen=True, slots=True)
class Call:
    """One operation of the IUT protocol.

    Attributes:
        result: what was answered; None where something went wrong.
        problem: what went wrong, empty where nothing did.
    """

    method: str
    params: Json
    result: Json | None = None
    problem: str = ""

    def record(self) -> dict[str, Any]:
        """Return the call as ``calls.ndjson`` has it."""
        line: dict[str, Any] = {"method": self.method, "params": self.params}
        return line | ({"problem": self.problem} if self.problem else {"result": self.result})


@dataclass(frozen=True, slots=True)
class DatagramExchange:
    """Datagrams that were sent together over a network, and what came back.

    Attributes:
        began: seconds since 1970 UTC by the clock of the machine; ``ended`` too.
        endpoint: ``host:port`` that they were sent to.
        left_out: how many replies are not among ``replies``.
    """

    endpoint: str
    sent: tuple[bytes, ...]
    replies: tuple[Datagram, ...]
    began: float
    ended: float
    left_out: int = 0
    problem: str = ""

    def record(self) -> dict[str, Any]:
        """Return the exchange as ``calls.ndjson`` has it."""
        line: dict[str, Any] = {
            "endpoint": self.endpoint,
            "sent": [octets.hex() for octets in self.sent],
            "replies": [{"source": reply.source, "octets": reply.octets.hex()} for reply in self.replies],
        }
        extra = {"left_out": self.left_out, "problem": self.problem}
        return line | {key: value for key, value in extra.items() if value}


Entry = Call | DatagramExchange


@dataclass(slots=True)
class Conversation:
    """The end of what was said since the case began.

    Attributes:
        forgotten: how many entries before the first were given up.
        refused: operations that are not offered, each with what it asked for, in the order of first sight.
    """

    entries: deque[Entry] = field(default_factory=deque)
    forgotten: int = 0
    refused: dict[str, None] = field(default_factory=dict)
    _weights: deque[int] = field(default_factory=deque)
    _weight: int = 0

    def clear(self) -> None:
        """Begin anew, for the next case."""
        self.entries.clear()
        self.refused.clear()
        self._weights.clear()
        self.forgotten = self._weight = 0

    def answered(self, method: str, params: Json, result: Json) -> None:
        """Note a call and its answer."""
        weight = weight_of(result)
        recorded_result = result if weight < MAX_NODES else LEFT_OUT
        self._add(Call(method, params, recorded_result), weight if recorded_result is result else 1)

    def failed(self, method: str, params: Json, problem: IutProblem) -> None:
        """Note a call that led to a problem."""
        if isinstance(problem, Unsupported):
            self.refused[operation_text(method, params)] = None
        self._add(Call(method, params, problem=_told(problem)))

    def exchanged(self, endpoint: str, sent: Sequence[bytes], got: Exchange | IutProblem, began: float) -> None:
        """Note datagrams that were sent at a time, and what came of them until now."""
        if isinstance(got, IutProblem):
            self._add(DatagramExchange(endpoint, tuple(sent), (), began, time(), problem=_told(got)))
            return
        came = (*got.replies, *got.foreign)
        replies = came[:MAX_REPLIES]
        weight = sum(1 + len(octets) // 64 for octets in (*sent, *(reply.octets for reply in replies)))
        self._add(DatagramExchange(endpoint, tuple(sent), replies, began, time(), len(came) - len(replies)), weight)

    def _add(self, entry: Entry, weight: int = 1) -> None:
        self.entries.append(entry)
        self._weights.append(weight)
        self._weight += weight
        while len(self.entries) > MAX_ENTRIES or (self._weight > MAX_WEIGHT and len(self.entries) > 1):
            self.entries.popleft()
            self._weight -= self._weights.popleft()
            self.forgotten += 1


def operation_text(method: str, params: Json) -> str:
    """Return an operation with what it asks for beyond the usual, such as ``receive by identifier``."""
    name = method.rpartition(".")[2].replace("_", " ")
    wishes = [
        wish.replace("_", " ")
        for wish, value in (params | params.get("properties", {})).items()
        if wish not in USUAL and value is not None and value is not False
    ]
    by = "".join(f" by {word}" for parameter, word in SOUGHT_BY.items() if parameter in params)
    return f"{name}{by}{' with ' if wishes else ''}{' and '.join(wishes)}"


def _told(problem: IutProblem) -> str:
    return f"{type(problem).__name__}: {excerpt(str(problem))}"


def weight_of(value: object) -> int:
    """Return how many values there are in a value, texts by their length; looks at ``MAX_NODES`` at most."""
    budget, waiting = MAX_NODES, [value]
    while waiting and budget > 0:
        node = waiting.pop()
        budget -= 1
        match node:
            case dict():
                budget -= len(node)
                waiting += node.values() if budget > 0 else ()
            case list():
                budget -= len(node)
                waiting += node if budget > 0 else ()
            case str():
                budget -= len(node) // 64
    return MAX_NODES - max(budget, 0)
