"""A server may refuse a configuration that no rule obliges it to accept; it then has no verdict on that case."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.interface import AdapterOptions, Json
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.suite.selection import Selection

Refuses = Callable[[dict[str, Any]], bool]


class Refusal(Exception):
    """What the server answers a configuration with that it does not take."""

    code = -32602


class Choosy(ReferenceIut):
    """The reference, but for configurations that it refuses."""

    refuses: Refuses = staticmethod(lambda _: False)

    def call(self, method: str, params: dict[str, Any]) -> Json:
        if method == "discovery_server.configure" and self.refuses(params):
            raise Refusal("no such configuration")
        return super().call(method, params)


class NeedsNetworks(Choosy):
    refuses = staticmethod(lambda params: not params["connected_networks"])


class NeedsOneNetwork(Choosy):
    refuses = staticmethod(lambda params: len(params["connected_networks"]) > 1)


class BreaksAtHalfCharacters(ReferenceIut):
    """Does not answer a name that UTF-8 has no octets for, but fails."""

    def call(self, method: str, params: dict[str, Any]) -> Json:
        if method == "discovery_server.configure":
            names(params).encode()
        return super().call(method, params)


def names(params: dict[str, Any]) -> str:
    return "".join(one["name"] for one in params["directory_servers"])


def run(iut: type, out: Path, requirement: str) -> Outcome:
    options = AdapterOptions(deadline=30)
    return execute(Plan(f"api:{__name__}:{iut.__name__}", options, Profile.DEFAULT, 0, Selection((requirement,)), out))


@pytest.mark.parametrize(
    ("iut", "requirement", "case"),
    [(NeedsNetworks, "MQSD-2.2.3-06", "none"), (BreaksAtHalfCharacters, "MQSD-2.2.3-42", "high")],
)
def test_what_need_not_be_accepted_is_excused(iut: type, requirement: str, case: str, tmp_path: Path) -> None:
    outcome = run(iut, tmp_path, requirement)
    excused = {one.id: one.reason for one in outcome.cases if one.excused == "not-applicable"}
    assert outcome.exit_code == ExitCode.OK
    assert any(case in one for one in excused)
    assert all("refused" in reason for id_, reason in excused.items() if case in id_)


def test_what_has_to_be_accepted_is_not(tmp_path: Path) -> None:
    assert run(NeedsOneNetwork, tmp_path, "MQSD-2.2.3-06").exit_code == ExitCode.FAIL
