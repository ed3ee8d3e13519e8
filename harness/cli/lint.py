"""``mqconform lint``: what makes a scenario say less than it seems to."""

from contextlib import nullcontext
from pathlib import Path

import click

from mqconform.harness.cli.console import progress_shown
from mqconform.harness.cli.echo import echo, say_apart
from mqconform.harness.cli.parameters import FilePath, flag
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.run.assertion_lint import lint
from mqconform.harness.suite.lint.check import RULES, record_cases


@click.command("lint", epilog="Exit codes: 0 nothing found, 1 something, 4 usage.")
@click.argument("paths", nargs=-1, type=FilePath(), metavar="[PATH]...")
@flag("--run asserting", "Run the cases against the reference too: each must assert.")
@flag("--record", "Rewrite the list of the suite's cases; review what it removes.")
@flag("--rules", "List the rules instead.")
def command(paths: tuple[Path, ...], *, asserting: bool, record: bool, rules: bool) -> ExitCode:
    """Check feature files: tags, names, tables, steps, twins.

    Without PATH the suite of the package is checked, and that it lost no requirement and no case.
    """
    if rules:
        widest = max(map(len, RULES))
        for name, asks in RULES.items():
            echo(f"{name.ljust(widest)}  {asks}")
        return ExitCode.OK
    if record and paths:
        raise click.UsageError("--record is about the suite of the package; leave the paths out")
    if record:
        record_cases()
    with progress_shown() if asserting else nullcontext() as progress:
        findings = lint(paths, say_apart, progress)
    for finding in sorted(findings):
        echo(visible(str(finding)))
    echo(f"{len(findings)} finding{'s' if len(findings) > 1 else ''}" if findings else "no findings")
    return ExitCode.FAIL if findings else ExitCode.OK
