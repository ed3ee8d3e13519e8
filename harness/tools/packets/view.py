"""Dissections as tables on a terminal."""

from collections.abc import Iterator
from itertools import islice

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mqconform.harness.tools.packets.packet import Dissection, Remark, shown_value
from mqconform.reference.mqsd.layout import Field

OCTETS_IN_A_LINE = 16
"""A GUID fills one line."""
MAX_ROWS = 500
"""Rows of one packet that are shown: 32 networks and a hundred servers fit, 65,535 hostile octets need not."""


def dissection_view(dissection: Dissection, heading: str = "", *, judged: bool = True) -> Group:
    """Return a packet as a table with its problems below.

    Args:
        dissection: the packet.
        heading: where it was found; must be printable.
        judged: False where octets are known to be missing, which makes a verdict meaningless.
    """
    title = Text(f"{heading}  " if heading else "")
    title.append(f"{dissection.packet}, {dissection.size} octets", style="bold")
    parts: list[RenderableType] = [title, _table(dissection)]
    if judged:
        parts.extend(_list("malformed", "red", dissection.problems))
        parts.extend(_list("remark", "yellow", dissection.remarks))
        if dissection.well_formed:
            parts.append(Text("well formed", style="green"))
    else:
        parts.append(Text("not judged: the capture holds only a part of this datagram", style="yellow"))
    return Group(*parts, Text())


def _table(dissection: Dissection) -> Table:
    table = Table(box=None, pad_edge=False, show_edge=False, header_style="underline")
    table.add_column("offset", justify="right", no_wrap=True)
    table.add_column("octets", min_width=3 * OCTETS_IN_A_LINE - 1, no_wrap=True)
    table.add_column("field", overflow="fold")
    table.add_column("value", overflow="fold", ratio=1)
    table.add_column("requirements", overflow="fold")
    rows = (row for field in dissection.layout.shown for row in _rows(field, 0))
    for row in islice(rows, MAX_ROWS):
        table.add_row(*row)
    if next(rows, None):
        table.add_row("", "", f"(more than {MAX_ROWS} rows: --json has them all)")
    if dissection.layout.trailing:
        trailing = dissection.layout.trailing
        meaning = "ignored (3.2.5.1)" if dissection.well_formed else "after the last field"
        table.add_row(str(dissection.size - len(trailing)), _hex_lines(trailing), "(none)", meaning)
    return table


def _rows(field: Field, depth: int) -> Iterator[tuple[Text, ...]]:
    """Yield a field and what it consists of; octets stand only where nothing further divides them."""
    octets = "" if field.parts else _hex_lines(field.octets)
    if field.missing:
        octets = f"{octets}\n({field.missing} more missing)".lstrip("\n")
    yield (
        Text(str(field.offset)),
        Text(octets),
        Text("  " * depth + field.name),
        Text(shown_value(field)),
        Text(" ".join(field.requirements)),
    )
    for part in field.parts:
        yield from _rows(part, depth + 1)


def _list(word: str, style: str, remarks: tuple[Remark, ...]) -> Iterator[Text]:
    for remark in remarks[:MAX_ROWS]:
        text = Text(word, style=style)
        where = f": octet {remark.offset}, {remark.field} ({remark.rule}): "
        text.append(where + remark.explanation, style="default")
        if remark.requirements:
            text.append(f" [{' '.join(remark.requirements)}]", style="dim")
        yield text
    if len(remarks) > MAX_ROWS:
        yield Text(f"({len(remarks) - MAX_ROWS} more: --json has them all)", style=style)


def _hex_lines(octets: bytes) -> str:
    head = octets[: MAX_ROWS * OCTETS_IN_A_LINE]
    starts = range(0, len(head), OCTETS_IN_A_LINE)
    lines = [head[start : start + OCTETS_IN_A_LINE].hex(" ") for start in starts]
    if len(octets) > len(head):
        lines.append(f"({len(octets) - len(head)} more octets: --json has them)")
    return "\n".join(lines)
