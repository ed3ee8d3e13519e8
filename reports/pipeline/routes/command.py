"""The door through which the command line reaches the audit of decisions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from mqconform.reference.directory import Directory
from mqconform.reports.pipeline.commit import new_output
from mqconform.reports.pipeline.routes.audit import audit_routes
from mqconform.reports.pipeline.routes.enterprise import DirectoryVersion, enterprise_of
from mqconform.reports.pipeline.session import settings_of, spark_session
from mqconform.reports.pipeline.storage import place_of


def run(  # noqa: PLR0913 - one parameter for each option
    directories: Sequence[tuple[datetime | None, Directory]],
    decisions: str,
    out: str,
    *,
    settling_seconds: float,
    windows_octets: bool,
    master: str | None,
    conf: tuple[str, ...],
) -> dict[str, Any]:
    """Audit recorded decisions on Spark and return the summary (audit_routes.schema.json).

    Args:
        directories: versions of the enterprise's directory, each with the time from which on it holds.
        decisions: a file, or a folder of files.
        out: a new or empty folder.
        settling_seconds: how long after a change of directory a failure may rest on the version before.
        windows_octets: whether GUIDs of 16 octets lie as Windows keeps them in memory.
        master: master URL of Spark.
        conf: entries ``KEY=VALUE`` of Spark's configuration.

    Raises:
        ModelError: what was given cannot be used, or Spark does not start.
    """
    enterprise = enterprise_of(
        [DirectoryVersion(*directory) for directory in directories], settling_seconds, windows_octets=windows_octets
    )
    settings = settings_of(master, conf)
    with new_output(place_of(out)):
        pass  # report a folder that cannot be used before Spark starts
    with spark_session(settings, "mqconform audit routes") as spark:
        return audit_routes(spark, enterprise, decisions, out)
