"""Removes the containers and networks of harnesses that are no more; those of a living one are never touched.

The label of what a harness makes tells which process that is and whether it still lives: by its pid and start time,
which no later process has again while the machine runs, by the boot of the machine, and by the pid namespace that the
pid is of. A small process watches each harness and removes at once what that was killed over, by a ``kill -9`` too.
What even this process does not live to do, the next run does.
"""

import atexit
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

from mqconform.adapters.containers.engine import Engine, EngineFailed, EngineRefused, asking, engine, printable

LABEL = "org.mqconform.harness"
FORM = re.compile(
    r"pid=(?P<pid>[0-9]{1,10}) start=(?P<start>[0-9]{1,20}) boot=(?P<boot>[0-9a-f-]{36}) space=(?P<space>[0-9]{1,20})"
)
PROC = Path("/proc")
FORSAKEN_SECONDS = 3_600
"""A container that has not run for so long has no live harness: a harness removes its own within seconds."""
GONE, BUSY = 404, 409
LOOKS, EACH_SECONDS = 40, 0.25
"""How long a watch looks for what its harness left: the engine may be making it still."""
WATCHING, DONE = "watch", b"done"


@dataclass(frozen=True, slots=True)
class Owner:
    """A process of a harness.

    Attributes:
        start: clock ticks from the boot to its start.
        boot: id of that boot.
        space: inode of its pid namespace.
    """

    pid: int
    start: int
    boot: str
    space: int

    def label(self) -> str:
        """Return the value of the label."""
        return f"pid={self.pid} start={self.start} boot={self.boot} space={self.space}"

    def lives(self, here: "Owner") -> bool | None:
        """Tell whether it still runs, None where that cannot be seen from here.

        Args:
            here: the process that asks.
        """
        if (self.boot, self.space) != (here.boot, here.space):
            return None  # on another machine, before its last start, or in a container
        try:
            return started(self.pid) == self.start
        except OSError:
            return None


def owner_in(label: object) -> Owner | None:
    """Return the owner that a label names, None if no harness wrote it."""
    form = FORM.fullmatch(label) if isinstance(label, str) else None
    return Owner(int(form["pid"]), int(form["start"]), form["boot"], int(form["space"])) if form else None


def this_process() -> Owner:
    """Return this process; of what the machine does not tell, zeros."""
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text("ascii").strip()
        space = (PROC / "self/ns/pid").stat().st_ino
    except OSError:
        boot, space = str(os.getuid() if hasattr(os, "getuid") else 0).zfill(36), 0
    pid = os.getpid()
    return Owner(pid, started(pid) or 0, boot, space)


