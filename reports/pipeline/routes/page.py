"""The summary of an audit as one HTML page that needs nothing else."""

from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from mqconform.harness.records.printable import shortened, visible
from mqconform.reports.pipeline.routes.verdicts import VERDICTS

LONGEST: Final = 200
"""Characters that are shown of any text from the decisions or the directory."""


def page_of(summary: Mapping[str, Any]) -> str:
    """Return the page; everything that decisions or the directory hold is escaped."""
    folder = files("mqconform.reports.pipeline.routes")
    environment = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    environment.filters.update(text=_text, number="{:,}".format)
    environment.globals["VERDICTS"] = VERDICTS
    style = Markup(folder.joinpath("page.css").read_text(encoding="utf-8"))  # noqa: S704 - our own
    template = environment.from_string(folder.joinpath("page.html").read_text(encoding="utf-8"))
    return template.render(style=style, **summary)


def _text(value: Any) -> Markup:
    return Markup(escape(shortened(visible(str(value)), LONGEST)))  # noqa: S704 - escaped
