"""``mqconform audit deliveries``: logs of streams, or of whole systems, in; verdicts and what is wrong out."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it

from mqconform.reference.history.streams import Finding
from mqconform.reference.mqso.routes import Topology
from mqconform.reports.pipeline.deliveries.frames import (
    COUNTS,
    FAIL,
    INCONCLUSIVE,
    PASS,
    findings_of,
    judge_deliveries,
    with_order,
)
from mqconform.reports.pipeline.failed_jobs import refusals
from mqconform.reports.pipeline.output import check_output, new_output, publish_table, write_json, written
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.session import session_for, settings_of, watched
from mqconform.reports.pipeline.storage import octets_in, place_of, read_rows, row_files
from mqconform.reports.pipeline.systems.frames import broken_promises_of, judge_hops, judge_messages, shaped_log

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

WORST: Final = 20
"""Streams, or broken promises, that the summary names."""
RULE: Final = ("requirement", "finding", "role")
_SAYS: Final = {finding.name.lower(): finding.says for finding in Finding}
_VERDICTS: Final = (PASS, FAIL, INCONCLUSIVE)

Record = dict[str, Any]
Keep = Callable[["DataFrame", str], "DataFrame"]
"""Writes a table of a name, and returns it as it is read from there."""
Audit = Callable[["DataFrame", Keep], Record]
"""Judges a log, keeps tables, and returns the summary."""


def run(log: str, out: str, audit: Audit, *, master: str | None, conf: tuple[str, ...]) -> Record:
    """Audit a log, a file or a folder of files of one form, on Spark as ``of_streams`` or ``of_system`` says.

    Raises:
        ModelError: what was given cannot be used, or Spark does not start.
    """
    files, _ = row_files(place_of(log))
    check_output(place_of(out))  # report what cannot be used before Spark takes its seconds to start
    with session_for(octets_in(files), settings_of(master, conf), "mqconform audit deliveries") as spark:
        return audit_log(spark, log, out, audit)


def audit_log(spark: "SparkSession", log: str, out: str, audit: Audit) -> Record:
    """Judge a log and return the summary that was written; see ``run``."""
    asked, place = place_of(log), place_of(out)
    with new_output(place) as staging, watched(spark, "auditing deliveries"), refusals(asked.text, place.text):
        entries = with_order(read_rows(spark, asked, as_text=True))
        tables: dict[str, DataFrame] = {}

        def keep(rows: "DataFrame", name: str) -> "DataFrame":
            tables[name] = written(rows, staging / name)
            return tables[name]

        summary = {"log": asked.text} | audit(entries, keep)
        for name, table in tables.items():
            publish_table(staging / name, table, place / name)
        write_json(place / "summary.json", summary)
    return summary


def of_streams(*, complete: bool, from_start: bool) -> Audit:
    """Return the audit of a log of streams; ``complete`` and ``from_start`` are its ``healed`` and ``begun``."""

    def audit(entries: "DataFrame", keep: Keep) -> Record:
        streams = keep(judge_deliveries(entries, healed=complete, begun=from_start), "streams")
        verdicts = streams.groupBy("verdict").agg(
            F.count("*").alias("streams"), *(F.sum(name).alias(name) for name in COUNTS)
        )
        counted = {row["verdict"]: row for row in verdicts.collect()}
        if not counted:
            raise UnusableInput("the log has no entry")
        findings = keep(findings_of(streams), "findings")
        rules = findings.groupBy(*RULE).agg(F.count("*").alias("found"), F.count_distinct("stream").alias("streams"))
        worst = streams.where("found > 0").select("stream", "entries", "found", "verdict")
        return {
            "complete": complete,
            **{name: sum(row[name] for row in counted.values()) for name in ("streams", *COUNTS)},
            "verdicts": {name: counted[name]["streams"] if name in counted else 0 for name in _VERDICTS},
            "requirements": [row.asDict() | {"says": _SAYS[row["finding"]]} for row in rules.orderBy(*RULE).collect()],
            "worst": [row.asDict() for row in worst.orderBy(F.desc("found"), "stream").limit(WORST).collect()],
        }

    return audit


def of_system(*, complete: bool, topology: Topology | None = None) -> Audit:
    """Return the audit of a log of whole systems; without a topology, routers are left alone."""

    def audit(entries: "DataFrame", keep: Keep) -> Record:
        counts = _entries(entries)
        messages = keep(judge_messages(entries, complete=complete), "messages")
        broken = keep(broken_promises_of(messages), "broken")
        summary = {"complete": complete, **counts, "messages": _verdicts(messages)}
        summary |= {"broken": _broken(broken), "examples": _examples(broken)}
        if topology is not None:
            hops = keep(judge_hops(entries, topology), "hops")
            strays = hops.where(F.col("verdict") == FAIL).orderBy("history", "position").limit(WORST)
            summary |= {"hops": _verdicts(hops), "strays": [row["says"] for row in strays.collect()]}
        return summary

    return audit


def _entries(entries: "DataFrame") -> dict[str, int]:
    counted = shaped_log(entries).agg(F.count("*").alias("entries"), F.count_if(~F.col("usable")).alias("unusable"))
    counts = {name: int(count) for name, count in counted.collect()[0].asDict().items()}
    if not counts["entries"]:
        raise UnusableInput("the log has no entry")
    if counts["unusable"] == counts["entries"]:
        raise UnusableInput("no entry of the log can be used; each needs an event, a machine and a position")
    return counts


def _verdicts(rows: "DataFrame") -> dict[str, int]:
    counted = {row["verdict"]: row["count"] for row in rows.groupBy("verdict").count().collect()}
    return {verdict: counted.get(verdict, 0) for verdict in _VERDICTS}


def _broken(broken: "DataFrame") -> list[Record]:
    counted = broken.groupBy("requirement").agg(
        F.count("*").alias("found"), F.count_distinct("history").alias("histories")
    )
    return [row.asDict() for row in counted.orderBy("requirement").collect()]


def _examples(broken: "DataFrame") -> list[Record]:
    examples = broken.select("history", "message", "requirement", "says").orderBy("requirement", "history", "message")
    return [row.asDict() for row in examples.limit(WORST).collect()]
