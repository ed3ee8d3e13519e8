"""``mqconform merge``: one result out of the shards of a run."""

import sys
from pathlib import Path

import click

from mqconform.harness.cli.console import SafeConsole
from mqconform.harness.cli.gate_options import gate_options, output_options
from mqconform.harness.cli.parameters import FilePath, UsualFirst
from mqconform.harness.records.report_writers import checked_reports, write_reports
from mqconform.harness.run.sharding.merge import Prepare, merge
from mqconform.harness.run.summary import print_summary


@click.command("merge", cls=UsualFirst, rare="update")
@click.argument("folders", nargs=-1, required=True, type=FilePath(), metavar="DIR...")
@gate_options
@output_options(default="mqconform-results")
def command(folders: tuple[Path, ...], reports: tuple[str, ...], out: Path, gate: Prepare) -> int:
    """Make one result of all shards of a run, in whichever order they are named.

    The result file has the cases of all shards in the order of the whole run, and the exit code is that of the whole
    run. A shard that is missing, given twice, unfinished or of another run is refused.
    """
    requested_reports = checked_reports(reports)
    outcome = merge(list(folders), out, sys.argv, gate)
    written = write_reports(outcome.results, requested_reports)
    print_summary(outcome, SafeConsole(), written)
    return outcome.exit_code
