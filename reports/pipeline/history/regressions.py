"""Runs beside the runs before them, each change with the cause that ``mqconform diff`` gives it."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from pyspark.sql import functions as F  # noqa: N812 - the name that everybody gives it
from pyspark.sql.window import Window

from mqconform.reports.pipeline.history.pair_changes import CARRIED, CHANGE_COLUMNS, changes_of
from mqconform.reports.pipeline.history.rates import MOST_AGAIN
from mqconform.reports.pipeline.history.tables import CHANGES, KEY

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_CHANGES: Final = pa.schema([(name, pa.string()) for name in (*CARRIED, *CHANGE_COLUMNS)] + [("worse", pa.bool_())])


def latest_pairs(runs: "DataFrame") -> "DataFrame":
    """Return a row of ``PAIRS`` for each implementation: its latest run and the one before; from rows of ``RUNS``."""
    return _paired(runs, Window.partitionBy(*KEY), latest=True)


def all_pairs(runs: "DataFrame") -> "DataFrame":
    """Return a row of ``PAIRS`` for each run that has one before it; from rows of ``RUNS``."""
    return _paired(runs, Window.partitionBy(*KEY), latest=False)


def chosen_pair(runs: "DataFrame", then: str, now: str) -> "DataFrame":
    """Return the row of ``PAIRS`` of two runs, whose identities may be shortened; from rows of ``RUNS``."""
    two = runs.where(F.col("run").startswith(then) | F.col("run").startswith(now))
    order = F.when(F.col("run").startswith(now), 1).otherwise(0)
    return _shaped(two.withColumn("place", order), Window.orderBy("place")).where(F.col("then_run").isNotNull())


def run_pairs(pairs: "DataFrame") -> "DataFrame":
    """Return a row of ``RUN_PAIRS`` for each pair: which runs they are; from rows of ``PAIRS``."""
    return pairs.select(*KEY, "then_run", "then_time", "now_run", "now_time")


def changes(pairs: "DataFrame") -> "DataFrame":
    """Return a row of ``CHANGES`` for each thing that differs between the runs of a pair; from rows of ``PAIRS``."""
    return pairs.mapInArrow(_compared, CHANGES)


def _paired(runs: "DataFrame", by: Any, *, latest: bool) -> "DataFrame":
    numbered = runs.where("ended").withColumn("age", F.row_number().over(by.orderBy(F.desc("time"), F.desc("run"))))
    recent = numbered.where(F.col("age") <= MOST_AGAIN + 1) if latest else numbered
    shaped = _shaped(recent, by.orderBy("time", "run")).where(F.col("then_run").isNotNull())
    return shaped.where(F.col("age") == 1).drop("age") if latest else shaped.drop("age")


def _shaped(runs: "DataFrame", order: Any) -> "DataFrame":
    """Return each run with the run before it and with the repetitions of it that came earlier."""
    before = {name: F.lag(name).over(order) for name in ("run", "time", "results", "environment")}
    repeated = F.collect_list(F.struct("question", "results")).over(order.rowsBetween(-MOST_AGAIN, -1))
    again = F.transform(
        F.filter(repeated, lambda run: run["question"] == F.col("question")), lambda run: run["results"]
    )
    carried = ["age"] if "age" in runs.columns else []
    return runs.select(
        *KEY,
        *(value.alias(f"then_{name}") for name, value in before.items()),
        *(F.col(name).alias(f"now_{name}") for name in before),
        again.alias("again"),
        *carried,
    )


def _compared(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for pair in batch.to_pylist():
            yield pa.RecordBatch.from_pylist([*changes_of(pair)], schema=_CHANGES)
