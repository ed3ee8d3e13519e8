"""The cases of a run, played by pytest in this process, away from the configuration of wherever the user stands."""

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.resources import files
from threading import current_thread, main_thread
from types import FrameType

import pytest

from mqconform.harness.iut.roles import ROLES, step_modules
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.harness.run.plan import Plan
from mqconform.harness.run.plugin import RunPlugin
from mqconform.harness.suite.naming import feature_name
from mqconform.harness.suite.selection import Selection
from mqconform.harness.suite.tagged_scenarios import Tagged, tagged_scenarios

NEW_VALUES = 50_000
"""Made before cycles are looked for: models make many small values without cycles, and looking took time."""


def play(session: Session, plan: Plan, progress: Callable[[Case], None]) -> tuple[int, int]:
    """Play the cases of a plan, or of its part of a run.

    Returns:
        How many cases the whole run has, and the exit code of pytest.

    Raises:
        OutputLost: results could not be written any more.
    """
    suite = files("mqconform.harness.suite") / "collected"
    scenarios = scenarios_for(plan.selection)
    features = [*dict.fromkeys(str(scenario.file) for scenario in scenarios)]
    _forget_other_features(str(suite), features, added=bool(plan.features))
    arguments = [str(suite), f"--rootdir={suite}", "-c", str(suite / "suite.ini"), "-p", "no:cacheprovider"]
    arguments += ["-p", "no:terminal", "-p", "pytest_bdd.plugin"]
    if plan.selection.expression:
        arguments += ["-k", plan.selection.expression]
    judged = session.iut.description.roles.intersection(role for scenario in scenarios for role in scenario.roles)
    plugin = RunPlugin(session, plan, progress)
    with ExitStack() as restore:
        restore.callback(gc.set_threshold, *gc.get_threshold())
        gc.set_threshold(NEW_VALUES)
        _set_environment(restore, "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        _set_environment(restore, "PYTEST_ADDOPTS", "")
        _set_environment(restore, "MQCONFORM_SUITE", os.pathsep.join(features))
        _set_environment(restore, "MQCONFORM_FEATURES", os.pathsep.join(str(path) for path in plan.features))
        plugin.interrupted = restore.enter_context(remembered_interrupts())
        # As modules: for each name after -p pytest looks through all distributions that are installed.
        steps = map(import_module, step_modules(ROLES if plan.features else judged))  # added scenarios may name no role
        code = int(pytest.main(arguments, plugins=[plugin, *steps]))
    if session.writer.lost:
        raise session.writer.lost
    if code == pytest.ExitCode.INTERRUPTED:  # by the user; pytest has taken the exception for itself
        raise KeyboardInterrupt
    return plugin.planned, code


def scenarios_for(selection: Selection) -> list[Tagged]:
    """Return the scenarios that may be asked for: to parse the features of all takes longer than a few cases."""
    return [
        scenario
        for scenario in tagged_scenarios()
        if selection.wants_scenario(scenario.name, scenario.requirements)
        and selection.wants_some_case_in(feature_name(str(scenario.file)))
    ]


@contextmanager
def remembered_interrupts() -> Iterator[Callable[[], bool]]:
    """Give a function that returns whether SIGINT came; the exception is raised as usual.

    Where SIGINT has another handler, which then knows what to do, or in another thread, it always tells False.
    """
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False
        return
    came = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(came)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _forget_other_features(suite: str, features: list[str], *, added: bool) -> None:
    """Have features collected anew where an earlier run of this process had others."""
    for name, module in [*sys.modules.items()]:
        if str(getattr(module, "__file__", None) or "").startswith(suite) and (
            added or module.added or module.of_suite != features
        ):
            del sys.modules[name]


def _set_environment(restore: ExitStack, name: str, value: str) -> None:
    before = os.environ.get(name)
    os.environ[name] = value
    restore.callback(lambda: os.environ.pop(name, None) if before is None else os.environ.__setitem__(name, before))
