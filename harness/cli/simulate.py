"""``mqconform simulate``: a sender and a receiver with a faulty network between them."""

import json
import shlex
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import click

from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.options import FORMS, deadline_option
from mqconform.harness.cli.paths import FilePath
from mqconform.harness.cli.progress import counting
from mqconform.harness.cli.simulate_system import Plan, simulate_systems
from mqconform.harness.explore.schedule_record import delivery_log, trouble_record
from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.drivers.ordered_delivery.ends import Call, operations_of
from mqconform.harness.iut.drivers.ordered_delivery.schedule import Schedule, written
from mqconform.harness.iut.drivers.ordered_delivery.schedule_text import parse_schedule
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, Unsupported
from mqconform.harness.judge.eod.fault_schedules.schedule_search import STEPS, Ends, Trouble, find_trouble
from mqconform.harness.judge.eod.fault_schedules.timeline import schedule_lines, timeline_lines
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.text_file import read_text
from mqconform.reference.eod.exploration import Bounds, explore
from mqconform.reference.eod.history import Entry
from mqconform.reference.eod.history_check import check_history

LONGEST_FILE = 1 << 20


@click.command("simulate")
@click.option("--sender", default="ref:", show_default=True, metavar="KIND:ID", help=f"Who sends: {FORMS}.")
@click.option("--receiver", default="ref:", show_default=True, metavar="KIND:ID", help="Who receives, likewise.")
@click.option(
    "--schedules", type=click.IntRange(min=1), default=1_000, show_default=True, help="How many schedules to generate."
)
@click.option(
    "--steps", type=click.IntRange(1, 200), default=STEPS, show_default=True, help="Steps of a schedule, at most."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed generates the same schedules.")
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
    help="With --schedule or --system: write what happened as JSON Lines, for audit deliveries.",
)
@click.option(
    "--every",
    type=click.IntRange(1, 5),
    metavar="MESSAGES",
    help="Go through every interleaving of this number of messages instead: 3 take seconds, 4 minutes.",
)
@click.option("--system", is_flag=True, help="Simulate queue managers with networks between them instead.")
@click.option(
    "--iut", default="ref:", show_default=True, metavar="KIND:ID", help="With --system: the queue managers, likewise."
)
@deadline_option
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def command(  # noqa: PLR0913 - one parameter for each option
    *,
    sender: str,
    receiver: str,
    schedules: int,
    steps: int,
    seed: int,
    text: str | None,
    log: Path | None,
    every: int | None,
    system: bool,
    iut: str,
    deadline: float,
    as_json: bool,
) -> None:
    """Deliver messages exactly once and in order, through loss, delay, duplication, partitions and crashes.

    Generates fault schedules, runs each under a virtual clock, checks what happened, and shows the smallest schedule
    under which the promise is broken. Each step of a schedule is one of: queue STREAM, expire STREAM [WHICH], lose
    message, lose acknowledgment, duplicate or delay message or acknowledgment SECONDS, partition SECONDS, receiver
    or sender restarts, receiver or sender loses state; with +SECONDS before it where time has to pass.

    With --system three queue managers a, b and c send messages to each other. A step is one of: a sends to b (in a
    transaction), a sends and aborts to b, a sends plain to b, b receives, b receives and aborts, b receives plain,
    a is cut from b, a is linked to b, a crashes, a starts; with +SECONDS before it likewise.

    Exit status: 0 the promise holds; 1 it does not; 4 wrong usage or configuration.
    """
    if system:
        _check_ends(sender, receiver)
        plan = Plan(None if text is None else _text(text), schedules, seed, steps, every, log)
        raise click.exceptions.Exit(simulate_systems(iut, AdapterOptions(deadline=deadline), plan, as_json=as_json))
    _check_options(sender, receiver, iut, every, log if text is None else None)
    if every is not None:
        _explore(every, as_json=as_json)
    schedule = None if text is None else _schedule(text)
    with ExitStack() as open_ends:
        ends = _ends(sender, receiver, AdapterOptions(deadline=deadline), open_ends)
        try:
            if schedule is not None:
                _show_run(ends, schedule, log, as_json=as_json)
            with counting("schedules", schedules) as counter:
                trouble = find_trouble(ends, schedules=schedules, seed=seed, steps=steps, each=counter.each)
        except Unsupported as absent:
            raise ConfigurationError(f"{absent}; the simulation needs every operation of the role") from absent
    if as_json:
        echo(json.dumps(trouble_record(trouble)))
    elif trouble is None:
        echo(f"{schedules} schedules: every message delivered once and in order, none lost, no number changed")
    else:
        _echo(_report(trouble, sender, receiver))
    raise click.exceptions.Exit(ExitCode.OK if trouble is None else ExitCode.FAIL)


