"""The picture of an enterprise as SVG: a light ground, a title and a description for those who do not see it.

Letters have a contrast of at least 7 to 1 to what they stand on, lines of at least 4.5 to 1. Looks are attributes of
each element, not a style sheet, so that office programs and pages that embed the picture show it alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import Any, Final

from rich.cells import cell_len, set_cell_size

from mqconform.harness.records.printable import visible
from mqconform.harness.tools.enterprise.layout import courses, site_boxes
from mqconform.harness.tools.enterprise.picture import LinkLine, Picture, SiteBox
from mqconform.reference.directory import SiteId

COLOURS: Final = {
    "ground": "#ffffff",
    "letters": "#16202b",
    "faint": "#3f4d5c",
    "line": "#566b82",
    "path": "#0a5c2b",
    "site": "#f2f6fb",
    "path_site": "#ecf8ef",
    "sender": "#e2edfd",
    "receiver": "#fdf0cd",
    "alarm": "#a1001a",
}
BORDER: Final = 28
HEADER: Final = 62
NARROWEST: Final = 660
ROW: Final = 17
PITCH: Final = 230
"""Width of an entry of the legend."""

GATES_NAMED: Final = 2
"""Gates of a site, and next hops in it, that its box names; of more, the first and the number."""

CELLS: Final = 26
"""Longest row in a box, in columns of a terminal."""


def svg_of(picture: Picture) -> str:
    """Return the picture as an SVG document."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - a run without a picture does not wait for it

    text = resources.files(__package__).joinpath("picture.svg").read_text("utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(text).render(_drawing(picture)) + "\n"


def box_size(site: SiteBox) -> tuple[float, float]:
    """Return width and height that the box of a site needs, in pixels."""
    columns = max(1.25 * cell_len(_fitted(site.name)), *(cell_len(_fitted(text)) for text in _rows(site)))
    return max(8.2 * columns + 36, 112.0), 36.0 + ROW * len(_rows(site))


def number_text(line: LinkLine) -> str:
    """Return what stands on a line."""
    if line.wrong:
        return "answer"
    return "no link" if line.cost is None else str(line.cost)


def _drawing(picture: Picture) -> dict[str, Any]:
    """Return what the template shows."""
    names = {site.identifier: site.name for site in picture.sites}
    boxes = site_boxes(picture, [box_size(site) for site in picture.sites])
    lines = courses(picture.lines, boxes, [max(7.8 * len(number_text(line)) + 10, 19.0) for line in picture.lines])
    around = [*boxes.values(), *(course.number for course in lines)]
    xs = [x for box in around for x in (box.x, box.x + box.width)] or [0.0]
    ys = [y for box in around for y in (box.y, box.y + box.height)] or [0.0]
    for course in lines:
        xs += [point.real for point in course.points]
        ys += [point.imag for point in course.points]
    width = max(max(xs) - min(xs), NARROWEST)
    legend = list(_legend(picture))
    legend_top = max(ys) - min(ys) + HEADER + 2 * BORDER
    legend_rows = -(-len(legend) // int(width // PITCH))
    columns = int(width // 8)
    return {
        "colours": COLOURS,
        "picture": picture,
        "title": visible(picture.title),
        "name": visible(f"{picture.title}: {picture.subtitle}"),
        "description": visible(_description(picture, names)),
        "columns": columns,
        "fitted": _fitted,
        "border": BORDER,
        "width": width + 2 * BORDER,
        "height": legend_top + 21 * (legend_rows + len(picture.paths) + len(picture.notes)) + BORDER,
        "shift": (BORDER + (width - max(xs) + min(xs)) / 2 - min(xs), BORDER + HEADER - min(ys)),
        "lines": [
            {
                "course": course,
                "title": visible(_line_title(course.line, names)),
                "text": number_text(course.line),
                "colour": "alarm" if course.line.wrong else "path" if course.line.left_from else "line",
                "points": " ".join(f"{at.real:.1f},{at.imag:.1f}" for at in (*course.points[:-1:8], course.points[-1])),
            }
            for course in reversed(lines)
        ],
        "sites": [
            {"site": site, "box": boxes[site.identifier], "title": visible(_site_title(site)), "rows": _rows(site)}
            for site in picture.sites
        ],
        "legend": legend,
        "legend_top": legend_top,
        "legend_rows": legend_rows,
        "in_row": int(width // PITCH),
        "pitch": PITCH,
        "row": ROW,
    }


def _fitted(text: str, columns: int = CELLS) -> str:
    """Return a text made visible, its end left out where it is longer than some columns."""
    excerpt = visible(text[:200])
    return excerpt if cell_len(excerpt) <= columns else set_cell_size(excerpt, columns - 1).rstrip() + "…"


def _rows(site: SiteBox) -> list[str]:
    """Return the rows below the name, its gates in the second."""
    gates = ", ".join(site.gates[:GATES_NAMED])
    if len(site.gates) > GATES_NAMED:
        gates = f"{site.gates[0]} and {len(site.gates) - 1} more"
    rows = [_queue_managers(site), gates or "no gate", *(["foreign site"] if site.foreign else [])]
    rows += [f"from {site.sender}"] if site.sender else []
    rows += [f"to {site.receiver}"] if site.receiver else []
    return rows + ([f"answered: {', '.join(site.answered[:GATES_NAMED])}"] if site.answered else [])


def _queue_managers(site: SiteBox) -> str:
    return f"{site.queue_managers} queue manager{'' if site.queue_managers == 1 else 's'}"


def _site_title(site: SiteBox) -> str:
    gates = ", ".join(site.gates[:50]) or "none"
    kind = "Foreign site" if site.foreign else "Site"
    on_path = "; on an allowed path" if site.on_path else ""
    answered = f"; answered: {', '.join(site.answered[:50])}" if site.answered else ""
    return f"{kind} {site.name}: {_queue_managers(site)}; gates: {gates}{on_path}{answered}"


def _line_title(line: LinkLine, names: Mapping[SiteId, str]) -> str:
    if line.wrong:
        return f"The answer, on no allowed path: {names[line.ends[0]]} to {names[line.ends[1]]}"
    kind = "Hop without a routing link" if line.cost is None else f"Routing link at cost {line.cost}"
    used = ", ".join(f"from {names[site]}" for site in line.ends if site in line.left_from)
    on_path = f"; on an allowed path {used}" if used else ""
    return f"{kind}: {names[line.ends[0]]} - {names[line.ends[1]]}{on_path}"


def _description(picture: Picture, names: Mapping[SiteId, str]) -> str:
    links = [
        f"{names[line.ends[0]]} to {names[line.ends[1]]} at cost {line.cost}"
        for line in picture.lines
        if line.cost is not None
    ]
    parts = [f"{picture.subtitle}.", f"Routing links: {'; '.join(links) or 'none'}."]
    return " ".join([*parts, *(f"{text}." for text in picture.paths), *picture.notes])


def _legend(picture: Picture) -> Iterator[tuple[str, str]]:
    """Yield the signs that occur in a picture, by their names in the template, with their meaning."""
    sites: Sequence[SiteBox] = picture.sites
    yield "site", "site"
    yield "gate", "its gates"
    if any(line.cost is not None for line in picture.lines):
        yield "link", "routing link and its cost"
    if any(site.foreign for site in sites):
        yield "foreign", "foreign site"
    if any(line.left_from and line.cost is not None for line in picture.lines):
        yield "path", "on an allowed path"
    if any(line.cost is None and not line.wrong for line in picture.lines):
        yield "hop", "hop without a routing link"
    if any(line.wrong for line in picture.lines):
        yield "wrong", "answer, not allowed"
    if any(site.sender for site in sites):
        yield "sender", "source"
    if any(site.receiver for site in sites):
        yield "receiver", "destination"
    if any(site.answered for site in sites):
        yield "answer", "where the answer leads"
