"""Files of rows, as Spark reads them: Parquet, CSV with a header, or a JSON object on each line, gzipped or not."""

from typing import TYPE_CHECKING, Final

from mqconform.reports.pipeline.problems import CORRUPT, UnusableInput
from mqconform.reports.pipeline.storage import Place, files_in

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARQUET, CSV, JSON_LINES = "parquet", "csv", "json"
FORMS: Final = {".parquet": PARQUET, ".csv": CSV, ".csv.gz": CSV, ".jsonl": JSON_LINES, ".jsonl.gz": JSON_LINES,
                ".ndjson": JSON_LINES, ".ndjson.gz": JSON_LINES}  # fmt: skip


def row_files(place: Place) -> tuple[list[Place], str]:
    """Return the files in a place, and their form.

    Raises:
        UnusableInput: nothing is there, the files differ in form, or Spark would pass over one.
    """
    files = files_in(place, tuple(FORMS))
    forms = {form for file in files for suffix, form in FORMS.items() if file.name.lower().endswith(suffix)}
    if len(forms) != 1:
        names = " and ".join(sorted(forms)) or "none that is known"
        raise UnusableInput(
            f"{place.text}: the form of the files is {names}; give files that end in {', '.join(FORMS)}"
        )
    if hidden := [file.text for file in files if file.name.startswith(("_", "."))]:
        raise UnusableInput(f"{hidden[0]}: Spark passes over names that begin with _ or a dot; rename the file")
    return files, forms.pop()


def read_rows(spark: "SparkSession", place: Place, *, as_text: bool) -> "DataFrame":
    """Return the rows of files; of text with ``CORRUPT``, which has a line that holds no row, and is null elsewhere.

    Args:
        spark: the session.
        place: a file, or a folder of files of one form.
        as_text: whether numbers and Booleans of JSON are text.

    Raises:
        UnusableInput: nothing is there, the files differ in form, or they cannot be read.
    """
    from pyspark.sql import functions as F  # noqa: N812, PLC0415 - needs Spark
    from pyspark.sql.types import StringType, StructField, StructType  # noqa: PLC0415

    from mqconform.reports.pipeline.failed_jobs import JOB_FAILURES, root_cause  # noqa: PLC0415

    files, form = row_files(place)
    paths = [file.pattern for file in files]
    try:
        if form == PARQUET:
            return spark.read.parquet(*paths)
        if form == CSV:
            names = [name.removeprefix("\ufeff") for name in spark.read.csv(paths[:1], header=True).columns]
            if not names:
                raise UnusableInput(f"{files[0].text}: is empty; the first line must be a header")
            schema = StructType([StructField(name, StringType()) for name in [*names, CORRUPT]])
            options: dict[str, bool | str] = {"header": True, "enforceSchema": False}
            options["columnNameOfCorruptRecord"] = CORRUPT
            return spark.read.schema(schema).options(**options).csv(paths)
        rows = spark.read.json(paths, primitivesAsString=as_text)
        if rows.columns == [CORRUPT]:
            raise UnusableInput(f"{place.text}: no line is a JSON object; give one object on each line")
        return rows if CORRUPT in rows.columns else rows.withColumn(CORRUPT, F.lit(None).cast("string"))
    except JOB_FAILURES as error:
        raise UnusableInput(f"{place.text}: cannot be read: {root_cause(error)}") from error
