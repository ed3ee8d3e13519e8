"""The label of all that a harness makes on an engine, and the sweep that removes what killed harnesses left there.

The label names the process of the harness by its machine's boot, its pid namespace, its pid and its start time, which
no later process has again. What a living harness has made is never touched.
"""

import os
import secrets
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from mqconform.adapters.containers.engine import Engine, EngineFailed, EngineRefused, asking, printable

LABEL, PURPOSE = "org.mqconform.harness", "org.mqconform.purpose"
PROC = Path("/proc")
FORSAKEN_SECONDS = 3_600
"""A container that stands still for so long has no living harness: a harness removes its own within seconds."""
GONE, BUSY = 404, 409
REMOVED = "removed:"


def labels(purpose: str = "") -> dict[str, str]:
    """Return the labels for what this process makes: whose it is, and what for."""
    return {LABEL: this_process(), PURPOSE: purpose}


def new_name() -> str:
    """Return a name for a container or network that nothing else has."""
    return f"mqconform-{secrets.token_hex(8)}"


def this_process() -> str:
    """Return the value of the label; zeros where the machine does not tell."""
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text("ascii").strip()
        space = (PROC / "self/ns/pid").stat().st_ino
    except OSError:
        boot, space = "0", 0
    pid = os.getpid()
    return f"{boot} {space} {pid} {start_time(pid) or 0}"


def start_time(pid: int) -> int | None:
    """Return when a process was started, in clock ticks from the boot; None where it is over."""
    try:
        fields = (PROC / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in ("Z", "X") else int(fields[19])


def lives(label: object) -> bool | None:
    """Return whether the harness that a label names still runs, None where that cannot be seen from here."""
    here, there = this_process().split(), str(label).split(" ")
    if here[0] == "0" or len(there) != len(here) or there[:2] != here[:2]:
        return None  # on another machine, before its last start, in a container, or no label of ours
    pid, start = there[2:]
    if not (pid.isdecimal() and len(pid) < 11):
        return None
    try:
        return (start_time(int(pid)) or "over") == int(start)
    except (OSError, ValueError):
        return None


def sweep_once(engine: Engine) -> None:
    """Sweep at the first container of this process, and say on standard error what a killed run left."""
    if not _SWEPT:
        _SWEPT.append(True)
        with suppress(EngineFailed):  # the run itself will meet it
            for line in sweep(engine):
                if line.startswith(REMOVED):
                    print(line, file=sys.stderr)  # noqa: T201 - an adapter has no other way of speaking to its user


_SWEPT: list[bool] = []


def sweep(engine: Engine) -> list[str]:
    """Remove what dead harnesses left; return a line for each thing that is not of a living one.

    Raises:
        EngineFailed: the engine cannot be used.
    """
    with asking("looking for remains of earlier runs"):
        containers = engine.api.containers(all=True, filters={"label": LABEL})
        networks = engine.api.networks(filters={"label": LABEL})
    lines = []
    for thing in (*containers, *networks):
        thing_labels = thing.get("Labels") or {}
        alive = lives(thing_labels.get(LABEL))
        if alive:
            continue
        is_container = "Image" in thing
        name = str((thing.get("Names") or [thing.get("Name")])[0]).removeprefix("/")
        purpose = thing_labels.get(PURPOSE) or thing.get("Image")
        what = f"container {name}, {purpose} ({thing.get('Status')})" if is_container else f"network {name}, {purpose}"
        created = thing.get("Created")  # a number, or text of a network
        age = datetime.now(UTC).timestamp() - created if isinstance(created, int | float) else 0.0
        if alive is None and not (is_container and thing.get("State") != "running" and age > FORSAKEN_SECONDS):
            lines.append(f"left alone: {printable(what)}: its harness may run elsewhere; remove it by hand if not")
            continue
        with suppress(EngineRefused):
            remove(engine, thing["Id"], network=not is_container)
        lines.append(f"{REMOVED} {printable(what)}: its harness was killed")
    return lines


def remove(engine: Engine, identity: str, *, network: bool = False) -> None:
    """Remove a container with its volumes, or a network; one that is gone or going is well.

    Raises:
        EngineFailed: it could not be removed.
    """
    try:
        with asking("removing what was made"):
            if network:
                engine.api.remove_network(identity)
            else:
                engine.api.remove_container(identity, force=True, v=True)
    except EngineRefused as refused:
        if refused.status not in (GONE, BUSY):
            raise


def removed_if_possible(engine: Engine, name: str, *, network: bool = False) -> None:
    """Remove it; what the engine cannot remove now is for the next run."""
    with suppress(EngineFailed):
        remove(engine, name, network=network)
