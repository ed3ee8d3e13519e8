"""``mqconform simulate --system --seat``: an implementation of another role as a part of a system of queue managers."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from mqconform.harness.cli.consent import commands_of_target, require_consent
from mqconform.harness.cli.enterprise_options import write_out
from mqconform.harness.cli.progress import counting
from mqconform.harness.cli.seat_options import seat_words
from mqconform.harness.cli.system_enterprises import enterprise_named, uniquely_named
from mqconform.harness.cli.system_log_file import Record, system_log
from mqconform.harness.iut.drivers.queue_managers.schedule import Schedule, parse_schedule, written
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, Json, Unsupported
from mqconform.harness.iut.seats.hooks_of_seats import SEATS, Seats
from mqconform.harness.judge.mqso.schedule_search import Play, Trouble, find_trouble_in
from mqconform.harness.judge.mqso.seat_search import Culprit, classics, culprit_of, play_with, stage_of, steps_in
from mqconform.harness.judge.mqso.seat_timeline import timeline_lines
from mqconform.harness.records.document_text import BadText, parse_json
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.text_file import read_text
from mqconform.reference.directory import UnreadableDocument
from mqconform.reference.mqso.topology import TOPOLOGIES, Topology, topology_of

MOST_MACHINES: Final = 40
LONGEST_FILE: Final = 1 << 24
"""Octets of a saved schedule with its enterprise."""
_NAME: Final = re.compile(r"\w{1,40}")


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """What to simulate.

    Attributes:
        seats: seat -> ``KIND:ID`` of what takes it.
        enterprise: name or file of the enterprise, None for all that come with the project.
        text: the one schedule to play, None to draw some.
        save: where the schedule that breaks a promise is written, None for nowhere.
        log: where the histories of all schedules are written, None for nowhere.
    """

    seats: Mapping[str, str]
    enterprise: str | None
    text: str | None
    schedules: int
    seed: int
    steps: int
    save: Path | None = None
    log: Path | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a simulation came to: a trouble, the enterprise that has it, and whose fault it is."""

    trouble: Trouble
    enterprise: str
    topology: Topology
    culprit: Culprit


def simulate_seats(plan: SeatPlan, options: AdapterOptions, *, as_json: bool) -> ExitCode:
    """Search for a schedule that breaks a promise, or play the one that is given, and tell whose fault it is.

    Raises:
        ConfigurationError: options or files cannot be used, or what takes a seat does not have its role.
    """
    topologies = _topologies(plan.enterprise)
    if plan.text is not None and len(topologies) > 1:
        topologies = dict([next(iter(topologies.items()))])
    try:
        with Seats(plan.seats, options) as seats, system_log(plan.log) as record:
            seats.check()
            result = _result(plan, topologies, seats, options, record)
    except Unsupported as absent:
        raise ConfigurationError(f"{absent}; a seat needs every operation of its role") from absent
    return _report_result(plan, result, as_json=as_json)


def replayed(
    file: Path, seats: Mapping[str, str], options: AdapterOptions, *, log: Path | None, as_json: bool
) -> ExitCode:
    """Play a saved schedule again, with the seats that it names or others, and write what happens to a log, if any.

    Raises:
        ConfigurationError: the file is none, or the user does not let its programs be started.
    """
    saved = _read(file)
    specs = {**saved["seats"], **seats}
    specs_of_file = [spec for seat, spec in saved["seats"].items() if seat not in seats]
    require_consent(file, (command for spec in specs_of_file for command in commands_of_target(spec)))
    topology = _checked(topology_of(saved["enterprise"]), str(file))
    plan = SeatPlan(specs, str(file), saved["schedule"], 1, 0, 0)
    try:
        with Seats(specs, options) as open_seats, system_log(log) as record:
            open_seats.check()
            result = _result(plan, {str(file): topology}, open_seats, options, record)
    except Unsupported as absent:
        raise ConfigurationError(f"{absent}; a seat needs every operation of its role") from absent
    return _report_result(plan, result, as_json=as_json, again=False)


