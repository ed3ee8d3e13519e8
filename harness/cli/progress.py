"""Progress of a run: a line that moves on a terminal, a line now and then in a log."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple

from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from mqconform.harness.cli.console import SafeConsole
from mqconform.harness.cli.echo import echo
from mqconform.harness.records.case import Case
from mqconform.harness.records.printable import visible
from mqconform.harness.records.verdict import Verdict

EVERY = 10.0
"""Seconds between two lines where no terminal is."""
COLUMNS = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
"""Of a bar that counts."""
FIRST = 1.0
"""Seconds until the first of them."""


@contextmanager
def progress_shown() -> Iterator[Callable[[Case], None]]:
    """Give a function that shows each finished case while the context lasts.

    Its attribute ``tell`` shows a line at once, ``clients`` how many clients with the real clock are done.
    """
    console = SafeConsole(stderr=True)
    if not console.is_terminal:
        yield _in_lines()
        return
    bar = Progress(
        SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), console=console, transient=True
    )
    with bar:
        task = bar.add_task("connecting", total=None)
        done = bad = 0

        def show(case: Case) -> None:
            nonlocal done, bad
            done += 1
            bad += case.verdict >= Verdict.INCONCLUSIVE
            bar.update(task, description=f"cases: {done}, not passed: {bad}, now {case.id}")

        def clients(over: int, of: int) -> None:
            bar.update(task, description=f"clients with the real clock: {over} of {of} are done")

        show.clients = clients  # type: ignore[attr-defined]  # for callers that wait for clients
        show.tell = lambda line: bar.console.print(Text(visible(line)), soft_wrap=True)  # type: ignore[attr-defined]
        yield show


def _in_lines() -> Callable[[Case], None]:
    """Return what shows progress in a log: a line now and then."""
    began = monotonic()
    due = began + FIRST
    done = bad = 0

    def say(text: str) -> None:
        nonlocal due
        now = monotonic()
        if now >= due:
            due = now + EVERY
            echo(f"{now - began:.0f} s: {text}", err=True)

    def show(case: Case) -> None:
        nonlocal done, bad
        done += 1
        bad += case.verdict >= Verdict.INCONCLUSIVE
        say(f"cases: {done}, not passed: {bad}, now {case.id}")

    show.clients = lambda over, of: say(f"clients with the real clock: {over} of {of} are done")  # type: ignore[attr-defined]
    show.tell = lambda line: echo(visible(line), err=True)  # type: ignore[attr-defined]
    return show


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
