"""Where the sites stand: neighbours near each other, no two boxes on one spot.

Each connected part of the enterprise is laid out by itself with the Kamada-Kawai method of networkx; ``spacing``
makes room for its boxes, and the parts are set in rows.
"""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from mqconform.harness.tools.enterprise.drawing.geometry import Box, Point, bounds
from mqconform.harness.tools.enterprise.drawing.spacing import Sizes, spaced
from mqconform.reference.directory import SiteId

Boxes: TypeAlias = Mapping[SiteId, Box]

APART: Final = 70.0
"""Distance between parts of the enterprise that no link joins, in pixels."""

ROW_WIDTH: Final = 900.0
"""Width that a row of parts has at least before the next one begins, in pixels."""


class NoDrawingLibrary(Exception):
    """The library that lays out the graph is not installed; the message says how to get it."""


def laid_out(sizes: Sizes, links: Iterable[tuple[SiteId, SiteId]]) -> Boxes:
    """Return the box of each site, in pixels, no two overlapping.

    Args:
        sizes: size of each box, in the order of the sites.
        links: pairs of different sites that a line joins.

    Raises:
        NoDrawingLibrary: if networkx with scipy is not installed.
    """
    try:
        import networkx as nx  # noqa: PLC0415 - optional: only who draws needs it
        import scipy  # noqa: F401, PLC0415 - networkx imports it late and without a message of its own
    except ImportError as missing:
        raise NoDrawingLibrary(
            f"drawing needs {missing.name}, which is not installed; run: pip install 'mqconform[draw]'"
        ) from missing
    graph = nx.Graph()
    graph.add_nodes_from(sizes)
    graph.add_edges_from(sorted(links))
    parts = []
    for members in nx.connected_components(graph):
        part = nx.Graph()
        part.add_nodes_from(site for site in sizes if site in members)
        part.add_edges_from((one, other) for one, other in graph.edges if one in members)
        places = nx.kamada_kawai_layout(part) if len(members) > 1 else dict.fromkeys(members, (0.0, 0.0))
        parts.append(spaced({site: Point(float(x), float(y)) for site, (x, y) in places.items()}, part.edges, sizes))
    return _in_rows(sorted(parts, key=len, reverse=True))


def _in_rows(parts: list[dict[SiteId, Box]]) -> Boxes:
    """Return the boxes of all parts, the parts beside and below each other from the largest on."""
    placed: dict[SiteId, Box] = {}
    left, top, bottom, widest = 0.0, 0.0, 0.0, ROW_WIDTH
    for part in parts:
        frame = bounds(part.values())
        if left and left + frame.width > widest:
            left, top = 0.0, bottom + APART
        to_x = left + frame.width / 2 - frame.middle.x
        to_y = top + frame.height / 2 - frame.middle.y
        for site, box in part.items():
            placed[site] = Box(Point(box.middle.x + to_x, box.middle.y + to_y), box.width, box.height)
        left += frame.width + APART
        bottom = max(bottom, top + frame.height)
        widest = max(widest, frame.width)
    return placed
