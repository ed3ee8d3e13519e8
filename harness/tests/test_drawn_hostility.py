"""Implementations whose hostile ways are drawn by a number: a verdict each, little memory, and nothing left behind."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from long_tier import LONG
from measured_runs import MEBIBYTE, Ended, measured

from mqconform.harness.records.exit_codes import ExitCode

pytestmark = [LONG, pytest.mark.hostile]
PROGRAM = Path(__file__).parent / "drawn_hostile_iut.py"
ASKED = (
    ("--req", "MQSD-3.2.5.1-12", "-k", "without_a_site or without-a-site"),
    ("--req", "MQSD-3.1.5.2-01", "-k", "not generated"),
    ("--req", "MQBR-3.1.5.3-01"),
    ("--req", "MQSO-5.1.1.2-01"),
    ("--req", "EOD-3-02", "-k", "not generated"),
    ("--req", "MQSO-3.3.4"),
)
"""What the implementation of each number is asked, in turn: every role."""
NUMBERS = range(60)
VERDICTS = {ExitCode.OK, ExitCode.FAIL, ExitCode.INCONCLUSIVE}
MOST_MORE = 250 * MEBIBYTE
LOOK, LOOK_EACH, PATIENCE = threading.Event(), 0.05, 200


def judged(ended: Ended) -> None:
    """Hold what every run comes to."""
    assert ended.exit_code in VERDICTS, ended.printed
    assert not [one for one in ended.records if one.get("verdict") == "error"]
    assert ended.records[-1]["record"] == "footer"
    assert ended.memory < MOST_MORE
    assert not [sign for sign in ("\x1b", "\x07", "\u202e", "Traceback") if sign in ended.printed]


def running(mark: str) -> list[str]:
    """Return the processes with a word on their command line."""
    lines = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [line for line in lines if mark in line]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_program_gets_its_verdict_and_leaves_nothing(number: int, tmp_path: Path):
    mark = f"hostile-{number}-in-{tmp_path.name}"
    asked = ASKED[number % len(ASKED)]
    program = f"stdio:{sys.executable} {PROGRAM} {number} {mark}"
    judged(measured(tmp_path, "--iut", program, *asked, "--deadline", "3"))
    for _ in range(PATIENCE):
        if not running(mark):
            break
        LOOK.wait(LOOK_EACH)
    assert running(mark) == []
