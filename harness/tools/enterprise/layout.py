"""Where sites and lines of a picture stand: no two boxes on one spot, lines past boxes.

A point is a complex number, x + yj, in pixels with y downwards. The core has no library that lays a graph out: those of
Python bring numpy and scipy or a program of their own, for what are some fifty lines here.
"""

from cmath import rect
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import pi
from typing import Final

from mqconform.harness.tools.enterprise.picture import LinkLine, Picture
from mqconform.reference.directory import SiteId

GAP_BESIDE: Final = 112.0
"""Least distance between two boxes beside each other: room for the number on a line."""

GAP_ABOVE: Final = 66.0

SWEEPS: Final = 60
"""Rounds in which each site moves towards the distances wanted."""

MORE_MOVES: Final = 100_000
"""Pairs of sites looked at in further rounds: small pictures get many, a chain of five comes out straight."""

ROUNDS: Final = 300
"""Rounds of pushing boxes apart before the picture is enlarged instead."""

BENDS: Final = (0.0, 0.16, -0.16, 0.32, -0.32, 0.5, -0.5, 0.75, -0.75)
"""Bends that are tried until a line passes no foreign box; 1 is half the length of the line."""

FAN: Final = 0.3
"""Difference in bend between parallel links."""

CLEARANCE: Final = 7.0
"""Least distance of a line from a foreign box."""

SHARES: Final = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)
"""Shares of a line at which its number may stand, the best first."""

NUMBER_HEIGHT: Final = 19.0

POINTS: Final = 200
"""Pieces of a curve."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    x: float
    y: float
    """Its upper left corner."""
    width: float
    height: float

    @property
    def middle(self) -> complex:
        """The point in its middle."""
        return complex(self.x + self.width / 2, self.y + self.height / 2)

    def held(self, points: Sequence[complex], margin: float = 0.0) -> list[complex]:
        """Return the points that lie in the box or nearer to it than a margin."""
        left, right = self.x - margin, self.x + self.width + margin
        top, bottom = self.y - margin, self.y + self.height + margin
        return [point for point in points if left <= point.real <= right and top <= point.imag <= bottom]

    def overlaps(self, other: "Box") -> bool:
        """Return whether two boxes have more than an edge in common."""
        across = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        down = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return min(across, down) > 0


@dataclass(frozen=True, slots=True)
class Course:
    """How a line runs, from the edge of one box to that of the other, and where its number stands."""

    line: LinkLine
    points: Sequence[complex]
    number: Box


def site_boxes(picture: Picture, sizes: Sequence[tuple[float, float]]) -> Mapping[SiteId, Box]:
    """Return the box of each site; the first stands on the left, the picture is wider than high.

    Args:
        picture: sites and lines.
        sizes: width and height of the box of each site.
    """
    places = {site.identifier: number for number, site in enumerate(picture.sites)}
    ends = [(places[line.ends[0]], places[line.ends[1]]) for line in picture.lines if not line.wrong]
    rooms = [complex(width + GAP_BESIDE, height + GAP_ABOVE) for width, height in sizes]
    points = _apart(_turned(_near_their_neighbours(_distances(len(places), ends))), rooms)
    return {
        site.identifier: Box(point.real - width / 2, point.imag - height / 2, width, height)
        for site, point, (width, height) in zip(picture.sites, points, sizes, strict=True)
    }


def courses(lines: Sequence[LinkLine], boxes: Mapping[SiteId, Box], widths: Sequence[float]) -> list[Course]:
    """Return the course of each line, those on shown paths first: their numbers have the first choice of places.

    Args:
        lines: what is drawn.
        boxes: the box of each site.
        widths: width of the number of each line.
    """
    beside: defaultdict[frozenset[SiteId], list[SiteId]] = defaultdict(list)
    for line in lines:
        beside[frozenset(line.ends)].append(line.ends[0])
    numbers: defaultdict[frozenset[SiteId], int] = defaultdict(int)
    drawn: list[tuple[LinkLine, float, Sequence[complex]]] = []
    for line, width in zip(lines, widths, strict=True):
        starts = beside[frozenset(line.ends)]
        bend = FAN * (numbers[frozenset(line.ends)] - (len(starts) - 1) / 2)
        numbers[frozenset(line.ends)] += 1
        drawn.append((line, width, _course(line, bend if line.ends[0] == starts[0] else -bend, boxes)))
    drawn.sort(key=lambda course: not course[0].left_from)
    taken = list(boxes.values())
    labelled = []
    for line, width, points in drawn:
        places = [_number_place(points, share, width) for share in SHARES]
        free = (place for place in places if not any(place.overlaps(other) for other in taken))
        taken.append(next(free, places[0]))
        labelled.append(Course(line, points, taken[-1]))
    return labelled


def _distances(count: int, ends: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return for each pair of sites the least number of links between them; parts without a link count as joined."""
    beside: list[set[int]] = [set() for _ in range(count)]
    for first, second in ends:
        beside[first].add(second)
        beside[second].add(first)
    for site in range(1, count):
        if site not in _hops(0, beside):
            beside[0].add(site)
            beside[site].add(0)
    return [[hops[site] for site in range(count)] for hops in (_hops(site, beside) for site in range(count))]


