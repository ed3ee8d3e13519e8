"""Where sites and lines of a picture stand, in pixels with y downwards: no two boxes on one spot, lines past boxes.

networkx finds the places (Kamada-Kawai: neighbours near each other); here room is made for boxes, and for the numbers
on lines.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import networkx as nx
import numpy as np
import numpy.typing as npt

from mqconform.harness.tools.enterprise.picture import LinkLine, Picture
from mqconform.reference.directory import SiteId

Points: TypeAlias = npt.NDArray[np.float64]
"""Rows of x and y."""

GAP: Final = np.array([112.0, 66.0])
"""Least distance between two boxes beside or above each other: room for the number on a line."""

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


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    x: float
    y: float
    """Its upper left corner."""
    width: float
    height: float

    @property
    def middle(self) -> Points:
        """The point in its middle."""
        return np.array([self.x + self.width / 2, self.y + self.height / 2])

    def holds(self, points: Points, margin: float = 0.0) -> npt.NDArray[np.bool_]:
        """Return which points lie in the box or nearer to it than a margin."""
        half = np.array([self.width, self.height]) / 2 + margin
        return np.asarray((np.abs(points - self.middle) <= half).all(axis=1))

    def overlaps(self, other: "Box") -> bool:
        """Return whether two boxes have more than an edge in common."""
        across = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        down = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return min(across, down) > 0


@dataclass(frozen=True, slots=True)
class Course:
    """How a line runs, from the edge of one box to that of the other, and where its number stands."""

    line: LinkLine
    points: Points
    number: Box


def site_boxes(picture: Picture, sizes: Sequence[tuple[float, float]]) -> Mapping[SiteId, Box]:
    """Return the box of each site; the first stands on the left, the picture is wider than high.

    Args:
        picture: sites and lines.
        sizes: width and height of the box of each site.
    """
    if not picture.sites:
        return {}
    graph = nx.Graph()
    graph.add_nodes_from(site.identifier for site in picture.sites)
    graph.add_edges_from(sorted(line.ends for line in picture.lines))
    parts = [next(site for site in graph if site in part) for part in nx.connected_components(graph)]
    graph.add_edges_from((parts[0], other) for other in parts[1:])  # not drawn: parts without a link stay near
    places = nx.kamada_kawai_layout(graph)
    box_sizes = np.array(sizes)
    points = _apart(_turned(np.array([places[site.identifier] for site in picture.sites])), box_sizes + GAP)
    corners = points - box_sizes / 2
    return {
        site.identifier: Box(float(x), float(y), *size)
        for site, (x, y), size in zip(picture.sites, corners, sizes, strict=True)
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
    drawn: list[tuple[LinkLine, float, Points]] = []
    for line, width in zip(lines, widths, strict=True):
        starts = beside[frozenset(line.ends)]
        bend = FAN * (numbers[frozenset(line.ends)] - (len(starts) - 1) / 2)
        numbers[frozenset(line.ends)] += 1
        drawn.append((line, width, _course(line, bend if line.ends[0] == starts[0] else -bend, boxes)))
    drawn.sort(key=lambda one: not one[0].left_from)
    taken = list(boxes.values())
    found = []
    for line, width, points in drawn:
        places = [_number_place(points, share, width) for share in SHARES]
        free = (place for place in places if not any(place.overlaps(other) for other in taken))
        taken.append(next(free, places[0]))
        found.append(Course(line, points, taken[-1]))
    return found


def _turned(points: Points) -> Points:
    """Return points turned so that they extend farthest from left to right, the first one on the left."""
    off = points - points.mean(axis=0)
    axes = np.linalg.svd(off, full_matrices=True)[2]
    turned: Points = off @ axes.T
    return turned * np.where(turned[0] > 0, -1.0, 1.0)


def _apart(points: Points, sizes: Points) -> Points:
    """Return points far enough from each other for boxes of some sizes around them.

    What is pushed apart loses its order, so that the points are spread first, until few boxes overlap.
    """
    wanted = (sizes[:, None] + sizes[None, :]) / 2
    scales = np.sort(_scales(points, wanted))
    few = max(len(scales) - 1 - len(points) // 2, 0)
    spread = points * (scales[few] if len(scales) else 1.0)
    order = np.sign(np.arange(len(points))[None, :] - np.arange(len(points))[:, None])[:, :, None]
    for _ in range(ROUNDS):
        way = spread[None, :] - spread[:, None]
        overlap = wanted - np.abs(way)
        struck = (overlap > 0.01).all(axis=2) & (order[:, :, 0] != 0)
        if not struck.any():
            return spread
        nearer = overlap == overlap.min(axis=2, keepdims=True)
        side = np.where(way == 0, order, np.sign(way))
        spread = spread - np.where(struck[:, :, None] & nearer, overlap * side / 2, 0.0).sum(axis=1)
    enlarged: Points = spread * max(1.0, _scales(spread, wanted).max())
    return enlarged


def _scales(points: Points, wanted: Points) -> npt.NDArray[np.float64]:
    """Return for each pair of points by how much the picture has to be enlarged for their boxes not to overlap."""
    pairs = np.triu_indices(len(points), k=1)
    way = np.abs(points[None, :] - points[:, None])[pairs]
    needed: npt.NDArray[np.float64] = (wanted[pairs] / np.maximum(way, 1e-6)).min(axis=1)
    return needed


def _course(line: LinkLine, bend: float, boxes: Mapping[SiteId, Box]) -> Points:
    """Return points of a curve between two boxes that passes the others as far as it can."""
    start, end = (boxes[site] for site in line.ends)
    others = [box for site, box in boxes.items() if site not in line.ends]

    def struck(points: Points) -> int:
        return int(sum(box.holds(points, CLEARANCE).sum() for box in others))

    tried = (_curve(start, end, bend + more) for more in BENDS)
    best = next(tried)
    least = struck(best)
    for points in tried:
        if not least:
            break
        if struck(points) < least:
            best, least = points, struck(points)
    return best


def _curve(start: Box, end: Box, bend: float) -> Points:
    """Return points of the curve whose middle stands off the straight line by ``bend`` of half its length."""
    share = np.linspace(0.0, 1.0, 201)[:, None]
    along = end.middle - start.middle
    control = (start.middle + end.middle) / 2 + bend * np.array([-along[1], along[0]])
    points = (1 - share) ** 2 * start.middle + 2 * share * (1 - share) * control + share**2 * end.middle
    outside: Points = points[~start.holds(points) & ~end.holds(points)]
    return outside if len(outside) > 1 else points


def _number_place(points: Points, share: float, width: float) -> Box:
    x, y = points[round(share * (len(points) - 1))]
    return Box(float(x) - width / 2, float(y) - NUMBER_HEIGHT / 2, width, NUMBER_HEIGHT)
