"""The step definitions, asked which of them a sentence means."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module

from pytest_bdd.steps import StepFunctionContext, step_function_context_registry

from mqconform.harness.plugin import STEP_MODULES


@dataclass(frozen=True)
class Definitions:
    """Definitions of steps, by what they are called in their modules."""

    known: tuple[StepFunctionContext, ...]

    def matching(self, kind: str, sentence: str) -> set[str]:
        """Return the sentences of the definitions that fit a step."""
        return {
            str(one.parser.name) for one in self.known if one.type in {None, kind} and one.parser.is_matching(sentence)
        }


@cache
def load_definitions() -> Definitions:
    """Return the definitions of the package."""
    for module in STEP_MODULES:
        import_module(module)
    ours = (one for one in step_function_context_registry.values() if one.step_func.__module__ in STEP_MODULES)
    return Definitions(tuple(ours))
