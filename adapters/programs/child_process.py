"""A child process in a session of its own: started without a shell, watched, and ended with all it started."""

import os
import signal
import subprocess
import sys
import weakref
from contextlib import suppress
from pathlib import Path
from select import POLLIN, poll
from socket import AF_UNIX, MSG_PEEK, SHUT_WR, SOCK_SEQPACKET, socket, socketpair
from threading import Event, Lock, Thread
from time import monotonic
from typing import IO

from mqconform.adapters.programs.supervisor import descendants
from mqconform.harness.iut.interface import ConfigurationError

STDERR_KEPT = 64 * 1024
"""How much of the end of stderr is kept as evidence, in octets."""
TERMINATE_SECONDS = 0.5
LAST_WORDS_SECONDS = 0.1
KILL_SECONDS = 2.0
START_SECONDS = 60.0
"""A program can stop its supervisor before that has told of the start."""
LOOK_EACH = 0.005
SUPERVISOR = (sys.executable, "-I", "-S", str(Path(__file__).with_name("supervisor.py")))
STARTED = "started"
PACKET = 64
"""Longest packet of a supervisor, in octets."""


class Tail:
    """The last part of what a program wrote; safe to use from several threads."""

    def __init__(self) -> None:
        self._octets = bytearray()
        self._lock = Lock()
        self._total = 0

    def add(self, chunk: bytes) -> None:
        """Take in what came next."""
        with self._lock:
            self._total += len(chunk)
            self._octets += chunk
            del self._octets[:-STDERR_KEPT]

    def text(self) -> str:
        """Return the kept part, with a note on what went before; empty if nothing was written."""
        with self._lock:
            tail, total = bytes(self._octets), self._total
        left_out = f"({total - len(tail)} octets before this are omitted) " if total > len(tail) else ""
        return left_out + tail.decode("utf-8", "backslashreplace")


class StderrTail(Tail, Thread):
    """Reads stderr to its end, so that a talkative child never blocks, and keeps the last part."""

    def __init__(self, stream: IO[bytes]) -> None:
        Tail.__init__(self)
        Thread.__init__(self, name="stderr of the IUT", daemon=True)
        self._stream = stream
        self.start()

    def run(self) -> None:
        """Read until every holder of the pipe has closed it."""
        with self._stream:
            while chunk := self._stream.read(65_536):
                self.add(chunk)


class ChildProcess:
    """A running command behind a supervisor, a process of ours that ends everything below it (``supervisor.py``).

    Attributes:
        stdin: unbuffered.
        stdout: unbuffered.
        exit_notice: a descriptor that becomes readable when the command has exited.
    """

    def __init__(self, argv: list[str]) -> None:
        """Start ``argv``.

        Raises:
            ConfigurationError: it cannot be started.
        """
        self._popen, self._control = _supervised(argv)
        if self._popen.stdin is None or self._popen.stdout is None or self._popen.stderr is None:
            raise AssertionError("all three streams were asked to be pipes")
        self.stdin, self.stdout = self._popen.stdin, self._popen.stdout
        self._stderr = StderrTail(self._popen.stderr)
        self._status, self._left = "", ""
        self.exit_notice = self._control.fileno()
        self._last_resort = weakref.finalize(self, _end_all, self._popen, self._control)

    def wait(self, seconds: float) -> bool:
        """Return whether the process has exited, after waiting for that at most ``seconds``."""
        if not self._status:
            events = poll()
            events.register(self._control, POLLIN)
            self._status = _ending(self._control) if events.poll(1000 * max(0.0, seconds)) else ""
        return bool(self._status)

    def status(self) -> str:
        """Say how the process ended, or that it still runs, and which processes could not be ended."""
        return (self._status if self.wait(0) else "still running") + self._left

    def stderr(self) -> str:
        """Return the end of what it wrote to stderr; what it wrote last may take a moment to come."""
        if self.wait(0):
            self._stderr.join(LAST_WORDS_SECONDS)
        return self._stderr.text()

    def end(self, *, gently: bool) -> None:
        """End the process and all that it has started, close the pipes; never raises.

        Args:
            gently: give it its end of input and SIGTERM before SIGKILL.
        """
        if not self._last_resort.alive:
            return
        with suppress(OSError):
            self.stdin.close()
        if gently and not self.wait(TERMINATE_SECONDS):
            with suppress(OSError):
                self._control.send(b"terminate")
            self.wait(TERMINATE_SECONDS)
        self._left = self._last_resort() or ""
        self.wait(0)
        self._stderr.join(TERMINATE_SECONDS)
        self.stdout.close()
        self._control.close()


def _supervised(argv: list[str]) -> tuple[subprocess.Popen[bytes], socket]:
    """Return a supervisor whose command runs, and the harness's end of the socket between them."""
    control, theirs = socketpair(AF_UNIX, SOCK_SEQPACKET)
    try:
        with theirs:
            popen = _popen([*SUPERVISOR, str(theirs.fileno()), *argv], theirs)
        _require_started(popen, control)
    except (OSError, ValueError) as error:
        control.close()
        problem = error.strerror if isinstance(error, OSError) else str(error)
        remedy = "name a program that exists and may be executed (a script needs its #! line)"
        raise ConfigurationError(f"stdio:{argv[0]}: cannot be started: {problem}; {remedy}") from error
    return popen, control


def _require_started(popen: subprocess.Popen[bytes], control: socket) -> None:
    events = poll()
    events.register(control, POLLIN)
    report = control.recv(PACKET).decode() if events.poll(1000 * START_SECONDS) else ""
    if report == STARTED:
        return
    _end_all(popen, control)
    for stream in filter(None, (popen.stdin, popen.stdout, popen.stderr)):
        stream.close()
    number = int(report.removeprefix("failed ") or 0)
    raise OSError(number, os.strerror(number) if number else "its supervisor was stopped or ended")


def _popen(command: list[str], control: socket) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(  # noqa: S603 - the user's own command, split into words, no shell
        command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True, pass_fds=[control.fileno()]
    )


def _ending(control: socket) -> str:
    """Return in words how the command ended; the report stays there to be read, so that others see it too."""
    try:
        report = control.recv(PACKET, MSG_PEEK).decode()
    except ConnectionResetError:  # it was killed before it had read all
        report = ""
    how, _, number = report.partition(" ")
    if how == "exited":
        return f"exit status {number}"
    if not number:
        return "killed with its supervisor"
    try:
        return f"killed by {signal.Signals(int(number)).name}"
    except ValueError:
        return f"killed by signal {number}"


def _end_all(popen: subprocess.Popen[bytes], control: socket) -> str:
    """End everything, and say which processes could not be ended; also runs at the harness's own exit."""
    with suppress(OSError):
        popen.send_signal(signal.SIGCONT)  # the program may have stopped it
        control.shutdown(SHUT_WR)
    if _is_over(popen):
        return ""
    # The program stops it again and again, or a process below it is stuck in the kernel.
    pause, until = Event(), monotonic() + KILL_SECONDS
    while (below := descendants(popen.pid)) and monotonic() < until:
        for process in below:
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        pause.wait(LOOK_EACH)
    popen.kill()
    stuck = below + ([] if _is_over(popen) else [popen.pid])
    return f"; cannot be ended: process {', '.join(map(str, stuck))}" if stuck else ""


def _is_over(popen: subprocess.Popen[bytes]) -> bool:
    try:
        popen.wait(KILL_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return True
