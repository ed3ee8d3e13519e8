"""Look-ups of steps are remembered for each module, and forgotten with the run."""

from importlib import import_module
from types import SimpleNamespace

from mqconform.harness.run.step_lookup import FUNCTION, remember_step_definitions, remembering


def node(module: str) -> SimpleNamespace:
    return SimpleNamespace(parent=SimpleNamespace(nodeid=module))


def test_a_step_is_looked_up_once_for_all_scenarios_of_a_module() -> None:
    asked: list[str] = []

    def find(step: SimpleNamespace, fixturemanager: object, node: SimpleNamespace) -> list[str]:
        assert fixturemanager is None
        asked.append(f"{step.type} {step.name}")
        return [f"definition seen from {node.parent.nodeid}"]

    find_once = remembering(find)
    given, then = SimpleNamespace(type="given", name="a server"), SimpleNamespace(type="then", name="a server")
    found = [find_once(step=given, fixturemanager=None, node=node("one.py")) for _ in range(3)]
    assert found == [["definition seen from one.py"]] * 3
    assert asked == ["given a server"]
    find_once(step=then, fixturemanager=None, node=node("one.py"))
    assert find_once(step=given, fixturemanager=None, node=node("two.py")) == ["definition seen from two.py"]
    assert asked == ["given a server", "then a server", "given a server"]


def test_pytest_bdd_looks_steps_up_by_itself_again_afterwards() -> None:
    module = import_module("pytest_bdd.scenario")
    original = getattr(module, FUNCTION)
    end = remember_step_definitions()
    assert getattr(module, FUNCTION) is not original
    end()
    assert getattr(module, FUNCTION) is original
