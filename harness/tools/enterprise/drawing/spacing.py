"""Making room for boxes at places that were found for points: turn, enlarge, push apart."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from math import atan2, cos, sin
from typing import Final, TypeAlias

from mqconform.harness.tools.enterprise.drawing.geometry import Box, Point, distance
from mqconform.reference.directory import SiteId

Sizes: TypeAlias = Mapping[SiteId, tuple[float, float]]
"""Width and height of each box, in pixels."""

GAP: Final = Point(64.0, 52.0)
"""Least distance between two boxes that stand beside or above each other: room for the number on a line."""

EDGE: Final = 215.0
"""Length that lines have on average before boxes are pushed apart, in pixels."""

STRETCH: Final = Point(1.2, 0.85)
"""Boxes are wider than high, and so are screens."""

SCALES: Final = (1.0, 1.2, 1.4, 1.7, 2.0, 2.4, 2.8)
"""Enlargements that are tried until few boxes overlap: what is pushed apart loses its order."""

FEW: Final = 0.66
"""Overlapping pairs for each box that may be left to be pushed apart."""

ROUNDS: Final = 500
"""Rounds of pushing after which some gaps may still be narrower than wanted."""


def spaced(places: Mapping[SiteId, Point], links: Iterable[tuple[SiteId, SiteId]], sizes: Sizes) -> dict[SiteId, Box]:
    """Return a box for each place, with gaps between them.

    Args:
        places: where the sites stand, in any unit.
        links: pairs of sites that a line joins.
        sizes: size of each box.
    """
    turned = _turned(places)
    lengths = [distance(turned[one], turned[other]) for one, other in links]
    scale = EDGE * len(lengths) / sum(lengths) if lengths and sum(lengths) else 1.0
    wanted = [(sizes[site][0] + GAP.x, sizes[site][1] + GAP.y) for site in turned]
    grown: list[Box] = []
    for more in SCALES:
        stretch = Point(STRETCH.x * scale * more, STRETCH.y * scale * more)
        middles = [Point(place.x * stretch.x, place.y * stretch.y) for place in turned.values()]
        grown = [Box(middle, *size) for middle, size in zip(middles, wanted, strict=True)]
        if sum(one.overlaps(other) for one, other in combinations(grown, 2)) <= FEW * len(grown):
            break
    return {site: Box(box.middle, *sizes[site]) for site, box in zip(turned, _apart(grown), strict=True)}


def _turned(places: Mapping[SiteId, Point]) -> dict[SiteId, Point]:
    """Return the places turned so that they extend farthest from left to right, the first site on the left."""
    count = len(places)
    middle = Point(sum(one.x for one in places.values()) / count, sum(one.y for one in places.values()) / count)
    off = {site: Point(one.x - middle.x, one.y - middle.y) for site, one in places.items()}
    xx, yy = sum(one.x**2 for one in off.values()), sum(one.y**2 for one in off.values())
    angle = -atan2(2 * sum(one.x * one.y for one in off.values()), xx - yy) / 2
    turned = {
        site: Point(one.x * cos(angle) - one.y * sin(angle), one.x * sin(angle) + one.y * cos(angle))
        for site, one in off.items()
    }
    if next(iter(turned.values())).x <= 0:
        return turned
    return {site: Point(-one.x, -one.y) for site, one in turned.items()}


def _apart(boxes: Iterable[Box]) -> list[Box]:
    """Return the boxes pushed apart, each pair in the direction in which less has to be done."""
    grown = list(boxes)
    pairs = list(combinations(range(len(grown)), 2))
    for _ in range(ROUNDS):
        moved = False
        for one, other in pairs:
            shift = _shift(grown[one], grown[other])
            if shift:
                moved = True
                grown[one] = _moved(grown[one], -shift.x, -shift.y)
                grown[other] = _moved(grown[other], shift.x, shift.y)
        if not moved:
            break
    return grown


def _shift(one: Box, other: Box) -> Point | None:
    """Return half of the way that separates the second box from the first, None where they do not overlap."""
    overlap = one.overlap(other)
    if min(overlap) <= 0.01:
        return None
    if overlap.x < overlap.y:
        return Point(overlap.x / 2 if other.middle.x >= one.middle.x else -overlap.x / 2, 0.0)
    return Point(0.0, overlap.y / 2 if other.middle.y >= one.middle.y else -overlap.y / 2)


def _moved(box: Box, x: float, y: float) -> Box:
    return Box(Point(box.middle.x + x, box.middle.y + y), box.width, box.height)
