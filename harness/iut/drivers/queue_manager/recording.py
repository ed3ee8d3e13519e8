"""What was said to a queue manager in one case and when, to be gone through again without it."""

import time
from dataclasses import dataclass, field

from mqconform.harness.iut.conversation import Conversation
from mqconform.harness.iut.interface import Json


@dataclass(slots=True)
class Recording:
    """All calls of a case and all looks at the clock, in order.

    Attributes:
        calls: operation, parameters and result of each call, as the case knows them.
        times: what the clock told, in nanoseconds, each time that it was looked at.
        conversation: what the implementation was really asked and answered.
    """

    calls: list[tuple[str, Json, Json]] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    conversation: Conversation = field(default_factory=Conversation)

    def now(self) -> int:
        """Look at the clock of the machine, and note what it tells."""
        self.times.append(time.monotonic_ns())
        return self.times[-1]

    def note(self, operation: str, params: Json, result: Json) -> Json:
        """Note a call, and return its result."""
        self.calls.append((operation, params, result))
        return result


class Replay:
    """A recording that is gone through once more, by the same steps."""

    def __init__(self, recording: Recording) -> None:
        self._calls = iter(recording.calls)
        self._times = iter(recording.times)

    def now(self) -> int:
        """Return what the clock told then."""
        return next(self._times)

    def call(self, operation: str, params: Json) -> Json:
        """Return what was answered then."""
        asked, recorded_params, result = next(self._calls)
        assert (asked, recorded_params) == (operation, params), f"{operation} was {asked} when the case was recorded"
        return result
