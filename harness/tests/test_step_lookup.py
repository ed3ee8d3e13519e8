"""Definitions of steps are found as pytest-bdd finds them, once for each module, and pytest-bdd is left as it was."""

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from mqconform.harness.run.step_lookup import FUNCTION, REMEMBERED, LookUp, remember_step_definitions, rendering

Seen = dict[str, list[SimpleNamespace]]


def definition(kind: str | None, words: str, place: str = "") -> SimpleNamespace:
    parser = SimpleNamespace(is_matching=lambda text: text == words)
    return SimpleNamespace(func=object(), baseid=place, context=SimpleNamespace(type=kind, parser=parser))


def look_up(seen: Seen, asked: list[str]) -> LookUp:
    """Return a look-up in modules that see definitions; ``asked`` gets each module that is looked through."""
    every = {one.func: one.context for definitions in seen.values() for one in definitions}

    def visible(manager: object, name: str, node: SimpleNamespace) -> list[SimpleNamespace]:
        assert (manager, name) == (None, "any")
        asked.append(node.parent.nodeid)
        return [SimpleNamespace(func=object()), *seen[node.parent.nodeid]]

    def names(fixturemanager: object) -> list[str]:
        assert fixturemanager is None
        return ["any"]

    return LookUp(
        SimpleNamespace(get_fixture_names=names, getfixturedefs=visible, step_function_context_registry=every)
    )


def request(module: str) -> SimpleNamespace:
    return SimpleNamespace(node=SimpleNamespace(parent=SimpleNamespace(nodeid=module)), _fixturemanager=None)


def step(kind: str, words: str) -> SimpleNamespace:
    return SimpleNamespace(type=kind, name=words)


def test_each_module_is_looked_through_once_and_finds_what_it_sees() -> None:
    given, then, elsewhere = (definition(kind, "a server") for kind in ("given", "then", "given"))
    asked: list[str] = []
    find = look_up({"one.py": [given, then], "two.py": [elsewhere]}, asked)
    assert [find(request("one.py"), step("given", "a server")) for _ in range(3)] == [given.context] * 3
    assert find(request("one.py"), step("then", "a server")) is then.context
    assert find(request("two.py"), step("given", "a server")) is elsewhere.context
    assert find(request("two.py"), step("then", "a server")) is None
    assert find(request("one.py"), step("given", "a client")) is None
    assert asked == ["one.py", "two.py"]


@pytest.mark.parametrize("turn", [1, -1])
def test_of_several_that_match_the_innermost_counts_whatever_its_kind(turn: int) -> None:
    outer, inner = definition("given", "a server"), definition(None, "a server", "suite/one.py")
    find = look_up({"suite/one.py": [outer, inner][::turn]}, [])
    assert find(request("suite/one.py"), step("given", "a server")) is inner.context


def test_of_several_in_one_place_the_last_counts() -> None:
    first, last = definition("given", "a server"), definition("given", "a server")
    assert look_up({"one.py": [first, last]}, [])(request("one.py"), step("given", "a server")) is last.context


def test_a_table_is_copied_only_where_there_is_something_to_fill_in() -> None:
    def table(*values: str) -> Any:
        return SimpleNamespace(rows=[SimpleNamespace(cells=[SimpleNamespace(value=one) for one in values])])

    rendered = rendering(lambda datatable, context: (datatable, context))
    plain, template = table("Oslo", "1"), table("Oslo", "<site>")
    assert rendered(plain, {"site": "Lima"}) is plain
    assert rendered(template, {"site": "Lima"}) == (template, {"site": "Lima"})


def test_pytest_bdd_looks_steps_up_by_itself_again_afterwards() -> None:
    module, parser = import_module("pytest_bdd.scenario"), import_module("pytest_bdd.parser")

    def state() -> list[object]:
        return [*(getattr(module, name) for name in (FUNCTION, *REMEMBERED)), vars(parser.Step)["render_datatable"]]

    original = state()
    end = remember_step_definitions()
    assert all(new is not old for new, old in zip(state(), original, strict=True))
    end()
    assert state() == original
