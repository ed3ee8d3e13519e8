"""The sample IUT in Java conforms, by calls, datagrams and broadcasts, and reads JSON as it should."""

import json
import subprocess
from pathlib import Path

import pytest
from long_tier import LONG
from sample_iuts import build, judge_by_broadcast, judge_by_calls, judge_by_datagrams

pytestmark = [*LONG]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("java", tmp_path_factory)


def test_the_whole_suite_finds_nothing_to_object_to(program: Path, tmp_path: Path):
    judge_by_calls(program, tmp_path / "out")


def test_its_server_answers_datagrams_as_its_facts_say(program: Path, tmp_path: Path):
    judge_by_datagrams(program, tmp_path / "out")


def test_its_client_broadcasts_and_waits_by_the_real_clock(program: Path, tmp_path: Path):
    judge_by_broadcast(program, tmp_path / "out")


def test_its_json_reader_takes_json_and_nothing_else(program: Path):
    stream = '"\\u00e9\\ud83d\\ude00 \\"\\\\\\/\\b\\f\\n\\r\\t\\ud800"'
    good = [stream, "12345678901234567890123", ' "" ', "-0"]
    bad = ["01", "1.", "True", "'a'", '"\\x"', '"\t"', "[1,]", '{"a" 1}', "", '"\\u12g4"', "1 1", "[" * 5000]
    lines = [_enqueue(text) for text in good + bad] + ['{"id": 0, "method": "shutdown"}']
    done = subprocess.run(
        [str(program)], input="\n".join(lines), capture_output=True, text=True, check=False, timeout=600
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert [answer["result"]["stream"] for answer in answers[: len(good)]] == [json.loads(text) for text in good]
    assert [answer["error"]["code"] for answer in answers[len(good) : -1]] == [-32700] * len(bad)
    assert answers[-1] == {"jsonrpc": "2.0", "id": 0, "result": {}}


def test_it_says_what_is_wrong_with_its_command_line(program: Path):
    for arguments, complaint in (
        (["serve"], "usage:"),
        (["discovery-server", "--enterprise", "e6eaba60"], "e6eaba60"),
        (["discovery-server"], "--enterprise"),
        (["discovery-client", "--network", "nowhere"], "nowhere"),
    ):
        done = subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 4
        assert complaint in done.stderr
        assert "Exception" not in done.stderr


def _enqueue(stream: str) -> str:
    return f'{{"id": 1, "method": "ordered_sender.enqueue", "params": {{"stream": {stream}, "message": 1}}}}'
