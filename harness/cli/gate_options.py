"""Options of whatever decides whether the gate opens: a run and a merge."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from mqconform.harness.cli.options import out_option
from mqconform.harness.cli.parameters import FILE, Decorator, option, stacked
from mqconform.harness.run.gate.baseline import read_baseline
from mqconform.harness.run.gate.losses import earlier_coverage
from mqconform.harness.run.plan import Plan

_OPTIONS = stacked(
    option("--expected-failures", "Baseline in YAML: expected failures and known flakes.", FILE, metavar="FILE"),
    option(
        "--baseline-update update",
        "Remove entries whose case passed or is gone; =grow adds failures.",
        ["shrink", "grow"],
        is_flag=False,
        flag_value="shrink",
        metavar="[=grow]",
    ),
    option("--coverage-of", "Fail if a requirement covered by this earlier run is not now.", FILE, metavar="RESULTS"),
)


def gate_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add expected failures and earlier coverage; the command gets ``gate``, which makes them part of a plan."""

    @wraps(function)
    def command(*, expected_failures: Path | None, update: str | None, coverage_of: Path | None, **others: Any) -> Any:
        return function(gate=lambda plan: _with_gate(plan, expected_failures, update, coverage_of), **others)

    return _OPTIONS(command)


def output_options(default: str) -> Decorator:
    """Return a decorator that adds --report and --out."""
    return stacked(
        option("--report reports", "Also write this format; repeatable.", multiple=True, metavar="FORMAT[=PATH]"),
        out_option(default, "Directory for results and evidence."),
    )


def _with_gate(plan: Plan, expected_failures: Path | None, update: str | None, coverage_of: Path | None) -> Plan:
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
