"""The audit as functions from DataFrame to DataFrame, for notebooks and jobs of one's own.

``audit_routes`` does not move rows through Spark, because that costs more than judging them. Where the decisions are
a DataFrame already - a table of a catalogue, a stream's batch, a join - these functions judge and count them there.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StringType, StructField, StructType

from mqconform.reports.pipeline.routes import judging
from mqconform.reports.pipeline.routes.enterprise import Enterprise, compiled_octets

ADDED_FIELDS: Final = [StructField(name, StringType()) for name in judging.ADDED.names]
"""What ``judge_routes`` appends; ``requirement`` is null where nothing was judged."""


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
    judging.check_columns(schema, "the decisions")
    judging.check_forms(schema)
    shared = decisions.sparkSession.sparkContext.broadcast(enterprise.packed)

    def judge(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        compiled = compiled_octets(shared.value)
        for batch in batches:
            judged = judging.judge_batch(compiled, batch)
            added = (column.cast(pa.string()) for column in judging.added_columns(judged.verdict, judged.rule))
            yield pa.RecordBatch.from_arrays(
                [*batch.columns, *added], names=[*batch.schema.names, *judging.ADDED.names]
            )

    return decisions.mapInArrow(judge, StructType([*decisions.schema.fields, *ADDED_FIELDS]))


def counted(verdicts: DataFrame, *keys: str) -> DataFrame:
    """Return how many rows have each verdict, by columns such as ``requirement``, ``rule`` or ``source``."""
    counts = [F.count_if(F.col("verdict") == verdict).alias(verdict) for verdict in judging.VERDICTS]
    return verdicts.groupBy(*keys).agg(*counts)
