"""A container that runs an implementation, with the streams, the exit and the end of a child process.

What it may have and do is as little as an implementation needs. No judgement but one: whose fault it is when a
container breaks the contract, the implementation's, the image's or the engine's.
"""

import os
import weakref
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from socket import SHUT_RDWR, SocketIO, socket
from threading import Event, Thread
from typing import IO, Any

from mqconform.adapters.containers.engine import Engine, EngineFailed, asking, printable
from mqconform.adapters.containers.image import Image
from mqconform.adapters.containers.labels import labels, new_name, removed_if_possible
from mqconform.adapters.containers.target import ImageTarget
from mqconform.adapters.programs.child_process import KILL_SECONDS, TERMINATE_SECONDS, Tail
from mqconform.harness.iut.interface import ConfigurationError, IutFault, IutProblem

SCRATCH = "size=64m,mode=1777,nosuid,nodev"
"""What can be written to, in memory: /tmp, and the volumes of the image, which would else be on the disk."""
LOG = {"type": "json-file", "config": {"max-size": "1m", "max-file": "1"}}
OPEN_FILES = 1_024
CHUNK = 65_536
SETTLE_SECONDS = 2.0
"""How much longer than a kernel an engine may take to tell of an exit."""
KILLED = 137
OOM_LOOKS, OOM_EACH_SECONDS = 8, 0.1
"""An engine learns of a lack of memory by another way than of the exit, and may do so a moment later."""
CANNOT_RUN = ("exit status 126", "exit status 127", "exit status 255")
LAST_WORDS = 300


class Container:
    """A running container; has what ``ChildProcess`` has.

    Args of the constructor:
        engine: that runs it.
        image: what it is of.
        target: what it may use, and its variables.
        network: ``none``, ``container:ID``, or the name of a network.
        words: arguments in place of those of the target.
        published: whether the target's port is published on 127.0.0.1.
        silent: whether its standard output is no more than evidence.

    Attributes:
        stdin: unbuffered; its end is the end of the container's input.
        stdout: unbuffered; nothing comes from one that is silent.
        exit_notice: a descriptor that becomes readable when it has exited.

    Raises, when made:
        EngineFailed: the engine does not make or start it.
    """

    def __init__(  # noqa: PLR0913 - what runs, where, and what becomes of its words
        self,
        engine: Engine,
        image: Image,
        target: ImageTarget,
        network: str = "none",
        words: Sequence[str] = (),
        *,
        published: bool = False,
        silent: bool = False,
    ) -> None:
        self._engine, self._image, self._memory = engine, image, target.memory
        self._ending, self._status, self._problem = False, "still running", ""
        self._exited, self._out_of_memory = Event(), False
        self._stderr, self._silent_output = Tail(), Tail() if silent else None
        self.name = new_name()
        self._last_resort = weakref.finalize(self, removed_if_possible, engine, self.name)
        with ExitStack() as undo:
            undo.callback(self._last_resort)
            with asking("starting a container"):
                self._container = engine.client.containers.create(
                    image.id,
                    list(words or target.arguments) or None,
                    name=self.name,
                    network_mode=network,
                    ports={f"{target.port}/udp": ("127.0.0.1",)} if published else None,
                    environment=list(target.environment),
                    **_allowance(image, target),
                )
                self.stdin = _feed(_attached(self._container, "stdin"))
                undo.callback(self.stdin.close)
                self._output = _attached(self._container, "stdout", "stderr")
                undo.callback(_hang_up, self._output)
                self.stdout, self._answers = _pipe()
                self.exit_notice, self._over = os.pipe()
                self._container.start()
            undo.pop_all()
        self._follower = Thread(target=self._follow, name="output and exit of a container", daemon=True)
        self._follower.start()

    def inspect(self) -> Any:
        """Return what the engine says of it now."""
        with asking("inspecting a container"):
            return self._engine.api.inspect_container(self.name)

    def wait(self, seconds: float) -> bool:
        """Return whether it has exited, after waiting for that at most ``seconds`` and what the engine needs."""
        return self._exited.wait(max(seconds, SETTLE_SECONDS) if seconds else 0)

    def status(self) -> str:
        """Say how it ended, or that it still runs."""
        return self._status

    def stderr(self) -> str:
        """Return the end of what it wrote to stderr."""
        return self._stderr.text()

    def output(self) -> str:
        """Return the end of all that it wrote besides answers."""
        return (self._silent_output.text() if self._silent_output else "") + self._stderr.text()

    def end(self, *, gently: bool) -> None:
        """End it with all its processes and remove it; never raises.

        Args:
            gently: give it its end of input and SIGTERM before SIGKILL.
        """
        if not self._last_resort.alive:
            return
        with suppress(OSError):
            self.stdin.close()
        self.stdout.close()  # an engine whose reader is stuck does not even kill
        if gently and not self._exited.wait(TERMINATE_SECONDS):
            self._kill("SIGTERM", TERMINATE_SECONDS)
        if not self._exited.is_set():
            self._kill("SIGKILL", KILL_SECONDS)  # while the container is there, it can tell how it ended
        self._last_resort()
        _hang_up(self._output)
        self._follower.join(KILL_SECONDS)
        os.close(self.exit_notice)

    def explained(self, fault: IutFault, *, ready: bool) -> IutProblem:
        """Return what a fault that a carrier observed was in truth.

        Args:
            fault: as it was observed.
            ready: whether the implementation had answered before.
        """
        image, status, kind = self._image, f"container {self._status}", fault.kind
        if self._problem or not self._engine.answers():
            problem = printable(self._problem or "it has stopped answering")
            return EngineFailed(f"image:{image.name}: the Docker engine failed: {problem}; seen was: {fault}")
        if ready:
            lacked = self._out_of_memory and self._status not in str(fault)
            return IutFault(kind, f"{fault}; {status}") if lacked else fault
        words = printable(self.output().strip()[-LAST_WORDS:].replace("\n", " / "))
        words = f"; its last words: {words}" if words else ""
        if image.foreign and self._status.startswith(CANNOT_RUN):
            return ConfigurationError(
                f"image:{image.name}: is for {image.platform}, and the engine runs {image.engine_platform}; "
                f"build it for that, or let the engine emulate the other{words}"
            )
        ending = "" if self._status in str(fault) else f"; {status}"
        return IutFault(kind, f"image:{image.name} never got ready: {fault}{ending}{words}")

    def _follow(self) -> None:
        """Carry its output to the end, then note how it ended."""
        from docker.utils.socket import STDERR, frames_iter  # noqa: PLC0415 - the extra docker need not be installed

        try:
            with asking("waiting for a container"):
                with suppress(OSError, ValueError):  # hung up meanwhile
                    for stream, chunk in frames_iter(self._output, tty=False):
                        (self._stderr.add if stream == STDERR else self._hear)(chunk)
                self._container.wait(timeout=None)
                self._status = self._how_it_ended()
        except EngineFailed as problem:
            self._status, self._problem = "of unknown state: the Docker engine failed", str(problem)
        self._answers.close()
        self._exited.set()
        os.close(self._over)

    def _hear(self, chunk: bytes) -> None:
        if self._silent_output:
            self._silent_output.add(chunk)
            return
        rest = memoryview(chunk)
        with suppress(BrokenPipeError):  # the reader has closed it
            while rest:
                rest = rest[self._answers.write(rest) :]

    def _how_it_ended(self) -> str:
        pause = Event()
        for _ in range(OOM_LOOKS):
            state = self.inspect()["State"]
            status, self._out_of_memory = f"exit status {state['ExitCode']}", bool(state.get("OOMKilled"))
            if self._out_of_memory:
                return f"{status}, killed for want of memory: it may use {size(self._memory)}"
            if self._ending or state["ExitCode"] != KILLED:
                break
            pause.wait(OOM_EACH_SECONDS)
        if self._ending:
            return "ended by the harness"
        return status + (f" ({printable(str(state['Error']))})" if state.get("Error") else "")

    def _kill(self, signal: str, seconds: float) -> None:
        self._ending = True
        with suppress(EngineFailed), asking(f"sending {signal}"):
            self._container.kill(signal)
        self._exited.wait(seconds)


