"""Options of whatever decides whether the gate opens: a run and a merge."""

from dataclasses import replace
from pathlib import Path

import click

from mqconform.harness.cli.options import out_option
from mqconform.harness.cli.parameters import Decorator, FilePath, stacked
from mqconform.harness.run.gate.baseline import read_baseline
from mqconform.harness.run.gate.losses import earlier_coverage
from mqconform.harness.run.plan import Plan

gate_options = stacked(
    click.option(
        "--expected-failures",
        type=FilePath(),
        metavar="FILE",
        help="Baseline in YAML: expected failures and known flakes.",
    ),
    click.option(
        "--baseline-update",
        "update",
        is_flag=False,
        flag_value="shrink",
        type=click.Choice(["shrink", "grow"]),
        metavar="[=grow]",
        help="Remove entries whose case passed or is gone; =grow adds new failures as well.",
    ),
    click.option(
        "--coverage-of",
        type=FilePath(),
        metavar="RESULTS",
        help="Fail if a requirement covered by this earlier run is not covered now.",
    ),
)
"""Expected failures and earlier coverage; ``with_gate`` makes them part of a plan."""


def output_options(default: str) -> Decorator:
    """Return a decorator that adds --report and --out."""
    return stacked(
        click.option(
            "--report",
            "reports",
            multiple=True,
            metavar="FORMAT[=PATH]",
            help="Also write this format, such as junit=junit.xml; repeatable.",
        ),
        out_option(default, "Directory for results and evidence."),
    )


def with_gate(plan: Plan, expected_failures: Path | None, update: str | None, coverage_of: Path | None) -> Plan:
    """Return a plan with what the gate options ask for, read and checked before anything runs.

    Raises:
        ConfigurationError: a file cannot be used.
        UsageError: options that do not go together.
    """
    if update and not expected_failures:
        raise click.UsageError("--baseline-update needs --expected-failures FILE")
    if update and plan.shard:
        raise click.UsageError("--baseline-update sees the whole run alone: give it to `mqconform merge`")
    if coverage_of and plan.shard:
        raise click.UsageError("--coverage-of sees the whole run alone: give it to `mqconform merge`")
    return replace(
        plan,
        baseline=read_baseline(expected_failures) if expected_failures else None,
        update=update or "",
        earlier=earlier_coverage(coverage_of) if coverage_of else None,
    )
