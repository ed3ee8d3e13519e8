"""The sample IUTs conform, by calls, by datagrams and by broadcasts, and no input makes them misbehave."""

import ast
import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from long_tier import LONG
from sample_iuts import EXAMPLES, ROLES, TOOLS, build, judge_by_broadcast, judge_by_calls, judge_by_datagrams

pytestmark = pytest.mark.samples
G = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"
NAMES = [{"name": "nt4pec", "ip": True, "ipx": False}]
REQUEST = bytes([0, 1, 0, 0]) + bytes(48)
NO_DIRECTORY = {"enterprise": {"id": G}, "sites": [5], "routing_links": [], "queue_managers": []}
LINES = (
    b'{"id":',
    b"[]",
    b'{"jsonrpc":"2.0","id":1,"method":"\xff","params":{}}',
    b'{"jsonrpc":"2.0","id":1,"method":5,"params":{}}',
    b'{"jsonrpc":"2.0","id":1,"method":"reset","params":' + b"[" * 200_000,
    b"[" * 200_000 + b"]" * 200_000,
    b'{"jsonrpc":"2.0","id":1,"method":"reset","params":[1,]}',
    b'{"jsonrpc":"2.0","id":1,"method":"reset","params":"\\u12g4"}',
    b'{"jsonrpc":"2.0","id":1,"method":"reset"} 1',
)
"""No request."""
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("router.fly", {}),
    ("constructor", {}),  # which objects of JavaScript have
    ("router.initialize", {"local": "here"}),
    ("router.advance_clock", {"seconds": -1}),
    ("discovery_server.receive", {"network": "ip", "datagram": "0g"}),
    ("router.load_directory", {"directory": NO_DIRECTORY}),
    ("ordered_receiver.receive", {"stream": "a", "sequence": 1, "previous": True}),
    ("transaction.commit", {"transaction": 99}),
    ("discovery_server.listen", {"host": "192.0.2.99", "port": 0}),
    ("queue_manager.configure", {"machines": []}),
    ("queue_manager.receive", {"handle": 1, "wait": -1}),
    ("queue_manager.send", {"handle": 1, "message": "m1", "assurance": "perhaps"}),
    ("discovery_server.listen", {"host": "127.0.0.1", "port": 70_000}),
)
"""Requests that cannot be served."""


@pytest.fixture(scope="module", params=[pytest.param(language, marks=LONG) for language in TOOLS])
def language(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def program(language: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(language, tmp_path_factory)


class Sample:
    """A sample that takes orders."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def line(self, octets: bytes) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(octets + b"\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def call(self, method: str, **params: object) -> dict[str, Any]:
        return self.line(json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).encode())

    def result(self, method: str, **params: object) -> dict[str, Any]:
        answer = self.call(method, **params)
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result


@contextmanager
def started(program: Path) -> Iterator[Sample]:
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield Sample(process)
        finally:
            process.kill()


def test_the_whole_suite_finds_nothing_to_object_to(language: str, program: Path, tmp_path: Path):
    judge_by_calls(program, tmp_path, ROLES if language == "go" else ROLES | {"queue_manager"})


def test_its_server_answers_datagrams_as_its_facts_say(program: Path, tmp_path: Path):
    judge_by_datagrams(program, tmp_path)


def test_its_client_broadcasts_and_waits_by_the_real_clock(program: Path, tmp_path: Path):
    judge_by_broadcast(program, tmp_path)


def test_rubbish_gets_an_error_and_the_next_request_its_answer(program: Path):
    with started(program) as sample:
        for octets in LINES:
            assert sample.line(octets)["error"]["code"] in {-32700, -32600, -32601, -32602}, octets[:80]
            assert sample.result("reset") == {}, octets[:80]
        for method, params in CALLS:
            assert sample.call(method, **params)["error"]["code"] < 0, method
            assert sample.result("reset") == {}, method
        assert sample.call("router.fly")["error"]["code"] == -32601
        assert sample.call("discovery_server.receive", network="ip", datagram="0g")["error"]["code"] == -32602


def test_a_port_is_served_again_after_a_send_that_failed(program: Path):
    with started(program) as sample, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(0.5)
        sample.result(
            "discovery_server.configure", enterprise=G, site=G, connected_networks=[G], directory_servers=NAMES
        )
        where = sample.result("discovery_server.listen", host="127.0.0.1", port=0)
        client.connect((where["host"], where["port"]))
        assert first_answered(client) == 1
        before = sample.result("discovery_server.state")["sockets_opened"]
        sample.result("discovery_server.fail_next_send")
        # The first reply is lost, and with the old socket whatever else had reached it.
        assert first_answered(client) > 1
        assert sample.result("discovery_server.state") == {"listening": True, "sockets_opened": before + 1}


def first_answered(client: socket.socket) -> int:
    """Send numbered requests until one is answered, and return its number."""
    for number in range(1, 60):
        client.send(REQUEST[:20] + bytes([number]) + REQUEST[21:])
        with suppress(TimeoutError, ConnectionError):
            return client.recv(2_000)[4]
    return 0


def test_in_python_and_javascript_it_stands_on_the_standard_library_alone():
    python = [*(EXAMPLES / "iut" / "python" / "mqsample").rglob("*.py")]
    imports = [node for source in python for node in ast.walk(ast.parse(source.read_text("utf-8")))]
    modules = {node.module for node in imports if isinstance(node, ast.ImportFrom)} | {
        alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names
    }
    assert {"json", "mqsample"} <= {str(module).partition(".")[0] for module in modules}
    assert {str(module).partition(".")[0] for module in modules} <= sys.stdlib_module_names | {"mqsample"}
    javascript = [*(EXAMPLES / "iut" / "javascript" / "src").rglob("*.mjs")]
    names = {name for source in javascript for name in re.findall(r'from "([^"]+)"', source.read_text("utf-8"))}
    assert "node:dgram" in names
    assert all(name.startswith(("node:", "./", "../")) for name in names)
