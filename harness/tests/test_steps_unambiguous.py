"""A sentence of the features means one thing: exactly one step definition matches it."""

from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest
from pytest_bdd.parser import FeatureParser, Step
from pytest_bdd.steps import StepFunctionContext, step_function_context_registry

from mqconform.harness.iut.roles import step_modules

FEATURES = sorted(Path(str(files("mqconform.features"))).rglob("*.feature"))


@pytest.fixture(scope="module")
def definitions() -> list[StepFunctionContext]:
    for module in step_modules():
        import_module(module)
    return [one for one in step_function_context_registry.values() if one.step_func.__module__ in step_modules()]


def matching(definitions: list[StepFunctionContext], step: Step) -> set[str]:
    return {
        one.parser.name for one in definitions if one.type in (None, step.type) and one.parser.is_matching(step.name)
    }


def test_each_step_has_one_definition(definitions: list[StepFunctionContext]):
    wrong = []
    for path in FEATURES:
        feature = FeatureParser(str(path.parent), path.name).parse()
        for template in feature.scenarios.values():
            rows = [row for examples in template.examples for row in examples.as_contexts()] or [{}]
            for step in template.render(rows[0]).steps:
                found = matching(definitions, step)
                if len(found) != 1:
                    wrong.append(f"{path.name}:{step.line_number} {step.name!r} is matched by {sorted(found)}")
    assert len(FEATURES) > 20
    assert wrong == []
