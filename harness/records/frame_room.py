"""Room for the frames of a long call: a loop in it must not lie where a piece of CPython's stack ends.

CPython keeps the frames of a thread in pieces of 16 KiB, and maps and unmaps one for each call that begins at the end
of another. A run took twice the time where it was called from such a depth.
"""

from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

SLOTS: Final = 2**17
"""Of a frame that takes a piece of its own, of 2 MiB: the first half and more are the frame, the rest is for calls."""


def with_room(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Return what a function returns, called where a thousand frames have room in one piece.

    That is address space: what no frame needs has no memory.
    """
    return function(*args, **kwargs)


with_room.__code__ = with_room.__code__.replace(co_stacksize=SLOTS)