def _allowance(image: Image, target: ImageTarget) -> dict[str, Any]:
    """Return the engine's settings for a container.

    The user of the image stays, all privileges go. ``init`` makes the program answer signals as it does elsewhere: one
    that is process 1 ignores those that it has not asked for.
    """
    return {
        "labels": labels(f"image {image.name}"),
        "stdin_open": True,
        "healthcheck": {"test": ["NONE"]},
        "mem_limit": target.memory,
        "memswap_limit": target.memory,
        "pids_limit": target.pids,
        "ulimits": [
            {"Name": "nofile", "Soft": OPEN_FILES, "Hard": OPEN_FILES},
            {"Name": "core", "Soft": 0, "Hard": 0},
        ],
        "read_only": True,
        "tmpfs": dict.fromkeys(("/tmp", *image.volumes), SCRATCH),  # noqa: S108 - in the container
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges:true"],
        "init": True,
        "log_config": LOG,
    }


def limits_text(target: ImageTarget) -> str:
    """Return the limits in words, for the evidence."""
    return f"{size(target.memory)} of memory, {target.pids} processes"


def size(octets: int) -> str:
    """Return an amount of memory in words."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if octets % unit == 0:
            return f"{octets // unit} {name}"
    return f"{octets} octets"


def _pipe() -> tuple[IO[bytes], IO[bytes]]:
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb", buffering=0), os.fdopen(writing, "wb", buffering=0)


def _attached(container: Any, *streams: str) -> Any:
    """Return a connection to streams of a container, without the time limit of calls, that lives apart from the SDK."""
    connection = container.attach_socket(params=dict.fromkeys((*streams, "stream"), 1))
    if isinstance(connection, SocketIO):  # which is only read from
        with connection:
            connection = socket(fileno=os.dup(connection.fileno()))
    connection.settimeout(None)
    return connection


def _feed(connection: Any) -> IO[bytes]:
    """Return a pipe; a thread carries what is written to it, and its end, into a container's standard input."""
    source, pipe = _pipe()

    def carry() -> None:
        with source, suppress(OSError):
            while chunk := source.read(CHUNK):
                connection.sendall(chunk)
        _hang_up(connection)

    Thread(target=carry, name="input of a container", daemon=True).start()
    return pipe


def _hang_up(connection: Any) -> None:
    """Close a connection for both sides, even if other processes hold it."""
    with closing(connection), suppress(OSError):
        connection.shutdown(SHUT_RDWR)
