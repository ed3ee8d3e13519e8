"""Runs of the discovery-client features: the reference conforms, and no preset of readings fails."""

from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.reference_iut.discovery_client import ReferenceDiscoveryClient
from mqconform.harness.iut.role import RolePart
from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.requirement import RoleName
from mqconform.harness.records.verdict import Standing, Verdict
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.suite.selection import Selection
from mqconform.reference.mqsd.client import LITERAL, SENSIBLE, UNDISPUTED

ON_NETWORKS = {"MQSD-2.1-01", "MQSD-2.2-01", "MQSD-3.1.5.1-05"}
"""What only a client whose datagrams are seen on networks can show."""
IPX = {f"MQSD-2.2.2-{number}" for number in ("07", "08", "10", "11", "13")}
MOST_STEPS = 3


class ClientAlone(ReferenceIut):
    """The reference without its other roles, around a client of its own."""

    def make(self, role: RoleName) -> RolePart:
        return ReferenceDiscoveryClient(UNDISPUTED) if role == "discovery_client" else super().make(role)

    def description(self) -> dict[str, Any]:
        return super().description() | {"roles": ["discovery_client"], "capabilities": ["virtual-clock"]}

    searching = False

    def call(self, method: str, params: dict[str, Any]) -> Any:
        """Refuse another configuration in the middle of a search, of which the protocol does not speak."""
        self.searching = method != "reset" and (self.searching or method == "discovery_client.start")
        assert not (self.searching and method == "discovery_client.configure")
        return super().call(method, params)


class Late(ClientAlone):
    def make(self, role: RoleName) -> RolePart:
        return all_mutants()["client-waits-17"].make() if role == "discovery_client" else super().make(role)


class Fickle(ClientAlone):
    """Follows one preset in two lives and another in the next two."""

    lives = 0

    def call(self, method: str, params: dict[str, Any]) -> Any:
        if method == "discovery_client.configure":
            presets = (LITERAL, SENSIBLE)
            self.lives += 1
            self.parts[RoleName.DISCOVERY_CLIENT].readings = presets[self.lives // 2 % 2]
        return super().call(method, params)


def judged(
    name: str,
    out: Path,
    profile: Profile = Profile.DEFAULT,
    expression: str = "",
    features: tuple[Path, ...] = (),
) -> Outcome:
    iut = f"api:{Path(__file__).stem}:{name}"
    return execute(Plan(iut, AdapterOptions(), profile, 0, Selection(("MQSD",), expression), out, features))


def of_standing(outcome: Outcome, standing: Standing) -> set[str]:
    return {one.requirement.id for one in outcome.findings if one.standing is standing}


@pytest.fixture(autouse=True)
def _this_module_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def test_the_reference_verifies_every_judged_requirement_but_those_of_ipx(tmp_path: Path) -> None:
    outcome = judged("ClientAlone", tmp_path)
    binding = {one.requirement.id for one in outcome.findings if one.requirement.is_judged}
    may = of_standing(outcome, Standing.NOT_APPLICABLE)
    assert (outcome.exit_code, outcome.mixed) == (ExitCode.OK, [])
    assert of_standing(outcome, Standing.VERIFIED) == binding - IPX - ON_NETWORKS - may
    assert of_standing(outcome, Standing.UNSUPPORTED) == ON_NETWORKS | {"MQSD-2.3-01", "MQSD-2.3-03"}
    assert may >= IPX
    assert {one for one in may - IPX if not one.startswith("MQSD-6-")} <= {"MQSD-2.1-03", "MQSD-1.8-01"}


def test_a_client_that_mixes_readings_is_reported(tmp_path: Path) -> None:
    outcome = judged("Fickle", tmp_path, expression="3_1_5_2")
    assert outcome.exit_code == ExitCode.OK
    assert any(one.ambiguity == "SD-47" for one in outcome.mixed)


def test_what_no_reading_explains_is_shrunk_shown_as_a_time_line_and_kept(tmp_path: Path) -> None:
    outcome = judged("Late", tmp_path / "first", expression="generated_histories")
    (case,) = (one for one in outcome.cases if one.verdict is Verdict.FAIL)
    witness = case.witnesses[0]
    assert witness.judgement.observed.splitlines()[1] == "    0.0 s  the client starts discovery"
    assert "expected" in witness.judgement.expected
    (saved,) = (tmp_path / "first" / "cases").glob("*.feature")
    assert saved.read_text().count("When ") <= MOST_STEPS
    again = judged("Late", tmp_path / "again", expression="no-reading-explains", features=(saved,))
    right = judged("ClientAlone", tmp_path / "right", expression="no-reading-explains", features=(saved,))
    assert (again.exit_code, right.exit_code) == (ExitCode.FAIL, ExitCode.OK)
