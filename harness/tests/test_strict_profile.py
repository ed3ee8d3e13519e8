"""Runs in the profile strict, where the text alone decides: it can be met, and what it leaves open is not a failure."""

from pathlib import Path

from mqconform.harness.cli import run_command
from mqconform.harness.records.exit_codes import ExitCode


def judged(iut: str, cases: str, out: Path) -> int:
    return run_command(["run", "--iut", iut, "--profile", "strict", "-k", cases, "--out", str(out)])


def test_the_reference_passes(tmp_path: Path):
    """Its silence where there is nothing to answer by the text, and its failed attempts to route, included."""
    cases = "generated-malformed-datagrams or empty or fails or no-way"
    assert judged("ref:", cases, tmp_path / "out") == ExitCode.OK


def test_a_reply_that_the_text_neither_asks_for_nor_allows_is_left_open(tmp_path: Path):
    assert judged("mutant:no-networks-count-zero", "mqsd/2_2_message_syntax", tmp_path / "out") == ExitCode.INCONCLUSIVE
