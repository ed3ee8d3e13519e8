"""A canary is quiet as long as nothing changes, and names what does."""

import fcntl
import json
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.cli.canary_history import LOCK, LOG, RUNNING

ONE = ("--req", "MQSD-2.2.3-11")
FAULTY = "mutant:size-two-more"


UNITS = Path(__file__).parents[2] / "examples" / "canary"


def canary(keep: Path, iut: str = "ref:", *more: str) -> int:
    return run_command(["canary", "--iut", iut, *ONE, "--keep", str(keep), *more])


def kept(keep: Path) -> list[Path]:
    return sorted(one for one in keep.iterdir() if one.is_dir() and not one.name.startswith("."))


def test_the_first_run_is_kept_and_the_second_is_quiet(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert canary(tmp_path) == 0
    assert "the first run is kept" in capsys.readouterr().out
    assert canary(tmp_path) == 0
    assert capsys.readouterr().out == ""
    assert len(kept(tmp_path)) == 1
    lines = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    assert [(one["changes"], one["kept"] is None) for one in lines] == [({}, False), ({}, True)]


def test_what_changes_is_named_with_its_cause_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    canary(tmp_path)
    capsys.readouterr()
    assert canary(tmp_path, FAULTY) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("IUT change: requirement MQSD-2.2.3-11: verified -> violated")
    assert told[-1].startswith("changes: ")
    assert len(kept(tmp_path)) == 2
    assert canary(tmp_path, FAULTY) == 0
    assert capsys.readouterr().out == ""


def test_what_a_killed_run_has_left_is_removed(tmp_path: Path):
    (tmp_path / RUNNING).mkdir()
    (tmp_path / RUNNING / "results.ndjson").write_text("{")
    assert canary(tmp_path) == 0
    assert not (tmp_path / RUNNING).exists()


def test_two_at_once_do_not_mix(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with (tmp_path / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert canary(tmp_path) == 4
    assert "another canary is at work there" in capsys.readouterr().err


def test_an_implementation_that_is_away_leaves_the_history_alone(tmp_path: Path):
    canary(tmp_path)
    assert canary(tmp_path, "stdio:/no/such/program") in {2, 4}
    assert len(kept(tmp_path)) == 1


def test_the_example_units_are_well_formed():
    for unit in (UNITS / "mqconform-canary.service", UNITS / "mqconform-canary.timer"):
        parser = ConfigParser(strict=True, interpolation=None)
        parser.optionxform = str  # type: ignore[method-assign,assignment]
        parser.read_string(unit.read_text("utf-8"))
    task = ET.parse(UNITS / "mqconform-canary.xml").getroot()  # noqa: S314 - our own file
    assert task.tag.endswith("}Task")
    if shutil.which("systemd-analyze"):
        units = [str(UNITS / name) for name in ("mqconform-canary.service", "mqconform-canary.timer")]
        done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
        assert "mqconform-canary" not in done.stderr
