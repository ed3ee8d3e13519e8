"""``mqconform canary``: the same run again and again, quiet as long as nothing changes."""

from dataclasses import replace
from pathlib import Path

import click

from mqconform.harness.cli.canary_history import RUNNING, History
from mqconform.harness.cli.options import clock_options, connection_options, options_from, profile_option
from mqconform.harness.cli.paths import FilePath
from mqconform.harness.iut.interface import Unreachable
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.run.execution import Plan, execute
from mqconform.harness.suite.selection import Selection, checked_selection
from mqconform.reports.comparison.change import Cause
from mqconform.reports.comparison.compare import Comparison, by_weight
from mqconform.reports.comparison.terminal import arrow, shown, totals

AGAIN = ".again"


@click.command("canary", epilog="Exit codes: 0 nothing got worse, 1 something did, 2 nobody answered, 4 usage.")
@connection_options(default="ref:")
@clock_options
@profile_option
@click.option(
    "--req", "requirements", multiple=True, metavar="ID", help="Only this requirement, section or specification."
)
@click.option("--build", default="", metavar="TEXT", help="Which build is judged, such as a patch level.")
@click.option(
    "--keep",
    type=FilePath(file_okay=False),
    required=True,
    help="Folder of the history, made if needed.",
)
@click.pass_context
def command(  # noqa: PLR0913, PLR0917 - one parameter for each documented option
    ctx: click.Context,
    iut: str,
    facts: Path | None,
    deadline: float,
    reply_timeout: float,
    clock: str | None,
    tolerance: float | None,
    profile: str,
    requirements: tuple[str, ...],
    build: str,
    keep: Path,
) -> None:
    """Judge an implementation as before, and say what changed since the last run with a change.

    Nothing is printed where nothing changed. What changed is judged again at once: what then answers otherwise is a
    flake, and no reason to fail.
    """
    history = History(keep)
    with history.alone():
        plan = Plan(
            iut=iut,
            options=replace(options_from(facts, deadline, reply_timeout), clock=clock or "", tolerance=tolerance),
            profile=Profile.of(profile),
            seed=0,
            selection=checked_selection(Selection(requirements, "")),
            out=history.empty(RUNNING),
            build=build,
        )
        run = _judged(plan)
        comparison = history.compare(run)
        if comparison and comparison.changes:
            comparison = history.compare(run, [_judged(replace(plan, out=history.empty(AGAIN)))])
            history.empty(AGAIN)
        history.keep(run, comparison)
    if comparison is None:
        click.echo(f"the first run is kept in {keep}; the next one is compared with it")
    elif comparison.changes:
        click.echo(_told(comparison))
    ctx.exit(ExitCode.FAIL if comparison and _worse(comparison) else ExitCode.OK)


def _judged(plan: Plan) -> Path:
    """Run, and return where the results are.

    Raises:
        Unreachable: nothing could be judged; the history is left as it was.
    """
    outcome = execute(plan)
    if outcome.problem:
        raise Unreachable(f"{plan.iut}: {outcome.problem}")
    return plan.out


def _worse(comparison: Comparison) -> bool:
    return any(change.worse and change.cause is not Cause.FLAKE for change in comparison.changes)


def _told(comparison: Comparison) -> str:
    """Return the first change by weight of its cause, and how many there are."""
    first = by_weight(comparison, next(iter(comparison.counts())))[0]
    lines = [f"{first.cause.value}: {first.kind} {shown(first.id)}: {arrow(first)}; {shown(first.detail)}"]
    lines += [f"the runs differ in {shown(difference)}" for difference in comparison.differences]
    return "\n".join([*lines, totals(comparison)])
