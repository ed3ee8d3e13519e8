"""Implementations that answer with everything a stranger can think of: the harness survives, small, and names them."""

import sys
import time
from pathlib import Path

import pytest
from long_tier import long
from measured_runs import MEBIBYTE, measured

from mqconform.adapters.programs.json_rpc import MAX_VALUES, result_in
from mqconform.harness.iut.interface import IutProblem
from mqconform.harness.iut.protocol import MAX_TEXT, overlong

pytestmark = pytest.mark.hostile
HOSTILE = Path(__file__).parent / "hostile.py"
MOST_MORE = 250 * MEBIBYTE
"""What a run with a hostile implementation may cost: a few lines of the longest allowed length."""


def test_a_line_without_end_is_the_implementations_fault_by_name_and_memory_stays_bounded(tmp_path: Path):
    """What else can be answered has its tests without a run in test_json_rpc.py and test_stdio.py."""
    asked = ["--req", "MQSD-3.2.5.1-12", "-k", "without_a_site or without-a-site", "--deadline", "3"]
    iut = f"stdio:{sys.executable} {HOSTILE} stdio server.receive:line-without-end"
    ended = measured(tmp_path, "--iut", iut, *asked)
    assert ended.exit_code == 1
    failed = [one for one in ended.records if one["record"] == "witness" and one["verdict"] == "fail"]
    assert failed
    assert all(one["observed"].startswith("oversize: discovery_server.receive: ") for one in failed)
    assert not [one for one in ended.records if one.get("verdict") == "error"]
    assert ended.memory < MOST_MORE
    assert len(list((tmp_path / "bundles").iterdir())) == 1


@long
@pytest.mark.parametrize("seed", range(20))
def test_programs_drawn_from_seeds_end_within_the_time_of_the_run(seed: int, tmp_path: Path):
    asked = ["--req", ("MQSD-3.2.5.1-12", "MQBR-3.1.5.1", "MQSO-5.1.1.2-01", "EOD")[seed % 4], "--timeout", "30"]
    began = time.monotonic()
    ended = measured(tmp_path, "--iut", f"stdio:{sys.executable} {HOSTILE} stdio seed:{seed}", *asked)
    assert time.monotonic() - began < 120
    assert ended.exit_code in {0, 1, 2, 4}, ended.printed
    assert not [sign for sign in ("\x1b", "\x07", "\u202e", "Traceback") if sign in ended.printed]


def test_the_number_of_values_in_an_answer_is_bounded():
    line = b'{"jsonrpc":"2.0","id":1,"result":{"x":[%s0]}}'
    beside = line.count(b",") + line.count(b"[") + line.count(b"{")
    assert result_in(line % (b"0," * (MAX_VALUES - beside)), 1, "reset")
    with pytest.raises(IutProblem, match="values; at most 500000 are read"):
        result_in(line % (b"0," * (MAX_VALUES - beside + 1)), 1, "reset")


def test_a_text_longer_than_any_datagram_is_found_wherever_it_is():
    assert overlong({"a": [{"b": "0" * (MAX_TEXT + 1)}]}) == MAX_TEXT + 1
    assert overlong({"a": [{"b": "0" * MAX_TEXT}], "c": 1}) == 0
