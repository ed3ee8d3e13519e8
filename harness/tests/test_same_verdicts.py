"""The same scenarios give the reference the same verdicts, whatever carries them."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mqconform.harness.iut.interface import AdapterOptions, ServerFacts
from mqconform.harness.iut.reference_iut.udp_service import UdpService
from mqconform.harness.iut.server_configurations import USUAL, model_of
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Standing, Verdict
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.suite.selection import Selection
from mqconform.reference.mqsd.server import Network, receive_topology_client_request

MAIN = "from mqconform.harness.cli import main; main()"
PIPE = "stdio:" + shlex.join([sys.executable, "-c", MAIN, "serve", "stdio", "--iut", "ref:"])
UNUSUAL_NAMES = {f"MQSD-2.2.3-{number}" for number in (32, 33, 34, 35, 37, 38, 39, 41)}
"""Rules for characters that the names of the usual configuration do not have."""
PORT_OF_THE_TEXT = "MQSD-2.1-04"
"""Is seen only where that port is tried; this server has another."""
START_UNSEEN = ("MQSD-2.1-01", "MQSD-3.2.3-01")
"""Are seen only where the start is asked for."""


NO_CLIENTS = "not 3_1"
"""Cases of clients take most of a run and say nothing of datagrams."""


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return run("ref:", tmp_path_factory.mktemp("ref"))


@pytest.fixture(scope="module")
def over_udp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    server = model_of(USUAL)

    def respond(datagram: bytes) -> list[bytes]:
        reply = receive_topology_client_request(server, Network.IP, datagram)
        return [] if reply is None else [reply]

    service = UdpService("127.0.0.1", 0, respond)
    yield run(f"udp:127.0.0.1:{service.address[1]}", tmp_path_factory.mktemp("udp"), USUAL)
    service.stop()


def run(iut: str, out: Path, facts: ServerFacts | None = None) -> Outcome:
    options = AdapterOptions(deadline=60, facts=facts)
    return execute(Plan(iut, options, Profile.DEFAULT, 0, Selection(("MQSD",), NO_CLIENTS), out))


def verdicts(outcome: Outcome) -> dict[str, str]:
    return {case.id: case.excused or case.verdict.word for case in outcome.cases}


def standings(outcome: Outcome) -> dict[str, Standing]:
    return {one.requirement.id: one.standing for one in outcome.findings}


def test_calls_over_a_pipe_give_the_verdicts_of_calls_in_process(reference: Outcome, tmp_path: Path) -> None:
    outcome = run(PIPE, tmp_path)
    assert outcome.exit_code == reference.exit_code == ExitCode.OK
    assert verdicts(outcome) == verdicts(reference)
    assert standings(outcome) == standings(reference)
    assert outcome.readings == reference.readings


def test_what_applies_over_udp_passes_as_it_does_in_process(reference: Outcome, over_udp: Outcome) -> None:
    expected = verdicts(reference)
    applied = {case.id: case.verdict.word for case in over_udp.cases if not case.excused}
    assert over_udp.exit_code == ExitCode.OK
    assert applied == {case: expected[case] for case in applied}
    assert set(applied.values()) == {Verdict.PASS.word}


def test_what_does_not_apply_over_udp_has_a_reason(over_udp: Outcome) -> None:
    assert [case.id for case in over_udp.cases if case.excused and not case.reason] == []


def test_one_configuration_over_udp_verifies_every_wire_requirement_that_its_names_allow(over_udp: Outcome) -> None:
    wire = {one.requirement.id for one in over_udp.findings if one.requirement.judged == "wire"}
    verified = {name for name, standing in standings(over_udp).items() if standing is Standing.VERIFIED}
    assert wire - verified == {*UNUSUAL_NAMES, *START_UNSEEN, PORT_OF_THE_TEXT}
