"""``mqconform audit captures``: captures in, verdicts on packets and conversations, sums and examples out."""

from collections.abc import Sequence
from typing import Any, Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import from_arrow_schema

from mqconform.reports.pipeline.captures.bulk_datagrams import KINDS
from mqconform.reports.pipeline.captures.conversation_frames import judge_conversations
from mqconform.reports.pipeline.captures.facts import facts_of
from mqconform.reports.pipeline.captures.frames import from_fragments
from mqconform.reports.pipeline.captures.judging import ROWS, Settings
from mqconform.reports.pipeline.captures.source import FORMAT, Captures, captures_in
from mqconform.reports.pipeline.captures.summary import Tables, summary_of
from mqconform.reports.pipeline.failed_jobs import refusals
from mqconform.reports.pipeline.output import check_output, new_output, publish_table, write_json, write_text, written
from mqconform.reports.pipeline.pages import page_of
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.session import session_for, settings_of, watched
from mqconform.reports.pipeline.storage import Place, place_of

_SCHEMA: Final = from_arrow_schema(ROWS)


def run(  # noqa: PLR0913 - one parameter for each option
    captures: str,
    out: str,
    *,
    facts: Sequence[str],
    ports: Sequence[int],
    profile: str,
    master: str | None,
    conf: tuple[str, ...],
) -> dict[str, Any]:
    """Audit captures on Spark and return the summary (audit_captures.schema.json); see ``audit_captures``.

    Raises:
        ModelError: what was given cannot be used, or Spark does not start.
    """
    facts_of(facts)
    octets = sum(piece.octets for piece in captures_in(place_of(captures)))
    check_output(place_of(out))  # report what cannot be used before Spark takes its seconds to start
    with session_for(octets, settings_of(master, conf), "mqconform audit captures") as spark:
        return audit_captures(spark, captures, out, profile=profile, facts=facts, ports=tuple(dict.fromkeys(ports)))


def audit_captures(  # noqa: PLR0913 - what a user may say
    spark: SparkSession,
    captures: str,
    out: str,
    *,
    profile: str = "default",
    facts: Sequence[str] = (),
    ports: tuple[int, ...] = Settings().ports,
) -> dict[str, Any]:
    """Judge captured packets of discovery and the conversations in them (MS-MQSD); return the summary that was written.

    Raises:
        UnusableInput: there is no capture, or the folder cannot be written.
    """
    asked, place = place_of(captures), place_of(out)
    settings = Settings(profile, facts_of(facts), ports)
    spark.dataSource.register(Captures)
    options = {"profile": profile, "facts": "\n".join(facts), "ports": ",".join(map(str, ports))}
    with new_output(place) as staging, watched(spark, "auditing captures"), refusals(asked.text, place.text):
        rows, counts = _rows(spark.read.format(FORMAT).options(**options).load(asked.text), settings, staging / "rows")
        if not sum(counts.get(kind, 0) for kind in KINDS):
            raise _nothing_read(rows, asked)
        problems = rows.where("kind = 'problem'")
        quarantine = written(
            problems.select("file", "offset", "length", "frame", F.col("problem").alias("reason")).coalesce(1),
            staging / "quarantine",
        )
        packets = rows.where("kind = 'packet'").drop("kind")
        judged = judge_conversations(packets, profile=profile, facts=settings.facts)
        conversations = written(judged, staging / "conversations")
        tables = Tables(packets, conversations, quarantine, counts)
        summary = summary_of(tables, asked.text, settings)
        for name in ("conversations", "quarantine"):
            publish_table(staging / name, getattr(tables, name), place / name)
        publish_table(staging / "rows" / "kind=packet", packets, place / "packets")
        write_json(place / "summary.json", summary)
        write_text(place / "index.html", page_of("captures", summary))
    return summary


def _rows(captured: DataFrame, settings: Settings, place: Place) -> tuple[DataFrame, dict[str, int]]:
    """Write the rows of captures by their kind, fragments put together; return them, and what was counted."""
    captured.write.partitionBy("kind").parquet(place.text)
    rows = _read(captured, place)
    fragments = rows.where("kind = 'fragment'")
    if not fragments.isEmpty():
        from_fragments(fragments, settings).write.mode("append").partitionBy("kind").parquet(place.text)
        rows = _read(captured, place)
    counted = rows.where("kind = 'counts'").select(F.explode("counts")).groupBy("key").agg(F.sum("value"))
    return rows, {row[0]: row[1] for row in counted.collect()}


def _read(captured: DataFrame, place: Place) -> DataFrame:
    return captured.sparkSession.read.schema(_SCHEMA).parquet(place.pattern).select(*ROWS.names)


def _nothing_read(rows: DataFrame, asked: Place) -> UnusableInput:
    """Return the refusal of captures without a frame: an audit of them would be green after having judged nothing."""
    problems = rows.where("kind = 'problem'").groupBy("problem").count().orderBy(F.desc("count"), "problem").limit(3)
    reasons = "; ".join(f"{row['problem']} ({row['count']})" for row in problems.collect())
    return UnusableInput(
        f"{asked.text}: no frame could be read{f': {reasons}' if reasons else ''}; "
        "name captures in the form of pcap or pcapng"
    )
