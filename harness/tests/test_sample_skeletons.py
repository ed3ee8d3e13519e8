"""The skeletons in C, Rust and Java: small, and they conform in what they offer. No input makes the one in C misbehave.

The suite and the spoiled lines go to a build in C that ends at the first error in memory and undefined operation.
"""

import json
import os
import random
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest
from long_tier import LONG, mostly_long
from sample_iuts import EXAMPLES, IPX, ORDERS, SKELETONS, build, judge_by_calls, judge_by_datagrams, served

pytestmark = pytest.mark.samples

MOST_LINES = 400
G = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"
REQUEST = "00010000" + "11" * 16 + "22" * 16 + "33" * 16
SERVERS = [{"name": "nt4pec", "ip": True, "ipx": False}, {"name": "a", "ip": True, "ipx": True}]
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("initialize", {"protocol": 1, "harness": "spoiler"}),
    (
        "discovery_server.configure",
        {"enterprise": G, "site": G, "connected_networks": [G] * 5, "directory_servers": SERVERS},
    ),
    ("discovery_server.receive", {"network": "ip", "datagram": REQUEST}),
    ("reset", {}),
]


def built(language: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(language, tmp_path_factory, *(["SANITIZE=1"] if language == "c" else []))


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("c", tmp_path_factory)


@pytest.mark.parametrize("language", SKELETONS)
def test_it_is_small(language: str):
    sources = [path for path in (EXAMPLES / "iut" / language).rglob("*") if path.suffix in (".c", ".h", ".rs", ".java")]
    assert 0 < sum(len(path.read_text("utf-8").splitlines()) for path in sources) < MOST_LINES


@pytest.mark.parametrize("language", mostly_long(SKELETONS, first=["c"]))
def test_nothing_is_violated_or_left_open_in_the_one_role_that_it_has(
    language: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
):
    program = built(language, tmp_path_factory)
    done = judge_by_calls(program, tmp_path, roles=frozenset({"discovery_server"}), without=IPX | ORDERS)
    assert len(done.requirements("verified")) > 60


@pytest.mark.parametrize("language", mostly_long(SKELETONS, first=["c"]))
def test_it_answers_datagrams_as_its_facts_say(language: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory):
    judge_by_datagrams(built(language, tmp_path_factory), tmp_path)


def test_in_c_it_is_one_file_that_needs_no_library(tmp_path_factory: pytest.TempPathFactory):
    program = build("c", tmp_path_factory)
    headers = subprocess.run(["readelf", "--program-headers", program], capture_output=True, text=True, check=True)
    assert "INTERP" not in headers.stdout


def spoiled(line: bytes, chance: random.Random) -> bytes:
    octets = bytearray(line)
    for _ in range(chance.randrange(4)):
        place = chance.randrange(len(octets))
        if chance.random() < 0.5:
            octets[place] = chance.choice(b'\x00\xff\xc3"\\{}[]:,0179-.eutfnull \t')
        elif chance.random() < 0.5:
            del octets[place : place + chance.randrange(1, 9)]
        else:
            octets[place:place] = octets[max(0, place - chance.randrange(40)) : place]
    return bytes(octets).replace(b"\n", b" ")


def test_in_c_spoiled_lines_are_answered_one_by_one_without_an_error_in_memory(watched: Path):
    chance = random.Random(20)
    whole = [json.dumps({"jsonrpc": "2.0", "id": 1, "method": name, "params": it}).encode() for name, it in CALLS]
    lines = whole + [spoiled(line, chance) for _ in range(500) for line in whole]
    text = b"\n".join([*lines, b'{"jsonrpc":"2.0","id":2,"method":"shutdown"}', b""])
    done = subprocess.run([watched], input=text, capture_output=True, check=False, timeout=600)
    assert (done.returncode, done.stderr) == (0, b"")
    answers = [json.loads(line) for line in done.stdout.decode("latin-1").splitlines()]
    assert len(answers) == len(lines) + 1
    assert [one for one in answers[: len(whole)] if "error" in one] == []
    assert len([one for one in answers if one.get("error", {}).get("code") == -32700]) > 100
    assert len([one for one in answers if one.get("error", {}).get("code") == -32602]) > 100


def test_in_c_its_udp_server_stands_what_is_no_request(watched: Path):
    chance = random.Random(21)
    with served([str(watched)]) as where, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        host, port = where.split(":")
        asking.settimeout(20)
        for length in range(60):
            asking.sendto(chance.randbytes(length), (host, int(port)))
        asking.sendto(bytes.fromhex(REQUEST), (host, int(port)))
        reply = asking.recv(65_535)
    assert reply[:20] == bytes.fromhex("00020000" + "22" * 16)


@pytest.mark.parametrize(
    "check",
    [
        pytest.param(("fmt", "--check"), marks=LONG),
        pytest.param(("clippy", "--quiet", "--offline", "--locked", "--", "-D", "warnings"), marks=LONG),
    ],
)
def test_in_rust_it_is_as_the_tools_of_the_language_want_it(check: tuple[str, ...], tmp_path: Path):
    if shutil.which(f"cargo-{check[0]}") is None:
        pytest.skip(f"no cargo-{check[0]} on PATH")
    folder = EXAMPLES / "iut" / "rust"
    environment = {**os.environ, "CARGO_TARGET_DIR": str(tmp_path)}
    done = subprocess.run(["cargo", *check], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
