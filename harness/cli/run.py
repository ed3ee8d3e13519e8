"""``mqconform run``: the conformance run."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from textwrap import fill
from time import monotonic
from typing import Any

import click

from mqconform.harness.cli import options as shared
from mqconform.harness.cli.console import SafeConsole, progress_shown
from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.gate_options import gate_options, output_options, with_gate
from mqconform.harness.cli.parameters import A_DAY, FilePath, Number
from mqconform.harness.iut.patience import GIVE_UP_AFTER
from mqconform.harness.iut.roles import ROLES, step_modules
from mqconform.harness.judge.independent.routing_graph import checked_second_opinion
from mqconform.harness.records.exit_codes import WORDS, ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.report_writers import checked_reports, write_reports
from mqconform.harness.records.run_file import PARTS
from mqconform.harness.records.shard import shard_of
from mqconform.harness.run.declaration import declared_by
from mqconform.harness.run.execution import Plan, execute
from mqconform.harness.run.for_pytest import run_for_pytest
from mqconform.harness.run.last_failed import only_last_failed, write_last_failed
from mqconform.harness.run.preflight import first_exchange
from mqconform.harness.run.sharding.workers import execute_in_processes
from mqconform.harness.run.source_file import source_of
from mqconform.harness.run.summary import print_brief, print_summary
from mqconform.harness.suite.added_features import checked_features
from mqconform.harness.suite.selection import Selection, checked_selection

JOBS = {
    "What is judged": ("requirements", "expression", "last_failed", "stop_first", "profile", "thorough", "features"),
    "How it is reached": ("iut", "facts", "allow_commands", "clock", "processes", "shard", "timeout"),
    "What is written": ("out", "reports", "build", "resume", "quiet"),
    "Gate": ("expected_failures", "update", "coverage_of"),
}
"""Parameters of the command by heading; all others are rare."""


class RunCommand(click.Command):
    """A command with its options under headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what most users need; a file of options is the place for the rest."""
        records = {option.name: option.get_help_record(ctx) for option in self.get_params(ctx) if not option.is_eager}
        for job, names in JOBS.items():
            with formatter.section(job):
                formatter.write_dl([record for name in names if (record := records.pop(name))])
        with formatter.section("Rare, at home in mqconform.toml (docs/configuration.md)"):
            rare = [record[0].split(" ")[0].removesuffix(",") for record in records.values() if record]
            formatter.write(
                fill(", ".join(rare), initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False) + "\n"
            )


DEFAULT_OUT = "mqconform-results"
CODES = ", ".join(f"{code} {words.usage}" for code, words in WORDS.items() if words.usage)


@click.command(cls=RunCommand, epilog=f"Exit codes: {CODES}.")
@shared.connection_options(default="ref:")
@click.option(
    "--clock",
    type=click.Choice(["virtual", "real"]),
    help="What discovery clients and queue managers wait by; by default the virtual clock, if available.",
)
@click.option(
    "--tolerance",
    type=Number(min=0.02, max=5),
    metavar="SECONDS",
    help="How early or late a client's wait may be; with the virtual clock at most 0.9.  "
    "[default: 0.5, or the value in --facts]",
)
@shared.profile_option
@click.option(
    "--timeout",
    type=Number(min=1, max=A_DAY),
    metavar="SECONDS",
    help="Time for the whole run; cases that have not begun by then are inconclusive, and --resume plays them.",
)
@click.option(
    "--give-up-after",
    type=Number(min=0, max=A_DAY),
    default=GIVE_UP_AFTER,
    metavar="SECONDS",
    help="Give up after waiting this long in total for missing answers; 0 for never.",
)
@click.option("-x", "--exitfirst", "stop_first", is_flag=True, help="Stop at the first case that fails.")
@shared.requirements_option
@click.option(
    "--last-failed",
    "--lf",
    is_flag=True,
    help="Only cases that did not pass in the last run into the same --out; all cases if there are none.",
)
@click.option(
    "-k",
    "expression",
    default="",
    show_default=False,
    metavar="EXPR",
    help="Only cases whose id matches, as in pytest -k.",
)
@shared.seed_option("Where ids and generated packets come from.")
@click.option(
    "--thorough",
    type=click.IntRange(1, 1000),
    default=1,
    metavar="N",
    help="Try N times as many generated inputs as by default; the same seed tries the same.",
)
@click.option("--features", type=FilePath(), multiple=True, help="More features, such as cases saved by a run.")
@click.option(
    "--second-opinion",
    is_flag=True,
    help="Let a second, independent oracle vote on routing; a disagreement is an error of the harness.",
)
@click.option(
    "--probe/--no-probe",
    "probes",
    default=True,
    help="Before the run, try undeclared features over a separate connection.",
)
@click.option(
    "--build", default="", show_default=False, metavar="TEXT", help="Which build this is, such as a commit: for `diff`."
)
@click.option("--shard", metavar="I/N", help="Only part I of N; `mqconform merge` makes one result of all.")
@click.option(
    "-n",
    "processes",
    type=click.IntRange(1, 256),
    default=1,
    metavar="NUMBER",
    help="Run in this number of processes, each with the implementation to itself.",
)
@gate_options
@click.option(
    "--diagnosis/--no-diagnosis", default=True, help="After a red run, name the known faults that fail the same cases."
)
@click.option(
    "--bundles/--no-bundles", default=True, help="Leave a folder for each failed case, for `mqconform replay`."
)
@click.option(
    "--resume",
    is_flag=True,
    help="Continue a killed run into the same --out; finished cases are kept.",
)
@click.option(
    "-q",
    "--quiet",
    is_flag=True,
    help="Print only the known faults that explain the failures, a line for each cause, and the verdict.",
)
@click.option(
    "--source",
    type=FilePath(),
    metavar="FILE",
    help="The file of your repository that SARIF and annotations point to.  [default: the program or the facts]",
)
@output_options(DEFAULT_OUT)
@click.option("--for-pytest", "part", hidden=True, metavar="I/N")  # who asks is harness/run/pytest_items.py
def command(  # noqa: PLR0913 - the options that a plan does not take as they are
    *,
    iut: str,
    facts: Path | None,
    deadline: float,
    reply_timeout: float,
    clock: str | None,
    tolerance: float | None,
    profile: str,
    requirements: tuple[str, ...],
    expression: str,
    last_failed: bool,
    features: tuple[Path, ...],
    second_opinion: bool,
    timeout: float | None,
    probes: bool,
    shard: str | None,
    processes: int,
    expected_failures: Path | None,
    update: str | None,
    coverage_of: Path | None,
    reports: tuple[str, ...],
    source: Path | None,
    quiet: bool,
    out: Path,
    part: str | None,
    **as_they_are: Any,
) -> int:
    """Judge an implementation, requirement by requirement, and report violations.

    Without options the built-in reference is judged. The result file is written as the run goes on.
    """
    asked = only_last_failed(out, expression) if last_failed else expression
    if last_failed and asked == expression:
        echo(f"--last-failed: no case of {out} failed; all are run", err=True)
    plan = Plan(
        iut=iut,
        options=replace(
            shared.options_from(facts, deadline, reply_timeout, iut), clock=clock or "", tolerance=tolerance
        ),
        profile=Profile.of(profile),
        selection=checked_selection(Selection(requirements, asked), added=bool(features)),
        out=out,
        features=checked_features(features, step_modules(ROLES)),
        second_opinion=checked_second_opinion(asked=second_opinion),
        shard=shard_of(shard) if shard else None,
        until=monotonic() + timeout if timeout else inf,
        source=source_of(iut, facts, source),
        **as_they_are,
    )
    if plan.shard and processes > 1:
        raise click.UsageError("--shard and -n exclude each other: a shard is run in one process")
    if plan.stop_first and (plan.shard or processes > 1):
        raise click.UsageError("-x stops one process: it goes neither with -n nor with --shard")
    if plan.resume and processes == 1 and (parts := [*(out / PARTS).glob("*")]):
        raise click.UsageError(f"--resume: {out} has the parts of a run in {len(parts)} processes; add -n {len(parts)}")
    plan = with_gate(plan, expected_failures, update, coverage_of)
    requested_reports = checked_reports(reports)
    if probes:
        plan = replace(plan, declaration=declared_by(plan.iut, plan.options))
    if part:
        outcome = run_for_pytest(plan, part)
    else:
        with progress_shown() as progress, _resumable(out):
            outcome = (
                execute_in_processes(plan, processes, progress)
                if processes > 1
                else execute(plan, progress, partial(first_exchange, tell=progress.tell))
            )
    write_last_failed(out, outcome.cases)
    written = write_reports(outcome.results, requested_reports)
    if quiet:
        print_brief(outcome, SafeConsole())
    else:
        print_summary(outcome, SafeConsole(), written)
    return outcome.exit_code


@contextmanager
def _resumable(out: Path) -> Iterator[None]:
    """Say how to go on where the user stops the run."""
    try:
        yield
    except KeyboardInterrupt:
        echo(f"stopped; the results so far are in {out}: the same command with --resume goes on", err=True)
        raise click.exceptions.Exit(ExitCode.STOPPED) from None
