"""Summaries of audits as HTML pages that need nothing else; everything that an input holds is escaped."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from mqconform.harness.records.printable import shortened, visible
from mqconform.reports.time_bins import bin_names

LONGEST: Final = 200
"""Characters that are shown of any text from an input."""
ROW: Final = 16
MOST_ROWS: Final = 32
"""Lines of octets that are shown of an example."""


def page_of(audit: str, summary: Mapping[str, Any]) -> str:
    """Return the page of an audit of ``captures`` or ``routes``."""
    folder = files("mqconform.reports.pipeline")
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.filters.update(shown=_shown, number="{:,}".format, octet_lines=_octet_lines, bin_names=bin_names)
    style = Markup(folder.joinpath("page.css").read_text(encoding="utf-8"))  # noqa: S704 - our own
    template = environment.from_string(folder.joinpath(audit, "page.html").read_text(encoding="utf-8"))
    return template.render(style=style, **summary) + "\n"


def _shown(value: Any) -> str:
    return shortened(visible(str(value)), LONGEST)


def _octet_lines(example: Mapping[str, Any]) -> Markup:
    """Return the octets of an example, sixteen on a line, those that show the finding marked."""
    octets, lines = bytes.fromhex(example["octets"]), []
    span = example["shown_at"] or {"offset": -1, "length": 0}
    marked = range(span["offset"], span["offset"] + span["length"])
    for first in range(0, min(len(octets), ROW * MOST_ROWS), ROW):
        line = [
            Markup("<mark>{:02x}</mark>").format(octets[at]) if at in marked else Markup(f"{octets[at]:02x}")  # noqa: S704 - two digits
            for at in range(first, min(first + ROW, len(octets)))
        ]
        lines.append(Markup("{:04x}  ").format(first) + Markup(" ").join(line))
    left = example["length"] - min(len(octets), ROW * MOST_ROWS)
    lines += [Markup("... {} more octets").format(left)] if left > 0 else []
    return Markup("\n").join(lines)
