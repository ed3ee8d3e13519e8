"""``mqconform audit captures`` on the command line: what it refuses before Spark starts, and a whole audit."""

import json
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from mqconform.harness.cli.audit import captures as command
from mqconform.harness.iut.interface import ConfigurationError

REQUEST = bytes.fromhex(
    "0001000061baeae6c6d1db11baac0003ff4e2d2203a191f23ce34faba930be3a33e432ddf61bc5dcadd44345873971568e8f9128"
)


def capture(payload: bytes) -> bytes:
    """Return a pcap of raw IP with one request in it."""
    udp = struct.pack(">HHHH", 5000, 1801, 8 + len(payload), 0) + payload
    packet = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 1, 0, 64, 17, 0, b"\x0a\0\0\1", b"\xff" * 4) + udp
    head = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)
    return head + struct.pack("<IIII", 1_700_000_000, 0, len(packet), len(packet)) + packet


def test_facts_and_captures_that_cannot_be_used_are_refused_with_the_file_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    Path("other.toml").write_text("[server]\n", "utf-8")
    Path("broken.toml").write_text("[", "utf-8")
    Path("a.pcap").write_bytes(capture(REQUEST))
    Path("empty").mkdir()
    for captures, facts, message in [
        ("a.pcap", "nowhere.toml", "nowhere.toml: cannot be read: No such file"),
        ("a.pcap", "10.0.0.1=other.toml", "other.toml: server: is not a field here"),
        ("a.pcap", "broken.toml", "broken.toml: is not TOML"),
        ("nowhere", "", "no such file"),
        ("empty", "", "empty"),
    ]:
        words = ["--captures", captures, "--out", "out", *(["--facts", facts] if facts else [])]
        with pytest.raises(ConfigurationError, match=message):
            command.main(words, standalone_mode=False)


def test_an_audit_from_start_to_exit_code(tmp_path: Path):
    pytest.importorskip("pyspark", reason="the extra spark is not installed")
    (tmp_path / "wrong.pcap").write_bytes(capture(b"\1" + REQUEST[1:]))
    arguments = ["--captures", str(tmp_path / "wrong.pcap"), "--out", str(tmp_path / "out"), "--master", "local[1]"]
    main = [sys.executable, "-c", "from mqconform.harness.cli import main; main()", "audit", "captures"]
    ran = subprocess.run(
        [*main, *arguments], capture_output=True, text=True, check=False
    )  # Spark has one context a process
    assert (ran.returncode, ran.stderr) == (1, "starting Spark, local[1]\n")
    assert "packets: 0 pass, 1 fail, 0 inconclusive, 0 none" in ran.stdout
    assert "fail MQSD-2.2.1-03: Version of a request is not 0" in ran.stdout
    summary = json.loads((tmp_path / "out" / "summary.json").read_text("utf-8"))
    assert summary["hosts"]["worst"][0]["host"] == "10.0.0.1"
