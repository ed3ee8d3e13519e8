"""The door through which the command line reaches the audit of systems."""

from typing import Any

from mqconform.reference.mqso.topology import Topology
from mqconform.reports.pipeline.commit import new_output
from mqconform.reports.pipeline.deliveries.audit import log_files
from mqconform.reports.pipeline.session import ROWS_IN_SPARK, SessionSettings, settings_of, spark_session
from mqconform.reports.pipeline.storage import place_of


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
        from mqconform.reports.pipeline.systems.audit import audit_systems  # noqa: PLC0415 - needs Spark

        return audit_systems(spark, log, out, complete=complete, topology=topology)
