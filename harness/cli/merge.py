"""``mqconform merge``: one result out of the shards of a run."""

import sys
from pathlib import Path

import click
from rich.console import Console

from mqconform.harness.cli.gate_options import output_options
from mqconform.harness.running.report_writers import checked_reports, write_reports
from mqconform.harness.running.summary import print_summary
from mqconform.harness.sharding.merge import merge


@click.command("merge")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR...")
@output_options(default="mqconform-results")
@click.pass_context
def command(ctx: click.Context, folders: tuple[Path, ...], reports: tuple[str, ...], out: Path) -> None:
    """Make one result of all shards of a run, in whichever order they are named.

    The result file has the octets that the run would have written as a whole, and the exit code is that of the whole
    run. A shard that is missing, given twice, unfinished or of another run is refused.
    """
    wanted = checked_reports(reports)
    outcome = merge(list(folders), out, sys.argv)
    write_reports(outcome.results, wanted)
    print_summary(outcome, Console())
    ctx.exit(outcome.exit_code)
