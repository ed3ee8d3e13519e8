"""One UDP port of this machine for one run at a time."""

import fcntl
import os
import socket
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mqconform.harness.iut.interface import NotApplicable

PATIENCE, PAUSE = 20.0, 0.05
"""Seconds to wait for another run to be done with the port, and between two looks."""


@contextmanager
def reserved_port(host: str, port: int) -> Iterator[None]:
    """Keep other runs of this user from a port that is free, until the end of the context.

    Raises:
        NotApplicable: the port is taken, be it by another run or by a program of this machine.
    """
    lock = _opened(port)
    try:
        until = time.monotonic() + PATIENCE
        while not _is_ours(lock):
            if time.monotonic() > until:
                raise NotApplicable(f"UDP port {port} is taken by another run on this machine")
            time.sleep(PAUSE)
        _check_free(host, port)
        yield
    finally:
        os.close(lock)


def _opened(port: int) -> int:
    """Open the lock file, in a folder of the user's own: the folder of temporary files is everybody's."""
    folder = Path(tempfile.gettempdir(), f"mqconform-{os.getuid()}")
    try:
        with suppress(FileExistsError):
            folder.mkdir(0o700)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o022:
            raise NotApplicable(f"{folder} is not a folder of yours alone; remove it to reserve UDP port {port}")
        lock = os.open(folder / f"udp-{port}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    except OSError as error:
        raise NotApplicable(f"UDP port {port} cannot be reserved: {error}") from error
    if stat.S_ISREG(os.fstat(lock).st_mode):
        return lock
    os.close(lock)
    raise NotApplicable(f"{folder}/udp-{port}.lock is not a file; remove it")


def _is_ours(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _check_free(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((host, port))
        except OSError as error:
            raise NotApplicable(f"UDP port {port} is taken on this machine: {error.strerror}") from error
