"""The door through which the command line reaches the audit of deliveries."""

from typing import Any, Final

from mqconform.reports.pipeline.commit import new_output
from mqconform.reports.pipeline.deliveries.audit import audit_deliveries, log_files
from mqconform.reports.pipeline.session import FEW_ROWS, ROWS_IN_SPARK, SessionSettings, settings_of, spark_session
from mqconform.reports.pipeline.storage import octets_in, place_of

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
