"""``mqconform history``: results of many runs, and what they show over time."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any

import click

from mqconform.harness.cli.echo import echo, write_out
from mqconform.harness.cli.options import written_options
from mqconform.harness.cli.parameters import FilePath, UsualFirst, flag, option, stacked
from mqconform.harness.cli.pipelines import on_spark
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.reports.comparison.change import FAIL_ON

TIMES = ("%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d")
Selection = dict[str, Any]
REGRESS_CODES = "Exit codes: 0 nothing got worse, 1 a regression or a removal, 4 usage."

store_option = option("--store", "The folder of the history.", FilePath(file_okay=False), required=True, metavar="DIR")


_LOOKING = stacked(
    store_option,
    option("--vendor", "Runs of implementations of this vendor.", default="", show_default=False),
    option("--name", "Runs of the implementation of this name.", default="", show_default=False),
    option("--build", "Runs of this build.", default="", show_default=False),
    option("--profile", "Runs of this profile.", [profile.value for profile in Profile]),
    option("--since", "Runs from then on, in UTC.", click.DateTime(TIMES), metavar="TIME"),
    written_options("text", "json"),
)


def looking_options(function: Callable[..., Any]) -> Callable[..., ExitCode]:
    """Add what the commands that look at a history have in common, and write what they return.

    They get the runs to look at as ``selection``, and return a document, the same as JSON text, and text for a reader.
    """

    @wraps(function)
    def looking(*, profile: str | None, form: str, out: Path | None, **asked: Any) -> ExitCode:
        selection = {name: asked.pop(name) for name in ("vendor", "name", "build", "since")}
        with on_spark():
            document, as_json, as_text = function(selection=selection | {"profile": profile or ""}, **asked)
        write_out(as_json if form == "json" else as_text, out)
        worse = any(change["worse"] and change["cause"] in FAIL_ON for change in document.get("changes", ()))
        return ExitCode.FAIL if worse else ExitCode.OK

    return _LOOKING(looking)


@click.group("history")
def command() -> None:
    """Keep the results of runs, and show trends (extra ``spark``, whose pyarrow reads them)."""


command.command_class = UsualFirst


@command.command("add")
@click.argument("results", nargs=-1, required=True, type=FilePath())
@store_option
@option("--at", "When a run began whose environment.json is lost, in UTC.", click.DateTime(TIMES), metavar="TIME")
def add(results: tuple[Path, ...], store: Path, at: datetime | None) -> None:
    """Add RESULTS of runs, the directories of `run --out`; runs already there are kept."""
    with on_spark():
        from mqconform.reports.pipeline.history.command import add as add_runs  # noqa: PLC0415 - loads the libraries of the extra

        added = add_runs(store, results, at)
    for path, identity, new in added:
        echo(f"{identity[:8]} {'added' if new else 'is there already'}: {path}")


@command.command("trend", rare="build profile since out")
@looking_options
def trend(*, store: Path, selection: Selection) -> Any:
    """Show coverage, mutation score, flakes, and since when and by which version requirements are violated."""
    from mqconform.reports.pipeline.history.command import trend as trends  # noqa: PLC0415 - loads the extra

    return trends(store, selection)


@command.command("regress", rare="vendor build profile since form out", epilog=REGRESS_CODES)
@looking_options
@option("--between", "Compare these two runs, named by the first characters of their ids.", nargs=2, metavar="OLD NEW")
@flag("--every", "Compare each run with the one before it, not the latest alone.")
def regress(*, store: Path, selection: Selection, between: tuple[str, str] | None, every: bool) -> Any:
    """List the changes between the last two runs of each implementation, with causes, like `diff`."""
    from mqconform.reports.pipeline.history.command import regress as regressions  # noqa: PLC0415 - loads the extra

    return regressions(store, selection, between, every=every)
