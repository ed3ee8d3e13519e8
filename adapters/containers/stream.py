"""The three streams of a container as pipes, fed by threads from the connections that the engine gives."""

import os
import socket
from contextlib import suppress
from threading import Thread
from typing import IO, Any

HEADER = 8
"""Octets before each piece of output: which stream, three zeros, and the size of the piece, big-endian."""
STDERR = 2
CHUNK = 65_536


class Feed(Thread):
    """Carries what is written to a pipe into a container's standard input, and its end with it."""

    def __init__(self, connection: Any) -> None:
        super().__init__(name="input of the container", daemon=True)
        self._connection = connection
        reading, writing = os.pipe()
        self._source = os.fdopen(reading, "rb", buffering=0)
        self.pipe: IO[bytes] = os.fdopen(writing, "wb", buffering=0)
        """Whoever closes it ends the container's input."""
        self.start()

    def run(self) -> None:
        """Carry until the pipe is closed or the container reads no more."""
        stream = raw(self._connection)
        with self._source, suppress(OSError):
            while chunk := self._source.read(CHUNK):
                stream.sendall(chunk)
        hang_up(self._connection)


class Drain(Thread):
    """Carries a container's output into two pipes, to its end whether or not somebody reads."""

    def __init__(self, connection: Any) -> None:
        super().__init__(name="output of the container", daemon=True)
        self._connection = connection
        self.stdout, self._stdout = _pipe()
        self.stderr, self._stderr = _pipe()
        self.start()

    def run(self) -> None:
        """Carry until the container has closed both streams or the connection is gone."""
        stream = raw(self._connection)
        try:
            with suppress(OSError, EOFError):
                while True:
                    self._carry(stream, _exactly(stream, HEADER))
        finally:
            for pipe in (self._stdout, self._stderr):
                with suppress(OSError):
                    pipe.close()

    def hang_up(self) -> None:
        """End the connection; what is still to come is lost."""
        hang_up(self._connection)

    def _carry(self, stream: Any, header: bytes) -> None:
        pipe = self._stderr if header[0] == STDERR else self._stdout
        left = int.from_bytes(header[4:], "big")
        while left:
            chunk = stream.recv(min(left, CHUNK))
            if not chunk:
                raise EOFError
            left -= len(chunk)
            with suppress(BrokenPipeError):  # nobody reads it any more
                _write(pipe, chunk)


def raw(connection: Any) -> Any:
    """Return the socket in what ``attach_socket`` gives, without the time limit of ordinary calls."""
    stream = getattr(connection, "_sock", connection)
    with suppress(AttributeError, OSError):
        stream.settimeout(None)
    return stream


def hang_up(connection: Any) -> None:
    """Close a connection for both sides, whoever else holds it."""
    stream = getattr(connection, "_sock", connection)
    with suppress(OSError):
        stream.shutdown(socket.SHUT_RDWR)
    for one in (connection, stream):
        with suppress(OSError):
            one.close()


def _pipe() -> tuple[IO[bytes], IO[bytes]]:
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb", buffering=0), os.fdopen(writing, "wb", buffering=0)


def _write(pipe: IO[bytes], chunk: bytes) -> None:
    rest = memoryview(chunk)
    while rest:
        rest = rest[pipe.write(rest) :]


def _exactly(stream: Any, size: int) -> bytes:
    got = b""
    while len(got) < size:
        chunk = stream.recv(size - len(got))
        if not chunk:
            raise EOFError
        got += chunk
    return got
