"""What every sample IUT does with rubbish, with the end of its input, with numbers of 64 bits and with wrong usage."""

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from long_tier import mostly_long
from sample_iuts import COMPLETE, SOON_BUILT, TOOLS, build

pytestmark = pytest.mark.samples

G = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"
NAMES = [{"name": "nt4pec", "ip": True, "ipx": False}]
REQUEST = bytes([0, 1, 0, 0]) + bytes(48)
NO_DIRECTORY = {"enterprise": {"id": G}, "sites": [5], "routing_links": [], "queue_managers": []}
LINES = {
    "half an object": b'{"id":',
    "no object": b"42",
    "a list": b"[]",
    "not UTF-8": b'{"jsonrpc":"2.0","id":1,"method":"\xff","params":{}}',
    "no method": b'{"jsonrpc":"2.0","id":1}',
    "a method that is no text": b'{"jsonrpc":"2.0","id":1,"method":5,"params":{}}',
    "deep": b'{"jsonrpc":"2.0","id":1,"method":"reset","params":' + b"[" * 200_000,
    "deep and closed": b"[" * 200_000 + b"]" * 200_000,
    "a comma too many": b'{"jsonrpc":"2.0","id":1,"method":"reset","params":[1,]}',
    "no colon": b'{"jsonrpc":"2.0","id":1,"method":"reset","params":{"a" 1}}',
    "no such word": b'{"jsonrpc":"2.0","id":1,"method":"reset","params":True}',
    "no such escape": b'{"jsonrpc":"2.0","id":1,"method":"reset","params":"\\x"}',
    "half an escape": b'{"jsonrpc":"2.0","id":1,"method":"reset","params":"\\u12g4"}',
    "two values": b'{"jsonrpc":"2.0","id":1,"method":"reset"} 1',
}
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "a method that nobody has": ("router.fly", {}),
    "a method that objects have": ("constructor", {}),
    "no GUID": ("router.initialize", {"local": "here"}),
    "a number for a GUID": ("router.initialize", {"local": 7}),
    "time backwards": ("router.advance_clock", {"seconds": -1}),
    "time as text": ("discovery_client.advance_clock", {"seconds": "1"}),
    "half an octet": ("discovery_server.receive", {"network": "ip", "datagram": "0"}),
    "no hexadecimal digits": ("discovery_server.receive", {"network": "ip", "datagram": "0g"}),
    "a site that is no object": ("router.load_directory", {"directory": NO_DIRECTORY}),
    "true for a number": ("ordered_receiver.receive", {"stream": "a", "sequence": 1, "previous": True}),
    "a transaction that never began": ("transaction.commit", {"transaction": 99}),
    "no address of this machine": ("discovery_server.listen", {"host": "192.0.2.99", "port": 0}),
    "a machine that was not configured": ("queue_manager.stop", {"machine": "oslo"}),
    "no machines": ("queue_manager.configure", {"machines": []}),
    "an address that is no object": ("queue_manager.open", {"machine": "", "address": 5, "access": "send"}),
    "a wait backwards": ("queue_manager.receive", {"handle": 1, "wait": -1}),
    "true for a handle": ("queue_manager.close", {"handle": True}),
    "no assurance": ("queue_manager.send", {"handle": 1, "message": "m1", "assurance": "perhaps"}),
    "a kind that is no text": ("queue_manager.begin", {"machine": "oslo", "kind": ["internal"]}),
    "no port": ("discovery_server.listen", {"host": "127.0.0.1", "port": 70_000}),
}
ERRORS = {-32700, -32600, -32601, -32602}
USAGE = {
    "an unknown command": ["frobnicate"],
    "nothing of what a server needs": ["discovery-server"],
    "no GUID": ["discovery-client", "--enterprise", "x", "--site", G, "--network", "127.0.0.1/8"],
    "no network": ["discovery-client", "--enterprise", G, "--site", G],
    "no address": ["discovery-client", "--enterprise", G, "--site", G, "--network", "300.0.0.1/8"],
    "another computer's address": ["discovery-client", "--enterprise", G, "--site", G, "--network", "192.0.2.99/24"],
    "no port": ["discovery-server", "--enterprise", G, "--site", G, "--port", "99999"],
    "an unknown option": ["discovery-server", "--enterprise", G, "--site", G, "--frob", "1"],
}


