"""Walking a message from queue manager to queue manager, each asked in turn for its next hop."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Generic, TypeVar

A = TypeVar("A")
MOST_HOPS: Final = 29
"""Hops after which a message is not passed on any more (MS-MQQB 3.1.5.8.2)."""


class End(StrEnum):
    """How a walk ended."""

    ARRIVED = "arrived"
    STUCK = "no next hop"
    LOOP = "came back to a queue manager that had it before"
    TOO_LONG = f"not there after {MOST_HOPS} hops"
    ASTRAY = "handed to somebody the directory does not know"


@dataclass(frozen=True, slots=True)
class Walk(Generic[A]):
    """A message's way.

    Attributes:
        way: names of the queue managers that had the message, the source first.
        answers: what each of them but the last answered.
    """

    way: tuple[str, ...]
    answers: tuple[A, ...]
    end: End

    def __str__(self) -> str:
        """Return the way in words."""
        return f"{' -> '.join(self.way)}: {self.end}"


def walk(ask: Callable[[str], tuple[A, str | None]], source: str, destination: str) -> Walk[A]:
    """Return the way of a message when each queue manager's first next hop is taken.

    Args:
        ask: gives a queue manager's answer and the name of its first hop: empty if the directory has no such
            machine, None without any hop.
        source: name of the queue manager that sends.
        destination: name of the queue manager that is to receive.
    """
    way, answers = [source], list[A]()
    while way[-1] != destination:
        if len(way) > MOST_HOPS:
            return Walk(tuple(way), tuple(answers), End.TOO_LONG)
        answer, hop = ask(way[-1])
        answers.append(answer)
        if not hop:
            return Walk(tuple(way), tuple(answers), End.STUCK if hop is None else End.ASTRAY)
        way.append(hop)
        if hop in way[:-1]:
            return Walk(tuple(way), tuple(answers), End.LOOP)
    return Walk(tuple(way), tuple(answers), End.ARRIVED)
