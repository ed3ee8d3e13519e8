"""``mqconform diff``: what changed between two runs, and the one cause of each change."""

from pathlib import Path

import click

from mqconform.harness.cli.echo import refusals_shown, write_out
from mqconform.harness.cli.options import written_options
from mqconform.harness.cli.parameters import FILE, FilePath, option
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.reports.comparison.change import FAIL_ON, Cause
from mqconform.reports.comparison.entry import diff

CAUSES = [*(cause.value for cause in Cause), "nothing"]


@click.command(
    "diff", epilog="Exit codes: 0 nothing to fail on, 1 something, 4 usage, 5 a run did not end and the rest is alike."
)
@click.argument("old", type=FilePath())
@click.argument("new", type=FilePath())
@written_options("text", "json", "markdown")
@option("--again", "Another run of the build of NEW; what differs is a flake; repeatable.", FILE, multiple=True)
@option("--fail-on", "Exit with 1 if something got worse by it; repeatable.", CAUSES, multiple=True, default=FAIL_ON)
def command(  # noqa: PLR0913, PLR0917 - one parameter for each documented option
    old: Path, new: Path, form: str, out: Path | None, again: tuple[Path, ...], fail_on: tuple[str, ...]
) -> ExitCode:
    """List the changes from OLD to NEW, both results of runs; each change has exactly one cause.

    A worse verdict is called a regression only where nothing else explains it: neither the specification nor the suite,
    the profile, another implementation, the environment or a flake.
    """
    with refusals_shown(ValueError):  # a result file cannot be used
        difference = diff(old, new, again)
    written = difference.write(form)
    write_out(written, out)
    if any(cause in fail_on for cause in difference.worse()):
        return ExitCode.FAIL
    return ExitCode.OK if difference.whole else ExitCode.INCOMPLETE
