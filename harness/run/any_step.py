"""The one step that pytest-bdd knows: it looks a sentence up in the table of steps and carries it out.

For each step of each scenario pytest-bdd asks every definition it knows whether a scenario may use it. With hundreds
of them a run took twice the time.
"""

from typing import Any

import pytest
from pytest_bdd import given, then, when
from pytest_bdd.parsers import StepParser

from mqconform.harness.suite.steps import Kind, Step, step_for


class AnySentence(StepParser):
    """Fits each sentence of a kind that a step is there for."""

    def __init__(self, kind: Kind) -> None:
        """Make the one of a kind."""
        super().__init__(f"a {kind} of the table")
        self._kind = kind

    def is_matching(self, name: str) -> bool:
        """Tell whether there is a step for the sentence."""
        return step_for(self._kind, name) is not None

    def parse_arguments(self, name: str) -> dict[str, Any] | None:
        """Return the step and what the sentence says to it."""
        entry = step_for(self._kind, name)
        return {"entry": entry, "arguments": entry.arguments(name)} if entry else None


@given(AnySentence("given"))
@when(AnySentence("when"))
@then(AnySentence("then"))
def carry_out(
    request: pytest.FixtureRequest,
    entry: Step,
    arguments: dict[str, Any],
    datatable: list[list[str]] | None = None,
) -> None:
    """Call the function of a step with what its sentence and its table say, and with the fixtures it asks for."""
    if datatable is not None and "datatable" in entry.takes:
        arguments["datatable"] = datatable
    for name in entry.needs:
        if name not in arguments:
            arguments[name] = request.getfixturevalue(name)
    entry.function(**arguments)
