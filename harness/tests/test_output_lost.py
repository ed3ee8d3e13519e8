"""Results that are taken away, changed or find no room during a run: one message, and what is whole stays."""

import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from timeless import timeless

from mqconform.harness.cli import run_command
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.case import Case
from mqconform.harness.records.problem import OutputLost
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.run_file import ResultWriter
from mqconform.harness.run.execution import Plan, execute
from mqconform.harness.run.pytest_items import PROGRAM
from mqconform.harness.suite.selection import Selection

PICK = ["--req", "MQSD-3.2.5.1", "-k", "not generated", "--iut", "mutant:zero-site-is-own"]
RECORD = Case("a/b", "a", "b", row="", requirements=(), tags=(), text="").record()
REMOVED = "taken away while it was written"


@contextmanager
def room_for(octets: int) -> Iterator[None]:
    """Let no file grow beyond a size, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (octets, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (Path.unlink, REMOVED),
        (lambda file: file.rename(file.with_name("elsewhere")), REMOVED),
        (lambda file: os.truncate(file, 10), "changed by another program"),
        (lambda file: file.write_bytes(file.read_bytes() + b"{}\n"), "changed by another program"),
    ],
)
def test_a_file_that_is_no_longer_what_was_written_is_lost_for_good(
    harm: Callable[[Path], object], told: str, tmp_path: Path
):
    with ResultWriter(tmp_path / "results.ndjson") as writer:
        writer.write(RECORD)
        harm(writer.path)
        for _ in range(2):
            with pytest.raises(OutputLost, match=told):
                writer.write(RECORD)


def test_of_what_finds_no_room_whole_lines_stay(tmp_path: Path):
    with ResultWriter(tmp_path / "results.ndjson") as writer:
        writer.write(RECORD)
        kept = writer.path.read_bytes()
        with room_for(len(kept) + 20), pytest.raises(OutputLost, match="make room and go on with --resume"):
            writer.write(RECORD)
    assert writer.path.read_bytes() == kept


def test_a_run_whose_folder_is_removed_stops_at_once(tmp_path: Path):
    out, seen = tmp_path / "out", list[str]()

    def progress(case: Case) -> None:
        seen.append(case.id)
        shutil.rmtree(out, ignore_errors=True)

    with pytest.raises(OutputLost, match=REMOVED):
        execute(Plan("ref:", AdapterOptions(), Profile.DEFAULT, 0, Selection(("MQSD-3.2.5.1",)), out), progress)
    assert len(seen) == 1


def test_a_run_without_room_ends_with_one_message_and_can_be_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    whole, full = tmp_path / "whole", tmp_path / "full"
    assert run_command(["run", *PICK, "--out", str(whole)]) == 1
    capsys.readouterr()
    results = (whole / "results.ndjson").read_bytes()
    with room_for(len(results) * 2 // 3):
        assert run_command(["run", *PICK, "--out", str(full)]) == 3
    told = capsys.readouterr().err
    assert "full/results.ndjson: " in told
    assert "go on with --resume" in told
    assert "Traceback" not in told
    assert run_command(["run", *PICK, "--out", str(full), "--resume"]) == 1
    assert timeless((full / "results.ndjson").read_bytes()) == timeless(results)


def test_a_full_standard_output_is_said():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*PROGRAM, "list"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr == "mqconform: [Errno 28] No space left on device; everything written until then stays\n"


def test_a_reader_that_has_seen_enough_changes_no_exit_code(tmp_path: Path):
    failing = ["run", "--iut", "mutant:size-two-more", "--req", "MQSD-2.2.3-11", "--out", str(tmp_path)]
    for arguments, code in ([["list", "--json"], 0], [failing, 1]):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([*PROGRAM, *arguments], stdout=writing, stderr=subprocess.PIPE, check=False)
        os.close(writing)
        assert done.returncode == code
        assert b"Traceback" not in done.stderr
