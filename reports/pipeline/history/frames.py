"""What a history shows, as functions from DataFrame to DataFrame; the schemas are those of ``tables``."""

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812 - the name that everybody gives it
from pyspark.sql.window import Window

from mqconform.reports.pipeline.history.rates import DUE, JUDGED, wilson
from mqconform.reports.pipeline.history.tables import KEY

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def findings(runs: "DataFrame") -> "DataFrame":
    """Return a row of ``FINDINGS`` for each requirement of each run; from rows of ``RUNS``."""
    return runs.select(*KEY, "version", "run", "time", F.inline("requirements")).select(
        *KEY, "version", "run", "time", "requirement", "level", "standing"
    )


def answers(runs: "DataFrame") -> "DataFrame":
    """Return a row of ``ANSWERS`` for each case of each run; from rows of ``RUNS``."""
    return runs.select(*KEY, "question", "build", "run", F.inline("cases"))


def coverage(runs: "DataFrame") -> "DataFrame":
    """Return a row of ``COVERAGE`` for each run; from rows of ``RUNS``.

    Coverage is the share of the requirements due that were judged; what an implementation does not offer, and what
    nothing could show, is not due.
    """
    standings = F.transform("requirements", lambda requirement: requirement["standing"])

    def number(*kinds: str) -> "Column":
        return F.size(F.filter(standings, lambda standing: standing.isin(*kinds))).cast("long")

    counted = [number(standing).alias(standing) for standing in ("verified", "violated", "inconclusive", "unverified")]
    rows = runs.select(
        *KEY, "version", "run", "time", "ended", "exit_code", *counted,
        number(*DUE).alias("due"), number(*JUDGED).alias("judged"),
    )  # fmt: skip
    share = F.when(F.col("due") > 0, F.col("judged") / F.col("due"))
    return rows.withColumn("coverage", share)


def first_bad(rows: "DataFrame") -> "DataFrame":
    """Return a row of ``FIRST_BAD`` for each requirement that is violated now; from rows of ``FINDINGS``.

    A requirement is violated now if no run since the last violation verified it. The first bad run is the first that
    violated it after the last that verified it.
    """
    when = F.struct("time", "run", "version")
    good = F.when(F.col("standing") == "verified", when)
    by_requirement = Window.partitionBy(*KEY, "requirement")
    since = rows.withColumn("last_good", F.max(good).over(by_requirement)).withColumn("when", when)
    bad = since.where(F.col("standing") == "violated").where(
        F.col("last_good").isNull() | (F.col("when") > F.col("last_good"))
    )
    return bad.groupBy(*KEY, "requirement").agg(
        F.max_by("level", "when").alias("level"),
        F.count("*").alias("bad_runs"),
        F.min("when").alias("first_bad"),
        F.first("last_good").alias("last_good"),
    )


def flakes(answered: "DataFrame") -> "DataFrame":
    """Return a row of ``FLAKES`` for each case that did not always answer alike; from rows of ``ANSWERS``.

    Only runs with the same question and a known build are compared; other differences have other causes. A run deviates
    if its answer is not the one that most runs of its question gave. The interval is Wilson's, of 95 in a hundred.
    """
    same = [*KEY, "case", "question", "build"]
    by_status = answered.where(F.col("build") != "").groupBy(*same, "status").agg(F.countDistinct("run").alias("alike"))
    asked = by_status.groupBy(*same).agg(F.sum("alike").alias("runs"), F.max("alike").alias("most"))
    totals = (
        asked.where(F.col("runs") > 1)
        .groupBy(*KEY, "case")
        .agg(F.sum("runs").alias("runs"), F.sum(F.col("runs") - F.col("most")).alias("deviating"))
        .where(F.col("deviating") > 0)
    )
    low, high = wilson(F.col("deviating"), F.col("runs"), F.sqrt)
    share = F.col("deviating") / F.col("runs")
    ends = F.greatest(F.lit(0.0), low).alias("low"), F.least(F.lit(1.0), high).alias("high")
    return totals.select("*", share.alias("rate"), *ends)


def matrix(rows: "DataFrame") -> "DataFrame":
    """Return a row of ``MATRIX`` for each requirement of each version: its latest standing; from ``FINDINGS``."""
    by = ["vendor", "name", "profile", "requirement", "version"]
    when = F.struct("time", "run")
    return rows.groupBy(*by).agg(
        F.max_by("standing", when).alias("standing"),
        F.max_by("run", when).alias("run"),
        F.max("time").alias("time"),
        F.countDistinct("run").alias("runs"),
    )


def mutation(scores: "DataFrame") -> "DataFrame":
    """Return a row of ``MUTATION`` for each score; from rows of ``SCORES``."""
    rate = F.when(F.col("mutants") > 0, F.col("killed") / F.col("mutants"))
    return scores.select("score", "time", "harness", "measure", "mutants", "killed", rate.alias("rate"), "survivors")
