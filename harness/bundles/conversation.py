"""All that harness and implementation said to each other during one case, bounded, whoever carried it."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import time
from typing import Any

from mqconform.harness.iut import Datagram, Exchange, IutProblem, Json, excerpt

MAX_ENTRIES = 4_000
"""Calls and exchanges that are kept of one case; the oldest go first."""
MAX_NODES = 5_000
"""Values within one answer, with a node for each 64 characters of text; a larger answer is left out."""
MAX_REPLIES = 64
"""Datagrams that are kept of one exchange: a flood is proved by fewer than it has."""
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
            "replies": [{"source": one.source, "octets": one.octets.hex()} for one in self.replies],
        }
        extra = {"left_out": self.left_out, "problem": self.problem}
        return line | {key: value for key, value in extra.items() if value}


Entry = Call | DatagramExchange


@dataclass(slots=True)
class Conversation:
    """The end of what was said since the case began.

    Attributes:
        forgotten: how many entries before the first were given up.
    """

    entries: deque[Entry] = field(default_factory=lambda: deque(maxlen=MAX_ENTRIES))
    forgotten: int = 0

    def clear(self) -> None:
        """Begin anew, for the next case."""
        self.entries.clear()
        self.forgotten = 0

    def answered(self, method: str, params: Json, result: Json) -> None:
        """Note a call and its answer."""
        self._add(Call(method, params, result if fits(result) else LEFT_OUT))

    def failed(self, method: str, params: Json, problem: IutProblem) -> None:
        """Note a call that led to a problem."""
        self._add(Call(method, params, problem=_told(problem)))

    def exchanged(self, endpoint: str, sent: Sequence[bytes], got: Exchange | IutProblem, began: float) -> None:
        """Note datagrams that were sent at a time, and what came of them until now."""
        if isinstance(got, IutProblem):
            self._add(DatagramExchange(endpoint, tuple(sent), (), began, time(), problem=_told(got)))
            return
        came = (*got.replies, *got.foreign)
        kept = came[:MAX_REPLIES]
        self._add(DatagramExchange(endpoint, tuple(sent), kept, began, time(), len(came) - len(kept)))

    def _add(self, entry: Entry) -> None:
        self.forgotten += len(self.entries) == MAX_ENTRIES
        self.entries.append(entry)


def _told(problem: IutProblem) -> str:
    return f"{type(problem).__name__}: {excerpt(str(problem))}"


def fits(value: object) -> bool:
    """Tell whether a value is small enough to keep; looks at no more of it than that takes."""
    budget, waiting = MAX_NODES, [value]
    while waiting and budget > 0:
        one = waiting.pop()
        budget -= 1
        match one:
            case dict():
                budget -= len(one)
                waiting += one.values() if budget > 0 else ()
            case list():
                budget -= len(one)
                waiting += one if budget > 0 else ()
            case str():
                budget -= len(one) // 64
    return budget > 0
