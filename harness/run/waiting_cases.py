"""Cases of queue managers that wait by the real clock: played at the same time before the first case is judged."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, cast

from pytest_bdd.parser import ScenarioTemplate

from mqconform.harness.iut.conversation import Conversation
from mqconform.harness.iut.interface import IutProblem, Json
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.judge.mqso import STEP_MODULES
from mqconform.harness.judge.mqso.clock import by_real_clock
from mqconform.harness.judge.mqso.queue_manager_scene import QueueManagerScene
from mqconform.harness.judge.mqso.side_by_side import Progress, Story, play_side_by_side, waits_beside_others
from mqconform.harness.records.case import Case
from mqconform.harness.run.session import Session
from mqconform.harness.suite.steps import Step, steps_of

Rendered = tuple[Case, ScenarioTemplate, dict[str, str]]
"""A case, its scenario and its row of the Examples table."""


def record_waiting_cases(run: Session, cases: Iterable[Rendered], progress: Progress | None) -> None:
    """Play the cases at the same time that wait and share the machine, and keep the recordings for their steps.

    Args:
        run: gets the recordings.
        cases: those of the run.
        progress: called with how many cases are over, and how many there are.
    """
    if run.dead_since or not by_real_clock(run):
        return
    stories = [story for rendered in cases if waits_beside_others(rendered[0].tags) and (story := _story(*rendered))]
    iut = cast("CheckedIut", run.iut)
    try:
        run.recorded_queue_managers = play_side_by_side(run, partial(_call, iut), stories, progress or _unshown)
    except IutProblem:  # each case, played alone, tells whether it is to blame
        iut.close()
        with suppress(IutProblem):
            run.iut = run.reconnect()
    finally:
        run.overheard(iut)


def _unshown(over: int, of: int) -> None:
    """Show no progress."""


def _call(iut: CheckedIut, operation: str, params: Json, conversation: Conversation) -> Json:
    iut.conversation = conversation
    return iut.call(f"queue_manager.{operation}", params)


def _story(case: Case, template: ScenarioTemplate, row: dict[str, str]) -> Story | None:
    """Return a case with its steps, None where one of them needs more than a queue manager."""
    scenario = template.render(row)
    words = " ".join(step.name for step in scenario.steps)
    try:
        return Story(case, words, [*_steps(scenario.steps)])
    except LookupError:
        return None


def _steps(steps: Iterable[Any]) -> Iterator[Callable[[QueueManagerScene], object]]:
    for step in steps:
        definition = _definition(step.type, step.name)
        arguments = definition.arguments(step.name)
        if step.datatable is not None:
            arguments["datatable"] = step.datatable.raw()
        yield partial(_do, definition.function, arguments)


def _do(step: Callable[..., object], arguments: dict[str, Any], scene: QueueManagerScene) -> object:
    return step(queue_manager=scene, **arguments)


def _definition(kind: str, words: str) -> Step:
    """Return the definition of a step of queue managers.

    Raises:
        LookupError: there is none.
    """
    for definition in steps_of(STEP_MODULES):
        if definition.fits(kind, words):
            return definition
    raise LookupError(words)
