"""``mqconform audit deliveries``: recorded delivery logs against exactly-once in-order delivery."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import click

from mqconform.harness.cli.enterprise_options import say
from mqconform.harness.cli.pipelines import refusals_shown, spark_extra, spark_options
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.tools.enterprise.file import read_enterprise
from mqconform.reference.mqso.topology import Topology

SHOWN = 3
"""Broken promises and stray hops of a system that a person is shown; the folder has all."""


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
    help="The log has everything from the start until all had arrived: what never did counts as lost.",
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

    The events of a log are enqueued, sent, accepted, rejected, acknowledged, released (an order acknowledgment arrived
    at the sender), discarded, receiver_lost_state and sender_lost_state; those of one end alone are enough to judge
    that end.

    With --system the log tells what became of messages between queue managers: sent, routed, received, dead-lettered,
    lost with a machine and so on. Each is held to what queue managers promise together, as in simulate --system.

    Exit code 0: nothing was found; 1: something was; 2: nothing was found, and some entries could not be used
    or not be judged, as without --from-start where a stream may have run before; 4: what was given cannot be used.
    """
    if enterprise is not None and not system:
        raise ConfigurationError("--enterprise is of a whole system; add --system")
    topology = None if enterprise is None else _uniquely_named(enterprise)
    with spark_extra():
        from mqconform.reports.pipeline.deliveries.audit import of_streams, of_system, run  # noqa: PLC0415 - loads the libraries of the extra
    audit = (
        of_system(complete=complete, topology=topology)
        if system
        else of_streams(complete=complete, from_start=from_start)
    )
    with refusals_shown():
        summary: dict[str, Any] = run(log, out, audit, master=master, conf=conf)
    lines = system_lines if system else summary_lines
    say([json.dumps(summary)] if as_json else lines(summary, out))
    return _code_of_system(summary) if system else _code_of_streams(summary)


def _code_of_streams(summary: Mapping[str, Any]) -> ExitCode:
    if summary["found"]:
        return ExitCode.FAIL
    return ExitCode.INCONCLUSIVE if summary["unusable"] or summary["undecided"] else ExitCode.OK


def _code_of_system(summary: Mapping[str, Any]) -> ExitCode:
    verdicts = [summary["messages"], summary.get("hops", {})]
    if any(counts.get("fail") for counts in verdicts):
        return ExitCode.FAIL
    unclear = summary["unusable"] or any(counts.get("inconclusive") for counts in verdicts)
    return ExitCode.INCONCLUSIVE if unclear else ExitCode.OK


def summary_lines(summary: Mapping[str, Any], out: str) -> Iterator[str]:
    """Yield the summary for a person."""
    counts = summary["verdicts"]
    judged = ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in ("pass", "fail", "inconclusive"))
    yield f"{summary['streams']:,} streams with {summary['deliveries']:,} deliveries: {judged}"
    if summary["unusable"]:
        yield f"{summary['unusable']:,} entries lack what they need or hold what no entry can"
    if summary["undecided"]:
        yield f"{summary['undecided']:,} entries are wrong if their streams begin in the log: add --from-start if so"
    for row in summary["requirements"]:
        yield f"  {row['found']:>12,}  {row['requirement']} in {row['streams']:,} streams: {row['says']}"
    if summary["worst"]:
        worst = summary["worst"][0]
        yield f"most found: stream {visible(str(worst['stream']))} with {worst['found']:,}"
    yield f"{out}/findings has each finding; {out}/streams every stream"


def system_lines(summary: Mapping[str, Any], out: str) -> Iterator[str]:
    """Yield the summary of a system for a person."""
    yield f"{summary['entries']:,} entries of {_counted(summary['messages'], 'messages')}"
    if "hops" in summary:
        yield _counted(summary["hops"], "different answers of routers")
    if summary["unusable"]:
        yield f"{summary['unusable']:,} entries lack what they need or hold what no entry can"
    for row in summary["broken"]:
        yield f"  {row['found']:>12,}  {row['requirement']} in {row['histories']:,} histories"
    for row in summary["examples"][:SHOWN]:
        history = f"history {visible(row['history'])}: " if row["history"] else ""
        yield f"{history}{visible(row['says'])}: {row['requirement']}"
    yield from (visible(says) for says in summary.get("strays", ())[:SHOWN])
    yield f"{out}/broken has each broken promise; {out}/messages every message"


def _counted(verdicts: Mapping[str, int], what: str) -> str:
    judged = ", ".join(f"{verdicts[verdict]:,} {verdict}" for verdict in ("pass", "fail", "inconclusive"))
    return f"{sum(verdicts.values()):,} {what}: {judged}"


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
