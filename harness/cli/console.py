"""The one way of styled text to the terminal; see ``echo.py``."""

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from mqconform.harness.records.printable import harmless


class SafeConsole(Console):
    """A console whose texts act on nothing; what rich itself adds, such as colours, stays."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield what is printed."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else harmless(text), style, control)
