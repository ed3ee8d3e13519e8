"""One machine that several cases use at the same time, each with queues and messages of its own names.

What an answer tells of another case is kept for that one: the ends of waits, which are asked for machine by machine,
and letters in the queues of the system. What cannot be told apart mixes cases, and their recordings are worth nothing.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from mqconform.harness.iut.conversation import Conversation
from mqconform.harness.iut.interface import IutProblem, Json, NotApplicable, Unsupported
from mqconform.reference.mqso.elements import SECOND

Call = Callable[[str, Json, Conversation], Json]
"""Calls an operation of the implementation, and notes what is said."""
_SHARED: Final = frozenset(
    {
        "configure", "create_queue", "set_queue", "delete_queue", "purge", "queue_properties", "open", "close", "send",
        "receive", "peek", "cancel", "outcomes", "create_cursor", "close_cursor", "begin", "commit", "abort",
        "advance_clock",
    }
)  # fmt: skip
"""Operations that concern queues, messages and time; any other concerns the whole machine."""
_ADDRESSES: Final = ("address", "administration_queue", "response_queue")
_MARKED: Final = re.compile(r"(.*)-(\d{1,6})", re.DOTALL)
_TICK: Final = SECOND // 100
"""So often, in nanoseconds, an implementation with a virtual clock is told how much time has passed."""
_MOST: Final = 50
"""The most letters of others that are taken out of a queue to reach one's own."""


class Mixed(Exception):
    """A case needs the machine to itself, or cannot be told from another one."""


@dataclass(slots=True)
class Part:
    """The part that one case has of the machine.

    Attributes:
        number: by which its names are told from those of others.
        conversation: what was said for it.
        mixed: whether it met with another case, so that nothing is known of either.
        _ended: of its waits, those that others were told of; ``_letters``: so too, by queue of the system.
        _systems: its handles of queues of the system.
    """

    machine: "SharedMachine"
    number: int
    conversation: Conversation
    mixed: bool = False
    _ended: list[Json] = field(default_factory=list)
    _letters: dict[str, list[Json]] = field(default_factory=dict)
    _systems: dict[object, str] = field(default_factory=dict)
    _received: int = 0

    def call(self, operation: str, params: Json) -> Json:
        """Perform an operation for the case.

        Raises:
            Mixed: it cannot be done beside others.
            IutProblem: as from the implementation.
        """
        if self.mixed or operation not in _SHARED:
            raise Mixed(operation)
        if operation == "configure":
            return self.machine.configure(params, self.conversation)
        self.machine.tick(self.conversation)
        match operation:
            case "advance_clock" if self.machine.ticks:
                return {}
            case "outcomes":
                return {"outcomes": self._outcomes()}
            case "receive" | "peek" if params["handle"] in self._systems:
                return self._from_system(operation, params)
        answer = self._own(self.machine.call(operation, self._marked(params), self.conversation))
        if "pending" in answer:
            self.machine.waits_for(answer["pending"], self)
        if operation == "open" and "system" in params["address"] and "handle" in answer:
            self._systems[answer["handle"]] = params["address"]["system"]
        return answer

    def _marked(self, params: Json) -> Json:
        marked = dict(params)
        for name in ("queue", "message"):
            if name in params:
                marked[name] = f"{params[name]}-{self.number}"
        for name in _ADDRESSES:
            if "direct" in params.get(name, ()):
                direct = params[name]["direct"]
                marked[name] = {"direct": {**direct, "queue": f"{direct['queue']}-{self.number}"}}
        return marked

    def _own(self, answer: Json) -> Json:
        """Return an answer with the names that the case knows."""
        owner = self.machine.parts.get(owner_of(answer) or self.number)
        if owner is not self:
            for part in filter(None, (self, owner)):
                part.mixed = True
            raise Mixed("a message of another case")
        if "message" not in answer:
            return answer
        message = {**answer["message"], "message": _without_mark(answer["message"]["message"])}
        response = message.get("response_queue")
        if isinstance(response, dict) and isinstance(direct := response.get("direct"), dict):
            message["response_queue"] = {"direct": {**direct, "queue": _without_mark(direct.get("queue"))}}
        return {**answer, "message": message}

    def _outcomes(self) -> list[Json]:
        for outcome in self.machine.call("outcomes", {}, self.conversation)["outcomes"]:
            owner = self.machine.who_waits(outcome["operation"]) or self
            owner.keep(outcome)
        outcomes, self._ended = self._ended, []
        return [self._own(outcome) for outcome in outcomes]

    def keep(self, outcome: Json) -> None:
        """Keep the end of a wait until the case asks for it."""
        self._ended.append(outcome)

    def _from_system(self, operation: str, params: Json) -> Json:
        """Receive or look into a queue that all cases share: letters of others are kept for them."""
        queue = self._systems[params["handle"]]
        if not params.keys() <= {"handle", "transaction"}:
            raise Mixed(f"{operation} from {queue}")  # a wait or a cursor: a letter of another case may end it
        if letters := self._letters.get(queue):
            return self._got(letters.pop(0)) if operation == "receive" else self._own(letters[0])
        for _ in range(_MOST):
            answer = self.machine.call(operation, params, self.conversation)
            owner = self.machine.parts.get(owner_of(answer) or self.number)
            if owner is self:
                return self._got(answer) if "message" in answer else answer
            if operation == "peek":
                break
            if owner is not None:
                owner.keep_letter(queue, answer, surely="transaction" not in params)
        self.mixed = True
        raise Mixed(queue)

    def keep_letter(self, queue: str, letter: Json, *, surely: bool) -> None:
        """Keep a letter that another case took out of a queue, for good or within a transaction that may abort.

        Of several letters it would not be known any more in which order they were there.
        """
        self._letters.setdefault(queue, []).append(letter)
        self.mixed |= not surely or self._received + sum(map(len, self._letters.values())) > 1

    def _got(self, letter: Json) -> Json:
        self._received += 1
        return self._own(letter)


