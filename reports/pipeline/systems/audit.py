"""``audit deliveries --system``: logs of systems in, a verdict for each message and each answer of a router out."""

from typing import TYPE_CHECKING, Any, Final

from pyarrow import fs
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it

from mqconform.reference.mqso.topology import Topology
from mqconform.reports.pipeline.commit import mark_whole, new_output, publish, write_json
from mqconform.reports.pipeline.deliveries.audit import log_files, read_log
from mqconform.reports.pipeline.failed_jobs import JOB_FAILURES, root_cause, system_error
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.session import ROWS_IN_SPARK, SessionSettings, settings_of, spark_session
from mqconform.reports.pipeline.storage import Place, place_of
from mqconform.reports.pipeline.systems.frames import (
    broken_promises_of,
    check_columns,
    judge_hops,
    judge_messages,
    shaped_log,
)
from mqconform.reports.pipeline.systems.tables import FAIL, INCONCLUSIVE, PASS
from mqconform.reports.pipeline.watching import watched

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

EXAMPLES: Final = 20
"""Broken promises that the summary shows."""
_VERDICTS: Final = (PASS, FAIL, INCONCLUSIVE)


def run(  # noqa: PLR0913 - one parameter for each option
    log: str, out: str, *, complete: bool, topology: Topology | None, master: str | None, conf: tuple[str, ...]
) -> dict[str, Any]:
    """Audit logs of systems on Spark and return the summary.

    Args:
        log: a file, or a folder of files.
        out: a new or empty folder.
        complete: whether the log goes on until all failures were over and all queues were empty.
        topology: the enterprise by which routers are judged, None to leave them alone.
        master: master URL of Spark.
        conf: entries ``KEY=VALUE`` of Spark's configuration.

    Raises:
        ModelError: what was given cannot be used, or Spark does not start.
    """
    asked = settings_of(master, conf)
    settings = SessionSettings(asked.master, ROWS_IN_SPARK | dict(asked.conf))
    log_files(log)
    with new_output(place_of(out)):
        pass  # report unusable input before Spark takes its seconds to start
    with spark_session(settings, "mqconform audit deliveries --system") as spark:
        return audit_systems(spark, log, out, complete=complete, topology=topology)


def audit_systems(
    spark: "SparkSession", log: str, out: str, *, complete: bool, topology: Topology | None = None
) -> dict[str, Any]:
    """Judge logs of systems and return the summary that was written.

    Args:
        spark: the session.
        log: a file, or a folder of files of one form: Parquet, CSV or JSON Lines.
        out: a folder that does not exist yet, or is empty.
        complete: as for ``judge_messages``.
        topology: by which routers are judged, None to leave them alone.

    Raises:
        UnusableInput: the log cannot be read, or the folder cannot be written.
    """
    place = place_of(out)
    with new_output(place) as staging, watched(spark, "auditing a system"):
        try:
            entries = read_log(spark, log)
            check_columns(entries.columns, place_of(log).text)
            counts = _counts(entries)
            if not counts["entries"]:
                raise UnusableInput(f"{place_of(log).text}: the log has no entry")
            if counts["unusable"] == counts["entries"]:
                raise UnusableInput(
                    f"{place_of(log).text}: no entry can be used; each needs an event, a machine and a position"
                )
            messages = _kept(judge_messages(entries, complete=complete), staging, place, "messages")
            broken = _kept(broken_promises_of(messages), staging, place, "broken")
            summary = {"log": place_of(log).text, "complete": complete, **counts}
            summary |= {"messages": _verdicts(messages), "broken": _broken(broken), "examples": _examples(broken)}
            if topology is not None:
                hops = _kept(judge_hops(entries, topology), staging, place, "hops")
                strays = hops.where(F.col("verdict") == FAIL).orderBy("history", "position").limit(EXAMPLES)
                summary |= {"hops": _verdicts(hops), "strays": [row["says"] for row in strays.collect()]}
        except JOB_FAILURES as error:
            if (refused := system_error(error)) is not None:
                raise refused from error
            raise UnusableInput(f"{log}: {root_cause(error)}") from error
        write_json(place / "summary.json", summary)
        mark_whole(place)
    return summary


def _counts(entries: "DataFrame") -> dict[str, int]:
    shaped = shaped_log(entries)
    counted = shaped.agg(F.count("*").alias("entries"), F.count_if(~F.col("usable")).alias("unusable")).collect()[0]
    return {name: int(counted[name]) for name in ("entries", "unusable")}


def _kept(rows: "DataFrame", staging: Place, out: Place, name: str) -> "DataFrame":
    """Write rows as Parquet into a folder of the output, whole or not at all, and return what was written."""
    written = staging / name
    rows.write.parquet(written.text)
    system, path = written.resolve()
    infos = system.get_file_info(fs.FileSelector(path))
    files = [info.base_name for info in infos if info.base_name.endswith(".parquet")]
    publish(written, {file: file for file in files}, out / name)
    return rows.sparkSession.read.schema(rows.schema).parquet((out / name).text)


def _verdicts(rows: "DataFrame") -> dict[str, int]:
    counted = {row["verdict"]: row["count"] for row in rows.groupBy("verdict").count().collect()}
    return {verdict: counted.get(verdict, 0) for verdict in _VERDICTS}


def _broken(broken: "DataFrame") -> list[dict[str, Any]]:
    counted = broken.groupBy("requirement").agg(
        F.count("*").alias("found"), F.count_distinct("history").alias("histories")
    )
    return [row.asDict() for row in counted.orderBy("requirement").collect()]


def _examples(broken: "DataFrame") -> list[dict[str, Any]]:
    examples = broken.select("history", "message", "requirement", "says").orderBy("requirement", "history", "message")
    return [row.asDict() for row in examples.limit(EXAMPLES).collect()]
