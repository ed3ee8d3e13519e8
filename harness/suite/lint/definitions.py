"""The step definitions, asked which of them a sentence means."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module

from pytest_bdd.steps import StepFunctionContext, step_function_context_registry


@dataclass(frozen=True)
class Definitions:
    """Definitions of steps, by what they are called in their modules."""

    contexts: tuple[StepFunctionContext, ...]

    def matching(self, kind: str, sentence: str) -> set[str]:
        """Return the sentences of the definitions that fit a step."""
        return {
            str(context.parser.name)
            for context in self.contexts
            if context.type in {None, kind} and context.parser.is_matching(sentence)
        }


@cache
def load_definitions(modules: tuple[str, ...]) -> Definitions:
    """Return the definitions in some modules."""
    for module in modules:
        import_module(module)
    ours = (context for context in step_function_context_registry.values() if context.step_func.__module__ in modules)
    return Definitions(tuple(ours))
