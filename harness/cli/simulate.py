"""``mqconform simulate``: a sender and a receiver, or queue managers, with a faulty network between them."""

import json
from typing import Any

import click

from mqconform.harness.cli.console import counting
from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.options import FORMS, deadline_option, seed_option
from mqconform.harness.cli.parameters import FilePath
from mqconform.harness.explore.simulate import REFERENCE, Plan, schedule_text, simulate_streams, simulate_systems
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError
from mqconform.harness.judge.eod.fault_schedules.schedule_search import STEPS
from mqconform.harness.records.exit_codes import ExitCode

EPILOG = """A step is one of: queue STREAM, expire STREAM [WHICH], lose message, lose acknowledgment, duplicate or delay
message or acknowledgment SECONDS, partition SECONDS, receiver or sender restarts, receiver or sender loses state. With
--system: a sends to b (in a transaction), a sends and aborts to b, a sends plain to b, b receives, b receives and
aborts, b receives plain, a is cut from b, a is linked to b, a crashes, a starts. +SECONDS before a step lets time pass.

Exit status: 0 the promise holds; 1 it does not; 4 wrong usage or configuration."""


@click.command("simulate", epilog=EPILOG)
@click.option("--sender", default=REFERENCE, metavar="KIND:ID", help=f"Who sends: {FORMS}.")
@click.option("--receiver", default=REFERENCE, metavar="KIND:ID", help="The receiver, likewise.")
@click.option("--schedules", type=click.IntRange(min=1), default=1_000, help="How many schedules to generate.")
@click.option("--steps", type=click.IntRange(1, 200), default=STEPS, help="Steps of a schedule, at most.")
@seed_option("The same seed generates the same schedules.")
@click.option(
    "--schedule",
    "text",
    metavar="STEPS or @FILE",
    help="Run this one schedule instead, such as 'queue a; +31 lose acknowledgment'.",
)
@click.option(
    "--log",
    type=FilePath(),
    metavar="FILE",
    help="With --schedule or --system: write the events as JSON Lines, for audit deliveries.",
)
@click.option(
    "--every",
    type=click.IntRange(1, 5),
    metavar="MESSAGES",
    help="Go through every interleaving of this number of messages instead: 3 take seconds, 4 minutes.",
)
@click.option("--system", is_flag=True, help="Simulate queue managers with networks between them instead.")
@click.option("--iut", default=REFERENCE, metavar="KIND:ID", help="With --system: the implementation.")
@deadline_option
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
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
    for line in (json.dumps(done.record),) if as_json else done.lines:
        echo(line)
    return done.code
