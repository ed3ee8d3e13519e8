"""A Python object as an IUT on standard input and output: the answering side alone, and the round trip."""

import io
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import (
    AdapterOptions,
    IutDescription,
    IutErrorAnswer,
    IutFault,
    Json,
    NotApplicable,
    ServerFacts,
    Unsupported,
)
from mqconform.harness.tools.serve.stdio_server import answer_line, serve

IUT = """
import os, sys
print("printed while importing")
class Iut:
    def initialize(self, protocol, harness):
        return {"protocol": 1, "name": "mine", "version": "1", "roles": ["router"], "capabilities": []}
    def reset(self):
        print("printed in a call")
        os.write(1, b"written past Python")
    def router_get_next_hops(self, source, destination):
        error = Exception("no route"); error.code = -32010
        raise error
"""
G = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"


class Double:
    """An IUT that returns or raises what it is given, per method."""

    def __init__(self, **outcomes: Any) -> None:
        self.description = IutDescription("double", "")
        self.facts: ServerFacts | None = None
        self.outcomes = outcomes

    def call(self, method: str, params: Json) -> Json:
        outcome = self.outcomes.get(method, {"method": method, "params": params})
        if isinstance(outcome, Exception):
            raise outcome
        answer: Json = outcome
        return answer

    def evidence(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        pass


def line(**members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "reset", "params": {}} | members).encode()


def test_a_call_is_answered_with_its_id():
    answer, over = answer_line(Double(), line(id="x", params={"a": 1}))
    assert answer == {"jsonrpc": "2.0", "id": "x", "result": {"method": "reset", "params": {"a": 1}}}
    assert not over


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (Unsupported("no"), -32601),
        (NotApplicable("no"), -32601),
        (IutErrorAnswer(-32010, "no"), -32010),
        (IutFault("exception", "no"), -32000),
    ],
)
def test_problems_become_errors(outcome: Exception, code: int):
    answer, _ = answer_line(Double(reset=outcome), line())
    assert answer is not None
    assert answer["error"] == {"code": code, "message": "no"}


def test_what_is_no_request_is_refused_and_does_not_end_the_service(subtests: pytest.Subtests):
    for octets, code in [
        (b"\n", -32700),
        (b"\xff\n", -32700),
        (b"[" * 100_000, -32700),
        (b"1" * 5_000, -32700),
        (b"[]", -32600),
        (b"{}", -32600),
        (line(jsonrpc="1.0"), -32600),
        (line(method=1), -32600),
        (line(params=[1]), -32600),
    ]:
        with subtests.test(octets=octets):
            answer, over = answer_line(Double(), octets)
            assert answer is not None
            assert (answer["id"], answer["error"]["code"], over) == (None, code, False)


def test_the_service_ends_with_shutdown_or_with_the_input():
    answers = io.BytesIO()
    serve(Double(), io.BytesIO(line() + b"\n" + line(id=2, method="shutdown") + b"\n" + line(id=3)), answers)
    assert [json.loads(one)["id"] for one in answers.getvalue().splitlines()] == [1, 2]
    answers = io.BytesIO()
    serve(Double(shutdown=Unsupported("no")), io.BytesIO(line(method="shutdown") + b"\n" + line(id=2)), answers)
    assert len(answers.getvalue().splitlines()) == 2


def server_command(directory: Path) -> list[str]:
    (directory / "served_iut.py").write_text(IUT)
    code = f"import sys; sys.path.insert(0, {str(directory)!r})\n"
    code += "from mqconform.harness.cli import main; main()"
    return [sys.executable, "-c", code, "serve", "stdio", "--iut"]


def test_an_object_served_on_stdio_passes_through_the_harness_again(tmp_path: Path):
    spec = f"stdio:{shlex.join([*server_command(tmp_path), 'api:served_iut:Iut'])}"
    iut = connect(spec, AdapterOptions(deadline=30.0))
    assert iut.description.name == "mine"
    assert iut.call("reset", {}) == {}
    with pytest.raises(IutErrorAnswer, match="no route") as caught:
        iut.call("router.get_next_hops", {"source": G, "destination": G})
    assert caught.value.code == -32010
    with pytest.raises(Unsupported):
        iut.call("router.routing_table", {})
    iut.close()
    _, stderr = iut.evidence()
    assert "printed in a call" in stderr
    assert "written past Python" in stderr
