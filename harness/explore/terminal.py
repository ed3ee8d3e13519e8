"""How every table is shown on a terminal: what subjects said is cut and acts on nothing."""

from collections.abc import Iterable
from typing import Final

from rich.console import Console, RenderableType
from rich.table import Table

from mqconform.harness.records.printable import shortened, visible

LONGEST: Final = 300
"""Characters of what an implementation said."""


def short(text: str) -> str:
    """Return what an implementation said as a part of a line."""
    return shortened(visible(text), LONGEST)


def print_lines(lines: Iterable[RenderableType], console: Console) -> None:
    """Print lines and tables; a table alone fits the width of the terminal."""
    for line in lines:
        console.print(line, soft_wrap=not isinstance(line, Table))
