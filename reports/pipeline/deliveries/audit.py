"""``mqconform audit deliveries``: logs in, a verdict for each stream and what is wrong in it out."""

import re
from typing import TYPE_CHECKING, Any, Final

import pyarrow.compute as pc

from mqconform.reference.eod.findings import RULES, Finding
from mqconform.reports.pipeline.commit import mark_whole, new_output, publish, write_json
from mqconform.reports.pipeline.deliveries.tables import FAIL, INCONCLUSIVE, PASS, check_columns
from mqconform.reports.pipeline.deliveries.tasks import COUNTS, Judged, Sums, summed
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.session import FEW_ROWS, ROWS_IN_SPARK, SessionSettings, settings_of, spark_session
from mqconform.reports.pipeline.storage import Place, files_in, octets_in, place_of
from mqconform.reports.pipeline.watching import watched

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_FORMS: Final = {".parquet": "parquet", ".csv": "csv", ".csv.gz": "csv", ".jsonl": "json", ".jsonl.gz": "json",
                 ".ndjson": "json", ".ndjson.gz": "json"}  # fmt: skip
_PATTERN: Final = re.compile(r"[][{}*?\\]")
"""What Spark takes for a pattern in a path unless a backslash stands before it."""
_SAYS: Final = {str(finding.name).lower(): RULES[finding].says for finding in Finding}
FEW_OCTETS: Final = 2**23
"""Octets of a log below which compiling the queries takes longer than reading it."""
MANY_OCTETS: Final = 2**27
"""Octets from which on the optimising compiler of the JVM is worth its time: 1 M entries of CSV took 24 s of processors
without it and 30 s with it, start included."""


def run(log: str, out: str, *, healed: bool, master: str | None, conf: tuple[str, ...]) -> dict[str, Any]:
    """Audit recorded delivery logs on Spark and return the summary.

    Args:
        log: a file, or a folder of files.
        out: a new or empty folder.
        healed: whether the log goes on until everything had arrived.
        master: master URL of Spark.
        conf: entries ``KEY=VALUE`` of Spark's configuration.

    Raises:
        ModelError: what was given cannot be used, or Spark does not start.
    """
    settings = settings_of(master, conf)
    files, _ = log_files(log)
    with new_output(place_of(out)):
        pass  # report unusable input before Spark takes its seconds to start
    tuned = SessionSettings(settings.master, _suited(octets_in(files)) | dict(settings.conf))
    with spark_session(tuned, "mqconform audit deliveries") as spark:
        return audit_deliveries(spark, log, out, healed=healed)


def _suited(octets: int) -> dict[str, str]:
    """Return the configuration for a log of some octets."""
    if octets < FEW_OCTETS:
        return FEW_ROWS
    return ROWS_IN_SPARK if octets >= MANY_OCTETS else {}


def audit_deliveries(spark: "SparkSession", log: str, out: str, *, healed: bool) -> dict[str, Any]:
    """Judge recorded delivery logs and return the summary that was written.

    Args:
        spark: the session.
        log: a file, or a folder of files of one form.
        out: a folder that does not exist yet, or is empty.
        healed: whether the log goes on until everything had arrived.

    Raises:
        UnusableInput: the log cannot be read, or the folder cannot be written.
        OutputLost: the folder could not be written any more.
    """
    entries, place = read_log(spark, log), place_of(out)
    check_columns(entries.columns, place_of(log).text)
    with new_output(place) as staging:
        with watched(spark, "auditing deliveries"):
            judged = _judged(entries, log, staging, healed=healed)
        if not judged:
            raise UnusableInput(f"{place_of(log).text}: the log has no entry")
        for folder in ("streams", "findings"):
            files = {f"part-{number:05d}.parquet": getattr(part, folder) for number, part in enumerate(judged)}
            publish(staging, files, place / folder)
        summary = _summary(summed([part.sums for part in judged]), place_of(log).text, healed=healed)
        write_json(place / "summary.json", summary)
        mark_whole(place)
    return summary


def _judged(entries: "DataFrame", log: str, staging: Place, *, healed: bool) -> list[Judged]:
    from mqconform.reports.pipeline.deliveries.frames import judged_into_files  # noqa: PLC0415 - needs Spark
    from mqconform.reports.pipeline.failed_jobs import JOB_FAILURES, root_cause, system_error  # noqa: PLC0415

    try:
        return judged_into_files(entries, staging, healed=healed)
    except JOB_FAILURES as error:
        if (refused := system_error(error)) is not None:
            raise refused from error
        raise UnusableInput(f"{log}: {root_cause(error)}") from error


def log_files(log: str) -> tuple[list[Place], str]:
    """Return the files of a log, and their form.

    Raises:
        UnusableInput: nothing is there, the files differ in form, or Spark would pass over one.
    """
    files = files_in(place_of(log), tuple(_FORMS))
    forms = {form for file in files for suffix, form in _FORMS.items() if file.name.lower().endswith(suffix)}
    if len(forms) != 1:
        names = " and ".join(sorted(forms)) or "none that is known"
        raise UnusableInput(f"{log}: the form of the files is {names}; give files that end in {', '.join(_FORMS)}")
    if hidden := [file.text for file in files if file.name.startswith(("_", "."))]:
        raise UnusableInput(f"{hidden[0]}: Spark passes over names that begin with _ or a dot; rename the file")
    return files, forms.pop()


def read_log(spark: "SparkSession", log: str) -> "DataFrame":
    """Return a log as Spark reads its files: Parquet, CSV with a header, or a JSON object on each line.

    Raises:
        UnusableInput: nothing is there, the files differ in form, or they cannot be read.
    """
    from mqconform.reports.pipeline.failed_jobs import JOB_FAILURES, root_cause  # noqa: PLC0415 - rarely needed

    files, form = log_files(log)
    reader, paths = spark.read, [_PATTERN.sub(r"\\\g<0>", file.text) for file in files]
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


def _summary(sums: Sums, log: str, *, healed: bool) -> dict[str, Any]:
    streams = {row["verdict"]: row["streams"] for row in sums.verdicts.to_pylist()}
    return {
        "log": log,
        "complete": healed,
        **{name: pc.sum(sums.verdicts.column(name)).as_py() for name in ("streams", *COUNTS)},
        "verdicts": {name: streams.get(name, 0) for name in (PASS, FAIL, INCONCLUSIVE)},
        "requirements": [rule | {"says": _SAYS[rule["finding"]]} for rule in sums.rules.to_pylist()],
        "worst": sums.worst.to_pylist(),
    }
