"""Containers and networks that runs which were killed have left behind: ``mqconform doctor --reap``."""

from collections.abc import Iterable, Iterator
from importlib.metadata import entry_points
from typing import Protocol

from mqconform.harness.iut import ConfigurationError
from mqconform.harness.printable import visible

GROUP, NAME = "mqconform.services", "reaper"


class Found(Protocol):
    """Something that bears the label of a run."""

    name: str
    removed: bool
    why: str


def reaped() -> Iterator[str]:
    """Remove what is nobody's any more, and yield a line for each thing that was looked at.

    Raises:
        ConfigurationError: there is no engine, or nothing that could ask it.
    """
    points = entry_points(group=GROUP, name=NAME)
    if not points:
        raise ConfigurationError(f"nothing that removes containers is registered in {GROUP}; reinstall mqconform")
    (point,) = points
    found: Iterable[Found] = point.load()()
    for one in found:
        yield visible(f"{'removed' if one.removed else 'left alone'}  {one.name}: {one.why}")
