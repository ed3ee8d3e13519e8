"""Whose a container is: labels that tell which harness process made it, and whether that still lives.

A process is known by its pid and start time, which no later process has again while the machine runs, by the boot of
the machine, and by the pid namespace that the pid is of.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

LABEL = "org.mqconform.harness"
FORM = re.compile(
    r"pid=(?P<pid>[0-9]{1,10}) start=(?P<start>[0-9]{1,20}) boot=(?P<boot>[0-9a-f-]{36}) space=(?P<space>[0-9]{1,20})"
)
PROC = Path("/proc")


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
        return started(self.pid) == self.start


def owner_in(label: object) -> Owner | None:
    """Return the owner that a label names, None where nobody of ours wrote it."""
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
    """Return when a process was started, in clock ticks from the boot; None where there is none, or a dead one."""
    try:
        fields = (PROC / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in ("Z", "X") else int(fields[19])
