"""Functions that judge rows of a DataFrame: what they take, checked before a job of Spark starts, and their groups."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from mqconform.reports.pipeline.problems import UnusableInput, without_columns

OF_A_PARTITION: Final = 32
"""Buckets of groups for each partition of a shuffle, by the number of which a user bounds what is held in memory."""
Judge = Callable[[pa.Table], pa.Table]


class Kind(NamedTuple):
    """What a column may hold."""

    types: tuple[str, ...]
    """Spark's names of the types; ``array<string>`` and the like count by their whole name."""
    remedy: str
    says: str = ""
    """What these types are together, instead of their names."""


INTEGER: Final = Kind(("tinyint", "smallint", "int", "bigint"), 'cast it: F.col("{name}").cast("bigint")')
TEXT: Final = Kind(("string",), 'cast it: F.col("{name}").cast("string")')
NUMBER: Final = Kind(
    ("string", *INTEGER.types, "float", "double", "decimal", "void"), INTEGER.remedy, "a number, or text that is one"
)
MOMENT: Final = Kind(
    (*NUMBER.types, "timestamp", "timestamp_ntz", "date"),
    'cast it: F.col("{name}").cast("timestamp")',
    "a timestamp, a number, or text that is one of them",
)
VALUE: Final = Kind(
    (*MOMENT.types, "boolean", "binary"), 'cast it: F.col("{name}").cast("string")', "text, or a single value"
)
OCTETS: Final = Kind(("binary",), 'make it octets: F.unhex("{name}"), or F.unbase64("{name}")')


def check_entry(  # noqa: PLR0913, PLR0917 - what a function may ask of its rows
    rows: DataFrame,
    what: str,
    needed: Mapping[str, Kind],
    optional: Mapping[str, Kind] | None = None,
    added: Sequence[str] = (),
    either: Sequence[str] = (),
) -> None:
    """Refuse rows that lack a column, have one of a wrong type, or one that is going to be ``added``.

    Of the optional columns ``either`` one at least has to be there.

    Raises:
        UnusableInput: naming ``what`` was given, the column, its type and what to do.
    """
    names = rows.columns
    missing = [name for name in needed if name not in names]
    if missing or not set(either or names).intersection(names):
        raise without_columns(what, missing, f"neither column {' nor '.join(either)} is there", names)
    for name, kind in {**needed, **(optional or {})}.items():
        if name not in names:
            continue
        spark_type = rows.schema[name].dataType.simpleString()
        if spark_type.partition("(")[0] not in kind.types:
            raise UnusableInput(
                f"{what}: column {name} has the type {spark_type}, not {kind.says or ' or '.join(kind.types)}; "
                f"{kind.remedy.format(name=name)}"
            )
    if taken := [name for name in added if name in names]:
        raise UnusableInput(f'{what}: column {taken[0]} is there already; drop("{taken[0]}"), or rename it')


def refuse_stream(rows: DataFrame) -> None:
    """Refuse a stream where rows of groups are judged together.

    Raises:
        UnusableInput: the rows are one.
    """
    if rows.isStreaming:
        raise UnusableInput(
            "a stream cannot be judged here, because its groups never end; judge batches of it, "
            "for instance in foreachBatch"
        )


def column_of(rows: DataFrame, name: str, kind: str) -> Column:
    """Return a column in one of Spark's types, null where it holds no such value, or where there is no column."""
    column = F.col(name).try_cast(kind) if name in rows.columns else F.lit(None).cast(kind)
    return column.alias(name)


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
