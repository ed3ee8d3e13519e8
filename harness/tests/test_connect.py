"""From KIND:ID to an implementation."""

import sys
from collections.abc import Callable

import pytest

from mqconform.harness.iut import connect as connecting
from mqconform.harness.iut.connect import connect, mutant_target
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, IutFault
from mqconform.harness.records.plug_ins import PlugInGroup

OPTIONS = AdapterOptions(deadline=20.0)
IUT = """
CLOSED = []
class Iut:
    roles = ["router"]
    def initialize(self, protocol, harness):
        return {"protocol": protocol, "name": "mine", "version": "1", "roles": self.roles, "capabilities": []}
    def shutdown(self):
        CLOSED.append(True)
class Wrong(Iut):
    roles = "router"
"""


def test_an_iut_that_fails_the_handshake_is_closed_again(module: Callable[[str], str]):
    name = module(IUT)
    with pytest.raises(IutFault, match=r"result\.roles"):
        connect(f"api:{name}:Wrong", OPTIONS)
    assert sys.modules[name].CLOSED == [True]


def test_what_does_not_introduce_itself_is_told_to_and_closed_again(module: Callable[[str], str]):
    name = module(IUT.replace("def initialize", "def begin"))
    with pytest.raises(IutFault, match="initialize: the object has no such method; every implementation"):
        connect(f"api:{name}:Iut", OPTIONS)
    assert sys.modules[name].CLOSED == [True]


def test_what_cannot_work_is_told_with_what_can(subtests: pytest.Subtests):
    for spec, told in [
        ("", "expected KIND:ID; the kinds are ref:, mutant:NAME, api:module:callable"),
        ("server", "expected KIND:ID"),
        (":x", "expected KIND:ID"),
        ("tcp:127.0.0.1:1801", "'tcp' is not a kind of IUT; the kinds are ref:"),
        ("API:json:loads", "'API' is not a kind of IUT"),
        ("ref:something", "ref: takes nothing"),
        ("api:nowhere_at_all:x", "module nowhere_at_all is not found"),
        ("stdio:", "names no command"),
        ("udp:127.0.0.1:1801", "--facts FILE"),
    ]:
        with subtests.test(spec=spec):
            with pytest.raises(ConfigurationError) as caught:
                connect(spec, OPTIONS)
            assert told in str(caught.value)


def test_a_documented_kind_without_its_adapter_is_told_apart_from_nonsense(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connecting, "ADAPTERS", PlugInGroup("mqconform.no_adapters", "adapter"))
    wanted = r"image: no adapter for image:NAME.* is installed here; usable are ref:"
    with pytest.raises(ConfigurationError, match=wanted):
        connect("image:server", OPTIONS)


def test_mutants_have_targets_of_their_own(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connecting, "all_mutants", lambda: dict.fromkeys(("wrong-mask", "mute")))
    assert mutant_target("wrong-mask") == "mqconform.harness.iut.all_roles:wrong_mask"
    for name in ("", "wrong_mask", "none-such"):
        with pytest.raises(ConfigurationError, match=r"none of the 2 mutants has that name; try .*wrong-mask"):
            mutant_target(name)
