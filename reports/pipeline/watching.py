"""Progress of Spark's jobs: a bar on a terminal, nothing in a pipe."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

INTERVAL = 0.2
"""Seconds between two looks at Spark's state."""


@contextmanager
def watched(spark: "SparkSession", doing: str, console: Console | None = None) -> Iterator[None]:
    """Show how many tasks of the running stages are done while the context lasts."""
    console = console or Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    done = Event()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(doing, total=None)

        def look() -> None:
            while not done.wait(INTERVAL):
                completed, total = tasks_of(spark)
                bar.update(task, completed=completed, total=total or None)

        watcher = Thread(target=look, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()


def tasks_of(spark: "SparkSession") -> tuple[int, int]:
    """Return how many tasks of the active stages are done, and how many there are."""
    tracker = spark.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    running = [stage for stage in stages if stage is not None]
    return sum(stage.numCompletedTasks for stage in running), sum(stage.numTasks for stage in running)
