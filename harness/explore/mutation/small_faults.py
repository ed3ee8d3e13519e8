"""The suite on small faults at the border of an implementation: which of them it notices, and which it lets pass."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from random import Random
from time import monotonic
from typing import Final

from mqconform.harness.explore.mutation.trial import Job, Progress, Trial, altered, silent, tried
from mqconform.harness.iut.connect import REFERENCE_TARGET
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.iut.small_faults import small_faults, target_of
from mqconform.harness.records.requirement import RoleName
from mqconform.harness.suite.index import load_suite_index
from mqconform.harness.suite.telling import scenario_of

ACCEPTED: Final = "accepted_small_faults.toml"
LIMIT: Final = 300.0
"""Seconds after which a trial is stopped."""


class Fate(StrEnum):
    """What became of a fault."""

    CONVICTED = "convicted"
    ACCEPTED = "accepted"
    """It conforms, or nothing could tell; the list says why."""
    UNREACHED = "unreached"
    """Every answer, in every case, is that of the reference: the suite has no such situation."""
    MISSED = "missed"
    """Answers differ, and nothing convicts it."""


SURVIVING: Final = frozenset({Fate.UNREACHED, Fate.MISSED})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the suite found of one fault."""

    name: str
    fate: Fate
    says: str


def chosen(part: str, seed: int, *, states: bool) -> list[str]:
    """Return the faults whose name holds a part, of states or of the interface, in an order that the seed decides.

    Raises:
        ConfigurationError: there is none.
    """
    names = [name for name, fault in small_faults().items() if part in name and (fault.state is not None) is states]
    if not names:
        raise ConfigurationError(f"-k {part}: no fault's name holds that; leave it out, or name a role")
    Random(seed).shuffle(names)
    return names


def try_small_faults(
    names: Sequence[str], budget: float = 0.0, processes: int = 0, progress: Progress = silent
) -> list[Outcome]:
    """Judge implementations with one small fault each, those on the list of accepted ones left out.

    Args:
        names: of faults.
        budget: seconds after which none is begun; 0 for all.
        processes: how many at once; 0 for what the machine has.
        progress: shows each trial.
    """
    numbers = {name: number for number, name in enumerate(small_faults())}
    outcomes = [Outcome(name, Fate.ACCEPTED, reason) for name in names if (reason := reason_for(name))]
    roles = {name: small_faults()[name].role for name in names if not reason_for(name)}
    played = dict.fromkeys(roles.values())
    until = monotonic() + budget if budget else None

    def jobs() -> Iterator[Job]:
        for role in played:
            yield Job(role, REFERENCE_TARGET, _scenarios_of(role))
        for name, role in roles.items():
            if until is not None and monotonic() > until:
                return
            yield Job(name, target_of(numbers[name]), _scenarios_of(role), stop_first=True)

    ended = tried(jobs(), processes, progress, total=len(roles) + len(played), limit=LIMIT)
    trials = {trial.name: trial for trial in ended}
    return outcomes + [_outcome(trials[name], trials[role]) for name, role in roles.items() if name in trials]


@cache
def _scenarios_of(role: RoleName) -> tuple[str, ...]:
    """Return the scenarios that a role plays; the reference has to play the same, as it counts on from case to case."""
    scenarios = [each for each in load_suite_index().scenarios if each.cases and role in (each.roles or {role})]
    return tuple(scenario_of(each.cases[0].id) for each in scenarios)


def _outcome(trial: Trial, plain: Trial) -> Outcome:
    if trial.killed:
        says = [f"{conviction.requirement} in {conviction.case}" for conviction in trial.convictions]
        return Outcome(trial.name, Fate.CONVICTED, says[0] if says else trial.ended)
    if other := sorted(altered(trial, plain)):
        return Outcome(trial.name, Fate.MISSED, f"answers otherwise in {len(other)} cases, such as {other[0]}")
    return Outcome(trial.name, Fate.UNREACHED, "answers as the reference in every case")


@cache
def accepted() -> dict[str, str]:
    """Return why faults need not be convicted, by a pattern of their names."""
    text = files(__package__).joinpath(ACCEPTED).read_text("utf-8")
    return {pattern: table["reason"] for table in tomllib.loads(text)["accepted"] for pattern in table["faults"]}


def reason_for(name: str) -> str:
    """Return why a fault need not be convicted, empty where it has to be."""
    return next((reason for pattern, reason in accepted().items() if fnmatchcase(name, pattern)), "")


def lines_of(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield what is not convicted, why faults are accepted, and how many of each role there are of each fate."""
    for outcome in sorted(outcomes, key=lambda outcome: outcome.name):
        if outcome.fate in SURVIVING:
            yield f"{outcome.fate}: {outcome.name}: {outcome.says}"
    reasons = Counter(outcome.says for outcome in outcomes if outcome.fate is Fate.ACCEPTED)
    for reason, count in sorted(reasons.items()):
        yield f"{count} accepted: {reason}"
    roles = sorted({outcome.name.partition("/")[0] for outcome in outcomes})
    for role in roles if len(roles) > 1 else ():
        yield f"{role}: {_counted([outcome for outcome in outcomes if outcome.name.startswith(f'{role}/')])}"
    yield _counted(outcomes)


def _counted(outcomes: Sequence[Outcome]) -> str:
    counted = Counter(outcome.fate for outcome in outcomes)
    fates = ", ".join(f"{counted[fate]} {fate}" for fate in Fate)
    return f"{len(outcomes)} small faults: {fates}; {surviving_share(outcomes):.1%} of those not accepted survive"


def surviving_share(outcomes: Sequence[Outcome]) -> float:
    """Return which share nothing convicts, of the faults that are not accepted; 0 where there is none."""
    unaccepted = [outcome for outcome in outcomes if outcome.fate is not Fate.ACCEPTED]
    return sum(outcome.fate in SURVIVING for outcome in unaccepted) / max(1, len(unaccepted))
