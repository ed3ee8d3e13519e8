"""Spares pytest-bdd what it does again for each step of each scenario, a fifth of a run.

It goes through all fixtures, asks pytest of each whether the scenario sees it, makes the definition a fixture for a
moment, asks Python for its parameters, and copies tables cell by cell. What the scenarios of one module see is the
same for all of them, and what the words of a step match is the same in all runs of a process.
"""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import cache
from importlib import import_module
from typing import Any

FUNCTION = "get_step_function"
NEEDED = ("get_fixture_names", "getfixturedefs", "step_function_context_registry")
REMEMBERED = ("signature", "get_required_args")
"""Names within ``pytest_bdd.scenario``; where a version lacks one of them, steps are looked up as that version does."""


def remember_step_definitions() -> Callable[[], None]:
    """Remember look-ups from now on; return what ends that."""
    scenario, step = import_module("pytest_bdd.scenario"), import_module("pytest_bdd.parser").Step
    if not all(hasattr(scenario, name) for name in (FUNCTION, *NEEDED, *REMEMBERED)):
        return lambda: None
    undo = ExitStack()
    _replace(undo, scenario, FUNCTION, LookUp(scenario))
    for name in REMEMBERED:
        _replace(undo, scenario, name, _remembering(getattr(scenario, name)))
    if hasattr(step, "render_datatable"):
        _replace(undo, step, "render_datatable", staticmethod(rendering(step.render_datatable)))
    return undo.close


def _replace(undo: ExitStack, owner: Any, name: str, new: object) -> None:
    undo.callback(setattr, owner, name, vars(owner)[name])
    setattr(owner, name, new)


@cache
def _remembering(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return cache(function)


class LookUp:
    """Finds the definition of a step among those that its module sees.

    Args:
        scenario: the module of pytest-bdd, or what has the names ``NEEDED``.
    """

    def __init__(self, scenario: Any) -> None:
        self._names, self._visible = scenario.get_fixture_names, scenario.getfixturedefs
        self._definitions = scenario.step_function_context_registry
        self._seen: dict[str, tuple[Any, ...]] = {}

    def __call__(self, request: Any, step: Any) -> Any:
        """Return the definition, None where there is none."""
        module = request.node.parent.nodeid
        if module not in self._seen:
            self._seen[module] = tuple(self._seen_from(request.node, request._fixturemanager))  # noqa: SLF001
        marker = self._match(self._seen[module], step.type, step.name)
        return None if marker is None else self._definitions[marker]

    def _seen_from(self, node: Any, manager: Any) -> list[Any]:
        """Return what marks the definitions that a scenario sees, those of the outermost place first."""
        definitions = [
            fixture
            for name in self._names(fixturemanager=manager)
            for fixture in self._visible(manager, name, node) or ()
            if fixture.func in self._definitions
        ]
        return [fixture.func for fixture in sorted(definitions, key=lambda fixture: len(fixture.baseid))]

    def _match(self, markers: tuple[Any, ...], kind: str, words: str) -> Any:
        """Return what marks the innermost definition that fits, None where none does."""
        matches = _matches.setdefault(markers, {})
        if (kind, words) not in matches:
            matches[kind, words] = next(
                (marker for marker in reversed(markers) if self._fits(marker, kind, words)), None
            )
        return matches[kind, words]

    def _fits(self, marker: Any, kind: str, words: str) -> bool:
        definition = self._definitions[marker]
        return definition.type in {None, kind} and bool(definition.parser.is_matching(words))


_matches: dict[tuple[Any, ...], dict[tuple[str, str], Any]] = {}
"""What was found, by all definitions in view, kind and words: the same in every run of this process."""


def rendering(render: Callable[[Any, Mapping[str, object]], Any]) -> Callable[[Any, Mapping[str, object]], Any]:
    """Return ``Step.render_datatable``, which copies only where a cell has something to fill in."""

    def rendered(datatable: Any, context: Mapping[str, object]) -> Any:
        is_template = any("<" in cell.value for row in datatable.rows for cell in row.cells)
        return render(datatable, context) if is_template else datatable

    return rendered
