"""Rows that are judged together: brought together by Spark, handed to compiled loops in tables of many groups."""

from collections.abc import Callable, Sequence
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from mqconform.reports.pipeline.entry import refuse_stream

OF_A_PARTITION: Final = 32
"""Buckets of groups for each partition of a shuffle, by the number of which a user bounds what is held in memory."""

Judge = Callable[[pa.Table], pa.Table]


def judge_groups(
    rows: DataFrame, keys: Sequence[str], judge: Judge, schema: StructType, order: Sequence[str] = ()
) -> DataFrame:
    """Return what a function makes of groups of rows that are equal in ``keys``; the order of its rows means nothing.

    It gets many whole groups, sorted by the ``keys`` and the ``order`` if that is given. Called for each group, of
    which there are millions with a few rows each, it would take most of the time to begin.

    Raises:
        UnusableInput: the rows are a stream.
    """
    refuse_stream(rows)
    conf = rows.sparkSession.conf
    buckets = OF_A_PARTITION * int(str(conf.get("spark.sql.shuffle.partitions")))
    large = str(conf.get("spark.sql.execution.arrow.useLargeVarTypes")).lower() == "true"
    expected = to_arrow_schema(
        schema, timezone="UTC", prefers_large_types=large
    )  # of groups Spark takes these types and no others

    def judge_all(table: pa.Table) -> pa.Table:
        pa.set_cpu_count(1)  # Spark gives a task one core
        if order:
            table = table.sort_by([(name, "ascending") for name in (*keys, *order)]).drop_columns([*order])
        return judge(table).cast(expected)

    return rows.groupBy(F.pmod(F.xxhash64(*keys), F.lit(buckets))).applyInArrow(judge_all, schema)
