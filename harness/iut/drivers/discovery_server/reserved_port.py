"""One UDP port of this machine for one run at a time."""

import fcntl
import os
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
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
    with Path(tempfile.gettempdir(), f"mqconform-udp-{port}-{os.getuid()}.lock").open("w", encoding="ascii") as lock:
        until = time.monotonic() + PATIENCE
        while not _is_ours(lock.fileno()):
            if time.monotonic() > until:
                raise NotApplicable(f"UDP port {port} is taken by another run on this machine")
            time.sleep(PAUSE)
        _check_free(host, port)
        yield


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
