"""Draws docs/explanation/house.svg: the floors of the house as the contracts in .importlinter have them.

python docs/generated/house_picture.py    writes the picture; harness/tests/test_import_contracts.py holds it current
"""

import ast
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PICTURE: Final = ROOT / "docs" / "explanation" / "house.svg"
WIDTH, FLOOR, GAP, SIDE = 1100, 66, 12, 190
CHARACTER = 7
"""Width of a letter, on average."""
STYLE: Final = """
  svg { background: #fff }
  text { font: 13px system-ui, sans-serif; fill: #222 } .name { font-weight: 600; font-size: 15px }
  rect { fill: #eef3fa; stroke: #5577aa; rx: 6px } .side rect { fill: #f5f0e6; stroke: #997744 }
  path { stroke: #777; fill: none; marker-end: url(#tip) } #tip path { fill: #777; stroke: none }
"""
LEFT, RIGHT = ("adapters", "iut"), ("reports", "records")
"""Folders beside the house, and the one room that each may import."""


def floors() -> list[list[str]]:
    """Return the rooms floor by floor, the roof first, as the contract of layers names them."""
    contracts = ConfigParser()
    contracts.read(ROOT / ".importlinter")
    layers = next(section["layers"] for section in contracts.values() if section.get("type") == "layers")
    return [
        [name.strip().removeprefix("mqconform.") for name in floor.split("|")] for floor in layers.split("\n") if floor
    ]


def caption(package: str) -> str:
    """Return what a package says of itself in its first line, without the full stop."""
    text = (ROOT / package.replace(".", "/") / "__init__.py").read_text("utf-8")
    first = (ast.get_docstring(ast.parse(text)) or "").split("\n")[0]
    return first.rstrip(".").replace("&", "&amp;").replace("<", "&lt;")


def room(package: str, left: float, top: float, width: float) -> Iterator[str]:
    """Yield the box of one room."""
    yield f'<rect x="{left:.0f}" y="{top}" width="{width:.0f}" height="{FLOOR}"/>'
    yield f'<text class="name" x="{left + 12:.0f}" y="{top + 20}">{package.removeprefix("harness.")}</text>'
    words, line, lines = caption(package).split(), "", []
    for word in words:
        if len(line) + len(word) + 1 > (width - 24) / CHARACTER:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    for number, text in enumerate([*lines, line][:3]):
        yield f'<text x="{left + 12:.0f}" y="{top + 36 + 14 * number}">{text}</text>'


def beside(folder: str, left: float, level: int, wall: float, end: float) -> Iterator[str]:
    """Yield the box of a folder beside the house, and the arrow from its foot to the wall of the room below it."""
    yield '<g class="side">'
    yield from room(folder, left, level, SIDE - GAP)
    yield "</g>"
    yield f'<path d="M {left + (SIDE - GAP) / 2:.0f} {level + FLOOR} V {end:.0f} H {wall:.0f}"/>'


def picture() -> str:
    """Return the picture as SVG."""
    top, tops, parts = GAP, dict[str, int](), list[str]()
    begin, inner = GAP + SIDE, WIDTH - 2 * (SIDE + GAP)
    for floor in floors():
        width = (inner - GAP * (len(floor) - 1)) / len(floor)
        for number, package in enumerate(floor):
            parts += room(package, begin + number * (width + GAP), top, width)
            tops[package.removeprefix("harness.")] = top
        top += FLOOR + GAP
    for (folder, target), left, wall in ((LEFT, GAP, begin), (RIGHT, WIDTH - SIDE, begin + inner)):
        parts += beside(folder, left, tops[target] - FLOOR - GAP, wall, tops[target] + FLOOR / 2)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" role="img">'
    title = "<title>The rooms of mqconform; each may import those below it</title>"
    tip = '<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
    tip += '<path d="M 0 0 L 8 4 L 0 8 z"/></marker></defs>'
    return "\n".join([head, title, f"<style>{STYLE}</style>", tip, *parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
