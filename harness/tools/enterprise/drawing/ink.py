"""Colours and strokes, and the few SVG elements that the picture is made of.

Letters have a contrast of at least 7 to 1 to what they stand on, lines of at least 4.5 to 1. Looks are attributes
of each element, not a style sheet, so that office programs and pages that embed the picture show it alike.
"""

from typing import Final
from xml.etree.ElementTree import Element, SubElement

from mqconform.harness.records.printable import visible
from mqconform.harness.tools.enterprise.drawing.geometry import Box, Curve, Point
from mqconform.harness.tools.enterprise.drawing.lettering import FONT

GROUND: Final = "#ffffff"
LETTERS: Final = "#16202b"
FAINT_LETTERS: Final = "#3f4d5c"
LINE: Final = "#566b82"
PATH: Final = "#9c3200"
SITE: Final = "#f2f6fb"
PATH_SITE: Final = "#fff4ea"
SENDER: Final = "#e3f4e6"
RECEIVER: Final = "#ffe4c8"
ALARM: Final = "#a1001a"


def group(parent: Element, title: str) -> Element:
    """Return a new group; its title is what a pointer held over it, or a screen reader, tells."""
    held = SubElement(parent, "g")
    SubElement(held, "title").text = visible(title)
    return held


def rectangle(parent: Element, box: Box, **look: str) -> None:
    """Draw a rectangle with round corners."""
    x, y = box.middle.x - box.width / 2, box.middle.y - box.height / 2
    sides = {"x": number(x), "y": number(y), "width": number(box.width), "height": number(box.height)}
    SubElement(parent, "rect", sides | {"rx": "6"} | _attributes(look))


def letters(parent: Element, at: Point, text: str, size: float, **look: str) -> None:
    """Write a text, already visible and fitted, with its base line beginning at a point."""
    place = {"x": number(at.x), "y": number(at.y), "font-size": number(size), "font-family": FONT}
    SubElement(parent, "text", place | {"fill": LETTERS} | _attributes(look)).text = text


def stroke(parent: Element, course: Curve, **look: str) -> None:
    """Draw a curve."""
    drawn = f"M{_pair(course.start)} Q{_pair(course.control)} {_pair(course.end)}"
    SubElement(parent, "path", {"d": drawn, "fill": "none"} | _attributes(look))


def polygon(parent: Element, corners: tuple[Point, ...], fill: str) -> None:
    """Draw a filled polygon."""
    SubElement(parent, "polygon", {"points": " ".join(map(_pair, corners)), "fill": fill})


def diamond(parent: Element, middle: Point, fill: str) -> None:
    """Draw the sign for site gates."""
    x, y = middle
    polygon(parent, (Point(x - 5, y), Point(x, y - 5), Point(x + 5, y), Point(x, y + 5)), fill)


def number(value: float) -> str:
    """Return a length without digits that nobody sees."""
    return f"{round(value, 1) + 0.0:g}" if abs(value) < 100_000 else f"{value:.0f}"


def _pair(point: Point) -> str:
    return f"{number(point.x)},{number(point.y)}"


def _attributes(look: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in look.items()}
