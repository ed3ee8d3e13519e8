"""A site as a box with its name, the number of its queue managers, its gates, and its part in the shown paths."""

from typing import Final
from xml.etree.ElementTree import Element

from mqconform.harness.tools.enterprise.drawing import ink
from mqconform.harness.tools.enterprise.drawing.geometry import Box, Point
from mqconform.harness.tools.enterprise.drawing.lettering import fitted, text_width
from mqconform.harness.tools.enterprise.drawing.picture import SiteBox

NAME_SIZE: Final = 14.0
SMALL_SIZE: Final = 11.5
ROW: Final = 17.0
PADDING: Final = 10.0
DIAMOND: Final = 15.0
"""Room for the sign before the gates, in pixels."""

NARROWEST, WIDEST = 112.0, 196.0
GATES_NAMED: Final = 2
"""Gates that a box names; of more it tells the number."""


def box_size(site: SiteBox) -> tuple[float, float]:
    """Return width and height that the box of a site needs, in pixels."""
    rows = [text_width(text, SMALL_SIZE, bold=bold) + indent for text, bold, indent in _rows(site)]
    width = max([text_width(site.name[:60], NAME_SIZE, bold=True), *rows]) + 2 * PADDING
    return min(max(width + 1, NARROWEST), WIDEST), NAME_SIZE + ROW * len(rows) + 2 * PADDING - 4


def draw_site(parent: Element, site: SiteBox, box: Box) -> None:
    """Draw the box of a site."""
    held = ink.group(parent, _title(site))
    if site.answered:
        around = Box(box.middle, box.width + 10, box.height + 10)
        ink.rectangle(held, around, fill="none", stroke=ink.ALARM, stroke_width="2.5", stroke_dasharray="3 3")
    look = {"stroke_dasharray": "6 4"} if site.foreign else {}
    edge = {"stroke": ink.PATH, "stroke_width": "3"} if site.on_path else {"stroke": ink.LINE, "stroke_width": "1.5"}
    ink.rectangle(held, box, fill=_ground(site), **edge, **look)
    left, room = box.middle.x - box.width / 2 + PADDING, box.width - 2 * PADDING
    line = box.middle.y - box.height / 2 + PADDING + NAME_SIZE - 3
    name = fitted(site.name, NAME_SIZE, room, bold=True)
    ink.letters(held, Point(left, line), name, NAME_SIZE, font_weight="bold")
    for text, bold, indent in _rows(site):
        line += ROW
        if indent:
            ink.diamond(held, Point(left + 5, line - 4), ink.FAINT_LETTERS if site.gates else ink.ALARM)
        shown = fitted(text, SMALL_SIZE, room - indent, bold=bold)
        weight = {"font_weight": "bold"} if bold else {"fill": ink.FAINT_LETTERS}
        ink.letters(held, Point(left + indent, line), shown, SMALL_SIZE, **weight)


def _rows(site: SiteBox) -> list[tuple[str, bool, float]]:
    """Return the rows below the name: text, whether it is bold, and its indent."""
    gates = ", ".join(site.gates[:GATES_NAMED])
    if len(site.gates) > GATES_NAMED:
        gates = f"{site.gates[0]} and {len(site.gates) - 1} more"
    rows = [(_queue_managers(site), False, 0.0), (gates or "no gate", False, DIAMOND)]
    if site.foreign:
        rows.append(("foreign site", False, 0.0))
    if site.sender:
        rows.append((f"from {site.sender}", True, 0.0))
    if site.receiver:
        rows.append((f"to {site.receiver}", True, 0.0))
    if site.answered:
        rows.append((f"answered: {', '.join(site.answered[:GATES_NAMED])}", True, 0.0))
    return rows


def _queue_managers(site: SiteBox) -> str:
    return f"{site.queue_managers} queue manager{'' if site.queue_managers == 1 else 's'}"


def _ground(site: SiteBox) -> str:
    if site.sender:
        return ink.SENDER
    if site.receiver:
        return ink.RECEIVER
    return ink.PATH_SITE if site.on_path else ink.SITE


def _title(site: SiteBox) -> str:
    gates = ", ".join(site.gates[:50]) or "none"
    kind = "Foreign site" if site.foreign else "Site"
    on_path = "; on an allowed path" if site.on_path else ""
    answered = f"; answered: {', '.join(site.answered[:50])}" if site.answered else ""
    return f"{kind} {site.name}: {_queue_managers(site)}; gates: {gates}{on_path}{answered}"
