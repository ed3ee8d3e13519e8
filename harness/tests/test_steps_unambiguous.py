"""A sentence of the features means one thing: exactly one step fits it, and the name of a check is that of one step."""

from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest
from pytest_bdd.parser import FeatureParser

from mqconform.harness.iut.roles import step_modules
from mqconform.harness.suite.steps import Step, steps_of

FEATURES = sorted(Path(str(files("mqconform.features"))).rglob("*.feature"))


@pytest.fixture(scope="module")
def steps() -> tuple[Step, ...]:
    for module in step_modules():
        import_module(module)
    return steps_of(step_modules())


def test_each_step_has_one_definition(steps: tuple[Step, ...]):
    wrong = []
    for path in FEATURES:
        feature = FeatureParser(str(path.parent), path.name).parse()
        for template in feature.scenarios.values():
            rows = [row for examples in template.examples for row in examples.as_contexts()] or [{}]
            for sentence in template.render(rows[0]).steps:
                fitting = [step.parser.name for step in steps if step.fits(sentence.type, sentence.name)]
                if len(fitting) != 1:
                    wrong.append(f"{path.name}:{sentence.line_number} {sentence.name!r} is matched by {fitting}")
    assert len(FEATURES) > 20
    assert wrong == []


def test_each_check_has_a_name_of_its_own(steps: tuple[Step, ...]):
    functions: dict[str, set[str]] = {}
    for step in steps:
        functions.setdefault(step.check, set()).add(f"{step.function.__module__}.{step.function.__qualname__}")
    assert not {name: where for name, where in functions.items() if len(where) > 1}
