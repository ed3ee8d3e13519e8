"""Containers and networks that runs which were killed have left behind: ``mqconform doctor --reap``."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from mqconform.harness.records.printable import visible


class LabelledThing(Protocol):
    """A container or network that bears the label of a run, after it was looked at."""

    @property
    def name(self) -> str:
        """What the engine calls it."""

    @property
    def removed(self) -> bool:
        """Whether it was removed."""

    @property
    def why(self) -> str:
        """Why it may be removed, or may not."""


def lines_of(things: Iterable[LabelledThing]) -> Iterator[str]:
    """Yield a line for each thing that was looked at."""
    for thing in things:
        yield visible(f"{'removed' if thing.removed else 'left alone'}  {thing.name}: {thing.why}")
