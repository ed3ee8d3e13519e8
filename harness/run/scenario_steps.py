"""How the steps of a scenario are carried out: each sentence is looked up in the table of steps.

pytest-bdd reads and collects the features. It does not carry out the steps: for each of them it asks all fixtures of
pytest whether one is a definition of the sentence, which took a quarter of a run.
"""

from collections.abc import Callable

import pytest
from pytest_bdd.exceptions import StepDefinitionNotFoundError
from pytest_bdd.parser import Scenario, ScenarioTemplate
from pytest_bdd.parser import Step as Sentence

from mqconform.harness.suite.steps import Step, step_for


def carry_out(
    scenario: Scenario | ScenarioTemplate, begins: Callable[[Sentence, Step], None], fixtures: pytest.FixtureRequest
) -> None:
    """Call the functions of the steps with what their sentences and tables say, and the fixtures they ask for.

    Args:
        scenario: with the values of its row.
        begins: told of each step before it is carried out.
        fixtures: of the test that the scenario is.

    Raises:
        StepDefinitionNotFoundError: no step has this sentence.
    """
    for sentence in scenario.steps:
        step = step_for(sentence.type, sentence.name)
        if step is None:
            raise StepDefinitionNotFoundError(
                f'{scenario.feature.filename}, line {sentence.line_number}: no step says "{sentence}"; '
                "`docs/how-to/add-a-role.md` says where steps come from"
            )
        begins(sentence, step)
        arguments = step.arguments(sentence.name)
        if sentence.datatable is not None and "datatable" in step.takes:
            arguments["datatable"] = sentence.datatable.raw()
        for name in step.needs:
            if name not in arguments:
                arguments[name] = fixtures.getfixturevalue(name)
        step.function(**arguments)
