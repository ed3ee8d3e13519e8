"""The sample IUT in C conforms: over calls, over UDP, as a client that broadcasts; and no input makes it misbehave.

The whole suite and the spoiled lines go to a build that ends at the first error in memory and undefined operation.
"""

import json
import random
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest
from sample_iuts import build, judge_by_broadcast, judge_by_calls, judge_by_datagrams, served

G = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"
REQUEST = "00010000" + "11" * 16 + "22" * 16 + "33" * 16
REPLY = (
    "0002" + "00" * 2 + "22" * 16 + "010000000000000012000000" + "44" * 32 + "310030006e0074003400700065006300" + "0000"
)
SERVERS = [{"name": "\ud83dä\U0001f600", "ip": True, "ipx": False}, {"name": "a", "ip": True, "ipx": True}]
DIRECTORY = {
    "enterprise": {"id": G},
    "sites": [{"id": G, "site_gates": [G]}, {"id": "f" * 8 + G[8:], "site_gates": []}],
    "routing_links": [{"id": G, "site1": G, "site2": "f" * 8 + G[8:], "cost": 7}],
    "queue_managers": [{"id": G, "sites": [G], "routing_server": True, "in_routing_servers": [G, G]}],
}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("initialize", {"protocol": 1, "harness": "spoiler"}),
    ("router.load_directory", {"directory": DIRECTORY}),
    ("router.initialize", {"local": G}),
    ("router.get_next_hops", {"source": G, "destination": G}),
    ("router.advance_clock", {"seconds": 7200.5}),
    ("router.fail_directory", {"object_type": "Site", "at": "next"}),
    (
        "discovery_server.configure",
        {"enterprise": G, "site": G, "connected_networks": [G] * 5, "directory_servers": SERVERS},
    ),
    ("discovery_server.receive", {"network": "ip", "datagram": REQUEST}),
    ("discovery_client.configure", {"enterprise": G, "site": G, "networks": [{"address": "1"}, {"address": "2"}]}),
    ("discovery_client.start", {}),
    ("discovery_client.receive", {"network": "1", "datagram": REPLY}),
    ("discovery_client.advance_clock", {"seconds": 15}),
    ("discovery_client.state", {}),
    ("ordered_receiver.receive_in_sequence", {"stream": "a", "sequence_id": 2**64 - 1, "sequence": 1, "previous": 0}),
    ("ordered_receiver.advance_clock", {"seconds": 1}),
    ("ordered_sender.enqueue", {"stream": 5, "message": "m"}),
    ("ordered_sender.transmit", {"stream": 5}),
    ("ordered_sender.advance_clock", {"seconds": 40000}),
    ("ordered_sender.discard", {"stream": 5, "message": "m"}),
    (
        "transaction.configure",
        {
            "queues": [{"name": "q", "machine": "n", "transactional": False}],
            "lists": [{"name": "l", "elements": ["l", "q"]}],
        },
    ),
    ("transaction.begin", {}),
    ("transaction.send", {"transaction": 1, "message": 1, "destination": ["l"], "administration_queue": "x"}),
    ("transaction.commit", {"transaction": 1}),
    ("transaction.deliver", {}),
    ("transaction.state", {}),
    ("reset", {}),
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("c", tmp_path_factory)


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("c", tmp_path_factory, "SANITIZE=1")


def test_the_whole_suite_finds_nothing_to_object_to_and_neither_do_sanitizers(watched: Path, tmp_path: Path):
    judge_by_calls(watched, tmp_path / "out")


def test_its_server_answers_datagrams_as_its_facts_say(program: Path, tmp_path: Path):
    judge_by_datagrams(program, tmp_path / "out")


def test_its_client_broadcasts_and_waits_by_the_real_clock(program: Path, tmp_path: Path):
    judge_by_broadcast(program, tmp_path / "out")


def test_it_is_one_file_that_needs_no_library(program: Path):
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


def test_spoiled_lines_are_answered_one_by_one_without_an_error_in_memory(watched: Path):
    chance = random.Random(20)
    whole = [json.dumps({"jsonrpc": "2.0", "id": 1, "method": name, "params": it}).encode() for name, it in CALLS]
    lines = whole + [spoiled(line, chance) for _ in range(150) for line in whole]
    lines = [line for line in lines if b"shutdown" not in line]
    text = b"\n".join([*lines, b'{"jsonrpc":"2.0","id":2,"method":"shutdown"}', b""])
    done = subprocess.run([watched], input=text, capture_output=True, check=False, timeout=600)
    assert (done.returncode, done.stderr) == (0, b"")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(lines) + 1
    assert [one for one in answers[: len(whole)] if "error" in one] == []
    assert len([one for one in answers if one.get("error", {}).get("code") == -32700]) > 100
    assert len([one for one in answers if one.get("error", {}).get("code") == -32602]) > 100


def test_its_udp_server_stands_what_is_no_request(watched: Path):
    chance = random.Random(21)
    with served(watched) as where, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        host, port = where.split(":")
        asking.settimeout(20)
        for length in range(60):
            asking.sendto(chance.randbytes(length), (host, int(port)))
        asking.sendto(bytes.fromhex(REQUEST), (host, int(port)))
        reply = asking.recv(65_535)
    assert reply[:20] == bytes.fromhex("00020000" + "22" * 16)
