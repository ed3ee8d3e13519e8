"""A container that runs an implementation, with the streams, the exit and the end of a child process."""

import os
import secrets
import weakref
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any

from mqconform.adapters.containers.engine import Engine, EngineFailed, asking
from mqconform.adapters.containers.exit import SETTLE_SECONDS, ExitWatch
from mqconform.adapters.containers.reaper import labels, remove_container
from mqconform.adapters.containers.stream import Drain, Feed
from mqconform.adapters.programs.child_process import KILL_SECONDS, TERMINATE_SECONDS, StderrTail


@dataclass(frozen=True, slots=True)
class Plan:
    """What a container is made of.

    Attributes:
        image: id of the image.
        command: arguments; empty for those of the image.
        environment: ``NAME=VALUE`` each.
        host_config: limits, as the engine takes them.
        memory: octets that it has, for the words of a verdict.
        ports: ports and protocols that are published.
        entrypoint: program that takes the place of the image's own; empty for that.
    """

    image: str
    command: tuple[str, ...]
    host_config: Any
    memory: int
    environment: tuple[str, ...] = ()
    ports: tuple[tuple[int, str], ...] = ()
    entrypoint: tuple[str, ...] = ()


class Container:
    """A running container; has what ``ChildProcess`` has.

    Attributes:
        stdin: unbuffered.
        stdout: unbuffered.
        exit_notice: a descriptor that becomes readable when it has exited.
        out_of_memory: whether the kernel killed something in it for want of memory, known once it has exited.
        pid: of its first process, as the engine sees it.

    Raises, when made:
        EngineFailed: the engine does not make or start it.
    """

    def __init__(self, engine: Engine, plan: Plan) -> None:
        self._engine, self._plan = engine, plan
        self.name = new_name()
        self._labels = labels()
        self._last_resort = weakref.finalize(self, removed_if_possible, engine, self.name)
        with ExitStack() as undo:
            undo.callback(self._last_resort)
            self._create()
            self.stdin = Feed(self._attached("stdin")).pipe
            undo.callback(self.stdin.close)
            self._drain = Drain(self._attached("stdout", "stderr"))
            undo.callback(self._drain.hang_up)
            self.stdout = self._drain.stdout
            self._stderr = StderrTail(self._drain.stderr)
            self._stdout: StderrTail | None = None
            with asking("starting a container"):
                engine.api.start(self.id)
            undo.pop_all()
        self._watch = ExitWatch(engine, self.id, plan.memory, self._drain)
        self.exit_notice = self._watch.notice

    @property
    def pid(self) -> int:
        """Its first process, 0 where it does not run."""
        return int(self.inspect()["State"].get("Pid") or 0)

    @property
    def out_of_memory(self) -> bool:
        """Whether it ended for want of memory."""
        return self._watch.out_of_memory

    @property
    def engine_problem(self) -> str:
        """How the engine failed while the container was watched; empty if it did not."""
        return self._watch.problem

    def inspect(self) -> Any:
        """Return what the engine says of it."""
        with asking("inspecting a container"):
            return self._engine.api.inspect_container(self.id)

    def wait(self, seconds: float) -> bool:
        """Return whether it has exited, after waiting for that at most ``seconds`` and what the engine needs."""
        return self._watch.exited.wait(max(seconds, SETTLE_SECONDS) if seconds else 0)

    def status(self) -> str:
        """Say how it ended, or that it still runs."""
        return self._watch.status

    def stderr(self) -> str:
        """Return the end of what it wrote to stderr."""
        return self._stderr.text()

    def keep_output(self) -> None:
        """Read what it writes to stdout for the evidence too: there is no other reader."""
        self._stdout = StderrTail(self.stdout)

    def output(self) -> str:
        """Return the end of what it wrote to stdout, where that is kept."""
        return self._stdout.text() if self._stdout else ""

    def end(self, *, gently: bool) -> None:
        """End it with all its processes and remove it; never raises.

        Args:
            gently: give it its end of input and SIGTERM before SIGKILL.
        """
        if not self._last_resort.alive:
            return
        with suppress(OSError):
            self.stdin.close()
        if self._stdout is None:
            self.stdout.close()  # an engine whose reader is stuck does not even kill
        if gently and not self._watch.exited.wait(TERMINATE_SECONDS):
            self._watch.of_ours = True
            self._signal("SIGTERM")
            self._watch.exited.wait(TERMINATE_SECONDS)
        if not self._watch.exited.is_set():
            self._watch.of_ours = True
            self._signal("SIGKILL")
            self._watch.exited.wait(KILL_SECONDS)  # while the container is there, it can tell how it ended
        self._last_resort()
        for tail in filter(None, (self._stderr, self._stdout)):
            tail.join(TERMINATE_SECONDS)
        self._drain.hang_up()
        self.stdout.close()
        self._watch.join(KILL_SECONDS)
        os.close(self.exit_notice)

    def _create(self) -> None:
        plan = self._plan
        with asking("making a container"):
            made = self._engine.api.create_container(
                plan.image,
                command=list(plan.command) or None,
                entrypoint=list(plan.entrypoint) or None,
                environment=list(plan.environment),
                ports=list(plan.ports) or None,
                stdin_open=True,
                name=self.name,
                healthcheck={"Test": ["NONE"]},
                labels=self._labels,
                host_config=plan.host_config,
            )
        self.id = str(made["Id"])

    def _attached(self, *streams: str) -> Any:
        with asking("attaching to a container"):
            return self._engine.api.attach_socket(self.id, params=dict.fromkeys((*streams, "stream"), 1))

    def _signal(self, name: str) -> None:
        with suppress(EngineFailed), asking(f"sending {name}"):
            self._engine.api.kill(self.id, signal=name)


def new_name() -> str:
    """Return a name for a container or network that nothing else has."""
    return f"mqconform-{secrets.token_hex(8)}"


def removed_if_possible(engine: Engine, name: str) -> None:
    """Remove a container; one that the engine cannot remove now is for its watch, or for the next run."""
    with suppress(EngineFailed):
        remove_container(engine, name)
