"""Plays that take turns: one runs at a time, and while it waits the others go on."""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from mqconform.reference.mqso.elements import SECOND

GAP: Final = 0.05
"""Seconds between two beginnings: what begins at one moment wants to go on at one moment."""


@dataclass(slots=True)
class Play:
    """Something that is done with waits in between, in a thread that runs when it is its turn.

    Attributes:
        does: waits by ``wait``; what it raises is kept as ``problem``.
        lane: plays of one lane come one after the other; those without one do not care.
        overslept: the nanoseconds by which the latest of its waits was too long.
        due: when it wants to go on.
    """

    does: Callable[[], None]
    lane: str = ""
    problem: BaseException | None = None
    overslept: int = 0
    due: int = 0
    over: bool = False
    _goes_on: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    _rests: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def wait(self, seconds: float) -> None:
        """Let the others go on for so long; called by what the play does."""
        self.due = time.monotonic_ns() + round(seconds * SECOND)
        self._rests.release()
        self._goes_on.acquire()
        self.overslept = max(self.overslept, time.monotonic_ns() - self.due)

    def start(self) -> None:
        """Let it run until it waits or is over."""
        threading.Thread(target=self._run, daemon=True).start()
        self._rests.acquire()

    def go_on(self) -> None:
        """Let it run on when its time has come, until it waits again or is over."""
        time.sleep(max(0, self.due - time.monotonic_ns()) / SECOND)
        self._goes_on.release()
        self._rests.acquire()

    def _run(self) -> None:
        try:
            self.does()
        except BaseException as problem:  # noqa: BLE001 - an interrupt reaches the thread that hands out turns
            self.problem = problem
        self.over = True
        self._rests.release()


def take_turns(plays: Iterable[Play], progress: Callable[[int, int], None] = lambda *_: None) -> None:
    """Let plays run to their ends; none begins where that could keep another from going on in time.

    Args:
        plays: those that begin first come first.
        progress: called with how many are over, and how many there are.
    """
    new, waiting, longest = [*plays], list[Play](), 0
    of = len(new)
    while new or waiting:
        waiting.sort(key=lambda play: play.due)
        taken = {play.lane for play in waiting if play.lane}
        first = next((play for play in new if play.lane not in taken), None)
        began = time.monotonic_ns()
        if first is None or (waiting and waiting[0].due - began < longest):
            turn = waiting.pop(0)
            turn.go_on()
        else:
            turn = first
            new.remove(turn)
            turn.start()
            time.sleep(GAP)
            longest = max(longest, time.monotonic_ns() - began)
        if turn.over:
            progress(of - len(new) - len(waiting), of)
        else:
            waiting.append(turn)
