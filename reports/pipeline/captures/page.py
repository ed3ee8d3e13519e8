"""The summary of an audit of captures as one HTML page that needs nothing else."""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from mqconform.harness.records.printable import shortened, visible
from mqconform.reports.time_bins import bin_names

LONGEST: Final = 200
"""Characters that are shown of a file's name."""
ROW: Final = 16
MOST_ROWS: Final = 32
"""Lines of octets that are shown of an example."""


def page_of(summary: Mapping[str, Any]) -> str:
    """Return the page; everything that a capture holds is escaped."""
    folder = files("mqconform.reports.pipeline.captures")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=False)
    environment.filters.update(shown=_shown, octet_lines=octet_lines, bin_names=bin_names)
    template = environment.from_string(folder.joinpath("page.html").read_text(encoding="utf-8"))
    style = Markup(folder.joinpath("page.css").read_text(encoding="utf-8"))  # noqa: S704 - our own
    return template.render(style=style, **summary)


def _shown(text: str) -> str:
    return shortened(visible(text), LONGEST)


def octet_lines(example: Mapping[str, Any]) -> Markup:
    """Return the octets of an example, sixteen on a line, those that show the finding marked."""
    return Markup("\n").join(_lines(example))


def _lines(example: Mapping[str, Any]) -> Iterator[Markup]:
    octets = bytes.fromhex(example["octets"])
    span = example["shown_at"] or {"offset": -1, "length": 0}
    marked = range(span["offset"], span["offset"] + span["length"])
    for first in range(0, min(len(octets), ROW * MOST_ROWS), ROW):
        line = [
            Markup("<mark>{:02x}</mark>").format(octets[at]) if at in marked else Markup(f"{octets[at]:02x}")  # noqa: S704 - two digits
            for at in range(first, min(first + ROW, len(octets)))
        ]
        yield Markup("{:04x}  ").format(first) + Markup(" ").join(line)
    left = example["length"] - min(len(octets), ROW * MOST_ROWS)
    if left > 0:
        yield Markup("... {} more octets").format(left)
