"""``mqconform simulate --system``: several queue managers, machines that crash, networks that fail."""

import json
import shlex
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.progress import counting
from mqconform.harness.cli.system_log_file import system_log
from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.drivers.ordered_delivery.ends import operations_of
from mqconform.harness.iut.drivers.queue_managers.schedule import parse_schedule, written
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, Json, Unsupported
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.judge.mqso.player import Call, Played
from mqconform.harness.judge.mqso.schedule_search import Play, Trouble, find_trouble_in, steps_of_three, well_known
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.mqso.exploration import Bounds, explore
from mqconform.reference.mqso.promises import Aside, Broken, DeadLettered, Failure, Received, Refused, Sent

_NEEDED = ("several-machines", "virtual-clock", "restart", "transactions")
"""Capabilities without which no schedule can be played."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to simulate: one schedule, every way of a number of messages, or schedules that are drawn.

    Attributes:
        text: of the one schedule, None without.
        every: how many messages to go through in every way, None for none.
        log: where the histories of all schedules are written, None for nowhere.
    """

    text: str | None
    schedules: int
    seed: int
    steps: int
    every: int | None
    log: Path | None = None


def simulate_systems(iut: str, options: AdapterOptions, plan: Plan, *, as_json: bool) -> ExitCode:
    """Search for a schedule that breaks a promise, or play the one that is given, and tell what came of it.

    Raises:
        ConfigurationError: the schedule is none, or the implementation is no system of queue managers.
    """
    if plan.every is not None:
        if plan.log is not None:
            raise ConfigurationError("--log has histories of schedules, which --every does not play; leave one out")
        if iut != "ref:":
            raise ConfigurationError("--every goes through the states of the reference; leave out --iut")
        return _explore(plan.every, as_json=as_json)
    schedule = None if plan.text is None else parse_schedule(plan.text)
    explained = 0
    with _opened(iut, options) as (call, capabilities), system_log(plan.log) as log:

        def record(played: Played) -> None:
            nonlocal explained
            explained += played.explained
            log(played.history)

        plays = Play(call, record=record)
        try:
            trouble = _search(plays, plan, capabilities) if schedule is None else plays.of(schedule)
        except Unsupported as absent:
            needed = ", ".join(_NEEDED)
            raise ConfigurationError(f"{absent}; a schedule needs every operation of {needed}") from absent
    if trouble is not None:
        return _show_trouble(iut, trouble, as_json=as_json, again=schedule is None)
    summary = f"{plan.schedules} schedules: no promise was broken, and nothing is wrong with the answers"
    echo(json.dumps(None) if as_json else f"{summary}; in {explained} all of them could be explained")
    return ExitCode.OK


def _search(plays: Play, plan: Plan, capabilities: Collection[str]) -> Trouble | None:
    first = well_known(capabilities)[: plan.schedules]
    with counting("schedules", plan.schedules) as counter:
        return find_trouble_in(
            plays,
            steps_of_three(capabilities),
            first=first,
            schedules=plan.schedules - len(first),
            seed=plan.seed,
            steps=plan.steps,
            each=counter.each,
        )


def _explore(messages: int, *, as_json: bool) -> ExitCode:
    """Go through every interleaving of a few messages between two queue managers of the reference, and tell it."""
    explored = explore(Bounds(messages))
    if as_json:
        echo(json.dumps(asdict(explored)))
    elif explored.problem:
        _echo(iter((*explored.path, explored.problem)))
    else:
        many = "1 message" if messages == 1 else f"{messages} messages"
        echo(
            f"{explored.states} states of two queue managers, {many}, one outage, one crash and one aborted receive: "
            "all are right"
        )
    return ExitCode.FAIL if explored.problem else ExitCode.OK


@contextmanager
def _opened(spec: str, options: AdapterOptions) -> Iterator[tuple[Call, Collection[str]]]:
    """Give the operations of an implementation, and its capabilities.

    The reference answers in this process, without JSON or schema.

    Raises:
        ConfigurationError: it is no queue manager, or does not offer what every schedule needs.
    """
    if spec == "ref:":
        yield operations_of(ReferenceIut()), ROLES[RoleName.QUEUE_MANAGER].offered
        return
    iut = connect(spec, options)
    try:
        if RoleName.QUEUE_MANAGER not in iut.description.roles:
            declared = ", ".join(sorted(iut.description.roles)) or "none"
            raise ConfigurationError(f"--iut {spec}: is no queue_manager; the roles it declares are {declared}")
        missing = [capability for capability in _NEEDED if capability not in iut.description.capabilities]
        if missing:
            raise ConfigurationError(
                f"--iut {spec}: does not declare {', '.join(missing)}; a schedule needs {', '.join(_NEEDED)}"
            )
        yield iut.call, iut.description.capabilities
    finally:
        iut.close()


def _show_trouble(iut: str, trouble: Trouble, *, as_json: bool, again: bool) -> ExitCode:
    if as_json:
        echo(json.dumps(_record(trouble)))
    else:
        _echo(_report(iut, trouble, again=again))
    return ExitCode.FAIL if trouble.kinds else ExitCode.OK


def _record(trouble: Trouble) -> Json:
    return {
        "schedule": written(trouble.schedule),
        "history": [_words(event) for event in trouble.history],
        "broken": [{"says": breach.says, "requirements": [*breach.requirements]} for breach in trouble.all_broken()],
    }


def _report(iut: str, trouble: Trouble, *, again: bool) -> Iterator[str]:
    if again:
        many = "1 step" if len(trouble.schedule) == 1 else f"{len(trouble.schedule)} steps"
        yield f"The smallest schedule found with which something is wrong, {many}:"
        yield from (f"  {step}" for step in trouble.schedule)
    yield "What happens:"
    all_broken = trouble.all_broken()
    marks = {place for broken in all_broken for place in broken.places}
    yield from (f"{'>' if place in marks else ' '} {_words(event)}" for place, event in enumerate(trouble.history))
    yield from map(_breach, all_broken)
    if not all_broken:
        yield "no promise is broken, and nothing is wrong with the answers"
    if again:
        named = [] if iut == "ref:" else ["--iut", iut]
        command = ["mqconform", "simulate", "--system", *named, "--schedule", written(trouble.schedule)]
        yield f"Again: {shlex.join(command)}"


def _breach(broken: Broken) -> str:
    return f"{broken.says}: {', '.join(broken.requirements) or 'no known fault explains it'}"


def _words(happened: Sent | Refused | Received | DeadLettered | Failure | Aside) -> str:
    match happened:
        case Sent(key, source, to):
            kind = "in a transaction" if happened.transactional else f"plain and {happened.assurance}"
            return f"{source} sends {key} to {to}, {kind}{'' if happened.committed else ' that aborts'}"
        case Aside(says):
            return says
        case Refused(key, at):
            return f"{at} refuses {key}"
        case Received(key, at):
            return f"{at} receives {key}"
        case DeadLettered(key, at):
            return f"{at} finds {key} among its dead letters"
        case Failure(machines):
            names = sorted(machines)
            return (
                f"{names[0]} crashes" if len(names) == 1 else f"{names[0]} and {names[1]} are cut off from each other"
            )


def _echo(lines: Iterator[str]) -> None:
    for line in lines:
        echo(line)
