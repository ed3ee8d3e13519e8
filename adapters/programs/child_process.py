"""A child process in a session of its own: started without a shell, watched, and ended with all it started."""

import os
import signal
import subprocess
import weakref
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import IO

from mqconform.harness.iut.interface import ConfigurationError

STDERR_KEPT = 64 * 1024
"""How much of the end of stderr is kept as evidence, in octets."""
TERMINATE_SECONDS = 0.5
KILL_SECONDS = 2.0


class StderrTail(Thread):
    """Reads stderr to its end, so that a talkative child never blocks, and keeps the last part."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(name="stderr of the IUT", daemon=True)
        self._stream = stream
        self._kept = bytearray()
        self._lock = Lock()
        self._total = 0
        self.start()

    def run(self) -> None:
        """Read until every holder of the pipe has closed it."""
        with self._stream:
            while chunk := self._stream.read(65_536):
                with self._lock:
                    self._total += len(chunk)
                    self._kept += chunk
                    del self._kept[:-STDERR_KEPT]

    def text(self) -> str:
        """Return the kept part, with a note on what went before; empty if nothing was written."""
        with self._lock:
            kept, total = bytes(self._kept), self._total
        left_out = f"({total - len(kept)} octets before this are left out) " if total > len(kept) else ""
        return left_out + kept.decode("utf-8", "backslashreplace")


class ExitWatch(Thread):
    """Waits for the exit of a process without reaping it.

    While the zombie is there, its pid and so the id of its group are nobody else's and may be signalled.

    Attributes:
        notice: a descriptor that becomes readable when the process has exited; the owner closes it.
        exited: set at the same moment.
        status: how the process ended, in words.
    """

    def __init__(self, pid: int) -> None:
        super().__init__(name="exit of the IUT", daemon=True)
        self._pid = pid
        self.notice, self._writing_end = os.pipe()
        self.exited = Event()
        self.status = "still running"
        self.start()

    def run(self) -> None:
        """Wait, then tell."""
        try:
            ending = os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOWAIT)
        except ChildProcessError:
            ending = None  # somebody else in this process has reaped it
        if ending is None:
            self.status = "ended"
        elif ending.si_code == os.CLD_EXITED:
            self.status = f"exit status {ending.si_status}"
        else:
            self.status = f"killed by {_signal_name(ending.si_status)}"
        self.exited.set()
        os.close(self._writing_end)


class ChildProcess:
    """A running command; its pid is also the id of its session and process group.

    Attributes:
        stdin: unbuffered.
        stdout: unbuffered.
        exit_notice: a descriptor that becomes readable when the process has exited.
    """

    def __init__(self, argv: list[str]) -> None:
        """Start ``argv``.

        Raises:
            ConfigurationError: it cannot be started.
        """
        self._popen = _started(argv)
        if self._popen.stdin is None or self._popen.stdout is None or self._popen.stderr is None:
            raise AssertionError("all three streams were asked to be pipes")
        self.stdin, self.stdout = self._popen.stdin, self._popen.stdout
        self._stderr = StderrTail(self._popen.stderr)
        self._watch = ExitWatch(self._popen.pid)
        self.exit_notice = self._watch.notice
        self._last_resort = weakref.finalize(self, _kill_group, self._popen)

    def wait(self, seconds: float) -> bool:
        """Return whether the process has exited, after waiting for that at most ``seconds``."""
        return self._watch.exited.wait(seconds)

    def status(self) -> str:
        """Say how the process ended, or that it still runs."""
        return self._watch.status

    def stderr(self) -> str:
        """Return the end of what it wrote to stderr."""
        return self._stderr.text()

    def end(self, *, gently: bool) -> None:
        """End the process and its whole group, reap it, close the pipes; never raises.

        Args:
            gently: give it its end of input and SIGTERM before SIGKILL.
        """
        if not self._last_resort.alive:
            return
        with suppress(OSError):
            self.stdin.close()
        if gently and not self.wait(TERMINATE_SECONDS):
            _signal_group(self._popen, signal.SIGTERM)
            self.wait(TERMINATE_SECONDS)
        self._last_resort()
        self._watch.join(KILL_SECONDS)  # before the zombie is reaped: only it can tell how the process ended
        with suppress(subprocess.TimeoutExpired):  # stuck in the kernel: nobody can end it now
            self._popen.wait(KILL_SECONDS)
        self._stderr.join(TERMINATE_SECONDS)
        self.stdout.close()
        os.close(self.exit_notice)


def _started(argv: list[str]) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(  # noqa: S603 (the user's own command, split into words, no shell)
            argv, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
        )
    except (OSError, ValueError) as error:
        told = error.strerror if isinstance(error, OSError) else str(error)
        remedy = "name a program that exists and may be executed (a script needs its #! line)"
        raise ConfigurationError(f"stdio:{argv[0]}: cannot be started: {told}; {remedy}") from error


def _kill_group(popen: subprocess.Popen[bytes]) -> None:
    """Kill the group; also runs at the harness's own exit, so that no orphan stays behind."""
    _signal_group(popen, signal.SIGKILL)


def _signal_group(popen: subprocess.Popen[bytes], number: signal.Signals) -> None:
    if popen.returncode is None:  # not reaped yet, so the id is still ours
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(popen.pid, number)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
