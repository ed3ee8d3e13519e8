"""The step definitions, asked which of them a sentence means."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module

from mqconform.harness.suite.steps import Step, steps_of


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
