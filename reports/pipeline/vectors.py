"""``mqconform vectors``: test vectors made by tasks of Spark and written by it, as Parquet and as lines of JSON."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.dataset as ds

from mqconform.reports.pipeline.output import move_file, new_output, write_json
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.session import SessionSettings, settings_of, spark_session, watched
from mqconform.reports.pipeline.storage import Place, place_of
from mqconform.reports.vectors.tables import TABLES, Plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FORMAT: Final = 2
OF_A_FILE: Final = {"enterprises": 50, "decisions": 50, "packets": 5_000}
"""Items whose rows one file holds, so that files do not depend on who makes them: enterprises, or packets."""
MOST_TASKS: Final = 4_096
FORMS: Final = ("parquet", "jsonl")


def run(
    master: str | None, conf: tuple[str, ...], out: str, numbers: Mapping[str, int], weights: Mapping[str, str]
) -> dict[str, Any]:
    """Write vectors as the command line asks for them and return their manifest; see ``generate``."""
    return generate(settings_of(master, conf), Plan(**numbers, weights=dict(weights)), out)


def generate(settings: SessionSettings, plan: Plan, out: str) -> dict[str, Any]:
    """Write the vectors of a plan into a new or empty folder and return their manifest.

    Raises:
        UnusableInput: the folder is not empty, cannot be written, or is another one for the executors.
        NoSpark: Spark does not start.
    """
    from mqconform.reports.pipeline.failed_jobs import refusals  # noqa: PLC0415 - the command says what is missing

    place = place_of(out)
    with (
        new_output(place) as staging,
        spark_session(settings, "mqconform vectors") as spark,
        watched(spark, "generating vectors"),
        refusals(place.text, place.text),
    ):
        rows = {table: _written(vectors(spark, plan, table), staging, table) for table in TABLES}
        if (rows["enterprises"], rows["packets"]) != (plan.enterprises, plan.packets):
            raise UnusableInput(f"--out {out}: executors wrote elsewhere; name a folder that all machines share")
        numbers = {name: value for name, value in asdict(plan).items() if name != "weights"}
        made_by = {"format": FORMAT, "harness": f"mqconform {version('mqconform')}", "profile": "default"}
        manifest = made_by | numbers | {"rows": rows}
        for folder in FORMS:
            move_file(staging / folder, place / folder)
        write_json(place / "vectors.json", manifest)
    return manifest


def vectors(spark: "SparkSession", plan: Plan, table: str) -> "DataFrame":
    """Return the rows of a table of vectors; the same for a plan however many tasks make them."""
    from pyspark.sql.pandas.types import from_arrow_schema  # noqa: PLC0415

    schema, items = TABLES[table], plan.packets if table == "packets" else plan.enterprises

    def make(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            records = [record for number in batch.column(0).to_pylist() for record in plan.records(table, number)]
            yield pa.RecordBatch.from_pylist(records, schema=schema)

    files = max(1, min(-(-items // OF_A_FILE[table]), MOST_TASKS))
    return spark.range(0, items, 1, files).mapInArrow(make, from_arrow_schema(schema))


def _written(rows: "DataFrame", out: Place, table: str) -> int:
    """Write rows in both forms; return how many the driver sees."""
    from pyspark.sql import functions as F  # noqa: N812, PLC0415

    kept = rows.persist()
    parquet = out / "parquet" / table
    kept.write.mode("append").parquet(parquet.text)
    told = kept.withColumn("directory", F.parse_json("directory")) if "directory" in kept.columns else kept
    told.write.mode("append").json((out / "jsonl" / table).text, ignoreNullFields=False)
    kept.unpersist()
    system, path = parquet.resolve()
    return int(ds.dataset(path, TABLES[table], filesystem=system, format="parquet").count_rows())
