"""``mqconform audit deliveries``: logs in, a verdict for each stream and what is wrong in it out."""

from typing import TYPE_CHECKING, Any, Final

from mqconform.reference.eod.findings import RULES, Finding
from mqconform.reports.pipeline.commit import mark_whole, new_output, write_json
from mqconform.reports.pipeline.deliveries.frames import (
    by_requirement,
    findings_of_streams,
    judged_streams,
    ordered_log,
    totals,
)
from mqconform.reports.pipeline.failed_jobs import JOB_FAILURES, root_cause
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.storage import files_in, place_of
from mqconform.reports.pipeline.watching import watched

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

WORST: Final = 20
"""Streams that the summary names."""

_FORMS: Final = {".parquet": "parquet", ".csv": "csv", ".csv.gz": "csv", ".jsonl": "json", ".jsonl.gz": "json",
                 ".ndjson": "json", ".ndjson.gz": "json"}  # fmt: skip
_SAYS: Final = {str(one.name).lower(): RULES[one].says for one in Finding}


def audit_deliveries(spark: "SparkSession", log: str, out: str, *, healed: bool) -> dict[str, Any]:
    """Judge recorded delivery logs and return the summary that was written.

    Args:
        spark: the session.
        log: a file, or a folder of files of one form.
        out: a folder that does not exist yet, or is empty.
        healed: whether the log goes on until everything had arrived.

    Raises:
        UnusableInput: the log cannot be read, or the folder cannot be written.
    """
    ordered = ordered_log(read_log(spark, log))
    place = place_of(out)
    try:
        with new_output(place), watched(spark, "auditing deliveries"):
            judged_streams(ordered, healed=healed).write.parquet((place / "streams").text)
            streams = spark.read.parquet((place / "streams").text)
            summary = _summary(streams, place_of(log).text, healed=healed)
            findings_of_streams(streams).write.parquet((place / "findings").text)
            write_json(place / "summary.json", summary)
    except JOB_FAILURES as error:
        raise UnusableInput(f"{log}: {root_cause(error)}") from error
    mark_whole(place)
    return summary


def read_log(spark: "SparkSession", log: str) -> "DataFrame":
    """Return a log as it lies in its files: Parquet, CSV with a header, or a JSON object on each line.

    Raises:
        UnusableInput: nothing is there, the files differ in form, or they cannot be read.
    """
    files = files_in(place_of(log), tuple(_FORMS))
    forms = {form for file in files for suffix, form in _FORMS.items() if file.name.lower().endswith(suffix)}
    if len(forms) != 1:
        told = " and ".join(sorted(forms)) or "none that is known"
        raise UnusableInput(f"{log}: the form of the files is {told}; give files that end in {', '.join(_FORMS)}")
    reader, paths = spark.read, [file.text for file in files]
    try:
        match forms.pop():
            case "parquet":
                return reader.parquet(*paths)
            case "csv":
                return reader.csv(paths, header=True)
            case _:
                return reader.json(paths, primitivesAsString=True)
    except JOB_FAILURES as error:
        raise UnusableInput(f"{log}: cannot be read: {root_cause(error)}") from error


def _summary(streams: "DataFrame", log: str, *, healed: bool) -> dict[str, Any]:
    sums = totals(streams).first()
    assert sums is not None, "an aggregate without keys has one row"
    if not sums["streams"]:
        raise UnusableInput(f"{log}: the log has no entry")
    worst = streams.where("found > 0").orderBy("found", "stream", ascending=[False, True]).limit(WORST)
    found = by_requirement(streams).orderBy("requirement", "finding").collect()
    return {
        "log": log,
        "complete": healed,
        **{name: sums[name] for name in ("streams", "entries", "deliveries", "unusable", "found")},
        "verdicts": {name: sums[name] for name in ("pass", "fail", "inconclusive")},
        "requirements": [one.asDict() | {"says": _SAYS[one["finding"]]} for one in found],
        "worst": [one.asDict() for one in worst.select("stream", "entries", "found", "verdict").collect()],
    }
