"""Runs in the profile strict, where the text alone decides: what it leaves open is inconclusive, never our error."""

from pathlib import Path

from mqconform.harness.cli import run_command


def test_silence_after_malformed_datagrams_is_left_open(tmp_path: Path):
    case = "generated-malformed-datagrams-do-not-stop-the-service"
    assert run_command(["run", "--profile", "strict", "-k", case, "--out", str(tmp_path / "out")]) == 2
