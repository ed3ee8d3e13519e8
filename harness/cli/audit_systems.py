"""``mqconform audit deliveries --system``: logs of whole systems against what queue managers promise together."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from mqconform.harness.cli.enterprise_options import say
from mqconform.harness.cli.pipelines import refusals_shown, spark_extra
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.tools.enterprise.file import read_enterprise
from mqconform.reference.mqso.topology import Topology

SHOWN = 3
"""Broken promises and stray hops that a person is shown; the folder has all."""


def audit_system(  # noqa: PLR0913 - one parameter for each option
    log: str,
    out: str,
    enterprise: str | None,
    master: str | None,
    conf: tuple[str, ...],
    *,
    complete: bool,
    as_json: bool,
) -> ExitCode:
    """Audit a log, print the summary and return the exit code.

    Raises:
        ConfigurationError: what was given cannot be used.
    """
    topology = None if enterprise is None else _uniquely_named(enterprise)
    with spark_extra():
        from mqconform.reports.pipeline.systems.audit import run  # noqa: PLC0415 - loads the libraries of the extra
    with refusals_shown():
        summary = run(log, out, complete=complete, topology=topology, master=master, conf=conf)
    say([json.dumps(summary)] if as_json else summary_lines(summary, out))
    verdicts = [summary["messages"], summary.get("hops", {})]
    if any(counts.get("fail") for counts in verdicts):
        return ExitCode.FAIL
    unclear = summary["unusable"] or any(counts.get("inconclusive") for counts in verdicts)
    return ExitCode.INCONCLUSIVE if unclear else ExitCode.OK


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


def summary_lines(summary: Mapping[str, Any], out: str) -> Iterator[str]:
    """Yield the summary for a person."""
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
