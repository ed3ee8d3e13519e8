"""``mqconform simulate``: a sender and a receiver, or queue managers, with a faulty network between them."""

import json
from typing import Any

import click

from mqconform.harness.cli.console import counting
from mqconform.harness.cli.echo import say
from mqconform.harness.cli.options import FORMS, deadline_option, seed_option
from mqconform.harness.cli.parameters import FILE, UsualFirst, flag, json_option, option
from mqconform.harness.explore.simulate import REFERENCE, Plan, schedule_text, simulate_streams, simulate_systems
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError
from mqconform.harness.judge.eod.fault_schedules.schedule_search import STEPS
from mqconform.harness.records.exit_codes import ExitCode

EPILOG = """docs/exactly-once.md has the steps of a schedule; with --system, docs/how-to/judge-a-queue-manager.md.

Exit status: 0 the promise holds; 1 it does not; 4 wrong usage or configuration."""


@click.command("simulate", cls=UsualFirst, rare="schedules steps text log every", epilog=EPILOG)
@option("--sender", f"Who sends: {FORMS}.", default=REFERENCE, metavar="KIND:ID")
@option("--receiver", "The receiver, likewise.", default=REFERENCE, metavar="KIND:ID")
@option("--schedules", "How many schedules to generate.", click.IntRange(min=1), default=1_000)
@option("--steps", "Steps of a schedule, at most.", click.IntRange(1, 200), default=STEPS)
@seed_option("The same seed generates the same schedules.")
@option("--schedule text", "Run this schedule instead, such as 'queue a; +31 lose message'.", metavar="STEPS or @FILE")
@option(
    "--log", "With --schedule or --system: write the events as JSON Lines, for audit deliveries.", FILE, metavar="FILE"
)
@option("--every", "Try every order of N: 3 take seconds, 4 minutes.", click.IntRange(1, 5), metavar="N")
@flag("--system", "Simulate queue managers with networks between them instead.")
@option("--iut", "With --system: the implementation.", default=REFERENCE, metavar="KIND:ID")
@deadline_option
@json_option("Print the findings as JSON.")
def command(  # noqa: PLR0913 - the options that a plan does not take as they are
    *, sender: str, receiver: str, text: str | None, system: bool, iut: str, deadline: float, as_json: bool, **plan: Any
) -> ExitCode:
    """Deliver messages exactly once and in order, through loss, delay, duplication, partitions and crashes.

    Generates fault schedules, runs each under a virtual clock, checks what happened, and shows the smallest schedule
    under which the promise is broken. With --system three queue managers a, b and c send messages to each other.
    """
    if system and (sender, receiver) != (REFERENCE, REFERENCE):
        raise ConfigurationError("--system has queue managers for both ends; leave out --sender and --receiver")
    if not system and iut != REFERENCE:
        raise ConfigurationError("--iut names queue managers; give it with --system, or --sender and --receiver")
    options = AdapterOptions(deadline=deadline)
    with counting("schedules", plan["schedules"]) as counter:
        asked = Plan(None if text is None else schedule_text(text), each=counter.each, **plan)
        done = simulate_systems(iut, options, asked) if system else simulate_streams(sender, receiver, options, asked)
    say((json.dumps(done.record),) if as_json else done.lines)
    return done.code
