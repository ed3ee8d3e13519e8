"""``mqconform audit deliveries``: logs of streams, or of whole systems, in; verdicts and what is wrong out."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it

from mqconform.reference.history.streams import Finding
from mqconform.reference.mqso.routes import Topology
from mqconform.reports.pipeline.deliveries import systems
from mqconform.reports.pipeline.deliveries.frames import COUNTS, FAIL, findings_of, judge_deliveries
from mqconform.reports.pipeline.failed_jobs import refusals
from mqconform.reports.pipeline.output import check_output, new_output, publish_table, write_json, written
from mqconform.reports.pipeline.problems import ROW, UnusableInput
from mqconform.reports.pipeline.session import session_for, settings_of, watched
from mqconform.reports.pipeline.storage import octets_in, place_of, read_rows, row_files
from mqconform.reports.pipeline.summary_text import VERDICTS

WORST: Final = 20
"""Streams, or broken promises, that the summary names."""

Record = dict[str, Any]
Keep = Callable[[DataFrame, str], DataFrame]
"""Writes a table of a name, and returns it as it is read from there."""
History = Callable[[DataFrame, Keep], Record]
"""Judges the entries of a log as one kind of history, keeps its tables, and returns what the summary says of them."""


def run(log: str, out: str, history: History, *, master: str | None, conf: tuple[str, ...]) -> Record:
    """Audit a log, a file or a folder of files of one form, on Spark as ``of_streams`` or ``of_system`` says.

    Raises:
        ModelError: what was given cannot be used, or Spark does not start.
    """
    files, _ = row_files(place_of(log))
    check_output(place_of(out))  # report what cannot be used before Spark takes its seconds to start
    with session_for(octets_in(files), settings_of(master, conf), "mqconform audit deliveries") as spark:
        return audit_log(spark, log, out, history)


def audit_log(spark: SparkSession, log: str, out: str, history: History) -> Record:
    """Judge a log and return the summary that was written; see ``run``."""
    asked, place = place_of(log), place_of(out)
    with new_output(place) as staging, watched(spark, "auditing deliveries"), refusals(asked.text, place.text):
        tables: dict[str, DataFrame] = {}

        def keep(rows: DataFrame, name: str) -> DataFrame:
            tables[name] = written(rows, staging / name)
            return tables[name]

        entries = read_rows(spark, asked, as_text=True).withColumn(ROW, F.monotonically_increasing_id())
        summary = {"log": asked.text} | history(entries, keep)
        for name, table in tables.items():
            publish_table(staging / name, table, place / name)
        write_json(place / "summary.json", summary)
    return summary


def of_streams(*, complete: bool, from_start: bool) -> History:
    """Return how logs of streams are judged; ``complete`` and ``from_start`` are their ``healed`` and ``begun``."""

    def judge(entries: DataFrame, keep: Keep) -> Record:
        streams = keep(judge_deliveries(entries, healed=complete, begun=from_start), "streams")
        verdicts = _verdicts(streams)
        if not any(verdicts.values()):
            raise UnusableInput("the log has no entry; name a log that has some")
        findings = keep(findings_of(streams), "findings")
        rules = _rules(findings, ("requirement", "finding", "role"), "stream", "streams")
        worst = streams.where("found > 0").select("stream", "entries", "found", "verdict")
        return {
            "complete": complete,
            "streams": sum(verdicts.values()),
            **streams.agg(*(F.sum(name).alias(name) for name in COUNTS)).collect()[0].asDict(),
            "verdicts": verdicts,
            "requirements": [rule | {"says": Finding[rule["finding"].upper()].says} for rule in rules],
            "worst": _first(worst, F.desc("found"), "stream"),
        }

    return judge


def of_system(*, complete: bool, topology: Topology | None = None) -> History:
    """Return how logs of whole systems are judged; without a topology, routers are left alone."""

    def judge(entries: DataFrame, keep: Keep) -> Record:
        shaped = systems.shaped_log(entries)
        counts = shaped.agg(F.count("*").alias("entries"), F.count_if(~F.col("usable")).alias("unusable"))
        counted = counts.collect()[0].asDict()
        if not counted["entries"]:
            raise UnusableInput("the log has no entry; name a log that has some")
        if counted["unusable"] == counted["entries"]:
            raise UnusableInput("no entry of the log can be used; each needs an event, a machine and a position")
        messages = keep(systems.judge_messages(entries, complete=complete), "messages")
        broken = keep(systems.broken_promises_of(messages), "broken")
        examples = broken.select("history", "message", "requirement", "says")
        summary = {
            "complete": complete,
            **counted,
            "messages": _verdicts(messages),
            "broken": _rules(broken, ("requirement",), "history", "histories"),
            "examples": _first(examples, "requirement", "history", "message"),
        }
        if topology is not None:
            hops = keep(systems.judge_hops(entries, topology), "hops")
            strays = _first(hops.where(F.col("verdict") == FAIL), "history", "position")
            summary |= {"hops": _verdicts(hops), "strays": [row["says"] for row in strays]}
        return summary

    return judge


def _verdicts(judged: DataFrame) -> dict[str, int]:
    counted = {row["verdict"]: row["count"] for row in judged.groupBy("verdict").count().collect()}
    return {verdict: counted.get(verdict, 0) for verdict in VERDICTS}


def _rules(broken: DataFrame, rule: Sequence[str], owner: str, owners: str) -> list[Record]:
    """Return how often each rule was broken, and by how many different ``owners``."""
    counts = F.count("*").alias("found"), F.count_distinct(owner).alias(owners)
    return [row.asDict() for row in broken.groupBy(*rule).agg(*counts).orderBy(*rule).collect()]


def _first(rows: DataFrame, *order: Column | str) -> list[Record]:
    return [row.asDict() for row in rows.orderBy(*order).limit(WORST).collect()]
