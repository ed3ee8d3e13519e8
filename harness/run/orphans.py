"""Processes of ours that do not outlive the one that started them, even where it is killed."""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
"""``linux/prctl.h``."""


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent is gone; elsewhere than on Linux, do nothing."""
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it went before the kernel knew
        os.kill(os.getpid(), signal.SIGKILL)