def _result(
    plan: SeatPlan, topologies: Mapping[str, Topology], seats: Seats, options: AdapterOptions, record: Record
) -> Result | None:
    for name, topology in topologies.items():
        plays = replace(play_with(seats, topology), record=lambda played: record(played.history))
        trouble = _trouble(plan, topology, plays, max(1, plan.schedules // len(topologies)))
        if trouble is not None:
            culprit = culprit_of(trouble, plan.seats, partial(_played_with, options, topology, trouble.schedule))
            return Result(trouble, name, topology, culprit)
    return None


def _played_with(options: AdapterOptions, topology: Topology, schedule: Schedule, specs: Mapping[str, str]) -> Trouble:
    with Seats(specs, options) as seats:
        return play_with(seats, topology).of(schedule)


def _trouble(plan: SeatPlan, topology: Topology, plays: Play, schedules: int) -> Trouble | None:
    if plan.text is not None:
        stage = stage_of(topology)
        return plays.of(parse_schedule(plan.text, stage.machines, stage.ends, seats=True))
    with counting("schedules", schedules) as counter:
        return find_trouble_in(
            plays,
            steps_in(topology),
            first=classics(topology),
            schedules=schedules,
            seed=plan.seed,
            steps=plan.steps,
            each=counter.each,
        )


def _topologies(enterprise: str | None) -> Mapping[str, Topology]:
    if enterprise is None:
        return TOPOLOGIES
    return {enterprise: _checked(enterprise_named(enterprise), f"--enterprise {enterprise}")}


def _checked(topology: Topology, where: str) -> Topology:
    """Return a topology whose machines a schedule can name."""
    names = [machine.name for machine in uniquely_named(topology, where).directory.queue_managers]
    if not all(_NAME.fullmatch(name) for name in names):
        raise ConfigurationError(
            f"{where}: queue_managers: a schedule names them, so each needs a name of its own of letters, digits and _"
        )
    if not 2 <= len(names) <= MOST_MACHINES:
        raise ConfigurationError(
            f"{where}: queue_managers: has {len(names)}; a simulation takes 2 to {MOST_MACHINES}, leave some out"
        )
    return topology


def _read(file: Path) -> Any:
    """Return a saved schedule, its parts checked."""
    text = read_text(file, LONGEST_FILE, "a schedule that simulate --save wrote")
    try:
        saved = parse_json(text)
    except BadText as fault:
        raise ConfigurationError(f"{file}: {fault}; give a file that simulate --save wrote") from fault
    parts: dict[str, Any] = saved if isinstance(saved, dict) else {}
    for name, kind in (("seats", dict), ("enterprise", dict), ("schedule", str)):
        if not isinstance(parts.get(name), kind):
            raise ConfigurationError(f"{file}: {name}: is missing or wrong; give a file that simulate --save wrote")
    for seat, spec in parts["seats"].items():
        if seat not in SEATS or not isinstance(spec, str):
            raise ConfigurationError(f"{file}: seats: {seat!r:.40} is no seat; they are {', '.join(SEATS)}")
    try:
        topology_of(parts["enterprise"])
    except UnreadableDocument as fault:
        raise ConfigurationError(f"{file}: enterprise: {fault}") from fault
    return parts


def _report_result(plan: SeatPlan, result: Result | None, *, as_json: bool, again: bool = True) -> ExitCode:
    broken = result is not None and bool(result.trouble.broken)
    if result is not None and broken and plan.save is not None:
        write_out(f"{json.dumps(_saved(plan, result), indent=1)}\n", plan.save, "--save")
    if as_json:
        click.echo(json.dumps(_record(result)))
    elif result is None:
        click.echo(f"{plan.schedules} schedules: no promise was broken")
    else:
        for line in _report(plan, result, again=again and plan.text is None):
            click.echo(line)
    return ExitCode.FAIL if broken else ExitCode.OK


def _saved(plan: SeatPlan, result: Result) -> Json:
    schedule = written(result.trouble.schedule)
    return {"seats": {**plan.seats}, "enterprise": result.topology.document, "schedule": schedule}


def _record(result: Result | None) -> Json:
    if result is None:
        return {"holds": True}
    trouble = result.trouble
    return {
        "holds": not trouble.broken,
        "enterprise": result.enterprise,
        "schedule": written(trouble.schedule),
        "history": [line.strip() for line in timeline_lines(trouble, result.topology)],
        "broken": [{"says": violation.says, "requirements": [*violation.requirements]} for violation in trouble.broken],
        "culprit": [*result.culprit.seats] if trouble.broken else None,
    }


def _report(plan: SeatPlan, result: Result, *, again: bool) -> Iterator[str]:
    trouble = result.trouble
    if again:
        many = "1 step" if len(trouble.schedule) == 1 else f"{len(trouble.schedule)} steps"
        yield f"The smallest schedule found that breaks a promise, {many}, in {result.enterprise}:"
        yield from (f"  {step}" for step in trouble.schedule)
    yield "What happens:"
    yield from timeline_lines(trouble, result.topology)
    yield from (f"{broken.says}: {', '.join(broken.requirements)}" for broken in trouble.broken)
    if not trouble.broken:
        yield "no promise is broken"
        return
    yield from _blame(plan, result.culprit)
    if again:
        words = [word for seat, spec in plan.seats.items() for word in ("--seat", f"{seat}={spec}")]
        where = ["--enterprise", result.enterprise, "--schedule", written(trouble.schedule)]
        yield f"Again: {shlex.join(['mqconform', 'simulate', '--system', *words, *where])}"
    if plan.save is not None:
        yield f"Saved: mqconform simulate --system --replay {shlex.quote(str(plan.save))}"


def _blame(plan: SeatPlan, culprit: Culprit) -> Iterator[str]:
    """Yield whose fault it is and why."""
    if culprit.seats:
        culprits = seat_words(culprit.seats, plan.seats)
        yield f"Culprit: {culprits}; with the reference there the same schedule keeps what is broken"
    else:
        yield "Culprit: the system; with the reference in every seat the same schedule breaks it as well"
