"""The one way of styled text to the terminal; see ``echo.py``."""

import sys
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from mqconform.harness.cli.echo import forget_output
from mqconform.harness.records.printable import harmless


class SafeConsole(Console):
    """A console whose texts act on nothing; what rich itself adds, such as colours, stays."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield what is printed."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else harmless(text), style, control)

    def on_broken_pipe(self) -> None:
        """Go on without a reader; rich ends with the exit code 1, which is that of a failed run."""
        forget_output(sys.stderr if self.stderr else sys.stdout)