def _explore(messages: int, *, as_json: bool) -> None:
    explored = explore(Bounds(messages))
    if as_json:
        echo(json.dumps(asdict(explored)))
    elif explored.problem:
        _echo(iter((*explored.path, explored.problem)))
    else:
        echo(f"{explored.states} states of {_messages(messages)}, one expiry and one loss of state: all are right")
    raise click.exceptions.Exit(ExitCode.FAIL if explored.problem else ExitCode.OK)


def _messages(count: int) -> str:
    return "1 message" if count == 1 else f"{count} messages"


def _check_options(sender: str, receiver: str, iut: str, every: int | None, log: Path | None) -> None:
    """Raise where options do not fit together; ``log`` is one without a schedule."""
    if iut != "ref:":
        raise ConfigurationError("--iut names queue managers; give it with --system, or --sender and --receiver")
    if every is not None and (sender, receiver) != ("ref:", "ref:"):
        raise ConfigurationError("--every goes through the states of the reference; leave out --sender, --receiver")
    if every is None and log is not None:
        raise ConfigurationError(f"--log {log}: is of one schedule; give it with --schedule")


def _check_ends(sender: str, receiver: str) -> None:
    if (sender, receiver) != ("ref:", "ref:"):
        raise ConfigurationError("--system has queue managers for both ends; leave out --sender and --receiver")


def _schedule(text: str) -> Schedule:
    return parse_schedule(_text(text))


def _text(text: str) -> str:
    """Return a schedule as it is given, or what stands in the file that ``@`` names.

    Raises:
        ConfigurationError: it has no steps, and would show nothing.
    """
    schedule = read_text(Path(text[1:]), LONGEST_FILE, "a schedule") if text.startswith("@") else text
    if not schedule.strip("; \n\t"):
        raise ConfigurationError(f"--schedule {text or repr(text)}: has no steps; give some, such as 'queue a'")
    return schedule


def _ends(sender: str, receiver: str, options: AdapterOptions, open_ends: ExitStack) -> Ends:
    sending = _end("ordered_sender", sender, options, open_ends)
    return Ends(sending, sending if sender == receiver else _end("ordered_receiver", receiver, options, open_ends))


def _end(role: str, spec: str, options: AdapterOptions, open_ends: ExitStack) -> Call:
    if spec == "ref:":
        return operations_of(ReferenceIut())
    iut = connect(spec, options)
    open_ends.callback(iut.close)
    if iut.description.roles and role not in iut.description.roles:
        declared = ", ".join(sorted(iut.description.roles))
        raise ConfigurationError(f"{spec}: is no {role}; the roles it declares are {declared}")
    return iut.call


def _show_run(ends: Ends, schedule: Schedule, log: Path | None, *, as_json: bool) -> None:
    history = ends.history(schedule)
    violations = check_history(history)
    if log is not None:
        _write(log, history)
    if as_json:
        echo(json.dumps(trouble_record(Trouble(schedule, history, violations) if violations else None)))
    else:
        _echo(timeline_lines(history, violations))
        echo("the promise is broken" if violations else "the promise holds")
    raise click.exceptions.Exit(ExitCode.FAIL if violations else ExitCode.OK)


def _write(log: Path, history: Iterable[Entry]) -> None:
    try:
        log.write_text("".join(f"{line}\n" for line in delivery_log(history)), encoding="utf-8")
    except OSError as fault:
        raise ConfigurationError(
            f"--log {log}: cannot be written ({fault.strerror}); name a file in a folder of yours"
        ) from fault


def _report(trouble: Trouble, sender: str, receiver: str) -> Iterator[str]:
    steps = "1 step" if len(trouble.schedule) == 1 else f"{len(trouble.schedule)} steps"
    yield f"The smallest schedule found that breaks the promise, {steps}:"
    yield from schedule_lines(trouble.schedule)
    yield "\nWhat happens:"
    yield from timeline_lines(trouble.history, trouble.violations)
    ends = (("--sender", sender), ("--receiver", receiver))
    named = [word for option, spec in ends if spec != "ref:" for word in (option, spec)]
    yield f"\nAgain: {shlex.join(['mqconform', 'simulate', *named, '--schedule', written(trouble.schedule)])}"


def _echo(lines: Iterator[str]) -> None:
    for line in lines:
        echo(line)
