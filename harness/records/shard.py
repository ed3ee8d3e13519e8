"""Which part of a run is to be made here: ``--shard I/N``."""

import re
from typing import Annotated

from msgspec import Meta, Struct

from mqconform.harness.records.problem import ConfigurationError

MOST_PARTS = 10_000
_FORM = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


Ordinal = Annotated[int, Meta(title="a number of 1 or more", ge=1)]


class Shard(Struct, frozen=True, forbid_unknown_fields=True):
    """Part ``index``, from 1, of a run that is made in ``of`` parts; absent of a whole one."""

    index: Ordinal
    of: Ordinal

    def holds(self, position: int) -> bool:
        """Tell whether the case at a position, from 1, is of this part: cases are dealt out one by one."""
        return (position - 1) % self.of == self.index - 1

    def __str__(self) -> str:
        return f"{self.index}/{self.of}"


def shard_of(text: str) -> Shard:
    """Return the part that ``I/N`` names.

    Raises:
        ConfigurationError: it is not of that form, or I is not between 1 and N.
    """
    match = _FORM.fullmatch(text)
    if match is None:
        raise ConfigurationError(f"--shard {text}: expected I/N, such as 1/3")
    shard = Shard(int(match[1]), int(match[2]))
    if not 1 <= shard.index <= shard.of <= MOST_PARTS:
        raise ConfigurationError(f"--shard {text}: I must lie between 1 and N, and N be {MOST_PARTS} at most")
    return shard
