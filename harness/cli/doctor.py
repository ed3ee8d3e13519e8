"""``mqconform doctor``: what this machine has, what it lacks, what for, and what to do."""

import json
from pathlib import Path

import click

from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.paths import FilePath
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.tools.diagnostics.doctor import Check, examine


@click.command("doctor")
@click.option("--spec", "specifications", multiple=True, type=FilePath(), help="A copy you have.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@click.option("--reap", is_flag=True, help="Only remove leftovers of killed runs from the Docker engine.")
@click.pass_context
def command(ctx: click.Context, specifications: tuple[Path, ...], *, as_json: bool, reap: bool) -> None:
    """Try everything that runs and reports can use on this machine.

    Exit code 0 if everything that a run needs is there, 4 if not. With --reap nothing is tried: 0 if there is an
    engine, 4 if not.
    """
    if reap:
        from mqconform.adapters.containers.engine import engine  # noqa: PLC0415 - for --reap alone
        from mqconform.adapters.containers.labels import sweep  # noqa: PLC0415

        for line in sweep(engine()) or ["nothing was left behind"]:
            echo(line)
        return
    lacking = []
    for check in examine(specifications):
        echo(json.dumps(check.record()) if as_json else text(check))
        if check.core and not check.ok:
            lacking.append(check.name)
    if not as_json:
        echo(f"\nno run works without: {', '.join(lacking)}" if lacking else "\neverything a run needs is installed")
    ctx.exit(ExitCode.USAGE if lacking else ExitCode.OK)


def text(check: Check) -> str:
    """Return a check as text, with what to do where something is missing."""
    if check.ok:
        return f"ok       {check.name}: {check.found}"
    return f"missing  {check.name}: {check.found}\n         needed for {check.needed_for}; {check.remedy}"
