"""``mqconform history``: results of many runs, and what they show over time."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any

import click

from mqconform.harness.cli.echo import echo, write_out
from mqconform.harness.cli.options import written_options
from mqconform.harness.cli.parameters import FilePath, stacked
from mqconform.harness.cli.pipelines import on_spark
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.reports.comparison.change import FAIL_ON

TIMES = ("%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d")
SELECTION = ("vendor", "name", "build", "profile", "since")
Selection = dict[str, Any]

store_option = click.option(
    "--store", required=True, type=FilePath(file_okay=False), metavar="DIR", help="The folder of the history."
)


_LOOKING = stacked(
    store_option,
    click.option("--vendor", default="", show_default=False, help="Runs of implementations of this vendor."),
    click.option("--name", default="", show_default=False, help="Runs of the implementation of this name."),
    click.option("--build", default="", show_default=False, help="Runs of this build."),
    click.option("--profile", type=click.Choice([profile.value for profile in Profile]), help="Runs of this profile."),
    click.option("--since", type=click.DateTime(TIMES), metavar="TIME", help="Runs from then on, in UTC."),
    written_options("text", "json"),
)


def looking_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add what the commands that look at a history have in common; they get the runs to look at as ``selection``."""

    @wraps(function)
    def selecting(**parameters: Any) -> Any:
        selection = {name: parameters.pop(name) for name in SELECTION}
        return function(selection=selection | {"profile": selection["profile"] or ""}, **parameters)

    return _LOOKING(selecting)


@click.group("history")
def command() -> None:
    """Keep the results of runs, and show trends (extra ``spark``, whose pyarrow reads them)."""


@command.command("add")
@click.argument("results", nargs=-1, required=True, type=FilePath())
@store_option
@click.option(
    "--at", type=click.DateTime(TIMES), metavar="TIME", help="When a run began whose environment.json is lost, in UTC."
)
def add(results: tuple[Path, ...], store: Path, at: datetime | None) -> None:
    """Add RESULTS of runs, the directories of `run --out`; runs already there are kept."""
    with on_spark():
        from mqconform.reports.pipeline.history.command import add as add_runs  # noqa: PLC0415 - loads the libraries of the extra

        added = add_runs(store, results, at)
    for path, identity, new in added:
        echo(f"{identity[:8]} {'added' if new else 'is there already'}: {path}")


@command.command("trend")
@looking_options
def trend(*, store: Path, selection: Selection, form: str, out: Path | None) -> None:
    """Show coverage, mutation score, flakes, and since when and by which version requirements are violated."""
    with on_spark():
        from mqconform.reports.pipeline.history.command import trend as trends  # noqa: PLC0415 - loads the libraries of the extra

        _, as_json, as_text = trends(store, selection)
    write_out(as_json if form == "json" else as_text, out)


@command.command("regress", epilog="Exit codes: 0 nothing got worse, 1 a regression or a removal, 4 usage.")
@looking_options
@click.option(
    "--between", nargs=2, metavar="OLD NEW", help="Compare these two runs, named by the first characters of their ids."
)
@click.option("--every", is_flag=True, help="Compare each run with the one before it, not the latest alone.")
def regress(  # noqa: PLR0913 - each option, its parameter
    *, store: Path, selection: Selection, form: str, out: Path | None, between: tuple[str, str] | None, every: bool
) -> ExitCode:
    """List the changes between the last two runs of each implementation, with causes, like `diff`."""
    with on_spark():
        from mqconform.reports.pipeline.history.command import regress as regressions  # noqa: PLC0415 - loads the libraries of the extra

        document, as_json, as_text = regressions(store, selection, between, every=every)
    write_out(as_json if form == "json" else as_text, out)
    worse = any(change["worse"] and change["cause"] in FAIL_ON for change in document["changes"])
    return ExitCode.FAIL if worse else ExitCode.OK
