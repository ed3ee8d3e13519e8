"""Whole runs against UDP servers that die, lie, flood or answer from elsewhere: a verdict each, never a traceback."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.server_configurations import USUAL, model_of
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Standing, Verdict
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.run.preflight import first_exchange
from mqconform.harness.run.summary import print_summary, summary
from mqconform.harness.suite.selection import Selection
from mqconform.reference.mqsd.server import Network, receive_topology_client_request

Behaviour = Callable[["Server", bytes, tuple[str, int]], None]


class Server:
    """A UDP server in a thread whose answers a test decides."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.count = 0
        self.model = model_of(USUAL)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self) -> None:
        while True:
            try:
                datagram, client = self.socket.recvfrom(65_535)
            except OSError:
                return
            if not datagram and client is None:
                return
            self.count += 1
            try:
                self.behaviour(self, datagram, client)
            except OSError:
                return

    def right(self, datagram: bytes) -> bytes | None:
        return receive_topology_client_request(self.model, Network.IP, datagram)

    def close(self) -> None:
        with contextlib.suppress(OSError):  # not connected: the shutdown still wakes the thread
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Outcome]]:
    servers: list[Server] = []

    def start(behaviour: Behaviour, *requirements: str) -> Outcome:
        server = Server(behaviour)
        servers.append(server)
        options = AdapterOptions(reply_timeout=0.4, facts=USUAL)
        where = f"udp:127.0.0.1:{server.port}"
        selection = Selection(requirements)
        return execute(Plan(where, options, Profile.DEFAULT, 0, selection, tmp_path / "out", give_up_after=1.0))

    yield start
    for server in servers:
        server.close()


def violated(outcome: Outcome) -> set[str]:
    return {one.requirement.id for one in outcome.findings if one.standing is Standing.VIOLATED}


def answer(server: Server, datagram: bytes, client: tuple[str, int]) -> None:
    reply = server.right(datagram)
    if reply is not None:
        server.socket.sendto(reply, client)


def test_a_server_that_falls_silent_is_convicted_in_bounded_time(run: Callable[..., Outcome]):
    outcome = run(
        lambda server, octets, client: answer(server, octets, client) if server.count <= 2 else None, "MQSD-2.1-03"
    )
    assert outcome.exit_code == 1
    assert {"MQSD-3.2.5-02"} <= violated(outcome) <= {"MQSD-3.2.5-01", "MQSD-3.2.5-02"}
    assert not outcome.problem, "it was heard"


def test_a_server_of_which_nothing_is_heard_is_given_up_after_a_few_cases_with_one_message(
    run: Callable[..., Outcome], capsys: pytest.CaptureFixture[str]
):
    outcome = run(lambda *_: None)
    assert outcome.exit_code == 2
    assert outcome.problem.startswith("silent: udp:127.0.0.1:")
    reasons = [case.reason for case in outcome.cases if case.verdict is Verdict.INCONCLUSIVE]
    given_up = sum(reason.startswith("the implementation has not answered since") for reason in reasons)
    assert len(reasons) - given_up <= 3  # of 0.4 s or more
    assert given_up > 50
    print_summary(outcome, Console(width=200))
    told = capsys.readouterr().out
    assert told.count("silent: udp:") == 1
    assert "INCONCLUSIVE in" not in told


def test_the_first_exchange_is_told_decoded_and_says_where_the_facts_may_be_wrong(tmp_path: Path):
    lines: list[str] = []
    server = Server(answer)
    wrong = replace(USUAL, site="7ccb2b12-93b2-4b0e-8f3e-0a1b2c3d4e5f")
    options = AdapterOptions(reply_timeout=0.4, facts=wrong)
    where = f"udp:127.0.0.1:{server.port}"
    plan = Plan(where, options, Profile.DEFAULT, 0, Selection(("MQSD-3.2.5.1-12",)), tmp_path / "out")
    outcome = execute(plan, greet=partial(first_exchange, tell=lines.append))
    server.close()
    assert any("TopologyServerReply" in line and "ConnectedNetworkCount" in line for line in lines)
    assert [one.partition(" ")[0] for one in outcome.doubtful_facts] == ["RespondingSiteID"]
    assert "The facts file may be wrong" in "".join(f"{line}" for line in summary(outcome))


def test_a_flood_is_a_violation(run: Callable[..., Outcome]):
    def flood(server: Server, datagram: bytes, client: tuple[str, int]) -> None:
        for _ in range(300):
            answer(server, datagram, client)

    outcome = run(flood, "MQSD-3.2.5-01")
    assert outcome.exit_code == 1
    assert violated(outcome) >= {"MQSD-3.2.5-01"}


def test_another_port_of_the_same_host_may_answer(run: Callable[..., Outcome]):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))

        def elsewhere(server: Server, datagram: bytes, client: tuple[str, int]) -> None:
            reply = server.right(datagram)
            if reply is not None:
                other.sendto(reply, client)

        outcome = run(elsewhere, "MQSD-3.2.5.1-15", "MQSD-2.2.1")
    assert outcome.exit_code == 0
    assert "SD-05/other-port" in outcome.readings


def test_another_host_decides_nothing_and_is_named(run: Callable[..., Outcome]):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.7", 0))

        def rogue(server: Server, datagram: bytes, client: tuple[str, int]) -> None:
            reply = server.right(datagram)
            if reply is not None:
                other.sendto(reply, client)
                server.socket.sendto(reply, client)

        outcome = run(rogue, "MQSD-2.2.1")
    assert outcome.exit_code == 2
    assert "127.0.0.7" in outcome.results.read_text()


def test_a_wrong_correlation_id_is_convicted_although_no_fence_is_ever_recognised(run: Callable[..., Outcome]):
    def garbled(server: Server, datagram: bytes, client: tuple[str, int]) -> None:
        reply = server.right(datagram)
        if reply is not None:
            server.socket.sendto(reply[:4] + reply[4:20][::-1] + reply[20:], client)

    outcome = run(garbled, "MQSD-2.2.3-03", "MQSD-2.2.2-05", "MQSD-2.2.1-07")
    assert outcome.exit_code == 1
    standings = {finding.requirement.id: finding.standing for finding in outcome.findings}
    assert standings["MQSD-2.2.3-03"] is Standing.VIOLATED
    assert standings["MQSD-2.2.2-05"] is Standing.AFFECTED, "the other sentence says the same"
    assert violated(outcome) == {"MQSD-2.2.3-03"}
