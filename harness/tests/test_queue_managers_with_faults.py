"""Queue managers over stdin and stdout, the Python sample with one change: a fault is found, a choice is left alone."""

import shlex
from pathlib import Path

import pytest
from sample_iuts import judge, with_a_fault

pytestmark = pytest.mark.samples
FILE = "queue_manager.py"
PURGE = "        queue.messages = [message for message in queue.messages if not message.visible]\n"
ENDS_WAITS = f"{PURGE}        self._fail(queue.readers)\n        queue.readers = []\n"


def test_a_fault_violates_what_it_breaks(tmp_path: Path):
    command = with_a_fault(tmp_path, FILE, PURGE, ENDS_WAITS)
    done = judge(tmp_path / "out", "--iut", f"stdio:{shlex.join(command)}", "--req", "MQSO-5.1.1.2-13")
    assert done.exit_code == 1
    assert "MQSO-5.1.1.2-13" in done.requirements("violated")


def test_a_permitted_choice_is_left_alone(tmp_path: Path):
    told_later = ('raise Failure("the queue is full")', 'return self._tell(message, "negative")')
    command = with_a_fault(tmp_path, FILE, *told_later)
    done = judge(tmp_path / "out", "--iut", f"stdio:{shlex.join(command)}", "--req", "MQSO-5.1.1.2")
    assert done.exit_code == 0, done.text
    assert {one["verdict"] for one in done.of("case") if one.get("excused") != "unsupported"} == {"pass"}
    assert "QM-19/refused-later" in done.text
