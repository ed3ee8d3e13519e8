"""``mqconform audit deliveries``: logs in, a verdict for each stream and what is wrong in it out."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import pyarrow as pa

from mqconform.reference.eod.findings import RULES, Finding
from mqconform.reports.pipeline.commit import mark_whole, new_output, publish, write_json
from mqconform.reports.pipeline.deliveries.handing import Batch
from mqconform.reports.pipeline.deliveries.reading import OCTETS_OF_ROW, planned
from mqconform.reports.pipeline.deliveries.shaping import Odd
from mqconform.reports.pipeline.deliveries.tables import FAIL, INCONCLUSIVE, PASS
from mqconform.reports.pipeline.deliveries.tasks import COUNTS, Bucket, Judged, Tally, judge_bucket, read_piece
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.storage import Place, files_in, place_of
from mqconform.reports.pipeline.watching import watched
from mqconform.reports.pipeline.workers import run_tasks

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROWS_OF_BUCKET: Final = 500_000
"""Entries whose streams one task judges, about."""
FEW: Final = 50_000
"""Entries that one task judges faster than several are started."""
MOST_BUCKETS: Final = 1_024

_FORMS: Final = {".parquet": "parquet", ".csv": "csv", ".csv.gz": "csv", ".jsonl": "json", ".jsonl.gz": "json",
                 ".ndjson": "json", ".ndjson.gz": "json"}  # fmt: skip
_SAYS: Final = {str(one.name).lower(): RULES[one].says for one in Finding}

T = TypeVar("T")
U = TypeVar("U")


def audit_deliveries(spark: "SparkSession", log: str, out: str, *, healed: bool) -> dict[str, Any]:
    """Judge recorded delivery logs and return the summary that was written.

    Tasks read the log and write verdicts themselves, as moving texts into the JVM and back costs more than judging
    them. A log in which anything may be read in more than one way is read by Spark instead, with the same outcome.

    Args:
        spark: the session.
        log: a file, or a folder of files of one form.
        out: a folder that does not exist yet, or is empty.
        healed: whether the log goes on until everything had arrived.

    Raises:
        UnusableInput: the log cannot be read, or the folder cannot be written.
    """
    files, form = log_files(log)
    place = place_of(out)
    with new_output(place) as staging:
        job = _Job(spark, files, form, staging)
        with watched(spark, "auditing deliveries"):
            batches = job.batches(log)
            judged = job.judged(batches, healed=healed)
        if not judged:
            raise UnusableInput(f"{place_of(log).text}: the log has no entry")
        for folder in ("streams", "findings"):
            publish(staging, {f"part-{one.number:05d}.parquet": getattr(one, folder) for one in judged}, place / folder)
        summary = _summary(judged, place_of(log).text, healed=healed)
        write_json(place / "summary.json", summary)
    mark_whole(place)
    return summary


class _Job:
    """The stages of an audit."""

    def __init__(self, spark: "SparkSession", files: Sequence[Place], form: str, staging: Place) -> None:
        self._spark, self._files, self._form, self._staging = spark, files, form, staging
        self._cores = max(1, spark.sparkContext.defaultParallelism)
        self._buckets = 1

    def batches(self, log: str) -> list[Batch]:
        """Hand the entries of a log on, read by tasks where that is certain to be right, else by Spark."""
        try:
            pieces = planned(self._files, self._form, _zone(self._spark))
        except (Odd, OSError, pa.ArrowException):
            return self._through_spark(log)
        self._buckets = self._buckets_for(sum(piece.rows for piece in pieces))
        buckets, staging = self._buckets, self._staging
        found = self._tasks([*enumerate(pieces)], lambda one: read_piece(one[1], one[0], buckets, staging))
        batches = [one for one in found if not isinstance(one, str)]
        if len(batches) < len(found):
            return self._through_spark(log)
        return [batch for some in batches for batch in some]

    def judged(self, batches: Sequence[Batch], *, healed: bool) -> list[Judged]:
        """Judge the streams of all entries."""
        by_bucket: dict[int, list[Batch]] = {}
        for batch in batches:
            by_bucket.setdefault(batch.bucket, []).append(batch)
        buckets = [Bucket(number, tuple(own)) for number, own in sorted(by_bucket.items())]
        staging = self._staging
        return self._tasks(buckets, lambda bucket: judge_bucket(bucket, staging, healed=healed))

    def _through_spark(self, log: str) -> list[Batch]:
        from mqconform.reports.pipeline.deliveries.frames import handed_on, shaped_log  # noqa: PLC0415 - rarely needed
        from mqconform.reports.pipeline.failed_jobs import JOB_FAILURES, root_cause  # noqa: PLC0415

        octets = sum(place.resolve()[0].get_file_info(place.resolve()[1]).size or 0 for place in self._files)
        self._buckets = self._buckets_for(octets // OCTETS_OF_ROW * (4 if self._form == "parquet" else 1))
        shaped = shaped_log(read_log(self._spark, log))
        try:
            return handed_on(shaped, self._buckets, self._staging)
        except JOB_FAILURES as error:
            raise UnusableInput(f"{log}: {root_cause(error)}") from error

    def _buckets_for(self, rows: int) -> int:
        least = 1 if rows < FEW else self._cores
        return min(MOST_BUCKETS, max(least, rows // ROWS_OF_BUCKET))

    def _tasks(self, inputs: Sequence[T], task: Callable[[T], U]) -> list[U]:
        """Return what a task makes of each input, in their order; each input is a task of Spark's."""
        return run_tasks(self._spark, inputs, task)


