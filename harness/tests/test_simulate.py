"""`mqconform simulate`: what it shows of two ends and a schedule, and what it refuses."""

import shlex
from pathlib import Path

import pytest
from sample_iuts import with_a_fault

from mqconform.harness.cli import run_command


def test_the_command_shows_the_schedule_and_how_to_run_it_again(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    acknowledgment = "return stream.last_accepted"
    change = ("ordered_receiver.py", f"{acknowledgment} if", f"{acknowledgment} + 1 if")
    wrong = f"stdio:{shlex.join(with_a_fault(tmp_path, *change))}"
    assert run_command(["simulate", "--receiver", wrong]) == 1
    shown = capsys.readouterr().out
    assert "breaks the promise, 1 step:\n  1.      0.000 s  queue a\n" in shown
    assert "!! EOD-2-11: acknowledges what was not accepted" in shown
    assert shown.rstrip().endswith(f"mqconform simulate --receiver '{wrong}' --schedule 'queue a'")
    assert run_command(["simulate", "--receiver", wrong, "--schedule", "queue a"]) == 1


def test_what_is_no_sender_is_refused(capsys: pytest.CaptureFixture[str]):
    assert run_command(["simulate", "--sender", "mutant:networks-sorted"]) == 4
    assert "is not an ordered_sender; the roles it declares are discovery_server" in capsys.readouterr().err


def test_a_wrong_schedule_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    assert run_command(["simulate", "--schedule", "queue a; explode"]) == 4
    assert "step 2 of the fault schedule is 'explode'" in capsys.readouterr().err
    assert run_command(["simulate", "--schedule", f"@{tmp_path / 'none'}"]) == 4
    assert "cannot be read" in capsys.readouterr().err
    assert run_command(["simulate", "--schedule", " ;"]) == 4
    assert "has no steps" in capsys.readouterr().err
    (tmp_path / "one").write_text("queue a\n+1 queue b\n", encoding="utf-8")
    assert run_command(["simulate", "--schedule", f"@{tmp_path / 'one'}"]) == 0
    assert "the promise holds" in capsys.readouterr().out