@dataclass(slots=True)
class SharedMachine:
    """A queue manager of one machine, and who uses it.

    Attributes:
        call: calls the implementation.
        ticks: whether it has a virtual clock, which has to be told what time has passed.
        parts: by their numbers, from 1.
    """

    call: Call
    ticks: bool
    parts: dict[int, Part] = field(default_factory=dict)
    _configured: Json | None = None
    _ticked: int = 0
    _waits: dict[object, Part] = field(default_factory=dict)

    def part(self, conversation: Conversation) -> Part:
        """Return a part for one more case."""
        number = len(self.parts) + 1
        self.parts[number] = Part(self, number, conversation)
        return self.parts[number]

    def configure(self, params: Json, conversation: Conversation) -> Json:
        """Configure the machine once, for all.

        Raises:
            Mixed: another machine is asked for than is there.
        """
        if self._configured is None:
            self._configured, self._ticked = params, time.monotonic_ns()
            return self.call("configure", params, conversation)
        if params != self._configured:
            raise Mixed("configure")
        return {}

    def tick(self, conversation: Conversation) -> None:
        """Tell a virtual clock what time has passed."""
        passed = time.monotonic_ns() - self._ticked
        if self.ticks and passed >= _TICK:
            self._ticked += passed
            self.call("advance_clock", {"seconds": passed / SECOND}, conversation)

    def waits_for(self, operation: object, part: Part) -> None:
        """Note whose wait an operation is."""
        earlier = self._waits.setdefault(operation, part)
        if earlier is not part:
            earlier.mixed = part.mixed = True

    def who_waits(self, operation: object) -> Part | None:
        """Return the part whose wait an operation is, or None."""
        return self._waits.get(operation)


def owner_of(answer: Json) -> int | None:
    """Return the number of the part whose message is handed out; None where it is none, or has no name of ours."""
    message = answer.get("message", {})
    marked = _MARKED.fullmatch(str(message.get("message", "")))
    return int(marked[2]) if marked and "acknowledgment" not in message else None


def _without_mark(name: Any) -> Any:
    marked = _MARKED.fullmatch(name) if isinstance(name, str) else None
    return marked[1] if marked else name


def ends_it(problem: BaseException) -> bool:
    """Return whether the implementation may be no more after a problem."""
    return isinstance(problem, IutProblem) and not isinstance(problem, Unsupported | NotApplicable)
