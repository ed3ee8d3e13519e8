"""The smoke test of a connection, over real carriers."""

import socket
import sys
import textwrap
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.iut.roles import SMOKE_CALLS
from mqconform.harness.iut.smoke_calls import UNKNOWN_METHOD

FACTS = """
[discovery_server]
enterprise = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"
site = "e6eaba60-d1c6-11db-baac-0003ff4e2d22"
connected_networks = ["e6eaba62-d1c6-11db-baac-0003ff4e2d22"]
directory_servers = [{ name = "nt4pec", ip = true, ipx = false }]
"""
G = "aaaaaaaa-0000-4000-8000-000000000001"
GOOD = f"""
class Missing(Exception):
    code = -32601
class Iut:
    roles = ["router", "discovery_server", "discovery_client", "ordered_receiver", "ordered_sender"]
    capabilities = ["virtual-clock", "procedures", "directory-faults", "send-faults"]
    answers = {{
        "router.get_next_hops": {{"next_hops": []}},
        "router.is_site_gate": {{"value": 0}},
        "router.get_routing_server": {{"value": None}},
        "router.get_site_gate": {{"value": None}},
        "router.get_site_gate_for_site": {{"value": "{G}"}},
        "discovery_server.receive": {{"replies": ["00"]}},
        "discovery_server.state": {{"listening": True, "sockets_opened": 1}},
        "discovery_client.start": {{"effects": []}},
        "discovery_client.receive": {{"effects": []}},
        "discovery_client.advance_clock": {{"effects": []}},
        "ordered_receiver.receive": {{"accepted": True}},
        "ordered_receiver.order_ack": {{"sequence": 1}},
        "ordered_receiver.advance_clock": {{"order_acks": []}},
        "ordered_sender.advance_clock": {{"messages": []}},
        "ordered_sender.enqueue": {{"sequence": 1, "previous": 0}},
        "ordered_sender.transmit": {{"messages": []}},
    }}
    missing = ["router.routing_table", "{UNKNOWN_METHOD}"]
    def call(self, method, params):
        if method == "initialize":
            return dict(protocol=1, name="mine", version="1", roles=self.roles, capabilities=self.capabilities)
        if method in self.missing or method.startswith("queue_manager."):
            raise Missing(method)
        return self.answers.get(method, {{}})
"""


@dataclass
class Done:
    exit_code: int
    output: str


Command = Callable[..., Done]
Smoke = Callable[..., Done]


@pytest.fixture
def smoke_command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run ``mqconform smoke`` with arguments."""

    def run(*arguments: str) -> Done:
        code = run_command(["smoke", *arguments])
        return Done(code, "".join(capsys.readouterr()))

    return run


@pytest.fixture
def smoke(smoke_command: Command, module: Callable[[str], str]) -> Smoke:
    """Run the command against an IUT whose class has the given further body."""

    def run(body: str = "") -> Done:
        name = module(GOOD + textwrap.indent(body, "    "))
        return smoke_command("--iut", f"api:{name}:Iut", "--deadline", "20")

    return run


def test_a_right_connection_passes_every_check(smoke: Smoke):
    done = smoke()
    lines = done.output.splitlines()
    assert done.exit_code == 0, done.output
    assert {line.split()[0] for line in lines} == {"ok", "left", "notice"}
    told = [line.removeprefix("notice").split(":")[0].strip() for line in lines if line.startswith("notice")]
    assert told == ["ordered_receiver.receive_in_sequence", "restart", "restart", "transaction"]
    left = [line for line in lines if line.startswith("left out")]
    assert [line for line in left if not line.endswith("is not declared")] == [
        "left out    router.routing_table: not offered, and optional (Missing: 'router.routing_table')"
    ]
    undeclared = ("transaction.", "queue_manager.")
    assert len(lines) - len(told) == sum(not call.method.startswith(undeclared) for call in SMOKE_CALLS) + 4


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("roles = 'router'", "fault       initialize: result.roles: is 'router'; expected a list"),
        ("roles = []", "fault       roles: result.roles is empty; declare at least one of router, discovery_server"),
        ("answers = {'router.get_next_hops': {'next_hops': 'x'}}",
         "fault       router.get_next_hops: result.next_hops: is 'x'; expected a list, each entry a GUID as text"),
        ("missing = ['router.get_next_hops', 'router.is_site_gate']",
         "fault       router.get_next_hops: Missing: 'router.get_next_hops'; the role router is declared: offer"),
        ("missing = ['router.get_next_hops', 'router.is_site_gate']",
         "fault       router.is_site_gate: Missing: 'router.is_site_gate'; the capability procedures is declared"),
        ("missing = ['reset']", "fault       reset: Missing: 'reset'; every implementation must answer reset"),
        ("missing = []", f"fault       unknown method: {UNKNOWN_METHOD} answered ; answer error -32601 instead"),
        ("def call(self, method, params): raise ValueError('\\x1b[31mred')",
         "fault       initialize: ValueError: '\\x1b[31mred' at line "),
        ("def __init__(self): raise ValueError('unfit')", "ValueError: 'unfit' at line "),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_field_and_remedy(smoke: Smoke, body: str, told: str):
    done = smoke(body)
    assert done.exit_code == 1, done.output
    assert told in done.output
    assert "\x1b" not in done.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--iut", "nonsense"], "expected KIND:ID"),
        (["--nonsense"], "No such option"),
        (["--iut", "api:nowhere_at_all:x"], "is not found"),
        (["--iut", "udp:127.0.0.1:1801"], "--facts FILE"),
        (["--iut", "udp:127.0.0.1:1801", "--facts", "/nowhere/at/all.toml"], "name a facts file that can be read"),
    ],
)
def test_wrong_configuration_has_a_status_of_its_own(smoke_command: Command, arguments: list[str], told: str):
    done = smoke_command(*arguments)
    assert done.exit_code == 4
    assert told in done.output


def udp_smoke(smoke_command: Command, tmp_path: Path, port: int) -> Done:
    facts = tmp_path / "facts.toml"
    facts.write_text(FACTS)
    arguments = ["--iut", f"udp:127.0.0.1:{port}", "--facts", str(facts), "--reply-timeout", "0.5"]
    return smoke_command(*arguments)


def test_a_server_that_is_not_there_has_a_status_of_its_own(smoke_command: Command, tmp_path: Path):
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as port:
        port.bind(("127.0.0.1", 0))
        number = port.getsockname()[1]
    done = udp_smoke(smoke_command, tmp_path, number)
    assert done.exit_code == 2
    assert "unreachable datagrams: udp:127.0.0.1:" in done.output


def test_a_client_that_takes_no_orders_is_not_blamed_for_that(smoke_command: Command, tmp_path: Path):
    facts = tmp_path / "facts.toml"
    start = f'start = ["{sys.executable}", "{{enterprise}}", "{{site}}", "{{networks}}"]'
    facts.write_text(f'[discovery_client]\n{start}\nnetwork = ["{{address}}"]\noutcome = "json"\n')
    done = smoke_command("--iut", "udp:discovery-client", "--facts", str(facts))
    assert done.exit_code == 0, done.output
    assert "left out    discovery_client.start: " in done.output
    assert "contradiction" not in done.output
