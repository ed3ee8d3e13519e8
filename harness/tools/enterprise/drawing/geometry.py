"""Points, boxes and curves of a picture, in pixels; y grows downwards."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import hypot
from typing import Final, NamedTuple

STEPS: Final = 32
"""Straight pieces that a curve is made of where it is compared with something."""


class Point(NamedTuple):
    """A place in the picture."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, by its middle and its size."""

    middle: Point
    width: float
    height: float

    def grown(self, margin: float) -> "Box":
        """Return the box with a margin on all sides."""
        return Box(self.middle, self.width + 2 * margin, self.height + 2 * margin)

    def holds(self, point: Point) -> bool:
        """Return whether a point lies in the box."""
        return abs(point.x - self.middle.x) <= self.width / 2 and abs(point.y - self.middle.y) <= self.height / 2

    def overlap(self, other: "Box") -> Point:
        """Return by how much two boxes overlap in x and y; they do only if both are positive."""
        return Point(
            (self.width + other.width) / 2 - abs(self.middle.x - other.middle.x),
            (self.height + other.height) / 2 - abs(self.middle.y - other.middle.y),
        )

    def overlaps(self, other: "Box") -> bool:
        """Return whether two boxes have more than an edge in common."""
        return min(self.overlap(other)) > 0


@dataclass(frozen=True, slots=True)
class Curve:
    """A line from one point to another, drawn towards a third (a quadratic Bézier curve)."""

    start: Point
    control: Point
    end: Point

    def at(self, share: float) -> Point:
        """Return the point after a share of the way, from 0 to 1."""
        rest = 1 - share
        return Point(
            *(
                rest * rest * a + 2 * rest * share * b + share * share * c
                for a, b, c in zip(self.start, self.control, self.end, strict=True)
            )
        )

    def points(self) -> Iterator[tuple[float, Point]]:
        """Yield shares of the way and the points there, from start to end."""
        return ((step / STEPS, self.at(step / STEPS)) for step in range(STEPS + 1))

    @property
    def frame(self) -> Box:
        """The box around its three points, in which it lies."""
        return bounds(Box(point, 0, 0) for point in (self.start, self.control, self.end))

    def between(self, first: float, last: float) -> "Curve":
        """Return the piece of the curve from one share of the way to another."""
        start, end = self.at(first), self.at(last)
        rest_first, rest_last = 1 - first, 1 - last
        control = Point(
            *(
                rest_first * rest_last * a + (first * rest_last + last * rest_first) * b + first * last * c
                for a, b, c in zip(self.start, self.control, self.end, strict=True)
            )
        )
        return Curve(start, control, end)

    def outside(self, start: Box, end: Box) -> "Curve":
        """Return the piece between two boxes that the curve begins and ends in."""
        leaves = _boundary(self, start, inside=0.0, outside=0.5)
        enters = _boundary(self, end, inside=1.0, outside=0.5)
        return self.between(leaves, enters)


def curve(start: Point, end: Point, bend: float) -> Curve:
    """Return a curve whose middle stands off the straight line by ``bend`` of half its length."""
    across = Point(start.y - end.y, end.x - start.x)
    middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
    return Curve(start, Point(middle.x + bend * across.x, middle.y + bend * across.y), end)


def bounds(boxes: Iterable[Box]) -> Box:
    """Return the smallest box around some boxes, of which there has to be one."""
    held = list(boxes)
    left = min(box.middle.x - box.width / 2 for box in held)
    right = max(box.middle.x + box.width / 2 for box in held)
    top = min(box.middle.y - box.height / 2 for box in held)
    bottom = max(box.middle.y + box.height / 2 for box in held)
    return Box(Point((left + right) / 2, (top + bottom) / 2), right - left, bottom - top)


def distance(one: Point, other: Point) -> float:
    """Return how far two points are apart."""
    return hypot(one.x - other.x, one.y - other.y)


def _boundary(line: Curve, box: Box, *, inside: float, outside: float) -> float:
    """Return the share of the way at which a curve crosses the edge of a box, to a fraction of a pixel."""
    for _ in range(20):
        middle = (inside + outside) / 2
        if box.holds(line.at(middle)):
            inside = middle
        else:
            outside = middle
    return outside