def _hops(start: int, beside: Sequence[set[int]]) -> dict[int, int]:
    """Return the least number of links from a site to each that can be reached."""
    hops = {start: 0}
    for site in (queue := [start]):
        for other in sorted(beside[site] - hops.keys()):
            hops[other] = hops[site] + 1
            queue.append(other)
    return hops


def _near_their_neighbours(distances: Sequence[Sequence[int]]) -> list[complex]:
    """Return places whose distances come near those wanted: stress majorization (Gansner, Koren and North, 2004)."""
    count = len(distances)
    points = [rect(1.0, 2 * pi * site / count) for site in range(count)]
    for _ in range(SWEEPS + MORE_MOVES // max(count, 1) ** 2):
        for site, goals in enumerate(distances):
            moved, weights = 0j, 0.0
            for other, distance in enumerate(goals):
                if other != site:
                    way = points[site] - points[other]
                    weight = distance**-2
                    moved += weight * (points[other] + distance * way / max(abs(way), 1e-9))
                    weights += weight
            points[site] = moved / weights if weights else 0j
    return points


def _turned(points: Sequence[complex]) -> list[complex]:
    """Return points turned so that they extend farthest from left to right, the first one on the left."""
    middle = sum(points) / max(len(points), 1)
    off = [point - middle for point in points]
    axis = sum(point * point for point in off) ** 0.5  # half the angle of the sum is the direction of most extent
    turned = [point * axis.conjugate() / abs(axis) for point in off] if abs(axis) > 1e-9 else off
    return [-point for point in turned] if turned and turned[0].real > 0 else turned


def _apart(points: Sequence[complex], sizes: Sequence[complex]) -> list[complex]:
    """Return points far enough from each other for boxes of some sizes around them.

    What is pushed apart loses its order, so that the points are spread first, until few boxes overlap.
    """
    pairs = [
        (first, second, (sizes[first] + sizes[second]) / 2) for first, second in combinations(range(len(points)), 2)
    ]

    def scales(spread: Sequence[complex]) -> list[float]:
        """Return for each pair by how much the picture has to be enlarged for their boxes not to overlap."""
        ways = ((spread[second] - spread[first], room) for first, second, room in pairs)
        return sorted(
            min(room.real / max(abs(way.real), 1e-6), room.imag / max(abs(way.imag), 1e-6)) for way, room in ways
        )

    needed = scales(points) or [1.0]
    spread = [point * needed[max(len(needed) - 1 - len(points) // 2, 0)] for point in points]
    for _ in range(ROUNDS):
        struck = False
        for first, second, room in pairs:
            way = spread[second] - spread[first]
            across, down = room.real - abs(way.real), room.imag - abs(way.imag)
            if min(across, down) > 0.01:
                struck = True
                push = (
                    complex(across if way.real >= 0 else -across)
                    if across <= down
                    else complex(0, down if way.imag >= 0 else -down)
                )
                spread[first] -= push / 2
                spread[second] += push / 2
        if not struck:
            return spread
    return [point * max(1.0, *scales(spread)) for point in spread]


def _course(line: LinkLine, bend: float, boxes: Mapping[SiteId, Box]) -> Sequence[complex]:
    """Return points of a curve between two boxes that passes the others as far as it can."""
    start, end = (boxes[site] for site in line.ends)
    others = [box for site, box in boxes.items() if site not in line.ends]

    def struck(points: Sequence[complex]) -> int:
        return sum(len(box.held(points, CLEARANCE)) for box in others)

    tried = (_curve(start, end, bend + more) for more in BENDS)
    best = next(tried)
    least = struck(best)
    for points in tried:
        if not least:
            break
        if struck(points) < least:
            best, least = points, struck(points)
    return best


def _curve(start: Box, end: Box, bend: float) -> Sequence[complex]:
    """Return points of the curve whose middle stands off the straight line by ``bend`` of half its length."""
    along = end.middle - start.middle
    control = (start.middle + end.middle) / 2 + bend * along * 1j
    shares = (number / POINTS for number in range(POINTS + 1))
    points = [(1 - t) ** 2 * start.middle + 2 * t * (1 - t) * control + t**2 * end.middle for t in shares]
    inside = {*start.held(points), *end.held(points)}
    outside = [point for point in points if point not in inside]
    return outside if len(outside) > 1 else points


def _number_place(points: Sequence[complex], share: float, width: float) -> Box:
    point = points[round(share * (len(points) - 1))]
    return Box(point.real - width / 2, point.imag - NUMBER_HEIGHT / 2, width, NUMBER_HEIGHT)
