"""What a failed case leaves behind, and what it says when it is run again."""

import json
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from scapy.utils import rdpcap

from mqconform.harness.cli import run_command
from mqconform.harness.iut.conversation import MAX_ENTRIES, MAX_NODES, MAX_REPLIES, MAX_WEIGHT, Conversation, weight_of
from mqconform.harness.iut.interface import Datagram, Exchange
from mqconform.harness.run.bundles.manifest import read_manifest
from mqconform.harness.run.bundles.packets import ETHERNET, Frame, pcapng, udp_in_ethernet
from mqconform.harness.run.bundles.writing import folder_name
from mqconform.harness.tools.enterprise.file import read_enterprise
from mqconform.harness.tools.packets.pcap_messages import read_datagrams

SERVER = "mutant:zero-site-is-own"
ROUTER = "mutant:greedy"
CLIENT = "mutant:client-waits-10"


def judged(folder: Path, *arguments: str) -> int:
    return run_command(["run", "--out", str(folder), *arguments])


def bundles_of(folder: Path) -> list[Path]:
    return sorted((folder / "bundles").iterdir())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("server")
    assert judged(folder, "--iut", SERVER, "--req", "MQSD-3.2.5.1") == 1
    return folder


@pytest.fixture(scope="module")
def router(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("router")
    assert judged(folder, "--iut", ROUTER, "-k", "ring and generated") == 1
    return folder


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("client")
    assert judged(folder, "--iut", CLIENT, "-k", "3_1_6 or timer or generated") == 1
    return folder


def plain(folder: Path) -> Path:
    """The bundle of a case that generates nothing."""
    return next(one for one in bundles_of(folder) if "generated" not in one.name)


def generated(folder: Path) -> Path:
    return next(one for one in bundles_of(folder) if "generated" in one.name)


def test_each_failed_case_leaves_one_bundle(server: Path):
    records = [json.loads(line) for line in (server / "results.ndjson").read_text().splitlines()]
    failed = [one["id"] for one in records if one["record"] == "case" and one["verdict"] == "fail"]
    assert failed
    assert [one.name for one in bundles_of(server)] == sorted(map(folder_name, failed))


def test_a_new_run_removes_the_bundles_of_the_one_before_and_nothing_else(tmp_path: Path):
    judged(tmp_path, "--iut", SERVER, "--req", "MQSD-3.2.5.1-12")
    own = tmp_path / "bundles" / "notes"
    own.mkdir()
    assert judged(tmp_path, "--iut", "ref:", "--req", "MQSD-3.2.5.1-12") == 0
    assert bundles_of(tmp_path) == [own]


def test_the_capture_holds_request_and_reply(server: Path):
    packets = list(read_datagrams(plain(server) / "packets.pcapng"))
    (case,) = [json.loads(line) for line in (plain(server) / "witnesses.ndjson").read_text().splitlines()][:1]
    assert [one.octets.hex() for one in packets] == [case["request"], case["reply"]]
    assert [(one.source_port, one.destination_port) for one in packets] == [(49152, 1801), (1801, 49152)]


@pytest.mark.parametrize("ends", [("192.0.2.2", "255.255.255.255"), ("2001:db8::1", "::1")])
@pytest.mark.parametrize("payload", [b"", b"odd", b"\xff" * 600])
def test_frames_and_their_files_are_those_of_scapy(ends: tuple[str, str], payload: bytes, tmp_path: Path):
    internet = IPv6(src=ends[0], dst=ends[1]) if ":" in ends[0] else IP(id=0, src=ends[0], dst=ends[1])
    ether = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
    expected = bytes(ether / internet / UDP(sport=49152, dport=1801) / Raw(payload))
    written = udp_in_ethernet(ends, (49152, 1801), expected[:12], payload)
    assert written == expected
    (tmp_path / "x.pcapng").write_bytes(pcapng(ETHERNET, [Frame(written, 1.5, "Ω".encode()), Frame(b"x", 2.0)]))
    read = [(bytes(packet), float(packet.time), packet.comments) for packet in rdpcap(str(tmp_path / "x.pcapng"))]
    assert read == [(expected, 1.5, ["Ω".encode()]), (b"x", 2.0, None)]


def fields_of(bundle: Path, *fields: str, more: tuple[str, ...] = ()) -> list[str]:
    """Return what tshark shows of the packets of a bundle, the comments last."""
    asked = [word for field in (*fields, "frame.comment") for word in ("-e", field)]
    command = ["tshark", *more, "-r", str(bundle / "packets.pcapng"), "-T", "fields", *asked]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout.splitlines()


@pytest.mark.skipif(shutil.which("tshark") is None, reason="needs tshark: apt-get install tshark")
def test_tshark_shows_the_requirement_beside_the_packet_and_the_calls_of_a_router(
    server: Path, router: Path, tmp_path: Path
):
    lua = tmp_path / "mqsd.lua"
    run_command(["dissect", "--lua", str(lua)])
    request, reply = fields_of(plain(server), "mqsd.type", more=("-X", f"lua_script:{lua}"))
    assert request.strip() == "0x01"
    assert reply.startswith("0x02\tVIOLATED MQSD-3.2.5.1-12")
    assert "octets 80 to 80" in reply
    lines = fields_of(bundles_of(router)[0], "json.value.string")
    assert any("router.get_next_hops" in line for line in lines)
    assert "VIOLATED MQBR-" in lines[-1]


def test_the_enterprise_of_a_wrong_answer_is_there(router: Path):
    bundle = bundles_of(router)[0]
    document = read_enterprise(str(bundle / "enterprise.json"))
    assert document.directory.sites
    last = json.loads((bundle / "allowed.json").read_text())["next_hops"]
    wrong = [one for one in last if not one["allowed_at_all"]]
    assert wrong
    assert all(one["allowed"][0]["derivation"] for one in wrong)


@pytest.mark.parametrize("kind", ["server", "router", "client"])
def test_a_replay_says_still_fails_or_fixed(
    kind: str, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
):
    bundles = [str(one) for one in bundles_of(request.getfixturevalue(kind))][:2]
    assert run_command(["replay", bundles[0]]) == 1
    assert "STILL FAILS" in capsys.readouterr().out
    assert run_command(["replay", *bundles, "--iut", "ref:"]) == 0
    assert "FIXED" in capsys.readouterr().out


def test_a_replay_replays_the_shrunk_input(server: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (feature,) = read_manifest(generated(server)).counterexamples
    assert "When a topology request arrives: 0001" in (generated(server) / feature).read_text()
    assert run_command(["replay", str(generated(server)), "--out", str(tmp_path)]) == 1
    assert "cases/MQSD-3.2.5.1-01-" in capsys.readouterr().out
    assert (tmp_path / generated(server).name / "results.ndjson").exists()


def test_a_replay_that_another_defect_fails_says_so(server: Path, capsys: pytest.CaptureFixture[str]):
    assert run_command(["replay", str(plain(server)), "--iut", "mutant:silent"]) == 1
    assert "differently than before: it finds MQSD-3.2.5-01 violated" in capsys.readouterr().out


def test_what_has_no_such_role_does_not_start_or_is_no_case_any_more_cannot_run(
    server: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    bundle = tmp_path / "bundle"
    shutil.copytree(plain(server), bundle)
    lost = json.loads((bundle / "bundle.json").read_text()) | {"case": "mqsd/3_2_discovery_server/no-such-case"}
    (bundle / "bundle.json").write_text(json.dumps(lost))
    for words, told in [
        ([plain(server), "--iut", ROUTER], "CANNOT RUN: not-applicable: the implementation has no role discovery"),
        ([plain(server), "--iut", f"stdio:{sys.executable} -c pass"], "CANNOT RUN: exited"),
        ([bundle], "this version has no case"),
    ]:
        assert run_command(["replay", *map(str, words)]) == 2
        assert told in capsys.readouterr().out


def test_a_wrong_bundle_is_refused_by_field(server: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    right = json.loads((plain(server) / "bundle.json").read_text())
    for text, told in [
        (json.dumps(right | {"case": 7}), "case: is 7"),
        (json.dumps(right | {"features": ["../../etc/passwd"]}), "features[0]"),
        (json.dumps(right | {"features": ["features/../../x.feature"]}), "features[0]"),
        (json.dumps(right | {"profile": "lax"}), "profile"),
        (json.dumps(right | {"facts": {}}), "facts"),
        (json.dumps(right | {"more": 1}), "more"),
        ("{", "is not JSON"),
    ]:
        (tmp_path / "bundle.json").write_text(text)
        assert run_command(["replay", str(tmp_path)]) == 4
        assert told in capsys.readouterr().err


def test_a_bundle_works_on_a_machine_that_has_nothing_else(tmp_path: Path):
    """The features that the user added, the facts and the settings are in it."""
    own = tmp_path / "own"
    own.mkdir()
    (own / "mine.feature").write_text(
        textwrap.dedent("""\
        @role:discovery_server
        Feature: Mine
          @req:MQSD-3.2.5.1-12
          Scenario: Of another site
            Given a discovery server
            When a client of no site sends a topology request
            Then RespondingSiteID is the server's site
        """)
    )
    out = tmp_path / "out"
    assert judged(out, "--iut", SERVER, "--features", str(own), "-k", "mine", "--profile", "strict") == 1
    (bundle,) = bundles_of(out)
    elsewhere = tmp_path / "elsewhere"
    shutil.move(bundle, elsewhere)
    shutil.rmtree(own)
    shutil.rmtree(out)
    assert read_manifest(elsewhere).profile == "strict"
    assert run_command(["replay", str(elsewhere)]) == 1


def test_a_conversation_forgets_the_oldest_and_counts_it():
    conversation = Conversation()
    for number in range(MAX_ENTRIES + 3):
        conversation.answered("reset", {"n": number}, {})
    assert (len(conversation.entries), conversation.forgotten) == (MAX_ENTRIES, 3)


def test_a_huge_answer_is_not_kept():
    conversation = Conversation()
    conversation.answered("reset", {}, {"rows": [[0]] * 1_000_000})
    (entry,) = conversation.entries
    assert "too large" in str(entry.record())
    assert weight_of({"replies": ["00" * 400]}) < MAX_NODES
    assert weight_of({"replies": ["00" * 400_000]}) == MAX_NODES


def test_large_datagrams_are_forgotten_before_there_are_many():
    conversation = Conversation()
    flood = Exchange((Datagram(bytes(65_507), "192.0.2.7:1801"),) * (MAX_REPLIES + 1))
    for _ in range(10):
        conversation.exchanged("192.0.2.7:1801", (b"\0",), flood, 0.0)
    kept = sum(len(reply.octets) for one in conversation.entries for reply in one.replies)
    assert kept <= MAX_WEIGHT * 64
    assert len(conversation.entries) + conversation.forgotten == 10
    assert conversation.entries[-1].left_out == 1
    conversation.clear()
    conversation.answered("reset", {}, {})
    assert (len(conversation.entries), conversation.forgotten) == (1, 0)