def _zone(spark: "SparkSession") -> str:
    return str(spark.sparkContext.getConf().get("spark.sql.session.timeZone", ""))


def log_files(log: str) -> tuple[list[Place], str]:
    """Return the files of a log, and their form.

    Raises:
        UnusableInput: nothing is there, or the files differ in form.
    """
    files = files_in(place_of(log), tuple(_FORMS))
    forms = {form for file in files for suffix, form in _FORMS.items() if file.name.lower().endswith(suffix)}
    if len(forms) != 1:
        told = " and ".join(sorted(forms)) or "none that is known"
        raise UnusableInput(f"{log}: the form of the files is {told}; give files that end in {', '.join(_FORMS)}")
    return files, forms.pop()


def read_log(spark: "SparkSession", log: str) -> "DataFrame":
    """Return a log as Spark reads its files: Parquet, CSV with a header, or a JSON object on each line.

    Raises:
        UnusableInput: nothing is there, the files differ in form, or they cannot be read.
    """
    from mqconform.reports.pipeline.failed_jobs import JOB_FAILURES, root_cause  # noqa: PLC0415 - rarely needed

    files, form = log_files(log)
    reader, paths = spark.read, [file.text for file in files]
    try:
        match form:
            case "parquet":
                return reader.parquet(*paths)
            case "csv":
                return reader.csv(paths, header=True)
            case _:
                return reader.json(paths, primitivesAsString=True)
    except JOB_FAILURES as error:
        raise UnusableInput(f"{log}: cannot be read: {root_cause(error)}") from error


def _summary(judged: Sequence[Judged], log: str, *, healed: bool) -> dict[str, Any]:
    tally = Tally()
    for one in judged:
        tally.add(one.tally)
    return {
        "log": log,
        "complete": healed,
        **{name: tally.sums[name] for name in ("streams", *COUNTS)},
        "verdicts": {name: tally.verdicts[name] for name in (PASS, FAIL, INCONCLUSIVE)},
        "requirements": [
            {
                "requirement": requirement,
                "finding": finding,
                "role": role,
                "found": count,
                "streams": tally.streams[requirement, finding, role],
                "says": _SAYS[finding],
            }
            for (requirement, finding, role), count in sorted(tally.listed.items())
        ],
        "worst": [
            {"stream": stream, "entries": entries, "found": -found, "verdict": verdict}
            for found, stream, entries, verdict in tally.worst
        ],
    }