class Sample:
    """A sample that takes orders."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.last = 100

    def line(self, octets: bytes) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(octets + b"\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def call(self, method: str, **params: object) -> dict[str, Any]:
        self.last += 1
        request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        answer = self.line(json.dumps(request).encode())
        assert answer["id"] == self.last
        return answer

    def result(self, method: str, **params: object) -> dict[str, Any]:
        answer = self.call(method, **params)
        assert "result" in answer, answer
        found: dict[str, Any] = answer["result"]
        return found


@pytest.fixture(scope="module", params=mostly_long(TOOLS, first=SOON_BUILT))
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(request.param, tmp_path_factory)


@pytest.fixture(scope="module", params=mostly_long(COMPLETE, first=set(SOON_BUILT) & set(COMPLETE)))
def complete(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(request.param, tmp_path_factory)


@contextmanager
def started(program: Path) -> Iterator[Sample]:
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield Sample(process)
        finally:
            process.kill()


def answers(client: socket.socket) -> list[int]:
    """Send numbered requests until one is answered; the numbers of those that were."""
    for number in range(1, 60):
        client.send(REQUEST[:20] + bytes([number]) + REQUEST[21:])
        with suppress(TimeoutError, ConnectionError):
            return [client.recv(2_000)[4]]
    return []


def test_rubbish_gets_an_error_and_the_next_request_its_answer(program: Path):
    with started(program) as sample:
        for name, octets in LINES.items():
            assert sample.line(octets)["error"]["code"] in ERRORS, name
            assert sample.result("reset") == {}, name
        for name, (method, params) in CALLS.items():
            assert sample.call(method, **params)["error"]["code"] < 0, name
            assert sample.result("reset") == {}, name


def test_what_is_not_offered_is_told_apart_from_what_is_wrong(program: Path):
    with started(program) as sample:
        assert sample.call("router.fly")["error"]["code"] == -32601
        assert sample.call("discovery_server.receive", network="ip", datagram="0g")["error"]["code"] == -32602


def test_the_end_of_its_input_ends_it(program: Path):
    request = b'{"jsonrpc":"2.0","id":7,"method":"reset","params":{}}\n'
    done = subprocess.run([program], input=request, capture_output=True, check=False, timeout=600)
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [7]
    assert done.stderr == b""


def test_ids_of_sequences_keep_all_their_bits(complete: Path):
    with started(complete) as sample:

        def accepts(sequence_id: int) -> bool:
            numbers = {"sequence_id": sequence_id, "sequence": 1, "previous": 0}
            accepted: bool = sample.result("ordered_receiver.receive_in_sequence", stream="a", **numbers)["accepted"]
            return accepted

        newest = 2**63 + 1
        assert [accepts(newest), accepts(newest - 1), accepts(newest), accepts(newest + 1)] == [
            True,
            False,
            False,
            True,
        ]


def test_a_port_is_served_again_after_a_send_that_failed(complete: Path):
    with started(complete) as sample, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(0.5)
        sample.result(
            "discovery_server.configure", enterprise=G, site=G, connected_networks=[G], directory_servers=NAMES
        )
        where = sample.result("discovery_server.listen", host="127.0.0.1", port=0)
        client.connect((where["host"], where["port"]))
        assert answers(client) == [1]
        before = sample.result("discovery_server.state")["sockets_opened"]
        sample.result("discovery_server.fail_next_send")
        # The first reply is lost, and with the old socket whatever else had reached it.
        assert min(answers(client)) > 1
        assert sample.result("discovery_server.state") == {"listening": True, "sockets_opened": before + 1}
        sample.result("reset")
        assert sample.result("discovery_server.listen", **where) == where


@pytest.mark.parametrize("arguments", USAGE.values(), ids=USAGE)
def test_wrong_usage_is_refused_with_a_reason(program: Path, arguments: list[str]):
    done = subprocess.run([program, *arguments], capture_output=True, check=False, timeout=600)
    assert done.returncode == 4
    assert done.stdout == b""
    assert b"mqsample" in done.stderr


@pytest.mark.parametrize("command", [[], ["discovery-server"], ["discovery-client"]])
def test_help_names_the_options(program: Path, command: list[str]):
    done = subprocess.run([program, *command, "--help"], capture_output=True, check=False, timeout=600)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"discovery-server" in done.stdout if not command else b"enterprise" in done.stdout
