"""The audit as functions from DataFrame to DataFrame, for notebooks and jobs of one's own.

``audit_routes`` does not move rows through Spark, because that costs more than judging them. Where the decisions are
a DataFrame already - a table of a catalogue, a stream's batch, a join - these functions judge and count them there.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import ArrayType, BooleanType, LongType, StringType, StructField, StructType

from mqconform.reports.pipeline.routes.enterprise import Enterprise, compiled_octets
from mqconform.reports.pipeline.routes.judging import check_columns, check_forms, judge_batch
from mqconform.reports.pipeline.routes.verdicts import ADDED, VERDICTS, added_columns
from mqconform.reports.pipeline.workers import settle

ADDED_FIELDS: Final = [StructField(name, StringType()) for name in ADDED.names]
"""What ``judge_routes`` appends; ``requirement`` is null where nothing was judged."""

COUNTED_FIELDS: Final = [StructField(verdict, LongType(), nullable=False) for verdict in VERDICTS]
"""What every count has after its keys."""

MACHINES: Final = StructType([StructField("machine", StringType(), nullable=False), StructField("site", StringType())])
"""Shape of ``machines_of``: identifier of each queue manager and of the first of its sites."""


SITES: Final = StructType(
    [
        StructField("site", StringType(), nullable=False),
        StructField("name", StringType(), nullable=False),
        StructField("gates", ArrayType(StringType(), containsNull=False), nullable=False),
        StructField("foreign", BooleanType(), nullable=False),
    ]
)
"""Shape of ``sites_of``: identifier and name of each site, its site gates, and whether it is of another system."""

LINKS: Final = StructType(
    [StructField(name, StringType(), nullable=False) for name in ("link", "site1", "site2")]
    + [StructField("cost", LongType(), nullable=False)]
)
"""Shape of ``links_of``: identifier of each routing link, of the two sites that it joins, and its cost."""


def judge_routes(decisions: DataFrame, enterprise: Enterprise) -> DataFrame:
    """Return the decisions with ``verdict``, ``rule`` and ``requirement`` (GetNextHops, MS-MQBR 3.1.5.1).

    Rows keep their order and all of their columns; a row is judged by itself, so that ``decisions`` may be a stream.

    Args:
        decisions: ``source``, ``destination`` and ``next_hops`` as GUIDs in text or 16 octets, or as places in the
            enterprise document; optionally ``outcome``, and ``time``, which an enterprise with several versions needs.
        enterprise: what ``enterprise_of`` gives; sent to the executors once for each call.

    Raises:
        UnusableInput: a column is missing or of a type that names no machine, or ``verdict``, ``rule`` or
            ``requirement`` is there already.
    """
    schema = to_arrow_schema(decisions.schema)
    check_columns(schema, "the decisions")
    check_forms(schema)
    shared = decisions.sparkSession.sparkContext.broadcast(enterprise.packed)

    def judge(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        compiled = compiled_octets(shared.value)
        for batch in batches:
            judged = judge_batch(compiled, batch)
            added = (column.cast(pa.string()) for column in added_columns(judged.verdict, judged.rule))
            yield pa.RecordBatch.from_arrays([*batch.columns, *added], names=[*batch.schema.names, *ADDED.names])
        settle()

    return decisions.mapInArrow(judge, StructType([*decisions.schema.fields, *ADDED_FIELDS]))


def machines_of(spark: SparkSession, enterprise: Enterprise) -> DataFrame:
    """Return the queue managers of the latest version with the first site of each, shape ``MACHINES``."""
    machines = enterprise.versions[-1].directory.queue_managers
    rows = [(str(machine.identifier), next(iter(map(str, machine.site_identifier_list)), None)) for machine in machines]
    return spark.createDataFrame(rows, MACHINES)


def sites_of(spark: SparkSession, enterprise: Enterprise) -> DataFrame:
    """Return the sites of the latest version, shape ``SITES`` (MS-MQDMPR 3.1.1.7)."""
    sites = enterprise.versions[-1].directory.sites
    rows = [(site.identifier, site.name, [*site.site_gate_collection], site.foreign_site) for site in sites]
    return spark.createDataFrame(rows, SITES)


def links_of(spark: SparkSession, enterprise: Enterprise) -> DataFrame:
    """Return the routing links of the latest version, shape ``LINKS`` (MS-MQDMPR 3.1.1.8)."""
    links = enterprise.versions[-1].directory.routing_links
    rows = [(link.identifier, link.site1_identifier, link.site2_identifier, link.actual_cost) for link in links]
    return spark.createDataFrame(rows, LINKS)


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
    rows = verdicts
    for end in ("source", "destination"):
        sites = machines.select(F.col("machine").alias(f"{end}_machine"), F.col("site").alias(f"{end}_site"))
        rows = rows.join(F.broadcast(sites), F.lower(F.col(end)) == F.col(f"{end}_machine"), "left")
    return _counted(rows, "source_site", "destination_site")


def _counted(verdicts: DataFrame, *keys: str) -> DataFrame:
    counts = [F.count_if(F.col("verdict") == verdict).alias(verdict) for verdict in VERDICTS]
    return verdicts.groupBy(*keys).agg(*counts).select(*keys, *VERDICTS)
