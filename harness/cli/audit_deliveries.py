"""``mqconform audit deliveries``: recorded delivery logs against exactly-once in-order delivery."""

import json
from typing import Any

import click

from mqconform.harness.cli.enterprise_options import say
from mqconform.harness.cli.pipelines import on_spark, spark_options
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.tools.enterprise.file import read_enterprise
from mqconform.reference.mqso.topology import Topology
from mqconform.reports.pipeline.summary_text import code_of, streams_lines, system_lines


@click.command("deliveries")
@click.option(
    "--log",
    metavar="PATH",
    required=True,
    help="Parquet, CSV or JSON Lines, a file or a folder, with the columns stream, event, message, sequence, "
    "optionally previous, and time or position to order entries by; with --system event, message, machine, to and "
    "others.",
)
@click.option("--out", metavar="DIR", required=True, help="New folder for streams, findings and summary.json.")
@click.option(
    "--complete",
    is_flag=True,
    help="The log covers everything until all messages had arrived: any other message counts as lost.",
)
@click.option(
    "--from-start", is_flag=True, help="The log has the streams from their beginning: nothing was accepted before."
)
@click.option("--system", is_flag=True, help="The log is of a whole system of queue managers, and not of streams.")
@click.option(
    "--enterprise",
    metavar="NAME or FILE",
    help="With --system: judge the hops of messages by this enterprise document as well.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@spark_options
def command(  # noqa: PLR0913 - one parameter for each option
    log: str,
    out: str,
    enterprise: str | None,
    master: str | None,
    conf: tuple[str, ...],
    *,
    complete: bool,
    from_start: bool,
    system: bool,
    as_json: bool,
) -> ExitCode:
    """Hold every stream of a delivery log to its promise: nothing twice, nothing out of order, nothing lost.

    Events are enqueued, sent, accepted, rejected, acknowledged, released (its acknowledgment is back), discarded,
    receiver_lost_state and sender_lost_state; one end alone can be judged. With --system the log tells of messages
    between queue managers, which are held to what those promise together, as in simulate --system.

    Exit code 0: nothing was found; 1: something was; 2: nothing was found, and some entries could not be used
    or not be judged, as without --from-start where a stream may have run before; 4: the input cannot be used.
    """
    if enterprise is not None and not system:
        raise ConfigurationError("--enterprise is of a whole system; add --system")
    topology = None if enterprise is None else _uniquely_named(enterprise)
    with on_spark():
        from mqconform.reports.pipeline.deliveries.audit import of_streams, of_system, run  # noqa: PLC0415 - loads the libraries of the extra

        streams = of_streams(complete=complete, from_start=from_start)
        audit = of_system(complete=complete, topology=topology) if system else streams
        summary: dict[str, Any] = run(log, out, audit, master=master, conf=conf)
    lines = system_lines if system else streams_lines
    say([json.dumps(summary)] if as_json else lines(summary, out))
    if system:
        return code_of([summary["messages"], summary.get("hops", {})], summary["unusable"])
    return code_of([{"fail": summary["found"], "inconclusive": summary["undecided"]}], summary["unusable"])


def _uniquely_named(enterprise: str) -> Topology:
    """Return an enterprise whose machines have names of their own, as a log names them.

    Raises:
        ConfigurationError: the file cannot be read, or two machines share a name.
    """
    directory = read_enterprise(enterprise).directory
    names = [machine.name for machine in directory.queue_managers]
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise ConfigurationError(
            f"--enterprise {enterprise}: queue_managers: two are called {repeated!r:.80}; give each its own name"
        )
    return Topology(directory)
