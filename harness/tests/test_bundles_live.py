"""Bundles of discovery clients with the real clock: what passed is in them, and all that running them again takes."""

import json
import shutil
import sys
from functools import cache
from pathlib import Path

import pytest

from mqconform.adapters.networks.namespaces import why_no_namespaces
from mqconform.harness.cli import run_command
from mqconform.harness.run.bundles.manifest import read_manifest
from mqconform.harness.run.bundles.packets import captured_frames
from mqconform.harness.tools.packets.pcap_messages import read_datagrams

why_not = cache(why_no_namespaces)
needs_namespaces = pytest.mark.skipif("why_not()", reason="clients with real broadcast not judged: no namespaces here")
CASE = ["--req", "MQSD", "-k", "on-no-other"]
ASKS_ONCE = """
import socket, sys
asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
asking.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
asking.bind((sys.argv[1], 0))
asking.sendto(bytes.fromhex("01010000") + bytes(range(48)), ("255.255.255.255", 1801))
sys.exit(1)
"""
WRONG = "01010000"
"""Version 1, where 0 has to be."""


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """The bundle of a client that asks with a wrong version, moved away from all that the run left."""
    words = [sys.executable, "-c", ASKS_ONCE, "{networks}", "{enterprise}", "{site}"]
    facts = tmp_path / "facts.toml"
    known = {"start": words, "network": ["{address}"], "outcome": "exit-status", "tolerance": 0.7}
    facts.write_text("[discovery_client]\n" + "".join(f"{key} = {json.dumps(one)}\n" for key, one in known.items()))
    asked = ["--iut", "udp:discovery-client", "--facts", str(facts), *CASE, "--out", str(tmp_path / "out")]
    assert run_command(["run", *asked]) == 1
    (made,) = (tmp_path / "out" / "bundles").iterdir()
    shutil.move(made, tmp_path / "elsewhere")
    shutil.rmtree(tmp_path / "out")
    facts.unlink()
    return tmp_path / "elsewhere"


@needs_namespaces
def test_a_bundle_of_a_client_on_real_networks_is_replayed_without_further_options(
    bundle: Path, capsys: pytest.CaptureFixture[str]
):
    client = read_manifest(bundle).options.client
    assert client is not None
    assert (client.tolerance, client.outcome, client.network) == (0.7, "exit-status", ("{address}",))
    capsys.readouterr()
    assert run_command(["replay", str(bundle)]) == 1
    assert "STILL FAILS" in capsys.readouterr().out
    sent = [one for one in read_datagrams(bundle / "packets.pcapng") if one.destination_port == 1801]
    assert [one.octets.hex()[:8] for one in sent] == [WRONG]
    assert sent[0].source.startswith("10.")
    told = (bundle / "packets.pcapng").read_bytes()
    assert b"of the client" in told
    assert b"VIOLATED MQSD-2.2.1-0" in told


def test_packets_of_a_client_that_is_called_with_the_real_clock_are_in_its_bundle(tmp_path: Path):
    iut = ["--iut", "mutant:client-version-1", "--clock", "real", "--tolerance", "0.9"]
    assert run_command(["run", *iut, *CASE, "--out", str(tmp_path)]) == 1
    (made,) = (tmp_path / "bundles").iterdir()
    sent = list(read_datagrams(made / "packets.pcapng"))
    assert {one.octets.hex()[:8] for one in sent} == {WRONG}
    options = read_manifest(made).options
    assert (options.clock, options.tolerance, options.client) == ("real", 0.9, None)


@pytest.mark.parametrize("octets", [None, b"", b"no capture", b"\x0a\x0d\x0d\x0a\x1c\0\0\0"])
def test_a_capture_that_cannot_be_read_costs_no_bundle(octets: bytes | None, tmp_path: Path):
    if octets is not None:
        (tmp_path / "c.pcapng").write_bytes(octets)
    assert captured_frames(["", "c.pcapng (not all is in it: it broke off)"], tmp_path) == []
