"""The reference queue manager as a test double: it refuses nonsense, repeats itself, and conforms in its worst mood."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.iut.interface import IutErrorAnswer, Json, Unsupported
from mqconform.harness.tools.serve.queue_manager import QueueManagerPeer

MQCONFORM = (sys.executable, "-c", "from mqconform.harness.cli import main; main()")
MACHINES = [{"name": "oslo", "mode": "workgroup"}]
QUEUE: Json = {"machine": "oslo", "queue": "inbox"}
NO_WISHES: Json = {"properties": {}}
SIX_FOR_EIGHT: list[tuple[str, Json]] = [
    *(("open", {"machine": "oslo", "address": {"direct": QUEUE}, "access": access}) for access in ("send", "receive")),
    *[("receive", {"handle": 2, "wait": 60})] * 8,
    *(("send", {"handle": 1, "message": f"m{number}", "assurance": "express"}) for number in range(6)),
    ("outcomes", {}),
]
"""Calls after which any six of eight readers may have a message."""


def called(peer: QueueManagerPeer, operation: str, **params: Any) -> Json:
    return peer.call(f"queue_manager.{operation}", params)


def fresh(seed: int | None = None) -> QueueManagerPeer:
    peer = QueueManagerPeer(seed)
    called(peer, "configure", machines=MACHINES)
    return peer


def lines(*calls: tuple[str, Json]) -> bytes:
    requests = [
        {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        for number, (method, params) in enumerate(calls)
    ]
    return "".join(f"{json.dumps(one)}\n" for one in requests).encode()


def served(given: bytes, *arguments: str, hash_seed: int = 0) -> list[Json]:
    command = [*MQCONFORM, "serve", "queue-manager", *arguments]
    surroundings = os.environ | {"PYTHONHASHSEED": str(hash_seed)}
    done = subprocess.run(command, input=given, capture_output=True, check=False, env=surroundings, timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("method", "params", "told"),
    [
        ("queue_manager.open", {"machine": "oslo"}, "address"),
        ("queue_manager.open", QUEUE, "address"),
        ("queue_manager.stop", {"machine": "rome"}, "rome: is not configured; call queue_manager.configure with it"),
        ("queue_manager.configure", {"machines": MACHINES * 2}, "this is one machine; name one"),
        ("queue_manager.advance_clock", {"seconds": -1}, "seconds"),
        ("queue_manager.advance_clock", {"seconds": float("inf")}, "OverflowError"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_field(method: str, params: Json, told: str):
    with pytest.raises(IutErrorAnswer, match=told):
        fresh().call(method, params)


@pytest.mark.parametrize("method", ["router.initialize", "queue_manager.reset", "queue_manager.world", "fly", ""])
def test_what_it_does_not_have_is_not_offered(method: str):
    with pytest.raises(Unsupported):
        fresh().call(method, {})


def test_it_answers_lines_until_shutdown():
    answers = served(lines(("queue_manager.outcomes", {}), ("fly", {}), ("shutdown", {}), ("reset", {})))
    assert [one.get("result", one.get("error", {}).get("code")) for one in answers] == [{"outcomes": []}, -32601, {}]


def who_got_what(*options: str, hash_seed: int) -> list[tuple[int, str]]:
    """Return which of eight readers have a message, in a process with another order of sets for each hash seed."""
    calls = [("queue_manager.configure", {"machines": MACHINES}), ("queue_manager.create_queue", QUEUE | NO_WISHES)]
    given = lines(*calls, *((f"queue_manager.{method}", params) for method, params in SIX_FOR_EIGHT))
    outcomes = served(given, *options, hash_seed=hash_seed)[-1]["result"]["outcomes"]
    return [(one["operation"], one["message"]["message"]) for one in outcomes]


def test_the_same_calls_have_the_same_answers_in_every_process():
    worst = ("--least-convenient", "--seed", "1")
    first = who_got_what(*worst, hash_seed=1)
    assert first == who_got_what(*worst, hash_seed=2)
    assert first != who_got_what(hash_seed=1) == [(3 + number, f"m{number}") for number in range(6)]


def test_a_seed_without_inconvenience_is_wrong_usage(capsys: pytest.CaptureFixture[str]):
    assert run_command(["serve", "queue-manager", "--seed", "1"]) == 4
    assert "give --least-convenient as well" in capsys.readouterr().err
