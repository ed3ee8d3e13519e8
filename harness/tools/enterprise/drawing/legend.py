"""What stands below the picture: the signs and their meaning, the paths in words, what is left out."""

from collections.abc import Callable
from typing import Final
from xml.etree.ElementTree import Element

from mqconform.harness.tools.enterprise.drawing import ink
from mqconform.harness.tools.enterprise.drawing.geometry import Box, Point, curve
from mqconform.harness.tools.enterprise.drawing.lettering import fitted, text_width
from mqconform.harness.tools.enterprise.drawing.line_marks import draw_course, draw_number
from mqconform.harness.tools.enterprise.drawing.lines import DrawnLine
from mqconform.harness.tools.enterprise.drawing.picture import LinkLine, Picture
from mqconform.reference.directory import SiteId

SIZE: Final = 12.0
ROW: Final = 21.0
SIGN: Final = 44.0
"""Width of a sign, in pixels."""

GAP: Final = 24.0

Sign = Callable[[Element, Point], None]


def legend_height(picture: Picture, width: float) -> float:
    """Return the height that the legend needs below a picture of a width, in pixels."""
    rows = len(_rows(picture, width)) + len(picture.paths) + len(picture.notes)
    return (rows + 0.5) * ROW + GAP


def draw_legend(parent: Element, picture: Picture, corner: Point, width: float) -> None:
    """Draw the legend, its upper left corner at a point."""
    held = ink.group(parent, "Legend")
    line = corner.y + GAP
    for row in _rows(picture, width):
        left = corner.x
        for sign, text in row:
            sign(held, Point(left + SIGN / 2, line - 4))
            ink.letters(held, Point(left + SIGN + 8, line), text, SIZE, fill=ink.FAINT_LETTERS)
            left += _entry_width(text)
        line += ROW
    line += ROW / 2
    for place, text in enumerate(picture.paths):
        weight = {"font_weight": "bold"} if place == 0 else {"fill": ink.PATH}
        ink.letters(held, Point(corner.x, line), fitted(text, SIZE, width, bold=place == 0), SIZE, **weight)
        line += ROW
    for text in picture.notes:
        ink.letters(held, Point(corner.x, line), fitted(text, SIZE, width), SIZE, fill=ink.FAINT_LETTERS)
        line += ROW


def _rows(picture: Picture, width: float) -> list[list[tuple[Sign, str]]]:
    """Return the signs that occur in a picture with their meaning, in rows that are no wider than ``width``."""
    rows: list[list[tuple[Sign, str]]] = [[]]
    left = 0.0
    for sign, text in _entries(picture):
        if rows[-1] and left + _entry_width(text) > width:
            rows.append([])
            left = 0.0
        rows[-1].append((sign, text))
        left += _entry_width(text)
    return rows


def _entry_width(text: str) -> float:
    return SIGN + 8 + text_width(text, SIZE) + GAP


def _entries(picture: Picture) -> list[tuple[Sign, str]]:
    entries: list[tuple[Sign, str]] = [(_site_sign(ink.SITE), "site"), (_gate_sign, "its gates")]
    if any(line.cost is not None for line in picture.lines):
        entries.append((_line_sign(cost=3, on_path=False), "routing link and its cost"))
    if any(site.foreign for site in picture.sites):
        entries.append((_site_sign(ink.SITE, stroke_dasharray="6 4"), "foreign site"))
    if any(line.left_from and line.cost is not None for line in picture.lines):
        entries.append((_line_sign(cost=3, on_path=True), "on an allowed path"))
    if any(line.cost is None for line in picture.lines):
        entries.append((_line_sign(cost=None, on_path=True), "hop without a routing link"))
    if any(site.sender for site in picture.sites):
        entries.append((_site_sign(ink.SENDER), "source"))
    if any(site.receiver for site in picture.sites):
        entries.append((_site_sign(ink.RECEIVER), "destination"))
    if any(site.answered for site in picture.sites):
        entries.append((_answer_sign, "where the answer leads"))
    return entries


def _site_sign(fill: str, **look: str) -> Sign:
    def draw(parent: Element, at: Point) -> None:
        ink.rectangle(parent, Box(at, 30, 15), fill=fill, stroke=ink.LINE, stroke_width="1.5", **look)

    return draw


def _answer_sign(parent: Element, at: Point) -> None:
    ink.rectangle(parent, Box(at, 34, 17), fill="none", stroke=ink.ALARM, stroke_width="2.5", stroke_dasharray="3 3")


def _gate_sign(parent: Element, at: Point) -> None:
    ink.diamond(parent, at, ink.FAINT_LETTERS)


def _line_sign(*, cost: int | None, on_path: bool) -> Sign:
    ends = (SiteId("left"), SiteId("right"))
    line = LinkLine(ends, cost, frozenset(ends[:1]) if on_path else frozenset())

    def draw(parent: Element, at: Point) -> None:
        course = curve(Point(at.x - SIGN / 2, at.y), Point(at.x + SIGN / 2, at.y), 0.0)
        drawn = DrawnLine(line, course, Box(Point(at.x - 3, at.y), 18, 16))
        draw_course(parent, drawn)
        if cost is not None:
            draw_number(parent, drawn)

    return draw
