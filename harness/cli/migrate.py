"""``mqconform migrate``: which guarantees an application keeps on the way to another implementation."""

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from mqconform.harness.cli.echo import refusals_shown, write_out
from mqconform.harness.cli.options import written_options
from mqconform.harness.cli.parameters import seconds_option
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, Unreachable
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.run.execution import Plan, execute
from mqconform.harness.suite.selection import Selection, checked_selection
from mqconform.reports.migration.compare import migration
from mqconform.reports.migration.formats import json_text, text

WRITERS = {"text": text, "json": json_text}
ROLE = "MQSO"


@click.command("migrate", epilog="Exit codes: 0 nothing is gone or weaker, 1 something is, 4 usage.")
@click.argument("before", metavar="FROM")
@click.argument("after", metavar="TO")
@written_options(*WRITERS)
@seconds_option("--deadline", "For one call: a broker starts within one.", 0.001, default=90.0)
def command(before: str, after: str, form: str, out: Path | None, deadline: float) -> ExitCode:
    """List the guarantees an application keeps when it moves FROM one queue manager TO another, and new failures.

    Both are results of runs, or implementations, as --iut of `mqconform run` names them, which are judged now.
    """
    with TemporaryDirectory(prefix="mqconform-migrate-") as folder:
        sides = [_results(side, Path(folder) / name, deadline) for side, name in ((before, "from"), (after, "to"))]
        with refusals_shown(ValueError):  # a result file cannot be used
            compared = migration(*sides)
    written = WRITERS[form](compared)
    write_out(written, out)
    return ExitCode.FAIL if compared.loses else ExitCode.OK


def _results(asked: str, folder: Path, deadline: float) -> Path:
    """Return where the results of one side are, made now where an implementation is named."""
    if Path(asked).exists():
        return Path(asked)
    if ":" not in asked:
        raise ConfigurationError(
            f"{asked}: no such file; name results of `mqconform run`, or an implementation as KIND:ID"
        )
    selection = checked_selection(Selection((ROLE,), ""))
    plan = Plan(iut=asked, options=AdapterOptions(deadline, deadline), profile=Profile.of("default"), seed=0,
                selection=selection, out=folder)  # fmt: skip
    outcome = execute(plan)
    if outcome.problem:
        raise Unreachable(f"{asked}: {outcome.problem}")
    return folder
