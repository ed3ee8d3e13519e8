"""A routing link as a line with its cost, and with arrows where a shown path uses it."""

from math import hypot
from typing import Final
from xml.etree.ElementTree import Element

from mqconform.harness.tools.enterprise.drawing import ink
from mqconform.harness.tools.enterprise.drawing.geometry import Curve, Point
from mqconform.harness.tools.enterprise.drawing.lines import NUMBER_SIZE, DrawnLine, number_text

ARROW: Final = 13.0
"""Length of the head of an arrow, in pixels."""


def draw_course(parent: Element, drawn: DrawnLine) -> None:
    """Draw a line; one on a shown path is thick and has its arrows."""
    if not drawn.line.left_from:
        ink.stroke(parent, drawn.curve, stroke=ink.LINE, stroke_width="1.6")
        return
    dashes = {"stroke_dasharray": "9 6"} if drawn.line.cost is None else {}
    start, end = drawn.line.ends
    course = drawn.curve
    if start in drawn.line.left_from:
        _arrow_head(parent, course)
        course = course.between(0.0, _short_of_head(course))
    if end in drawn.line.left_from:
        back = Curve(course.end, course.control, course.start)
        _arrow_head(parent, back)
        course = back.between(0.0, _short_of_head(back))
    ink.stroke(parent, course, stroke=ink.PATH, stroke_width="4", **dashes)


def draw_number(parent: Element, drawn: DrawnLine) -> None:
    """Draw the cost of a link on its line."""
    on_path = bool(drawn.line.left_from)
    fill, letters = (ink.PATH, ink.GROUND) if on_path else (ink.GROUND, ink.LETTERS)
    ink.rectangle(parent, drawn.number, fill=fill, stroke=ink.PATH if on_path else ink.LINE, stroke_width="1")
    text = number_text(drawn.line)
    weight = {"font_weight": "bold"} if on_path else {}
    at = Point(drawn.number.middle.x, drawn.number.middle.y + NUMBER_SIZE * 0.36)
    ink.letters(parent, at, text, NUMBER_SIZE, text_anchor="middle", fill=letters, **weight)


def _arrow_head(parent: Element, course: Curve) -> None:
    tip, before = course.end, course.at(_short_of_head(course))
    length = hypot(tip.x - before.x, tip.y - before.y) or 1.0
    along = Point((tip.x - before.x) / length, (tip.y - before.y) / length)
    foot = Point(tip.x - ARROW * along.x, tip.y - ARROW * along.y)
    half = ARROW * 0.55
    sides = (
        Point(foot.x - half * along.y, foot.y + half * along.x),
        Point(foot.x + half * along.y, foot.y - half * along.x),
    )
    ink.polygon(parent, (tip, *sides), ink.PATH)


def _short_of_head(course: Curve) -> float:
    """Return the share of a course at which the head of its arrow begins."""
    length = hypot(course.end.x - course.start.x, course.end.y - course.start.y)
    return max(1 - (ARROW - 2) / length, 0.5) if length else 0.5
