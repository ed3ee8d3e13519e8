"""``mqconform audit``: what was decided and sent in the field, judged in bulk on Spark."""

import json
from typing import Any

import click

from mqconform.harness.cli.echo import echo, say
from mqconform.harness.cli.options import profile_option
from mqconform.harness.cli.parameters import UsualFirst, flag, json_option, option, seconds_option
from mqconform.harness.cli.pipelines import on_spark, spark_options
from mqconform.harness.cli.source_options import SOURCE_HELP, SourceCommand, source_options
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.tools.enterprise.machine_names import uniquely_named
from mqconform.harness.tools.enterprise.source import SourceOptions, enterprise_version, is_source
from mqconform.reference.mqbr.specification import FACTS as ROUTING
from mqconform.reference.mqsd.specification import FACTS as DISCOVERY
from mqconform.reference.mqso.routes import Topology
from mqconform.reports.pipeline.summary_text import captures_lines, code_of, routes_lines, streams_lines, system_lines


@click.group("audit")
def command() -> None:
    """Judge millions of recorded decisions or packets, on this machine or on a cluster (extra ``spark``)."""


command.command_class = UsualFirst


@command.command("routes", cls=SourceCommand, rare="settling guid_octets", short_help="Judge decisions of routers.")
@option(
    "--directory directories",
    f"Enterprise: {SOURCE_HELP}; with @2026-01-31T12:00:00Z the version from then on.",
    metavar="SOURCE[@TIME]",
    required=True,
    multiple=True,
)
@option("--decisions", "Parquet, CSV or JSON Lines: docs/audit-routes.md.", metavar="PATH", required=True)
@option("--out", "New folder for verdicts, summary.json and index.html.", metavar="DIR", required=True)
@seconds_option(
    "--settling", "How long a router may use the earlier version.", high=None, default=float(ROUTING.query_timer)
)
@option("--guid-octets", "Order of binary GUIDs: as in text, or in Windows.", ["text", "windows"], default="text")
@json_option("Print the summary (audit_routes.schema.json) instead of text.")
@source_options
@spark_options
def routes(  # noqa: PLR0913, PLR0917 - one parameter for each option
    directories: tuple[str, ...],
    decisions: str,
    out: str,
    settling: float,
    guid_octets: str,
    options: SourceOptions,
    *,
    as_json: bool,
    **spark: Any,
) -> ExitCode:
    """Judge each recorded decision, and sum up by requirement, branch, router and pair of sites.

    Exit code 0: no decision failed; 1: some did; 2: none failed, and some could not be judged; 4: what was given cannot
    be used.
    """
    versions = [enterprise_version(directory, options) for directory in directories]
    with on_spark():
        from mqconform.reports.pipeline.routes.audit import run  # noqa: PLC0415 - loads the libraries of the extra

        summary: dict[str, Any] = run(
            versions, decisions, out, settling_seconds=settling, windows_octets=guid_octets == "windows", **spark
        )
    say([json.dumps(summary)] if as_json else routes_lines(summary, out))
    if any(is_source(directory) for directory in directories):
        echo(f"gates of sites by the policy {options.gates.policy}; register entry BR-27", err=True)
    return code_of([summary["verdicts"]], summary["unreadable_lines"])


@command.command("deliveries", rare="system enterprise", short_help="Judge delivery logs: each message once, in order.")
@option("--log", "Parquet, CSV or JSON Lines, a file or a folder: docs/exactly-once.md.", metavar="PATH", required=True)
@option("--out", "New folder for streams, findings and summary.json.", metavar="DIR", required=True)
@flag("--complete", "The log covers everything until all messages had arrived: any other message counts as lost.")
@flag("--from-start", "The log has the streams from their beginning: nothing was accepted before.")
@flag("--system", "The log is of a whole system of queue managers, and not of streams.")
@option("--enterprise", "With --system: judge the hops of messages by this enterprise as well.", metavar="NAME or FILE")
@json_option("Print the summary as JSON.")
@spark_options
def deliveries(  # noqa: PLR0913 - one parameter for each option
    log: str,
    out: str,
    enterprise: str | None,
    *,
    complete: bool,
    from_start: bool,
    system: bool,
    as_json: bool,
    **spark: Any,
) -> ExitCode:
    """Hold every stream of a delivery log to its promise: nothing twice, nothing out of order, nothing lost.

    One end alone can be judged. With --system the log tells of messages between queue managers, which are held to what
    those promise together, as in simulate --system.

    Exit code 0: nothing was found; 1: something was; 2: nothing was found, and some entries could not be used
    or not be judged, as without --from-start where a stream may have run before; 4: the input cannot be used.
    """
    if enterprise is not None and not system:
        raise ConfigurationError("--enterprise is of a whole system; add --system")
    topology = None if enterprise is None else Topology(uniquely_named(enterprise))
    with on_spark():
        from mqconform.reports.pipeline.deliveries.audit import of_streams, of_system, run  # noqa: PLC0415 - loads the libraries of the extra

        streams = of_streams(complete=complete, from_start=from_start)
        audit = of_system(complete=complete, topology=topology) if system else streams
        summary: dict[str, Any] = run(log, out, audit, **spark)
    lines = system_lines if system else streams_lines
    say([json.dumps(summary)] if as_json else lines(summary, out))
    if system:
        return code_of([summary["messages"], summary.get("hops", {})], summary["unusable"])
    return code_of([{"fail": summary["found"], "inconclusive": summary["undecided"]}], summary["unusable"])


@command.command("captures", rare="ports", short_help="Judge packets of discovery, and conversations.")
@option("--captures", "pcap or pcapng, gzipped or not: a file, or a folder of them.", metavar="PATH", required=True)
@option("--out", "New folder for verdicts, summary.json and index.html.", metavar="DIR", required=True)
@option("--facts", "Facts of the server with that address, or of all.", metavar="[ADDRESS=]FILE", multiple=True)
@option("--port ports", "UDP port; repeatable.", click.IntRange(1, 65535), multiple=True, default=(DISCOVERY.udp_port,))
@profile_option
@json_option("Print the summary (audit_captures.schema.json) instead of text.")
@spark_options
def captures(*, captures: str, out: str, profile: Profile, as_json: bool, **how: Any) -> ExitCode:
    """Judge each packet by MS-MQSD 2.2 and each conversation by 3.1 and 3.2, and sum up by requirement and host.

    Exit code 0: nothing failed; 1: something did; 2: nothing failed, and something was inconclusive or could not be
    read; 4: the input cannot be used.
    """
    with on_spark():
        from mqconform.reports.pipeline.captures.audit import run  # noqa: PLC0415 - loads the libraries of the extra

        summary: dict[str, Any] = run(captures, out, profile=profile.value, **how)
    say([json.dumps(summary)] if as_json else captures_lines(summary, out))
    verdicts = (summary[unit]["verdicts"] for unit in ("packets", "conversations"))
    return code_of(verdicts, summary["quarantine"]["entries"])
