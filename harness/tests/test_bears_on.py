"""What a check bears on is said at the check: its name, its file and its neighbours change nothing.

The list of kills knows checks by their names, so that each has its own.
"""

import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from types import FunctionType

from mqconform.harness import judge
from mqconform.harness.iut.roles import step_modules
from mqconform.harness.judge.marks import bearing, own_requirements
from mqconform.harness.judge.mqsd_server.reply import count_is_number_of_networks, type_is_reply
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.steps import steps_of

COUNT, STEP = "MQSD-2.2.3-05", "MQSD-3.2.5.1-06"
OTHER = "MQSD-2.2.1-07"


def functions() -> Iterator[Callable[..., object]]:
    """Yield every function of the judges."""
    for module in pkgutil.walk_packages(judge.__path__, f"{judge.__name__}."):
        for function in vars(import_module(module.name)).values():
            if isinstance(function, FunctionType):
                yield function


def test_a_check_bears_on_those_of_its_requirements_that_the_scenario_names():
    assert bearing(count_is_number_of_networks, (OTHER, STEP)) == (STEP,)
    assert bearing(count_is_number_of_networks, (STEP, COUNT)) == (STEP, COUNT)


def test_a_check_that_the_scenario_does_not_name_bears_on_its_main_requirement():
    assert bearing(count_is_number_of_networks, (OTHER,)) == (COUNT,)


def test_what_says_nothing_bears_on_all_that_the_scenario_names():
    assert bearing(type_is_reply, (OTHER, STEP)) == (OTHER, STEP)
    assert bearing(None, (OTHER, STEP)) == (OTHER, STEP)


def test_every_requirement_that_a_check_bears_on_is_in_the_catalogue():
    requirements = {requirement for function in functions() for requirement in own_requirements(function)}
    assert COUNT in requirements
    assert requirements <= set(load_catalogue())


def test_each_check_has_a_name_of_its_own():
    for module in step_modules():
        import_module(module)
    places: dict[str, set[str]] = {}
    for step in steps_of(step_modules()):
        places.setdefault(step.check, set()).add(f"{step.function.__module__}.{step.function.__qualname__}")
    assert not {name: where for name, where in places.items() if len(where) > 1}