def started(pid: int) -> int | None:
    """Return when a process was started, in clock ticks from the boot; None where there is none, or a dead one.

    Raises:
        OSError: it cannot be seen, as where this process has no descriptors left.
    """
    try:
        fields = (PROC / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in ("Z", "X") else int(fields[19])


@dataclass(frozen=True, slots=True)
class Found:
    """What was done with something that bears our label.

    Attributes:
        name: of the container or network, printable.
        removed: whether it was removed.
        why: the reason that it was removed, or left alone.
    """

    name: str
    removed: bool
    why: str


def reap(asked: Engine | None = None) -> list[Found]:
    """Remove what dead harnesses left on the engine; return that and what was left alone.

    Raises:
        EngineFailed: the engine cannot be used.
    """
    docker = asked or engine()
    here = this_process()
    return [*_containers(docker, here), *_networks(docker, here)]


def _containers(docker: Engine, here: Owner) -> Iterator[Found]:
    with asking("looking for containers that were left behind"):
        listed = docker.api.containers(all=True, filters={"label": LABEL})
    for container in listed:
        name = printable(str((container.get("Names") or [container["Id"][:12]])[0]).removeprefix("/"))
        why_not = _reason_to_leave(container, here)
        if why_not is None:
            with suppress(EngineRefused):
                remove_container(docker, container["Id"])
        yield Found(name, why_not is None, why_not or "its harness is gone")


def _networks(docker: Engine, here: Owner) -> Iterator[Found]:
    with asking("looking for networks that were left behind"):
        listed = docker.api.networks(filters={"label": LABEL})
    for network in listed:
        owner = owner_in((network.get("Labels") or {}).get(LABEL))
        if owner is None or owner.lives(here) is not False:
            continue
        with suppress(EngineRefused):
            remove_network(docker, network["Id"])
        yield Found(printable(str(network.get("Name"))), removed=True, why="its harness is gone")


def _reason_to_leave(container: Any, here: Owner) -> str | None:
    """Return why a container is left alone, None where it may be removed."""
    owner = owner_in((container.get("Labels") or {}).get(LABEL))
    if owner is None:
        return "its label is none of ours"
    lives = owner.lives(here)
    if lives is None and container.get("State") != "running" and _age(container) > FORSAKEN_SECONDS:
        return None
    if lives is None:
        return "its harness runs elsewhere, or has gone with another machine: remove it by hand if so"
    return "its harness still runs" if lives else None


def _age(container: Any) -> float:
    created = container.get("Created")
    return datetime.now(UTC).timestamp() - created if isinstance(created, int | float) else 0.0


def remove_container(docker: Engine, identity: str) -> None:
    """Kill and remove a container; one that is gone or going is well.

    Raises:
        EngineFailed: it could not be removed.
    """
    _removed(lambda: docker.api.remove_container(identity, force=True, v=True), "removing a container")


def remove_network(docker: Engine, identity: str) -> None:
    """Remove a network; one that is gone is well.

    Raises:
        EngineFailed: it could not be removed.
    """
    _removed(lambda: docker.api.remove_network(identity), "removing a network")


def _removed(call: Any, doing: str) -> None:
    try:
        with asking(doing):
            call()
    except EngineRefused as refused:
        if refused.status not in (GONE, BUSY):
            raise


def reaped_once() -> None:
    """Reap at the first container of this process; what goes wrong is for the run itself to tell."""
    if not _REAPED:
        _REAPED.append(True)
        with suppress(EngineFailed):
            reap()


_REAPED: list[bool] = []


def labels() -> dict[str, str]:
    """Return the label for what this process makes, and see that a watch removes that should the process be killed."""
    label = this_process().label()
    if os.getpid() not in _WATCHES:
        with suppress(OSError):  # without a watch, the next run cleans up
            process = subprocess.Popen(  # noqa: S603 - this very module
                [sys.executable, "-m", "mqconform.adapters.containers.reaper", WATCHING, label],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
                cwd="/",
            )
            _WATCHES[os.getpid()] = process
            atexit.register(_done, process)
    return {LABEL: label}


_WATCHES: dict[int, "subprocess.Popen[bytes]"] = {}


def _done(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.write(DONE)


def _watch(label: str) -> None:
    """Wait for the end of a harness, then remove what has its label: one look where it ended well."""
    looks = 1 if sys.stdin.buffer.read() == DONE else LOOKS
    pause = Event()
    for _ in range(looks):
        with suppress(EngineFailed):
            docker = engine()
            filters = {"label": f"{LABEL}={label}"}
            with asking("looking for what was left behind"):
                for container in docker.api.containers(all=True, filters=filters):
                    remove_container(docker, container["Id"])
                for network in docker.api.networks(filters=filters):
                    remove_network(docker, network["Id"])
        pause.wait(EACH_SECONDS if looks > 1 else 0)


def main() -> None:
    """Watch a harness, or reap now and say what was found, a line each."""
    if sys.argv[1:2] == [WATCHING]:
        _watch(sys.argv[2])
        return
    for leftover in reap():
        print(f"{'removed' if leftover.removed else 'left alone'}: {leftover.name}: {leftover.why}")  # noqa: T201 - what it is for


if __name__ == "__main__":
    main()
