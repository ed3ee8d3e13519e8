"""Failing rows that are kept as examples, one of each router: as columns, since few of them will be shown."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pyarrow as pa

MOST_KEPT: Final = 200_000
"""Failing rows that one task keeps."""

_EXAMPLE_COLUMNS: Final = ("source", "destination", "next_hops", "outcome", "time")
"""Columns of an example."""


class KeptRow(NamedTuple):
    """One failing row."""

    version: int
    """Which version of the directory it was judged by."""
    split: int
    row: int
    """Place in the file of verdicts of its split."""
    columns: dict[str, Any]
    """Its values by column."""


class Block(NamedTuple):
    """Kept rows of one batch."""

    routers: list[Any]
    versions: list[int]
    rows: list[int]
    columns: pa.RecordBatch
    split: int


class KeptRows:
    """The first failing row of each router, called by its number or, where the rows name routers, by its name."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        """In the order in which they were kept."""
        self._names: set[str] = set()
        self._count = 0

    def add(self, batch: pa.RecordBatch, rows: Any, routers: list[Any], versions: Any, before: int) -> None:
        """Keep rows of a batch.

        Args:
            batch: the decisions.
            rows: places in the batch.
            routers: whose they are; a name of which a row was kept is passed over, a number comes but once.
            versions: of the directory, for each row.
            before: rows of the split before this batch.
        """
        new = [place for place, router in enumerate(routers) if router not in self._names][: MOST_KEPT - self._count]
        if not new:
            return
        self._count += len(new)
        self._names.update(router for router in routers if isinstance(router, str))
        columns = batch.select([name for name in batch.schema.names if name in _EXAMPLE_COLUMNS]).take(
            pa.array(rows[new])
        )
        places = (before + rows[new]).tolist()
        self.blocks.append(Block([routers[place] for place in new], versions[new].tolist(), places, columns, -1))

    def merge(self, other: "KeptRows", split: int) -> None:
        """Add what another split kept."""
        self.blocks += [block._replace(split=split) for block in other.blocks]

    def of(self, keys: set[tuple[int | None, Any]]) -> Iterator[tuple[Any, KeptRow]]:
        """Yield the rows of some routers, each with its router, in the order of the splits.

        Args:
            keys: version and router; a version of None stands for any.
        """
        anywhere = {router for version, router in keys if version is None}
        for block in self.blocks:
            for place, (version, router) in enumerate(zip(block.versions, block.routers, strict=True)):
                if router in anywhere or (version, router) in keys:
                    columns = block.columns.slice(place, 1).to_pylist()[0]
                    yield router, KeptRow(version, block.split, block.rows[place], columns)
