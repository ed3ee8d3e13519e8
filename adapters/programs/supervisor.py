"""A program on its own, ``python -I -S supervisor.py CONTROL COMMAND...``: starts a command and ends what comes of it.

It stands between harness and implementation. On Linux it is a subreaper: whatever the command starts stays below it,
also what leaves its process group and session. When the harness says so, or is gone, everything below is killed. It
imports little, for it is started with every implementation.

CONTROL is the number of an inherited socket of type SOCK_SEQPACKET. To the harness go, one packet each: ``started``
or ``failed ERRNO``, and ``exited STATUS`` or ``killed SIGNAL`` when the command has ended. From the harness comes
``terminate``, SIGTERM for the command's process group; the end of the connection means the end of all.
"""

import ctypes
import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
"""``linux/prctl.h``."""
KILL_SECONDS = 1.5
"""How long processes that are killed are waited for: one that is stuck in the kernel cannot be ended by anybody."""
PAUSE_SECONDS = 0.005
LINUX = sys.platform == "linux"


def main(control: socket.socket, command: list[str]) -> None:
    """Start the command, report on it, and end everything below when the harness lets go."""
    if LINUX:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        # A program may stop its supervisor, and the harness be killed thereafter.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGCONT, 0, 0, 0)
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    child, errno = _start(command)
    if errno:
        _tell(control, b"failed %d" % errno)
        return
    _tell(control, b"started")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # which the command alone shall hold, so that their ends are seen
        os.dup2(nothing, stream)
    os.close(nothing)
    ended = _watch(control, woken, child)
    _end_all(child, control, ended=ended)


def _start(command: list[str]) -> tuple[int, int]:
    """Return the process id of the command, in a session of its own, and the error number if it did not start."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            if LINUX:
                ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)  # also if this process is killed
            for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python, which a command would inherit
                signal.signal(ignored, signal.SIG_DFL)
            os.execvp(command[0], command)  # noqa: S606 - the user's own command, split into words, no shell
        except OSError as error:
            os.write(writing, b"%d" % (error.errno or 1))
        finally:
            os._exit(127)
    os.close(writing)
    with os.fdopen(reading, "rb") as report:
        return child, int(report.read() or 0)


def _watch(control: socket.socket, woken: int, child: int) -> bool:
    """Pass SIGTERM on until the harness lets go, and return whether the command has ended, which is told by then."""
    events = select.poll()  # not select, which knows descriptors up to 1023 alone
    events.register(control, select.POLLIN)
    events.register(woken, select.POLLIN)
    ended = False
    while True:
        ready = {descriptor for descriptor, _ in events.poll()}
        if woken in ready:
            os.read(woken, 4096)
            ended = ended or _has_ended(child, control)
        if control.fileno() in ready:
            if not _received(control):
                return ended
            _signal_group(child, signal.SIGTERM)


def _received(control: socket.socket) -> bytes:
    try:
        return control.recv(64)
    except OSError:
        return b""


def _has_ended(child: int, control: socket.socket) -> bool:
    """Tell of the end of the command, once, and collect what else has ended before.

    The command itself is not collected: while its zombie is there, its id and that of its group are nobody else's.
    """
    while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) is not None:
        if ended.si_pid == child:
            how = b"exited" if ended.si_code == os.CLD_EXITED else b"killed"
            _tell(control, b"%s %d" % (how, ended.si_status))
            return True
        os.waitpid(ended.si_pid, 0)
    return False


def _tell(control: socket.socket, packet: bytes) -> None:
    with suppress(OSError):  # the harness may be gone
        control.send(packet)


def _end_all(child: int, control: socket.socket, *, ended: bool) -> None:
    """Kill everything below this process, again and again: until it is dead it may start new processes."""
    _signal_group(child, signal.SIGKILL)
    until = time.monotonic() + KILL_SECONDS
    while time.monotonic() < until:
        ended = ended or _has_ended(child, control)
        if ended and not _anything_left():
            return
        for process in descendants(os.getpid()):
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        time.sleep(PAUSE_SECONDS)


def _anything_left() -> bool:
    """Collect what has ended, and return whether more is below: a subreaper is without children only where none is."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _signal_group(child: int, number: int) -> None:
    with suppress(OSError):  # it may be gone, or run with the rights of another user
        os.killpg(child, number)


def descendants(process: int) -> list[int]:
    """Return the living processes below one; none where there is no /proc."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if LINUX else ():  # noqa: PTH208 - pathlib takes long to load
        if name.isdigit():
            children.setdefault(_parent(name), []).append(int(name))
    below: list[int] = []
    waiting = [process]
    while waiting:
        direct = children.get(waiting.pop(), [])
        below += direct
        waiting += direct
    return below


def _parent(process: str) -> int:
    """Return the parent of a process, 0 where it has ended."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:  # noqa: PTH123 - as above
            state, parent = file.read().rpartition(b")")[2].split()[:2]
    except (OSError, ValueError):
        return 0
    return 0 if state == b"Z" else int(parent)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as channel:
        channel.set_inheritable(False)
        main(channel, sys.argv[2:])
