"""A run that is gone on with keeps its patience: what waited in vain before the kill need not wait in vain again."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from timeless import timeless

from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.server_configurations import USUAL
from mqconform.harness.records.profile import Profile
from mqconform.harness.run.execution import execute
from mqconform.harness.run.plan import Plan
from mqconform.harness.run.resume import read_kept
from mqconform.harness.suite.selection import Selection

HOSTILE = Path(__file__).parent / "hostile.py"


@pytest.fixture
def port() -> Iterator[int]:
    with subprocess.Popen([sys.executable, str(HOSTILE), "udp", "deaf", "right"], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def judged(port: int, out: Path, *, resume: bool = False) -> None:
    options = AdapterOptions(reply_timeout=0.3, facts=USUAL)
    once = Selection(("MQSD-3.2.5.1",), "tail-too-short or ipx-fields-on-an-ip-request")
    execute(Plan(f"udp:127.0.0.1:{port}", options, Profile.DEFAULT, 0, once, out, resume=resume))


def lines_of(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "results.ndjson").read_text().splitlines()]


def cut_after(out: Path, case: str) -> None:
    """Leave what a run had written when it was killed within the case after this one."""
    lines = (out / "results.ndjson").read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if f'"id":"{case}"' in line and '"record":"case"' in line)
    (out / "results.ndjson").write_text("\n".join([*lines[: at + 1], lines[at + 1][:30]]))


def test_waits_in_vain_are_counted_on(port: int, tmp_path: Path):
    """With cases that ask once each, none is answered; after six of them waits are brief and decide nothing."""
    judged(port, tmp_path)
    before = timeless((tmp_path / "results.ndjson").read_bytes())
    cases = [one for one in lines_of(tmp_path) if one["record"] == "case" and "excused" not in one]
    assert [one["verdict"] for one in cases] == ["fail"] * 3 + ["inconclusive"] * (len(cases) - 3)
    cut_after(tmp_path, cases[2]["id"])
    assert [one.patience for one in read_kept(tmp_path).cases if one.patience] == [{"silences": 2}] * 3
    judged(port, tmp_path, resume=True)
    assert timeless((tmp_path / "results.ndjson").read_bytes()) == before
