"""The steps of scenarios: which function carries out a sentence, and what the assertion is called that it makes.

This is the one table of them. Judges fill it with the decorators; a run, the lint and the tests look sentences up in
it. What an assertion is known to convict hangs on the name of its check, so that a sentence can be reworded.
"""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import Parameter, signature
from typing import Any, Literal, ParamSpec, TypeVar

from pytest_bdd import parsers
from pytest_bdd.parsers import StepParser

P = ParamSpec("P")
R = TypeVar("R")
Function = Callable[..., object]
Kind = Literal["given", "when", "then"]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A sentence, or a pattern of sentences, and what it does.

    Attributes:
        check: the name of the check whose judgement it records, or its own.
        takes: the names of its parameters.
        needs: those that have no default.
    """

    kind: Kind
    parser: StepParser
    function: Function
    check: str
    takes: frozenset[str]
    needs: tuple[str, ...]

    def fits(self, kind: str, sentence: str) -> bool:
        """Tell whether the sentence is one of this step."""
        return self.kind == kind and self.parser.is_matching(sentence)

    def arguments(self, sentence: str) -> dict[str, Any]:
        """Return what the sentence says to the function."""
        parsed: Mapping[str, Any] = self.parser.parse_arguments(sentence) or {}
        return {name: value for name, value in parsed.items() if name in self.takes}


_steps: list[Step] = []
_by_sentence: dict[tuple[str, str], Step | None] = {}


def given(sentence: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function the step that brings a situation about."""
    return _step("given", sentence)


def when(sentence: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function the step that lets something happen."""
    return _step("when", sentence)


def then(sentence: str, check: Function | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function the step that asserts something; ``check`` gives it its name where several share the function."""
    return _step("then", sentence, check)


def _step(kind: Kind, sentence: str, check: Function | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    def entered(function: Callable[P, R]) -> Callable[P, R]:
        parameters = signature(function).parameters
        needs = tuple(name for name, parameter in parameters.items() if parameter.default is Parameter.empty)
        name = (check or function).__name__
        _steps.append(Step(kind, _parser(sentence), function, name, frozenset(parameters), needs))
        _by_sentence.clear()
        return function

    return entered


def _parser(sentence: str) -> StepParser:
    """Return what fits a sentence: a pattern where it has named groups, a format where it has fields, else the text."""
    if "(?P<" in sentence:
        return parsers.re(sentence)
    return parsers.parse(sentence) if "{" in sentence else parsers.string(sentence)


def steps_of(modules: Container[str]) -> tuple[Step, ...]:
    """Return the steps that some modules define; they have to be imported."""
    return tuple(step for step in _steps if step.function.__module__ in modules)


def step_for(kind: str, sentence: str) -> Step | None:
    """Return the step of a sentence among all that are imported, None where there is none."""
    if (kind, sentence) not in _by_sentence:
        _by_sentence[kind, sentence] = next((step for step in _steps if step.fits(kind, sentence)), None)
    return _by_sentence[kind, sentence]


@dataclass(frozen=True)
class Definitions:
    """Definitions of steps, by what they are called in their modules."""

    contexts: tuple[Step, ...]

    def matching(self, kind: str, sentence: str) -> set[str]:
        """Return the sentences of the definitions that fit a step."""
        return {str(context.parser.name) for context in self.contexts if context.fits(kind, sentence)}


@cache
def load_definitions(modules: tuple[str, ...]) -> Definitions:
    """Return the definitions in some modules."""
    for module in modules:
        import_module(module)
    return Definitions(steps_of(modules))
