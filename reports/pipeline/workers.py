"""Tasks that read, judge and write by themselves: handed out by Spark, each on one core of a worker process."""

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import pyarrow as pa

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

T = TypeVar("T")
U = TypeVar("U")

_settled: set[bool] = set()


def settle() -> None:
    """Spare the collector what this worker has loaded; call it at the end of a task.

    PySpark's workers collect garbage after every task and begin the next one only then. Modules, compiled loops and
    an enterprise are a hundred thousand objects that never become garbage: looking at them took up to 30 ms each time.
    """
    if not _settled:
        gc.collect()
        gc.freeze()
        _settled.add(True)


def run_tasks(spark: "SparkSession", inputs: Sequence[T], task: Callable[[T], U]) -> list[U]:
    """Return what a task makes of each input, in their order; each input is a task of Spark's.

    Raises:
        OSError: a task could not read or write.
    """
    if not inputs:
        return []
    from mqconform.reports.pipeline.failed_jobs import JOB_FAILURES, system_error  # noqa: PLC0415 - needs Spark

    def run(some: Iterable[T]) -> Iterator[U]:
        pa.set_cpu_count(1)  # Spark gives a task one core
        yield from map(task, some)
        settle()

    try:
        return list(spark.sparkContext.parallelize(inputs, len(inputs)).mapPartitions(run).collect())
    except JOB_FAILURES as error:
        refused = system_error(error)
        if refused is None:
            raise
        raise refused from error
