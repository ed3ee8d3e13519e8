"""Processes of the harness: they import nothing from the current folder and end with their parent."""

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

PR_SET_PDEATHSIG = 1
"""``linux/prctl.h``."""
SAFE_PATH, OURS = "PYTHONSAFEPATH", "mqconform"
"""Python's variable, and the value by which a process of ours knows that an implementation must not inherit it."""


@contextmanager
def safe_interpreters() -> Iterator[None]:
    """Keep the current folder out of what processes of multiprocessing import that start meanwhile.

    Multiprocessing starts ``python -c``, which searches the folder where the user stands before the standard library.
    """
    if SAFE_PATH in os.environ:
        yield
        return
    os.environ[SAFE_PATH] = OURS
    try:
        yield
    finally:
        del os.environ[SAFE_PATH]


def inherit_nothing() -> None:
    """Remove in a process of ours what ``safe_interpreters`` set: an implementation has its own rules of imports."""
    if os.environ.get(SAFE_PATH) == OURS:
        del os.environ[SAFE_PATH]


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent is gone; elsewhere than on Linux, do nothing."""
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it went before the kernel knew
        os.kill(os.getpid(), signal.SIGKILL)
