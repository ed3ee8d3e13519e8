"""The door through which the command line reaches the audit of captures."""

from collections.abc import Sequence
from typing import Any

from mqconform.reports.pipeline.captures.audit import Order, audit_captures
from mqconform.reports.pipeline.captures.facts import facts_of
from mqconform.reports.pipeline.captures.planning import captures_in
from mqconform.reports.pipeline.commit import new_output
from mqconform.reports.pipeline.session import settings_of, spark_session
from mqconform.reports.pipeline.storage import place_of


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
    """Audit captures on Spark and return the summary (audit_captures.schema.json).

    Args:
        captures: a file, or a folder of files.
        out: a new or empty folder.
        facts: ``FILE`` or ``ADDRESS=FILE`` for servers whose configuration is known.
        ports: UDP ports on which servers listen.
        profile: which verdicts of the ambiguity register count.
        master: master URL of Spark.
        conf: entries ``KEY=VALUE`` of Spark's configuration.

    Raises:
        ModelError: what was given cannot be used, or Spark does not start.
    """
    order = Order(captures, out, tuple(dict.fromkeys(ports)), profile, facts_of(facts))
    captures_in(place_of(captures))  # report missing files before Spark starts
    with new_output(place_of(out)):
        pass  # report a folder that cannot be used before Spark starts
    with spark_session(settings_of(master, conf), "mqconform audit captures") as spark:
        return audit_captures(spark, order)
