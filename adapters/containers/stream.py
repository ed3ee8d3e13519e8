"""The three streams of a container as pipes, fed by threads from the connections that the engine gives."""

import os
import socket
from contextlib import suppress
from threading import Thread
from typing import IO, Any

CHUNK = 65_536


class Feed(Thread):
    """Carries what is written to a pipe into a container's standard input, and its end with it."""

    def __init__(self, connection: Any) -> None:
        super().__init__(name="input of the container", daemon=True)
        self._connection = connection
        reading, writing = os.pipe()
        self._source = os.fdopen(reading, "rb", buffering=0)
        self.pipe: IO[bytes] = os.fdopen(writing, "wb", buffering=0)
        """Closing it ends the container's input."""
        self.start()

    def run(self) -> None:
        """Carry until the pipe is closed or the container reads no more."""
        stream = raw(self._connection)
        with self._source, suppress(OSError):
            while chunk := self._source.read(CHUNK):
                stream.sendall(chunk)
        hang_up(self._connection)


class Drain(Thread):
    """Carries a container's output into two pipes, to its end whether or not they are read."""

    def __init__(self, connection: Any) -> None:
        super().__init__(name="output of the container", daemon=True)
        self._connection = connection
        self.stdout, self._stdout = _pipe()
        self.stderr, self._stderr = _pipe()
        self.start()

    def run(self) -> None:
        """Carry until the container has closed both streams or the connection is gone."""
        from docker.utils.socket import STDERR, frames_iter  # noqa: PLC0415 - the extra docker need not be installed

        try:
            with suppress(OSError, ValueError):  # hung up meanwhile
                for stream, chunk in frames_iter(raw(self._connection), tty=False):
                    with suppress(BrokenPipeError):  # the reader has closed it
                        _write(self._stderr if stream == STDERR else self._stdout, chunk)
        finally:
            for pipe in (self._stdout, self._stderr):
                with suppress(OSError):
                    pipe.close()

    def hang_up(self) -> None:
        """End the connection; what is still to come is lost."""
        hang_up(self._connection)


def raw(connection: Any) -> Any:
    """Return the socket in what ``attach_socket`` gives, without the time limit of ordinary calls."""
    stream = getattr(connection, "_sock", connection)
    with suppress(AttributeError, OSError):
        stream.settimeout(None)
    return stream


def hang_up(connection: Any) -> None:
    """Close a connection for both sides, even if other processes hold it."""
    stream = getattr(connection, "_sock", connection)
    with suppress(OSError):
        stream.shutdown(socket.SHUT_RDWR)
    for end in (connection, stream):
        with suppress(OSError):
            end.close()


def _pipe() -> tuple[IO[bytes], IO[bytes]]:
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb", buffering=0), os.fdopen(writing, "wb", buffering=0)


def _write(pipe: IO[bytes], chunk: bytes) -> None:
    rest = memoryview(chunk)
    while rest:
        rest = rest[pipe.write(rest) :]
