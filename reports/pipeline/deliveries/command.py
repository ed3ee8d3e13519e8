"""The door through which the command line reaches the audit of deliveries."""

from typing import Any, Final

from mqconform.reports.pipeline.deliveries.audit import audit_deliveries
from mqconform.reports.pipeline.session import SessionSettings, settings_of, spark_session

SORTING: Final = {"spark.driver.memory": "2g", "spark.driver.extraJavaOptions": "-XX:+UseParallelGC"}
"""For one machine: the JVM itself sorts the entries, so that fast code counts for more than a quick start."""


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
    if not master or master.startswith("local"):
        settings = SessionSettings(master, SORTING | dict(settings.conf))
    with spark_session(settings, "mqconform audit deliveries") as spark:
        return audit_deliveries(spark, log, out, healed=healed)
