"""Table ``simulate``: a sender and a receiver, or whole queue managers, under fault schedules that replay.

What breaks a promise, and which schedule is the smallest that shows it, the judges of either specification say; this
file finds the subjects, hands them schedules, and puts what came of it into words and JSON.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import to_builtins

from mqconform.harness.explore.schedule_record import again, delivery_rows, event_words, system_record, trouble_record
from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.drivers import queue_managers as system_schedule
from mqconform.harness.iut.drivers.ordered_delivery import schedule as stream_schedule
from mqconform.harness.iut.drivers.ordered_delivery.ends import Call, operations_of
from mqconform.harness.iut.drivers.ordered_delivery.schedule import parse_schedule as stream_schedule_of
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, Unsupported
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.judge.eod.fault_schedules import schedule_search as streams
from mqconform.harness.judge.eod.fault_schedules.schedule_search import schedule_lines, timeline_lines
from mqconform.harness.judge.mqso import schedule_search as systems
from mqconform.harness.judge.mqso.schedule_player import Played
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.requirement import RoleName
from mqconform.harness.records.text_file import read_text
from mqconform.reference.eod import exploration as stream_states
from mqconform.reference.history.streams import check_history
from mqconform.reference.history.system import rows_of
from mqconform.reference.mqso import exploration as system_states

REFERENCE: Final = "ref:"
LONGEST_FILE: Final = 1 << 20
NEEDED: Final = ("several-machines", "virtual-clock", "restart", "transactions")
"""Capabilities without which queue managers can play no schedule."""
Row = Mapping[str, Any]


class Simulated(NamedTuple):
    """What came of a simulation: for programs, for people, and as an exit code."""

    record: object
    lines: tuple[str, ...]
    code: ExitCode


@dataclass(frozen=True, slots=True)
class Plan:
    """What to simulate: one schedule, every way of a number of messages, or schedules that are drawn.

    Attributes:
        schedule: the one schedule as text, None without.
        every: how many messages to go through in every way, None for none.
        log: where histories are written, None for nowhere.
        each: called for each schedule that was tried.
    """

    schedule: str | None
    schedules: int
    seed: int
    steps: int
    every: int | None
    log: Path | None
    each: Callable[[], None] = lambda: None


def schedule_text(given: str) -> str:
    """Return a schedule as it is given, or what stands in the file that ``@`` names.

    Raises:
        ConfigurationError: it has no steps, and would show nothing.
    """
    schedule = read_text(Path(given[1:]), LONGEST_FILE, "a schedule") if given.startswith("@") else given
    if not schedule.strip("; \n\t"):
        raise ConfigurationError(f"--schedule {given or repr(given)}: has no steps; give some, such as 'queue a'")
    return schedule


def simulate_streams(sender: str, receiver: str, options: AdapterOptions, plan: Plan) -> Simulated:
    """Deliver through faults from a sender to a receiver; options that do not fit together are refused.

    Raises:
        ConfigurationError: naming the option, or the end that is no such end.
    """
    named = _named({"--sender": sender, "--receiver": receiver})
    if plan.every is not None:
        if named:
            raise ConfigurationError("--every goes through the states of the reference; leave out --sender, --receiver")
        explored = stream_states.explore(stream_states.Bounds(plan.every))
        return _explored(explored, f"of {_many(plan.every, 'message')}, one expiry and one loss of state")
    if plan.log is not None and plan.schedule is None:
        raise ConfigurationError(f"--log {plan.log}: is of one schedule; give it with --schedule")
    schedule = None if plan.schedule is None else stream_schedule_of(plan.schedule)
    with ExitStack() as opened, _complete("; the simulation needs every operation of the role"):
        sending, _ = _reached("ordered_sender", sender, options, opened)
        receiving = sending if sender == receiver else _reached("ordered_receiver", receiver, options, opened)[0]
        ends = streams.Ends(sending, receiving)
        if schedule is not None:
            return _stream_run(ends, schedule, plan.log)
        trouble = streams.find_trouble(ends, schedules=plan.schedules, seed=plan.seed, steps=plan.steps, each=plan.each)
    if trouble is None:
        line = f"{plan.schedules} schedules: every message delivered once and in order, none lost, no number changed"
        return Simulated(trouble_record(None), (line,), ExitCode.OK)
    lines = (
        f"The smallest schedule found that breaks the promise, {_many(len(trouble.schedule), 'step')}:",
        *schedule_lines(trouble.schedule),
        "\nWhat happens:",
        *timeline_lines(trouble.history, trouble.violations),
        f"\nAgain: {again(named, stream_schedule.written(trouble.schedule))}",
    )
    return Simulated(trouble_record(trouble), lines, ExitCode.FAIL)


def _stream_run(ends: streams.Ends, schedule: stream_schedule.Schedule, log: Path | None) -> Simulated:
    history = ends.history(schedule)
    with _log(log) as write:
        write(delivery_rows(history))
    violations = check_history(history)
    trouble = streams.Trouble(schedule, history, violations) if violations else None
    says = "the promise is broken" if violations else "the promise holds"
    lines = (*timeline_lines(history, violations), says)
    return Simulated(trouble_record(trouble), lines, ExitCode.FAIL if violations else ExitCode.OK)


def simulate_systems(iut: str, options: AdapterOptions, plan: Plan) -> Simulated:
    """Let three queue managers send messages to each other through faults; the schedules tell what else they do.

    Raises:
        ConfigurationError: naming the option, or what the implementation lacks.
    """
    if plan.every is not None:
        if plan.log is not None:
            raise ConfigurationError("--log has histories of schedules, which --every does not play; leave one out")
        if iut != REFERENCE:
            raise ConfigurationError("--every goes through the states of the reference; leave out --iut")
        explored = system_states.explore(system_states.Bounds(plan.every))
        many = _many(plan.every, "message")
        return _explored(explored, f"of two queue managers, {many}, one outage, one crash and one aborted receive")
    schedule = None if plan.schedule is None else system_schedule.parse_schedule(plan.schedule)
    explained, histories = 0, count(1)
    with ExitStack() as opened, _complete(f"; a schedule needs every operation of {', '.join(NEEDED)}"):
        call, capabilities = _reached(RoleName.QUEUE_MANAGER, iut, options, opened, "--iut ", NEEDED)
        write = opened.enter_context(_log(plan.log))

        def record(played: Played) -> None:
            nonlocal explained
            explained += played.explained
            rows = rows_of(played.history, str(next(histories)))
            write({name: cell for name, cell in row.items() if cell is not None} for row in rows)

        plays = systems.Play(call, record=record)
        trouble = _system_trouble(plays, plan, capabilities) if schedule is None else plays.of(schedule)
    if trouble is None:
        summary = f"{plan.schedules} schedules: no promise was broken, and nothing is wrong with the answers"
        return Simulated(None, (f"{summary}; in {explained} all of them could be explained",), ExitCode.OK)
    lines = [*_system_lines(trouble)]
    if schedule is None:
        steps = _many(len(trouble.schedule), "step")
        lines[:0] = [f"The smallest schedule found with which something is wrong, {steps}:"]
        lines[1:1] = [f"  {step}" for step in trouble.schedule]
        named = ["--system", *_named({"--iut": iut})]
        lines.append(f"Again: {again(named, stream_schedule.written(trouble.schedule))}")
    return Simulated(system_record(trouble), tuple(lines), ExitCode.FAIL if trouble.kinds else ExitCode.OK)


def _system_trouble(plays: systems.Play, plan: Plan, capabilities: Collection[str]) -> systems.Trouble | None:
    steps, first = systems.steps_of_three(capabilities), systems.well_known(capabilities)[: plan.schedules]
    how: dict[str, Any] = {"seed": plan.seed, "steps": plan.steps, "each": plan.each}
    return systems.find_trouble_in(plays, steps, first=first, schedules=plan.schedules - len(first), **how)


def _system_lines(trouble: systems.Trouble) -> Iterator[str]:
    yield "What happens:"
    broken = trouble.all_broken()
    marks = {place for breach in broken for place in breach.places}
    yield from (
        f"{'>' if place in marks else ' '} {words}" for place, words in enumerate(map(event_words, trouble.history))
    )
    for breach in broken:
        yield f"{breach.says}: {', '.join(breach.requirements) or 'no known fault explains it'}"
    if not broken:
        yield "no promise is broken, and nothing is wrong with the answers"


def _explored(explored: stream_states.Explored | system_states.Explored, what: str) -> Simulated:
    if explored.problem:
        return Simulated(to_builtins(explored), (*explored.path, explored.problem), ExitCode.FAIL)
    return Simulated(to_builtins(explored), (f"{explored.states} states {what}: all are right",), ExitCode.OK)


def _reached(  # noqa: PLR0913, PLR0917 - which, how, and what it has to offer
    role: str,
    target: str,
    options: AdapterOptions,
    opened: ExitStack,
    option: str = "",
    needed: Collection[str] = (),
) -> tuple[Call, Collection[str]]:
    """Return the operations of an implementation and its capabilities; ``opened`` ends it.

    The reference answers in this process, without JSON or schema.
    """
    if target == REFERENCE:
        return operations_of(ReferenceIut()), ROLES[RoleName(role)].offered
    iut = connect(target, options)
    opened.callback(iut.close)
    declared = iut.description
    if role not in declared.roles and (declared.roles or needed):
        roles = ", ".join(sorted(declared.roles)) or "none"
        raise ConfigurationError(f"{option}{target}: is not an {role}; the roles it declares are {roles}")
    if missing := [capability for capability in needed if capability not in declared.capabilities]:
        lacks = f"does not declare {', '.join(missing)}; a schedule needs {', '.join(needed)}"
        raise ConfigurationError(f"{option}{target}: {lacks}")
    return iut.call, declared.capabilities


@contextmanager
def _complete(remedy: str) -> Iterator[None]:
    try:
        yield
    except Unsupported as absent:
        raise ConfigurationError(f"{absent}{remedy}") from absent


@contextmanager
def _log(path: Path | None) -> Iterator[Callable[[Iterable[Row]], None]]:
    """Give what writes a history as lines of JSON, as ``audit deliveries`` reads them; without a path nothing is."""
    if path is None:
        yield lambda _: None
        return
    try:
        with path.open("w", encoding="utf-8", buffering=1) as file:
            yield lambda rows: file.writelines(f"{json.dumps(row)}\n" for row in rows)
    except OSError as fault:
        text = f"--log {path}: cannot be written ({fault.strerror}); name a file in a folder of yours"
        raise ConfigurationError(text) from fault


def _named(targets: Mapping[str, str]) -> list[str]:
    """Return the options that name implementations; the reference needs none."""
    return [word for option, target in targets.items() if target != REFERENCE for word in (option, target)]


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
