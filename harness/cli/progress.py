"""Progress of a run: a line that moves on a terminal, nothing in a pipe."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from mqconform.harness.records.case import Case
from mqconform.harness.records.verdict import Verdict


@contextmanager
def progress_shown() -> Iterator[Callable[[Case], None]]:
    """Give a function that shows each finished case while the context lasts."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda case: None  # noqa: ARG005 - nobody watches
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
            bar.update(task, description=f"{done} cases, {bad} not passed, {case.id}")

        def clients(over: int, of: int) -> None:
            bar.update(task, description=f"clients with the real clock: {over} of {of} are done")

        show.clients = clients  # type: ignore[attr-defined]  # for whoever has clients to wait for
        yield show


class Counter(NamedTuple):
    """A bar that counts."""

    each: Callable[[], None]
    """Counts one."""
    so_far: Callable[[int, int], None]
    """Says how many are done, and of how many."""


@contextmanager
def counting(what: str, total: int | None = None) -> Iterator[Counter]:
    """Give a bar while the context lasts: on a terminal, nothing in a pipe."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield Counter(lambda: bar.advance(task), lambda done, of: bar.update(task, completed=done, total=of))
