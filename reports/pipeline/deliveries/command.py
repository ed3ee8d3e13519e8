"""The door through which the command line reaches the audit of deliveries."""

from typing import Any

from mqconform.reports.pipeline.commit import new_output
from mqconform.reports.pipeline.deliveries.audit import audit_deliveries, log_files
from mqconform.reports.pipeline.session import settings_of, spark_session
from mqconform.reports.pipeline.storage import place_of


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
    log_files(log)
    with new_output(place_of(out)):
        pass  # what cannot be used is said before Spark takes its seconds to start
    with spark_session(settings, "mqconform audit deliveries") as spark:
        return audit_deliveries(spark, log, out, healed=healed)
