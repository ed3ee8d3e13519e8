"""Removes the containers and networks of harnesses that are no more; those of a living one are never touched."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from mqconform.adapters.containers.engine import Engine, EngineFailed, EngineRefused, asking, engine, printable
from mqconform.adapters.containers.owner import LABEL, Owner, owner_in, this_process

FORSAKEN_SECONDS = 3_600
"""A container that has not run for so long is nobody's: a harness removes its own within seconds."""
GONE, BUSY = 404, 409


@dataclass(frozen=True, slots=True)
class Found:
    """What was done with something that bears our label.

    Attributes:
        name: of the container or network, printable.
        removed: whether it was removed.
        why: what told that it may be, or may not be.
    """

    name: str
    removed: bool
    why: str


def reap(asked: Engine | None = None) -> list[Found]:
    """Remove what dead harnesses left on the engine, and tell of that and of what was left alone.

    Raises:
        EngineFailed: the engine cannot be used.
    """
    found = asked or engine()
    here = this_process()
    return [*_containers(found, here), *_networks(found, here)]


def _containers(found: Engine, here: Owner) -> Iterator[Found]:
    with asking("looking for containers that were left behind"):
        listed = found.api.containers(all=True, filters={"label": LABEL})
    for one in listed:
        name = printable(str((one.get("Names") or [one["Id"][:12]])[0]).removeprefix("/"))
        why_not = _reason_to_leave(one, here)
        if why_not is None:
            with suppress(EngineRefused):
                remove_container(found, one["Id"])
        yield Found(name, why_not is None, why_not or "its harness is gone")


def _networks(found: Engine, here: Owner) -> Iterator[Found]:
    with asking("looking for networks that were left behind"):
        listed = found.api.networks(filters={"label": LABEL})
    for one in listed:
        owner = owner_in((one.get("Labels") or {}).get(LABEL))
        if owner is None or owner.lives(here) is not False:
            continue
        with suppress(EngineRefused):
            remove_network(found, one["Id"])
        yield Found(printable(str(one.get("Name"))), removed=True, why="its harness is gone")


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


def remove_container(found: Engine, identity: str) -> None:
    """Kill and remove a container; one that is gone or going is well.

    Raises:
        EngineFailed: it could not be removed.
    """
    _removed(lambda: found.api.remove_container(identity, force=True, v=True), "removing a container")


def remove_network(found: Engine, identity: str) -> None:
    """Remove a network; one that is gone is well.

    Raises:
        EngineFailed: it could not be removed.
    """
    _removed(lambda: found.api.remove_network(identity), "removing a network")


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


def main() -> None:
    """Reap now and say what was found, a line each."""
    for one in reap():
        print(f"{'removed' if one.removed else 'left alone'}: {one.name}: {one.why}")  # noqa: T201 - what it is for


if __name__ == "__main__":
    main()
