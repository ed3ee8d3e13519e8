"""Styled text on the terminal, and progress: a line that moves there, a line now and then in a log."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.segment import Segment
from rich.text import Text

from mqconform.harness.cli.echo import echo, forget_output
from mqconform.harness.records.case import Case
from mqconform.harness.records.printable import harmless, visible
from mqconform.harness.records.verdict import Verdict

EVERY = 10.0
"""Seconds between two lines where no terminal is."""
COLUMNS = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
"""Of a bar that counts."""
FIRST = 1.0
"""Seconds until the first of them."""


class SafeConsole(Console):
    """A console whose texts act on nothing; what rich itself adds, such as colours, stays."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield what is printed."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else harmless(text), style, control)

    def on_broken_pipe(self) -> None:
        """Go on without a reader; rich ends with the exit code 1, which is that of a failed run."""
        forget_output(sys.stderr if self.stderr else sys.stdout)


class CaseProgress:
    """Shows each finished case; what it takes shows a text for now, and a line that stays."""

    def __init__(self, say: Callable[[str], None], tell: Callable[[str], None]) -> None:
        self._say, self.tell = say, tell
        self._done = self._bad = 0

    def __call__(self, case: Case) -> None:
        """Count a case."""
        self._done += 1
        self._bad += case.verdict >= Verdict.INCONCLUSIVE
        self._say(f"cases: {self._done}, not passed: {self._bad}, now {case.id}")

    def clients(self, over: int, of: int) -> None:
        """Show how many clients with the real clock are done."""
        self._say(f"clients with the real clock: {over} of {of} are done")


@contextmanager
def progress_shown() -> Iterator[CaseProgress]:
    """Give what shows each finished case while the context lasts."""
    console = SafeConsole(stderr=True)
    if not console.is_terminal:
        yield CaseProgress(_now_and_then(), lambda line: echo(visible(line), err=True))
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("connecting", total=None)
        yield CaseProgress(
            lambda text: bar.update(task, description=text),
            lambda line: bar.console.print(Text(visible(line)), soft_wrap=True),
        )


def _now_and_then() -> Callable[[str], None]:
    """Return what says a text in a log, unless the last one was said a moment ago."""
    began = monotonic()
    due = began + FIRST

    def say(text: str) -> None:
        nonlocal due
        now = monotonic()
        if now >= due:
            due = now + EVERY
            echo(f"{now - began:.0f} s: {text}", err=True)

    return say


class Counter(NamedTuple):
    """A bar that counts."""

    each: Callable[[], None]
    """Counts one."""
    so_far: Callable[[int, int], None]
    """Says how many are done, and of how many."""
    now: Callable[[str], None]
    """Says what is done now."""


@contextmanager
def counting(what: str, total: int | None = None) -> Iterator[Counter]:
    """Give a bar while the context lasts: on a terminal, nothing in a pipe."""
    console = SafeConsole(stderr=True)
    with Progress(*COLUMNS, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield Counter(
            lambda: bar.advance(task),
            lambda done, of: bar.update(task, completed=done, total=of),
            lambda what: bar.update(task, description=visible(what)),
        )
