"""The clock of a scenario: the harness's own, which jumps, or that of the world."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from mqconform.harness.judge.session import Session
from mqconform.reference.mqso.timers import TOLERANCE

LONGEST_CALL: Final = TOLERANCE // 2
"""Nanoseconds; what took longer may have happened at another time than that of its answer."""


@dataclass(slots=True)
class Clock:
    """How much time has passed for the queue manager.

    Attributes:
        real: whether it is the clock of the world.
        late: a call took so long that its time is not known well enough to judge by.
    """

    real: bool
    late: bool = False
    _at: int = field(default_factory=time.monotonic_ns)

    def wait(self, seconds: float) -> None:
        """Wait, where the clock is real."""
        if self.real:
            time.sleep(seconds)

    def passed(self) -> int:
        """Return the nanoseconds since this was asked before; with a virtual clock 0, as none pass by themselves."""
        before, self._at = self._at, time.monotonic_ns()
        return self._at - before if self.real else 0

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Note whether a call takes too long."""
        began = time.monotonic_ns()
        yield
        took = time.monotonic_ns() - began
        self.late |= self.real and took > LONGEST_CALL


def clock_of(run: Session) -> Clock:
    """Return the clock of a scenario: the real one where it is asked for, or all that the implementation has."""
    has = run.iut.description.capabilities
    of_its_own = "real-clock" in has and "virtual-clock" not in has
    return Clock(real=run.plan.options.clock == "real" or (of_its_own and run.plan.options.clock != "virtual"))
