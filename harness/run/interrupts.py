"""Ctrl-C that is not lost: Python drops the exception where a destructor or a callback of a library runs just then."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


@contextmanager
def remembered_interrupts() -> Iterator[Callable[[], bool]]:
    """Give a function that returns whether SIGINT came; the exception is raised as usual.

    Where SIGINT has another handler, which then knows what to do, or in another thread, it always tells False.
    """
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False
        return
    came = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(came)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
