"""The audit as functions from DataFrame to DataFrame, for notebooks and jobs of one's own.

``audit_routes`` does not move rows through Spark, because that costs more than judging them. Where the decisions are
a DataFrame already - a table of a catalogue, a stream's batch, a join - these functions judge and count them there.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.types import LongType, StringType, StructField, StructType

from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.routes.enterprise import Enterprise, compiled_octets
from mqconform.reports.pipeline.routes.judging import NEEDED, judge_batch
from mqconform.reports.pipeline.routes.verdicts import ADDED, VERDICTS, added_columns

if TYPE_CHECKING:
    from pyspark import Broadcast

ADDED_FIELDS: Final = [StructField(name, StringType()) for name in ADDED.names]
"""What ``judged_decisions`` appends; ``requirement`` is null where nothing was judged."""

COUNTED_FIELDS: Final = [StructField(verdict, LongType(), nullable=False) for verdict in VERDICTS]
"""What every count has after its keys."""

MACHINES: Final = StructType([StructField("machine", StringType(), nullable=False), StructField("site", StringType())])
"""Shape of ``machines_of``: identifier of each queue manager and of the first of its sites."""


def shared_enterprise(spark: SparkSession, enterprise: Enterprise) -> "Broadcast[bytes]":
    """Return an enterprise sent to all executors once."""
    return spark.sparkContext.broadcast(enterprise.packed)


def judged_decisions(decisions: DataFrame, enterprise: "Broadcast[bytes]") -> DataFrame:
    """Return the decisions with ``verdict``, ``rule`` and ``requirement`` (GetNextHops, MS-MQBR 3.1.5.1).

    Args:
        decisions: with ``source``, ``destination`` and ``next_hops``, and optionally ``outcome``, ``time``, ``router``.
        enterprise: what ``shared_enterprise`` gave.

    Raises:
        UnusableInput: a column is missing.
    """
    missing = [name for name in NEEDED if name not in decisions.columns]
    if missing:
        raise UnusableInput(f"column {', '.join(missing)} is missing; the columns are {', '.join(decisions.columns)}")

    def judge(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            found = judge_batch(compiled_octets(enterprise.value), batch)
            added = (column.cast(pa.string()) for column in added_columns(found.verdict, found.rule))
            yield pa.RecordBatch.from_arrays([*batch.columns, *added], names=[*batch.schema.names, *ADDED.names])

    return decisions.mapInArrow(judge, StructType([*decisions.schema.fields, *ADDED_FIELDS]))


def machines_of(spark: SparkSession, enterprise: Enterprise) -> DataFrame:
    """Return the queue managers of the latest version with the first site of each, shape ``MACHINES``."""
    machines = enterprise.versions[-1].directory.queue_managers
    rows = [(str(one.identifier), next(iter(map(str, one.site_identifier_list)), None)) for one in machines]
    return spark.createDataFrame(rows, MACHINES)


def by_requirement(verdicts: DataFrame) -> DataFrame:
    """Return the counts of each requirement that judged a row: ``requirement`` and ``COUNTED_FIELDS``."""
    return _counted(verdicts.where(F.col("requirement").isNotNull()), "requirement")


def by_branch(verdicts: DataFrame) -> DataFrame:
    """Return the counts of each rule, reasons for not judging included: ``rule`` and ``COUNTED_FIELDS``."""
    return _counted(verdicts, "rule")


def by_router(verdicts: DataFrame) -> DataFrame:
    """Return the counts of each router, the source where no column names it: ``router`` and ``COUNTED_FIELDS``."""
    router = F.col("router") if "router" in verdicts.columns else F.col("source")
    return _counted(verdicts.withColumn("router", router), "router")


def by_site_pair(verdicts: DataFrame, machines: DataFrame) -> DataFrame:
    """Return the counts of each pair of sites: ``source_site``, ``destination_site`` and ``COUNTED_FIELDS``.

    Args:
        verdicts: with machines as text in the form of the directory's identifiers, in either case.
        machines: shape ``MACHINES``.
    """
    found = verdicts
    for end in ("source", "destination"):
        sites = machines.select(F.col("machine").alias(f"{end}_machine"), F.col("site").alias(f"{end}_site"))
        found = found.join(F.broadcast(sites), F.lower(F.col(end)) == F.col(f"{end}_machine"), "left")
    return _counted(found, "source_site", "destination_site")


def _counted(verdicts: DataFrame, *keys: str) -> DataFrame:
    counts = [F.count_if(F.col("verdict") == verdict).alias(verdict) for verdict in VERDICTS]
    return verdicts.groupBy(*keys).agg(*counts).select(*keys, *VERDICTS)
