"""A thread of its own for code of the IUT, so that a call that hangs costs its deadline and no more."""

from collections.abc import Callable
from math import inf
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Generic, TypeVar

from mqconform.harness.iut.contention import Patience

T = TypeVar("T")


class DeadlineMissed(Exception):
    """The task did not end in time, or an earlier one did not: the thread is given up."""


class DeadlineWorker(Generic[T]):
    """Runs tasks one after the other, each against a deadline.

    A Python thread cannot be ended from outside. After a missed deadline it is left behind, as a daemon, and
    every later task is refused at once.
    """

    def __init__(self, name: str) -> None:
        self._tasks: SimpleQueue[Callable[[], T] | None] = SimpleQueue()
        self._answers: SimpleQueue[T] = SimpleQueue()
        self.given_up = False
        Thread(target=self._work, name=name, daemon=True).start()

    def run(self, task: Callable[[], T], seconds: float) -> T:
        """Return what the task returns. The task itself must not raise.

        Without a deadline, ``inf``, it runs where it is called: changing threads takes longer than a short task.

        Raises:
            DeadlineMissed: it took longer than ``seconds``, or the worker was given up before.
        """
        if self.given_up:
            raise DeadlineMissed
        if seconds == inf:
            return task()
        patience = Patience(seconds)
        self._tasks.put(task)
        while (left := patience.left()) > 0:
            try:
                return self._answers.get(timeout=left)
            except Empty:
                continue
        self.given_up = True
        raise DeadlineMissed

    def stop(self) -> None:
        """Let the thread end once it has nothing left to do."""
        self._tasks.put(None)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            self._answers.put(task())
