"""How busy the machine is: a canary that should wake in time, the kernel's own account, and deadlines that heed it.

A client that is late on a machine that lets its own harness wait is not known to be late.
"""

import threading
import time
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

PERIOD = 0.02
"""Seconds between two wakings of the canary."""
WORTH_KEEPING = 2_000_000
"""Nanoseconds; a canary that is less late is in time."""
LONG_LAG = 1_000_000_000
"""Nanoseconds; where the canary is so late, a program that does any work is later by far."""
HIGH_PRESSURE = 0.5
"""Share of the time; where processors are waited for so often, a program may have had none for half of its time."""
LONGEST_STRETCH = 3
"""How many times longer than it should a program may take on a busy machine."""
PRESSURE = Path("/proc/pressure/cpu")
MICROSECOND = 1_000
FRESH = 100_000_000
"""Nanoseconds; a deadline may be longer by so much."""


@dataclass(frozen=True, slots=True)
class Contention:
    """What a stretch of time was like.

    Attributes:
        lag: the most by which the canary woke late, in nanoseconds.
        pressure: share of the time in which some process waited for a processor; None where the kernel does not say.
    """

    lag: int
    pressure: float | None = None

    @property
    def spoils_deadlines(self) -> bool:
        """Whether a program may have missed a deadline because it had to wait for a processor."""
        return self.lag > LONG_LAG or (self.pressure or 0.0) > HIGH_PRESSURE


@dataclass(slots=True)
class Canary:
    """Watches from ``with`` to its end; ``clock`` and ``sleep`` are those of the ``time`` module unless given."""

    clock: Callable[[], int] = time.monotonic_ns
    sleep: Callable[[float], object] | None = None
    _late: list[tuple[int, int]] = field(default_factory=list)
    _over: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._watch, name="canary", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        if self._thread:
            self._thread.join()

    def between(self, since: int, until: int) -> int:
        """Return by how many nanoseconds the canary was late at most, between two times of the clock."""
        late = tuple(self._late)
        first = bisect_left(late, (since, 0))
        return max((lag for at, lag in late[first:] if at - lag <= until), default=0)

    def contention(self, since: int, stalled_before: int | None) -> Contention:
        """Return what the time from ``since`` until now was like; ``stalled_before`` is ``stalled()`` at its start."""
        now = self.clock()
        return Contention(self.between(since, now), pressure(stalled_before, stalled(), now - since))

    def _watch(self) -> None:
        sleep = self.sleep or self._over.wait
        while not self._over.is_set():
            before = self.clock()
            sleep(PERIOD)
            now = self.clock()
            lag = now - before - round(PERIOD * 1_000_000_000)
            if lag > WORTH_KEEPING:
                self._late.append((now, lag))


class Deadline:
    """A number of seconds of a machine that lets programs work; while processors are waited for, they go on slower.

    On a machine that does nothing else it is an ordinary deadline. A program that hangs is given up on any.

    Args:
        seconds: that a program may take.
        clock: nanoseconds, as ``time.monotonic_ns``.
        waited: for how many nanoseconds some process has waited for a processor so far; None where none are counted.
    """

    def __init__(
        self,
        seconds: float,
        clock: Callable[[], int] = time.monotonic_ns,
        waited: Callable[[], int | None] | None = None,
    ) -> None:
        self._nanoseconds = round(seconds * 1_000_000_000)
        self._clock, self._waited = clock, waited or stalled
        self._began, self._before = clock(), (waited or stalled_lately)()

    def left(self) -> float:
        """Return how many seconds are left; 0 or less where none are."""
        left = self._nanoseconds - (self._clock() - self._began)
        if left <= 0 and self._before is not None:
            held_up = (self._waited() or self._before) - self._before
            left += min(held_up, (LONGEST_STRETCH - 1) * self._nanoseconds)
        return left / 1_000_000_000


def stalled() -> int | None:
    """Return for how many nanoseconds in all some process has waited for a processor; None where none is counted."""
    try:
        text = PRESSURE.read_text(encoding="ascii")
        return int(text.split("total=", 1)[1].split()[0]) * MICROSECOND
    except (OSError, IndexError, ValueError):
        return None


def stalled_lately() -> int | None:
    """Return ``stalled()`` as it was at most ``FRESH`` ago: reading it costs as much as a short call."""
    global _lately  # noqa: PLW0603 - one machine, one count
    read, count = _lately
    if not read or time.monotonic_ns() - read > FRESH:
        count = stalled()
        _lately = (time.monotonic_ns(), count)
    return count


_lately: tuple[int, int | None] = (0, None)
"""When the count was read, by the monotonic clock, and what it was."""


def pressure(before: int | None, after: int | None, nanoseconds: int) -> float | None:
    """Return the share of a stretch of time in which a process waited, from two counts of ``stalled``."""
    if before is None or after is None or nanoseconds <= 0:
        return None
    return round(min(1.0, (after - before) / nanoseconds), 3)
