"""``mqconform audit deliveries``: logs in, a verdict for each stream and what is wrong in it out."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from mqconform.reference.eod.findings import RULES, Finding
from mqconform.reports.pipeline.commit import mark_whole, new_output, publish, write_json
from mqconform.reports.pipeline.deliveries.tables import FAIL, INCONCLUSIVE, PASS
from mqconform.reports.pipeline.deliveries.tasks import COUNTS, Judged, Tally
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.storage import Place, files_in, place_of
from mqconform.reports.pipeline.watching import watched

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_FORMS: Final = {".parquet": "parquet", ".csv": "csv", ".csv.gz": "csv", ".jsonl": "json", ".jsonl.gz": "json",
                 ".ndjson": "json", ".ndjson.gz": "json"}  # fmt: skip
_PATTERN: Final = re.compile(r"[][{}*?\\]")
"""What Spark takes for a pattern in a path unless a backslash stands before it."""
_SAYS: Final = {str(finding.name).lower(): RULES[finding].says for finding in Finding}


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
    with new_output(place) as staging:
        with watched(spark, "auditing deliveries"):
            judged = _judged(entries, log, staging, healed=healed)
        if not judged:
            raise UnusableInput(f"{place_of(log).text}: the log has no entry")
        for folder in ("streams", "findings"):
            files = {f"part-{number:05d}.parquet": getattr(part, folder) for number, part in enumerate(judged)}
            publish(staging, files, place / folder)
        summary = _summary(judged, place_of(log).text, healed=healed)
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


def _summary(judged: Sequence[Judged], log: str, *, healed: bool) -> dict[str, Any]:
    tally = Tally()
    for part in judged:
        tally.add(part.tally)
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
            {"stream": stream, "entries": entries, "found": -negative, "verdict": verdict}
            for negative, stream, entries, verdict in tally.worst
        ],
    }
