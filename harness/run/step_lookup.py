"""Looks the definition of a step up once, not in each scenario that has the step.

pytest-bdd goes through all fixtures, twice for each step, and asks pytest of each whether the scenario sees it. That
takes time by the number of steps times the number of definitions, a fifth of a run. What the scenarios of one
module see is the same for all of them.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

FUNCTION = "find_fixturedefs_for_step"
"""Private to pytest-bdd; where a version lacks it, steps are looked up as that version does."""

Find = Callable[..., Any]


def remember_step_definitions() -> Callable[[], None]:
    """Remember look-ups from now on; return what ends that."""
    module = import_module("pytest_bdd.scenario")
    original: Find | None = getattr(module, FUNCTION, None)
    if original is None:
        return lambda: None
    setattr(module, FUNCTION, remembering(original))
    return lambda: setattr(module, FUNCTION, original)


def remembering(find: Find) -> Find:
    """Return a look-up that asks ``find`` once for each step of each module."""
    known: dict[tuple[str, str, str], list[Any]] = {}

    def find_once(step: Any, fixturemanager: Any, node: Any) -> list[Any]:
        key = (step.type, step.name, node.parent.nodeid)
        if key not in known:
            known[key] = list(find(step=step, fixturemanager=fixturemanager, node=node))
        return known[key]

    return find_once
