"""``mqconform run``: the conformance run."""

from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

import click

from mqconform.harness.cli import options as shared
from mqconform.harness.cli.console import SafeConsole, progress_shown
from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.gate_options import gate_options, output_options
from mqconform.harness.cli.parameters import FILE, UsualFirst, flag, option, seconds_option
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.patience import GIVE_UP_AFTER
from mqconform.harness.iut.roles import ROLES, step_modules
from mqconform.harness.judge.independent.routing_graph import checked_second_opinion
from mqconform.harness.records.exit_codes import WORDS, ExitCode
from mqconform.harness.records.report_writers import checked_reports, write_reports
from mqconform.harness.records.shard import shard_of
from mqconform.harness.run.declaration import declared_by
from mqconform.harness.run.execution import Plan
from mqconform.harness.run.for_pytest import run_for_pytest
from mqconform.harness.run.last_failed import only_last_failed, write_last_failed
from mqconform.harness.run.preflight import first_exchange
from mqconform.harness.run.sharding.merge import Prepare
from mqconform.harness.run.sharding.workers import check_processes, execute_in_processes
from mqconform.harness.run.source_file import source_of
from mqconform.harness.run.summary import print_brief, print_summary
from mqconform.harness.suite.added_features import checked_features
from mqconform.harness.suite.selection import Selection, checked_selection

JOBS = {
    "What is judged": ("requirements", "expression", "last_failed", "profile"),
    "How it is reached": ("iut", "facts", "allow_commands", "processes"),
    "What is written": ("out", "reports", "resume", "quiet"),
    "Gate": ("expected_failures", "update", "coverage_of"),
}
RARE = "stop_first thorough features clock shard timeout build"
"""Parameters that are rare; those that stand nowhere are at home in a file of options."""
CODES = ", ".join(f"{code} {words.usage}" for code, words in WORDS.items() if words.usage)


@click.command(cls=UsualFirst, jobs=JOBS, rare=RARE, epilog=f"Exit codes: {CODES}.")
@shared.connection_options(default="ref:")
@option("--clock", "What clients and queue managers wait by; the virtual clock, if available.", ["virtual", "real"])
@seconds_option("--tolerance", "How early or late a client may be.  [default: 0.5, or the value in --facts]", 0.02, 5)
@shared.profile_option
@seconds_option("--timeout", "Time of a run; cases not begun by then are inconclusive; --resume plays them.", 1)
@seconds_option("--give-up-after", "Waiting in vain after which it gives up; 0 for never.", default=GIVE_UP_AFTER)
@flag("-x --exitfirst stop_first", "Stop at the first case that fails.")
@shared.requirements_option
@flag("--last-failed --lf", "Only cases that did not pass in the last run into the same --out; all if there are none.")
@option("-k expression", "Only cases whose id matches, as in pytest.", default="", show_default=False, metavar="EXPR")
@shared.seed_option("Where ids and generated packets come from.")
@option("--thorough", "Try N times as many generated inputs.", click.IntRange(1, 1000), default=1, metavar="N")
@option("--features", "More features, such as cases saved by a run.", FILE, multiple=True)
@flag("--second-opinion", "Let a second oracle vote; a disagreement is an error of the harness.")
@option("--probe/--no-probe probes", "Before the run, try what is not declared.", default=True)
@option("--build", "Which build this is, such as a commit: for `diff`.", default="", show_default=False, metavar="TEXT")
@option("--shard", "Only part I of N; `mqconform merge` makes one result of all.", metavar="I/N")
@option("-n processes", "Processes, each with the implementation to itself.", click.IntRange(1, 256), default=1)
@gate_options
@option("--diagnosis/--no-diagnosis", "After a red run, name the known faults that fail the same cases.", default=True)
@option("--bundles/--no-bundles", "Leave a folder for each failed case, for `mqconform replay`.", default=True)
@flag("--resume", "Continue a killed run into the same --out; finished cases are kept.")
@flag("-q --quiet", "Print only the known faults that explain the failures, a line for each cause, and the verdict.")
@option("--source", "What SARIF and annotations point to.  [default: the program or the facts]", FILE, metavar="FILE")
@output_options("mqconform-results")
@click.option("--for-pytest", "part", hidden=True)  # who asks is harness/run/pytest_items.py
def command(  # noqa: PLR0913 - the options that a plan does not take as they are
    *,
    iut: str,
    options: AdapterOptions,
    clock: str | None,
    tolerance: float | None,
    requirements: tuple[str, ...],
    expression: str,
    last_failed: bool,
    features: tuple[Path, ...],
    second_opinion: bool,
    timeout: float | None,
    probes: bool,
    shard: str | None,
    processes: int,
    gate: Prepare,
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
        options=replace(options, clock=clock or "", tolerance=tolerance),
        selection=checked_selection(Selection(requirements, asked), added=bool(features)),
        out=out,
        features=checked_features(features, step_modules(ROLES)),
        second_opinion=checked_second_opinion(asked=second_opinion),
        shard=shard_of(shard) if shard else None,
        until=monotonic() + timeout if timeout else inf,
        source=source_of(iut, click.get_current_context().params["facts"], source),
        **as_they_are,
    )
    check_processes(plan, processes)
    plan = gate(plan)
    requested_reports = checked_reports(reports)
    if probes:
        plan = replace(plan, declaration=declared_by(plan.iut, plan.options))
    if part:
        outcome = run_for_pytest(plan, part)
    else:
        try:
            with progress_shown() as progress:
                greet = partial(first_exchange, tell=progress.tell)
                outcome = execute_in_processes(plan, processes, progress, greet)
        except KeyboardInterrupt:
            echo(f"stopped; the results so far are in {out}: the same command with --resume goes on", err=True)
            return ExitCode.STOPPED
    write_last_failed(out, outcome.cases)
    written = write_reports(outcome.results, requested_reports)
    print_brief(outcome, SafeConsole()) if quiet else print_summary(outcome, SafeConsole(), written)
    return outcome.exit_code
