"""``mqconform doctor``: what this machine has, what it lacks, what for, and what to do."""

import json
from pathlib import Path

import click

from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.parameters import FILE, flag, json_option, option
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.tools.diagnostics.doctor import examine


@click.command("doctor")
@option("--spec specifications", "A copy you have.", FILE, multiple=True)
@json_option()
@flag("--reap", "Only remove leftovers of killed runs from the Docker engine.")
def command(specifications: tuple[Path, ...], *, as_json: bool, reap: bool) -> ExitCode:
    """Try everything that runs and reports can use on this machine.

    Exit code 0 if everything that a run needs is there, 4 if not. With --reap nothing is tried: 0 if there is an
    engine, 4 if not.
    """
    if reap:
        from mqconform.adapters.containers.engine import engine  # noqa: PLC0415 - for --reap alone
        from mqconform.adapters.containers.labels import sweep  # noqa: PLC0415

        for line in sweep(engine()) or ["nothing was left behind"]:
            echo(line)
        return ExitCode.OK
    lacking = []
    for check in examine(specifications):
        echo(json.dumps(check.record()) if as_json else check.text())
        if check.core and not check.ok:
            lacking.append(check.name)
    if not as_json:
        echo(f"\nno run works without: {', '.join(lacking)}" if lacking else "\neverything a run needs is installed")
    return ExitCode.USAGE if lacking else ExitCode.OK
