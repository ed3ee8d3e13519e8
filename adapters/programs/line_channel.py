"""Lines to and from a process, each exchange against one deadline, however the octets dribble in."""

import os
import selectors
from contextlib import suppress
from typing import IO, Protocol

from mqconform.harness.iut.contention import Deadline
from mqconform.harness.iut.interface import MAX_LINE, IutFault

CHUNK = 256 * 1024
EXIT_SECONDS = 0.2
"""How long a process that closed its output is given to exit, so that the fault can tell how it ended."""


class Speaker(Protocol):
    """A process that can be spoken to: ``ChildProcess``, or what runs elsewhere and looks like one."""

    stdin: IO[bytes]
    stdout: IO[bytes]
    exit_notice: int

    def wait(self, seconds: float) -> bool:
        """Return whether it has exited, after waiting for that at most ``seconds``."""

    def status(self) -> str:
        """Say how it ended, or that it still runs."""

    def stderr(self) -> str:
        """Return the end of what it wrote to stderr."""

    def end(self, *, gently: bool) -> None:
        """End it with all that it has started; never raises."""


class LineChannel:
    """The stdin and stdout of a child, line by line. Memory is bounded by the longest allowed line."""

    def __init__(self, child: Speaker) -> None:
        self._child = child
        self._in, self._out = child.stdin.fileno(), child.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._out, selectors.EVENT_READ)
        self._selector.register(child.exit_notice, selectors.EVENT_READ)
        self._unsent = memoryview(b"")
        self._buffer = bytearray()
        self._searched = 0

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Write one line and return the next line that the child writes, without its end.

        A line that was there before the question counts as the answer; its id will tell.

        Raises:
            IutFault: ``deadline``, ``exited`` or ``oversize``.
        """
        deadline = Deadline(seconds)
        self._queue(line)
        while True:
            remaining = deadline.left()
            self._serve(max(0.0, remaining))
            if not self._unsent and (answer := self._next_line()) is not None:
                return answer
            if len(self._buffer) > MAX_LINE:
                raise IutFault("oversize", f"the answer is longer than {MAX_LINE} octets")
            if remaining <= 0:  # the round just done was the last look at what had arrived in time
                raise IutFault("deadline", f"no answer within {seconds:g} s{self._half_line()}")

    def close(self) -> None:
        """Stop watching the descriptors; the child's owner closes them."""
        self._selector.close()

    def _queue(self, line: bytes) -> None:
        self._unsent = memoryview(line)
        self._write()
        if self._unsent and self._in not in self._selector.get_map():
            self._selector.register(self._in, selectors.EVENT_WRITE)

    def _serve(self, seconds: float) -> None:
        """Read and write what can be read and written now, after waiting for that at most ``seconds``."""
        ready = {key.fd for key, _ in self._selector.select(seconds)}
        if self._in in ready:
            self._write()
        if not self._unsent:
            self._stop_writing()
        if self._out in ready:
            self._read()
        elif self._child.exit_notice in ready:
            self._ended()  # nothing more to read: a descendant may still hold the pipe open

    def _write(self) -> None:
        with suppress(BlockingIOError):
            try:
                self._unsent = self._unsent[os.write(self._in, self._unsent) :]
            except BrokenPipeError:
                self._unsent = memoryview(b"")  # it reads no more; whether it still answers, its output will tell

    def _stop_writing(self) -> None:
        self._unsent = memoryview(b"")
        if self._in in self._selector.get_map():
            self._selector.unregister(self._in)

    def _read(self) -> None:
        with suppress(BlockingIOError):
            chunk = os.read(self._out, CHUNK)
            self._buffer += chunk
            if not chunk:
                self._ended()

    def _ended(self) -> None:
        """Raise, unless a complete line is still there to be handed out."""
        if b"\n" in self._buffer:
            self._stop_writing()
            return
        self._child.wait(EXIT_SECONDS)
        raise IutFault("exited", f"its output ended, process {self._child.status()}{self._half_line()}")

    def _next_line(self) -> bytes | None:
        end = self._buffer.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._buffer)
            return None
        if end > MAX_LINE:
            raise IutFault("oversize", f"the answer is longer than {MAX_LINE} octets")
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._searched = 0
        return line

    def _half_line(self) -> str:
        return f", in the middle of a line of {len(self._buffer)} octets so far" if self._buffer else ""
