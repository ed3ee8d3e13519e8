"""The picture as SVG: a light ground, a title and a description for those who do not see it."""

from collections.abc import Mapping
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from mqconform.harness.records.printable import visible
from mqconform.harness.tools.enterprise.drawing import ink
from mqconform.harness.tools.enterprise.drawing.geometry import Box, Point, bounds
from mqconform.harness.tools.enterprise.drawing.layout import laid_out
from mqconform.harness.tools.enterprise.drawing.legend import draw_legend, legend_height
from mqconform.harness.tools.enterprise.drawing.lettering import fitted
from mqconform.harness.tools.enterprise.drawing.line_marks import draw_course, draw_number
from mqconform.harness.tools.enterprise.drawing.lines import DrawnLine, drawn_lines
from mqconform.harness.tools.enterprise.drawing.picture import Picture
from mqconform.harness.tools.enterprise.drawing.site_marks import box_size, draw_site
from mqconform.reference.directory import SiteId

BORDER: Final = 28.0
HEADER: Final = 62.0
NARROWEST: Final = 660.0
TITLE_SIZE: Final = 20.0
SUBTITLE_SIZE: Final = 13.0


def svg_of(picture: Picture) -> str:
    """Return the picture as an SVG document.

    Raises:
        NoDrawingLibrary: if the library that lays it out is not installed.
    """
    sizes = {site.identifier: box_size(site) for site in picture.sites}
    boxes = laid_out(sizes, {line.ends for line in picture.lines})
    lines = drawn_lines(picture.lines, boxes)
    frame = _frame(boxes, lines)
    width = max(frame.width, NARROWEST)
    legend_top = frame.height + HEADER + 2 * BORDER
    height = legend_top + legend_height(picture, width) + BORDER
    root = _root(picture, width + 2 * BORDER, height)
    _draw_header(root, picture, width)
    to_x = BORDER + width / 2 - frame.middle.x
    to_y = BORDER + HEADER + frame.height / 2 - frame.middle.y
    body = SubElement(root, "g", {"transform": f"translate({ink.number(to_x)} {ink.number(to_y)})"})
    _draw_body(body, picture, boxes, lines)
    draw_legend(root, picture, Point(BORDER, legend_top), width)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _frame(boxes: Mapping[SiteId, Box], lines: tuple[DrawnLine, ...]) -> Box:
    """Return the box around everything that has a place; an empty enterprise has a small one."""
    points = [point for drawn in lines for _, point in drawn.curve.points()]
    around = [*boxes.values(), *(Box(point, 8, 8) for point in points)]
    return bounds(around or [Box(Point(0, 0), 10, 10)])


def _root(picture: Picture, width: float, height: float) -> Element:
    size = {"width": ink.number(width), "height": ink.number(height)}
    view = {"viewBox": f"0 0 {size['width']} {size['height']}"}
    name = {"role": "img", "aria-label": visible(f"{picture.title}: {picture.subtitle}")}
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg"} | size | view | name)
    SubElement(root, "title").text = visible(picture.title)
    SubElement(root, "desc").text = visible(_description(picture))
    ink.rectangle(root, Box(Point(width / 2, height / 2), width, height), fill=ink.GROUND, rx="0")
    return root


def _description(picture: Picture) -> str:
    names = {site.identifier: site.name for site in picture.sites}
    links = (
        f"{names[line.ends[0]]} to {names[line.ends[1]]} at cost {line.cost}"
        for line in picture.lines
        if line.cost is not None
    )
    parts = [f"{picture.subtitle}.", f"Routing links: {'; '.join(links) or 'none'}."]
    return " ".join([*parts, *(f"{text}." for text in picture.paths), *picture.notes])


def _draw_header(root: Element, picture: Picture, width: float) -> None:
    title = fitted(picture.title, TITLE_SIZE, width, bold=True)
    ink.letters(root, Point(BORDER, BORDER + 14), title, TITLE_SIZE, font_weight="bold")
    subtitle = fitted(picture.subtitle, SUBTITLE_SIZE, width)
    ink.letters(root, Point(BORDER, BORDER + 36), subtitle, SUBTITLE_SIZE, fill=ink.FAINT_LETTERS)


def _draw_body(body: Element, picture: Picture, boxes: Mapping[SiteId, Box], lines: tuple[DrawnLine, ...]) -> None:
    """Draw lines, boxes over them, and numbers over all; what is on a path lies above what is not."""
    names = {site.identifier: site.name for site in picture.sites}
    ranked = sorted(lines, key=lambda drawn: bool(drawn.line.left_from))
    for drawn in ranked:
        draw_course(ink.group(body, _line_title(drawn, names)), drawn)
    for site in picture.sites:
        draw_site(body, site, boxes[site.identifier])
    for drawn in ranked:
        draw_number(ink.group(body, _line_title(drawn, names)), drawn)


def _line_title(drawn: DrawnLine, names: Mapping[SiteId, str]) -> str:
    line = drawn.line
    kind = "Hop without a routing link" if line.cost is None else f"Routing link at cost {line.cost}"
    used = ", ".join(f"from {names[site]}" for site in line.ends if site in line.left_from)
    on_path = f"; on an allowed path {used}" if used else ""
    return f"{kind}: {names[line.ends[0]]} - {names[line.ends[1]]}{on_path}"
