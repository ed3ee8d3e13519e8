"""Fault schedules as text: steps divided by semicolons or line ends, such as ``queue a; +31 lose acknowledgment``."""

import re
from typing import Final

from mqconform.harness.iut.drivers.ordered_delivery.schedule import Action, Schedule, Step
from mqconform.harness.iut.interface import ConfigurationError, excerpt
from mqconform.reference.eod.elements import SECOND

MAX_STEPS: Final = 1_000
LONGEST: Final = 10_000_000
"""Seconds; more than a hundred days tell nothing new and would overflow what an implementation counts."""

_ACTIONS: Final = {action.value: action for action in Action}
_STEP: Final = re.compile(
    rf"(?:\+(?P<after>\d+(?:\.\d+)?)\s+)?(?P<action>{'|'.join(sorted(_ACTIONS, key=len, reverse=True))})"
    r"(?P<rest>(?:\s+\S+)*)"
)
_STREAM: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")


def parse_schedule(text: str) -> Schedule:
    """Return the schedule in a text; empty lines and what follows ``#`` count for nothing.

    Raises:
        ConfigurationError: naming the step that is wrong and what is expected there.
    """
    return tuple(_parsed(number, piece) for number, piece in enumerate(steps_in(text, MAX_STEPS), 1))


def steps_in(text: str, most: int) -> list[str]:
    """Return the steps that a schedule is written in, one a line or with semicolons between.

    Raises:
        ConfigurationError: there are more than are allowed.
    """
    lines = (line.partition("#")[0] for line in text.splitlines())
    steps = [step.strip() for line in lines for step in line.split(";") if step.strip()]
    if len(steps) > most:
        raise ConfigurationError(f"the fault schedule has {len(steps)} steps; give at most {most}")
    return steps


def _parsed(number: int, piece: str) -> Step:
    match = _STEP.fullmatch(piece)
    if match is None:
        actions = ", ".join(_ACTIONS)
        raise _fault(number, piece, f"expected +SECONDS where time has to pass, then one of {actions}")
    action, rest = _ACTIONS[match["action"]], match["rest"].split()
    after = _nanoseconds(number, piece, match["after"] or "0")
    if action.names_a_stream:
        return _of_stream(number, piece, action, after, rest)
    if action.names_seconds:
        if len(rest) != 1:
            raise _fault(number, piece, f"expected seconds after {action.value!r}, such as '{action.value} 20'")
        return Step(action, after, lasting=_nanoseconds(number, piece, rest[0]))
    if rest:
        raise _fault(number, piece, f"expected nothing after {action.value!r}")
    return Step(action, after)


def _of_stream(number: int, piece: str, action: Action, after: int, rest: list[str]) -> Step:
    counted = action is Action.EXPIRE and len(rest) == 2
    if not (counted or len(rest) == 1) or not _STREAM.fullmatch(rest[0]):
        raise _fault(number, piece, f"expected a stream after {action.value!r}, such as '{action.value} a'")
    if counted and not re.fullmatch(r"[1-9]\d{0,3}", rest[1]):
        raise _fault(number, piece, "expected a count from 1 after the stream: which unacknowledged message expires")
    return Step(action, after, rest[0], which=int(rest[1]) if counted else 1)


def _nanoseconds(number: int, piece: str, text: str) -> int:
    if not _NUMBER.fullmatch(text) or float(text) > LONGEST:
        raise _fault(number, piece, f"{excerpt(text)} is not a number of seconds from 0 to {LONGEST}")
    return round(float(text) * SECOND)


def _fault(number: int, piece: str, expected: str) -> ConfigurationError:
    return ConfigurationError(f"step {number} of the fault schedule is {excerpt(piece)}: {expected}")
