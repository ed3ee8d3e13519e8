"""Directory look-ups (MS-MQBR 3.1.5.4 to 3.1.5.9), for routers that offer them (capability ``procedures``)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from mqconform.harness.judge.mqbr.enterprise_description import named
from mqconform.harness.judge.mqbr.named_enterprise import MACHINE, SITE, guid_of
from mqconform.harness.judge.mqbr.next_hops import weigh
from mqconform.harness.judge.mqbr.routing_scene import RoutingScene
from mqconform.harness.suite.steps import then, when
from mqconform.reference.allowed import Allowed, Standing
from mqconform.reference.mqbr import lookups
from mqconform.reference.mqbr.judgement import judge


@dataclass(slots=True)
class LookUp:
    """One call of a procedure: what it gave and what it may give."""

    value: object = None
    allowed: Allowed[Any] | None = None


_LOOK_UPS: dict[str, tuple[str, str, str, Callable[..., Allowed[Any]]]] = {
    "routing server of": ("get_routing_server", "machine", MACHINE, lookups.get_routing_server),
    "site gate of": ("get_site_gate", "machine", MACHINE, lookups.get_site_gate),
    "gate of site": ("get_site_gate_for_site", "site", SITE, lookups.get_site_gate_for_site),
    "site gate status of": ("is_site_gate", "machine", MACHINE, lookups.is_site_gate),
}
"""Operation, name of its parameter, kind of what that names, and the model's procedure."""


@pytest.fixture
def look_up() -> LookUp:
    """Return where a scenario keeps what it looked up."""
    return LookUp()


@pytest.fixture
def looked_up() -> dict[str, LookUp]:
    """Return where a scenario keeps what it looked up, by name."""
    return {}


@when(rf"(?P<local>\w+) looks up the (?P<what>{'|'.join(_LOOK_UPS)}) (?P<name>\w+)")
def looks_up(routing: RoutingScene, look_up: LookUp, local: str, what: str, name: str) -> None:
    """Call one procedure of the router, initialised as ``local``."""
    routing.start(local)
    _look_up(routing, look_up, what, name)


def _look_up(routing: RoutingScene, look_up: LookUp, what: str, name: str) -> None:
    operation, parameter, kind, procedure = _LOOK_UPS[what]
    guid = guid_of(kind, name)
    routing.names.setdefault(guid, name)
    answer = routing.run.iut.call(f"router.{operation}", {parameter: guid})["value"]
    look_up.value = answer.lower() if isinstance(answer, str) else answer
    look_up.allowed = procedure(routing.loaded, guid)


@when(rf"(?P<local>\w+) looks up the (?P<what>{'|'.join(_LOOK_UPS)}) each of (?P<names>.+)")
def looks_up_each(routing: RoutingScene, looked_up: dict[str, LookUp], local: str, what: str, names: str) -> None:
    """Call one procedure of the router, initialised as ``local``, for one name after the other."""
    routing.start(local)
    for name in named(names):
        _look_up(routing, looked_up.setdefault(name, LookUp()), what, name)


@then("each look-up gives what the procedure allows")
def each_look_up_allowed(routing: RoutingScene, looked_up: dict[str, LookUp]) -> None:
    """Judge all that was found, by the model alone; the worst counts."""
    judgements = []
    for name, lookup in looked_up.items():
        assert lookup.allowed is not None
        model = judge(lookup.allowed, lookup.value)
        judgements.append(weigh(routing.judge, model, f"the record of {name}", routing.naming(model.explanation)))
    routing.witness(max(judgements, key=lambda judgement: judgement.verdict))


@then(r"the look-up gives (?P<names>.+)")
def look_up_gives(routing: RoutingScene, look_up: LookUp, names: str) -> None:
    """Judge what was found; any of several machines, ``nothing``, or the numbers 0 and 1."""
    allowed = look_up.allowed
    assert allowed is not None, "the scenario looks nothing up"
    expected = frozenset(_value(name) for name in named(names.removeprefix("one of ")))
    plain, permitted = allowed.outcomes(Standing.TEXT), allowed.outcomes(Standing.PERMITTED)
    assert expected in (plain, permitted), f"the feature expects {names}, the model {plain} and at most {permitted}"
    model = judge(allowed, look_up.value)
    routing.witness(weigh(routing.judge, model, names, routing.naming(model.explanation)))


def _value(name: str) -> object:
    match name:
        case "nothing":
            return None
        case "0" | "1":
            return int(name)
        case _:
            return guid_of(MACHINE, name)
