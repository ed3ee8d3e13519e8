"""How lines run between boxes, and where the number of each stands: past other boxes, off other numbers."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mqconform.harness.tools.enterprise.drawing.geometry import Box, Curve, bounds, curve
from mqconform.harness.tools.enterprise.drawing.lettering import text_width
from mqconform.harness.tools.enterprise.drawing.picture import LinkLine
from mqconform.reference.directory import SiteId

BENDS: Final = (0.0, 0.16, -0.16, 0.32, -0.32, 0.5, -0.5, 0.75, -0.75)
"""Bends that are tried until a line passes no foreign box."""

FAN: Final = 0.3
"""Difference in bend between parallel links."""

CLEARANCE: Final = 7.0
"""Least distance of a line from a foreign box, in pixels."""

SHARES: Final = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)
"""Shares of a line at which its number may stand, the best first."""

CROSSED: Final = 40.0
"""Pixels of another number that weigh as much as a point of another line below a number."""

NUMBER_SIZE: Final = 12.0
NUMBER_HEIGHT: Final = 19.0


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """One line of the picture."""

    line: LinkLine
    curve: Curve
    """From the edge of one box to that of the other."""
    number: Box
    """Where its cost stands."""


def drawn_lines(lines: Sequence[LinkLine], boxes: Mapping[SiteId, Box]) -> tuple[DrawnLine, ...]:
    """Return the course of each line, lines on shown paths first: their numbers have the first choice of places."""
    ranked = sorted(_fanned(lines), key=lambda one: not one[0].left_from)
    courses = [(line, _course(line, bend, boxes)) for line, bend in ranked]
    drawn: list[DrawnLine] = []
    taken = [box.grown(2.0) for box in boxes.values()]
    for line, course in courses:
        others = [other for _, other in courses if other is not course]
        number = _number_place(line, course, taken, others)
        taken.append(number)
        drawn.append(DrawnLine(line, course, number))
    return tuple(drawn)


def number_text(line: LinkLine) -> str:
    """Return what stands on a line."""
    return "no link" if line.cost is None else str(line.cost)


def _fanned(lines: Sequence[LinkLine]) -> Iterator[tuple[LinkLine, float]]:
    """Yield each line with the bend that tells it from parallel ones, 0 for one that is alone."""
    beside: defaultdict[frozenset[SiteId], list[LinkLine]] = defaultdict(list)
    for line in lines:
        beside[frozenset(line.ends)].append(line)
    for group in beside.values():
        for place, line in enumerate(group):
            turned = 1 if line.ends == group[0].ends else -1
            yield line, turned * FAN * (place - (len(group) - 1) / 2)


def _course(line: LinkLine, bend: float, boxes: Mapping[SiteId, Box]) -> Curve:
    start, end = (boxes[one] for one in line.ends)
    others = [box.grown(CLEARANCE) for site, box in boxes.items() if site not in line.ends]
    best: tuple[int, Curve] | None = None
    for more in BENDS:
        course = curve(start.middle, end.middle, bend + more)
        struck = _struck(course, others)
        if best is None or struck < best[0]:
            best = (struck, course)
        if struck == 0:
            break
    assert best is not None, "there is a bend to try"
    return best[1].outside(start, end)


def _struck(course: Curve, boxes: Sequence[Box]) -> int:
    """Return at how many of its points a curve lies in one of the boxes."""
    near = [box for box in boxes if min(box.overlap(course.frame)) >= 0]
    return sum(box.holds(point) for _, point in course.points() for box in near) if near else 0


def _number_place(line: LinkLine, course: Curve, taken: Sequence[Box], others: Sequence[Curve]) -> Box:
    """Return the place on a line that covers least of boxes, numbers and other lines, the best of several free ones."""
    width = max(text_width(number_text(line), NUMBER_SIZE, bold=bool(line.left_from)) + 10, NUMBER_HEIGHT)
    places = [Box(course.at(share), width, NUMBER_HEIGHT) for share in SHARES]
    around = bounds(places)
    held = [box for box in taken if box.overlaps(around)]
    crossing = [other for other in others if min(other.frame.overlap(around)) >= 0]

    def covers(place: Box) -> float:
        return sum(_covered(place, other) for other in held) + CROSSED * sum(_struck(one, [place]) for one in crossing)

    return min(places, key=covers)


def _covered(place: Box, other: Box) -> float:
    overlap = place.overlap(other)
    return overlap.x * overlap.y if min(overlap) > 0 else 0.0
