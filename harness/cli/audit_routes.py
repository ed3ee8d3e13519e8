"""``mqconform audit routes``: recorded decisions of routers against the enterprise they were made in."""

import json
from datetime import UTC, datetime
from typing import Any

import click

from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.enterprise_options import say
from mqconform.harness.cli.numbers import Number
from mqconform.harness.cli.pipelines import on_spark, spark_options
from mqconform.harness.cli.source_options import SOURCE_HELP, source_options
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.tools.enterprise.source import SourceOptions, is_source, open_enterprise
from mqconform.reference.directory import Directory
from mqconform.reference.mqbr.specification import FACTS
from mqconform.reports.pipeline.summary_text import code_of, routes_lines


@click.command("routes")
@click.option(
    "--directory",
    "directories",
    metavar="SOURCE[@TIME]",
    required=True,
    multiple=True,
    help=f"Enterprise: {SOURCE_HELP}. With @TIME, such as @2026-01-31T12:00:00Z, the version from then on. "
    "Give one for each version.",
)
@click.option(
    "--decisions",
    metavar="PATH",
    required=True,
    help="Parquet, CSV or JSON Lines, a file or a folder, with the columns source, destination and next_hops, "
    "and optionally outcome, time and router.",
)
@click.option("--out", metavar="DIR", required=True, help="New folder for verdicts, summary.json and index.html.")
@click.option(
    "--settling",
    type=Number(min=0),
    metavar="SECONDS",
    default=float(FACTS.query_timer),
    show_default=True,
    help="How long after a change a router may use the earlier version; failures then are inconclusive.",
)
@click.option(
    "--guid-octets",
    type=click.Choice(["text", "windows"]),
    default="text",
    show_default=True,
    help="Order of GUIDs that are 16 octets: that of their text, or that of Windows' memory.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary (audit_routes.schema.json) instead of text.")
@source_options
@spark_options
def command(  # noqa: PLR0913, PLR0917 - one parameter for each option
    directories: tuple[str, ...],
    decisions: str,
    out: str,
    settling: float,
    guid_octets: str,
    options: SourceOptions,
    master: str | None,
    conf: tuple[str, ...],
    *,
    as_json: bool,
) -> ExitCode:
    """Judge each recorded decision, and sum up by requirement, branch, router and pair of sites.

    Exit code 0: no decision failed; 1: some did; 2: none failed, and some could not be judged; 4: what was given cannot
    be used.
    """
    versions = [_version(directory, options) for directory in directories]
    with on_spark():
        from mqconform.reports.pipeline.routes.audit import run  # noqa: PLC0415 - loads the libraries of the extra

        summary: dict[str, Any] = run(
            versions,
            decisions,
            out,
            settling_seconds=settling,
            windows_octets=guid_octets == "windows",
            master=master,
            conf=conf,
        )
    say([json.dumps(summary)] if as_json else routes_lines(summary, out))
    if any(is_source(directory) for directory in directories):
        echo(f"gates of sites by the policy {options.gates.policy}; register entry BR-27", err=True)
    return code_of([summary["verdicts"]], summary["unreadable_lines"])


def _version(argument: str, options: SourceOptions) -> tuple[datetime | None, Directory]:
    """Return the directory in ``FILE`` or ``FILE@TIME``, with the time; one without a zone is UTC."""
    file, at, time = argument.rpartition("@")
    if not at or "/" in time:
        return None, open_enterprise(argument, options).directory
    try:
        valid_from = datetime.fromisoformat(time)
    except ValueError as error:
        raise ConfigurationError(
            f"--directory {argument}: {time} is not a time; write FILE@2026-01-31T12:00:00Z, or ./FILE@ if FILE has @"
        ) from error
    if valid_from.tzinfo is None:
        valid_from = valid_from.replace(tzinfo=UTC)
    return valid_from, open_enterprise(file, options).directory
