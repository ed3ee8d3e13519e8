"""The usual mistakes, made by implementations of another house: each is convicted by a short schedule."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.drivers.ordered_delivery.ends import operations_of
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.judge.eod.fault_schedules.schedule_search import Ends, find_trouble

PROGRAM = Path(__file__).parent / "alien" / "exactly_once.mjs"
pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="the other house writes JavaScript: needs node")

# Fault, which end has it, and requirements of which one is found violated.
MISTAKES = [
    ("accepts-duplicates", "receiver", {"EOD-2-01", "EOD-4-04"}),
    ("rejects-legal-gaps", "receiver", {"EOD-4-06"}),
    ("compares-previous-for-equality", "receiver", {"EOD-4-06"}),
    ("acknowledges-next-number", "receiver", {"EOD-2-11"}),
    ("shares-state-across-streams", "receiver", {"EOD-4-04", "EOD-4-06", "EOD-2-11"}),
    ("renumbers-on-discard", "sender", {"EOD-3-01", "EOD-3-10"}),
    ("never-relinks", "sender", {"EOD-3-05", "EOD-3-09"}),
    ("first-previous-not-zero", "sender", {"EOD-3-09"}),
    ("discards-beyond-acknowledgment", "sender", {"EOD-2-03"}),
    ("rejects-after-lost-state", "receiver", {"EOD-4-06"}),
    ("window-moves-on-rejection", "receiver", {"EOD-2-10", "EOD-4-04", "EOD-4-06"}),
    ("accepts-gaps", "receiver", {"EOD-4-05"}),
    ("keeps-acknowledged", "sender", {"EOD-3-07"}),
    ("sends-discarded", "sender", {"EOD-3-04"}),
    ("acknowledges-late", "receiver", {"EOD-2-10"}),
]


@contextmanager
def connected(fault: str) -> Iterator[CheckedIut]:
    iut = connect(f"stdio:node {PROGRAM} {fault}", AdapterOptions())
    try:
        yield iut
    finally:
        iut.close()


def ends(iut: CheckedIut, side: str) -> Ends:
    reference = operations_of(ReferenceIut())
    return Ends(iut.call, reference) if side == "sender" else Ends(reference, iut.call)


@pytest.mark.parametrize(("fault", "side", "requirements"), MISTAKES, ids=[fault for fault, _, _ in MISTAKES])
def test_a_mistake_is_convicted_by_a_schedule_of_at_most_ten_steps(fault: str, side: str, requirements: set[str]):
    with connected(fault) as iut:
        trouble = find_trouble(ends(iut, side), schedules=1_000)
    assert trouble is not None
    assert 1 <= len(trouble.schedule) <= 10
    assert {one.requirement for one in trouble.violations} & requirements
    assert {one.role for one in trouble.violations} <= {"", f"ordered_{side}"}


@pytest.mark.parametrize("side", ["sender", "receiver"])
def test_an_implementation_without_mistake_comes_out_clean(side: str):
    with connected("") as iut:
        assert find_trouble(ends(iut, side), schedules=60) is None


def test_one_implementation_may_be_both_ends(capsys: pytest.CaptureFixture[str]):
    spec = f"stdio:node {PROGRAM}"
    assert run_command(["simulate", "--sender", spec, "--receiver", spec, "--schedules", "20"]) == 0
    assert capsys.readouterr().out.startswith("20 schedules: every message delivered once and in order")


def test_the_command_shows_the_schedule_and_how_to_run_it_again(capsys: pytest.CaptureFixture[str]):
    spec = f"stdio:node {PROGRAM} acknowledges-next-number"
    assert run_command(["simulate", "--receiver", spec]) == 1
    shown = capsys.readouterr().out
    assert "breaks the promise, 1 step:\n  1.      0.000 s  queue a\n" in shown
    assert "!! EOD-2-11: acknowledges what was not accepted" in shown
    assert shown.rstrip().endswith(f"mqconform simulate --receiver '{spec}' --schedule 'queue a'")
    assert run_command(["simulate", "--receiver", spec, "--schedule", "queue a"]) == 1


def test_what_is_no_sender_is_refused(capsys: pytest.CaptureFixture[str]):
    other = PROGRAM.with_name("discovery_server.mjs")
    assert run_command(["simulate", "--sender", f"stdio:node {other}"]) == 4
    assert "is no ordered_sender; the roles it declares are discovery_server" in capsys.readouterr().err


def test_a_wrong_schedule_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    assert run_command(["simulate", "--schedule", "queue a; explode"]) == 4
    assert "step 2 of the fault schedule is 'explode'" in capsys.readouterr().err
    assert run_command(["simulate", "--schedule", f"@{tmp_path / 'none'}"]) == 4
    assert "cannot be read" in capsys.readouterr().err
    (tmp_path / "one").write_text("queue a\n+1 queue b\n", encoding="utf-8")
    assert run_command(["simulate", "--schedule", f"@{tmp_path / 'one'}"]) == 0
    assert "the promise holds" in capsys.readouterr().out
