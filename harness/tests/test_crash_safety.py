"""Runs that are killed at any moment: nothing that was reported is lost, and they can be gone on with."""

import json
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from forked_commands import ForkedCommand
from long_tier import long

from mqconform.harness.cli import run_command

LOOK, LOOK_EACH = threading.Event(), 0.001
"""How the size of a file is watched: a test that spins takes the processor from the run that it is to kill."""
PICK = ["--req", "MQSD-3.2.5.1", "-k", "not generated"]
PROGRAM = [sys.executable, "-c", "from mqconform.harness.cli import main; main()"]
IUT = "mutant:zero-site-is-own"


def words(out: Path, *more: str) -> list[str]:
    return ["run", "--iut", IUT, *PICK, "--out", str(out), *more]


def begun(out: Path, *more: str) -> ForkedCommand:
    """Begin a run in a process of its own, which can be killed."""
    return ForkedCommand(*words(out, *more))


def run(out: Path, *more: str) -> int:
    """Run in this process, where nothing is to be killed, and return the exit code."""
    return run_command(words(out, *more))


def gone_on(out: Path) -> int:
    return run(out, "--resume")


def records(path: Path) -> list[dict[str, Any]]:
    """The whole lines of a result file that may end in a torn one."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    out = tmp_path_factory.mktemp("unbroken")
    assert run(out) == 1
    return (out / "results.ndjson").read_bytes()


def sizes(whole: bytes) -> Iterator[int]:
    """Sizes of the result file at which to kill: behind the first and before the last record, and one between."""
    lines = whole.split(b"\n")
    yield len(lines[0])
    yield len(whole) - len(lines[-2]) - 2
    yield random.Random(7).randrange(len(lines[0]), len(whole))


def kill_at(out: Path, size: int, *more: str) -> bool:
    """Run until the result file has that size, then kill -9; return whether the run was still going."""
    results = out / "results.ndjson"
    with begun(out, *more) as process:
        while process.poll() is None:
            if results.exists() and results.stat().st_size >= size:
                process.send_signal(signal.SIGKILL)
                return process.wait() == -signal.SIGKILL
            LOOK.wait(LOOK_EACH)
        return False


def test_a_killed_run_loses_no_witness_and_goes_on_to_the_same_octets(unbroken: bytes, tmp_path: Path):
    killed = 0
    for number, size in enumerate(sizes(unbroken)):
        out = tmp_path / str(number)
        killed += kill_at(out, size)
        reported = (out / "results.ndjson").read_bytes()
        whole = reported[: reported.rfind(b"\n") + 1]
        assert len(whole) >= size - max(map(len, unbroken.split(b"\n")))
        assert unbroken.startswith(whole)
        assert gone_on(out) == 1
        assert (out / "results.ndjson").read_bytes() == unbroken
        failed = [
            one for one in records(out / "results.ndjson") if one["record"] == "case" and one["verdict"] == "fail"
        ]
        assert len(list((out / "bundles").glob("*/bundle.json"))) == len(failed)
    assert killed


def names(out: Path) -> set[str]:
    """What a run leaves, but for the copy of what a kill cut short."""
    return {str(path.relative_to(out)) for path in out.rglob("*")} - {"interrupted.ndjson"}


@long
def test_a_run_that_is_killed_at_any_moment_of_its_life_goes_on_to_the_same_octets(unbroken: bytes, tmp_path: Path):
    """Each moment is drawn from an equal part of the life of the process, its start and its end among them."""
    kills, rng, whole = 20, random.Random(13), tmp_path / "whole"
    began = time.monotonic()
    subprocess.run([*PROGRAM, *words(whole)], stdout=subprocess.DEVNULL, check=False)
    lasts = time.monotonic() - began
    for number in range(kills):
        out = tmp_path / str(number)
        while not killed_after(lasts * (number + rng.random()) / kills, out):
            lasts *= 0.8  # the machine was busier when the whole run was timed
            shutil.rmtree(out)
        results = out / "results.ndjson"
        reported = results.read_bytes() if results.exists() else b""
        assert unbroken.startswith(reported[: reported.rfind(b"\n") + 1])
        assert gone_on(out) == 1
        assert results.read_bytes() == unbroken
        assert names(out) == names(whole)


def killed_after(seconds: float, out: Path) -> bool:
    """Start a run in a fresh interpreter, so that its start is tried too, and return whether a kill met it alive."""
    with subprocess.Popen([*PROGRAM, *words(out)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        LOOK.wait(seconds)
        process.send_signal(signal.SIGKILL)
    return process.returncode == -signal.SIGKILL


@long
def test_a_run_that_is_killed_again_and_again_comes_to_its_end(unbroken: bytes, tmp_path: Path):
    rng, size = random.Random(11), 0
    while size < len(unbroken) - 2000:
        size = min(len(unbroken) - 1000, size + rng.randrange(len(unbroken) // 3, len(unbroken) // 2))
        kill_at(tmp_path, size, "--resume")
    assert gone_on(tmp_path) == 1
    assert (tmp_path / "results.ndjson").read_bytes() == unbroken
    environment = json.loads((tmp_path / "environment.json").read_text())
    assert environment["started"] <= environment["resumed"][-1]


@pytest.fixture
def interrupted(unbroken: bytes, tmp_path: Path) -> Path:
    """A directory as a kill leaves it: the last record torn, a case unfinished."""
    lines = unbroken.split(b"\n")
    at = next(number for number, line in enumerate(lines) if b'"verdict":"fail"' in line and b'"witness"' in line)
    (tmp_path / "results.ndjson").write_bytes(b"\n".join(lines[: at + 1]) + b"\n" + lines[at + 1][:20])
    return tmp_path


def test_a_run_that_the_user_stops_says_so_and_can_be_gone_on_with(unbroken: bytes, tmp_path: Path):
    results, errors = tmp_path / "results.ndjson", tmp_path.with_suffix(".errors")
    with ForkedCommand(*words(tmp_path), errors=errors) as process:
        while not records(results)[3:]:
            assert process.poll() is None
            LOOK.wait(LOOK_EACH)
        process.send_signal(signal.SIGINT)
    assert process.poll() == 130
    told = errors.read_text("utf-8")
    assert told.splitlines()[-1].startswith(f"stopped; what was judged is kept in {tmp_path}: ")
    assert "--resume" in told
    assert gone_on(tmp_path) == 1
    assert results.read_bytes() == unbroken


INTERRUPTED = """
import os, signal
from mqconform.harness.cli import main
from mqconform.harness.run.session import Session

class Interrupts:
    def __del__(self):  # Python drops what is raised here
        os.kill(os.getpid(), signal.SIGINT)

finish = Session.finish
def finish_and_interrupt(session, case):
    finish(session, case)
    if not case.excused:
        Interrupts()

Session.finish = finish_and_interrupt
main()
"""


def test_an_interrupt_that_python_drops_stops_the_run_after_its_case(tmp_path: Path):
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, *words(tmp_path)], capture_output=True, check=False)
    assert done.returncode == 130, done.stderr
    assert [one["record"] for one in records(tmp_path / "results.ndjson") if "excused" not in one].count("case") == 1


def test_a_violation_that_does_not_show_again_is_kept(interrupted: Path, unbroken: bytes):
    """An implementation that fails now and then does not get away because the harness was killed."""
    before = records(interrupted / "results.ndjson")[-1]
    assert before["verdict"] == "fail"
    lines = (interrupted / "results.ndjson").read_bytes().split(b"\n")
    changed = before | {"observed": "something else, once"}
    lines[-2] = json.dumps(changed, sort_keys=True, separators=(",", ":")).encode()
    (interrupted / "results.ndjson").write_bytes(b"\n".join(lines))
    assert gone_on(interrupted) == 1
    after = records(interrupted / "results.ndjson")
    assert changed in after
    assert len(after) == unbroken.count(b"\n") + 1
    assert json.loads((interrupted / "interrupted.ndjson").read_text().splitlines()[-1]) == changed


def test_finished_cases_are_not_run_again(interrupted: Path):
    """What is on disk counts: a case that is said to be an error of the harness stays one."""
    path = interrupted / "results.ndjson"
    lines = path.read_bytes().split(b"\n")
    at = next(number for number, line in enumerate(lines) if b'"record":"case"' in line and b'"pass"' in line)
    lines[at] = lines[at].replace(b'"verdict":"pass"', b'"verdict":"error"').replace(b'{"', b'{"error":"once","', 1)
    path.write_bytes(b"\n".join(lines))
    assert gone_on(interrupted) == 3


def test_a_complete_run_that_is_resumed_stays_as_it_is(
    unbroken: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "results.ndjson").write_bytes(unbroken)
    assert gone_on(tmp_path) == 1
    assert "VIOLATED MQSD-3.2.5.1-12" in capsys.readouterr().out
    assert (tmp_path / "results.ndjson").read_bytes() == unbroken


def test_another_run_is_not_mixed_in(subtests: pytest.Subtests, interrupted: Path, capsys: pytest.CaptureFixture[str]):
    for other, told in [
        (["--iut", "ref:", *PICK], "iut was"),
        (["--iut", IUT, *PICK, "--seed", "5"], "seed was 0, is 5"),
        (["--iut", IUT, *PICK, "--profile", "must"], 'profile was "default", is "must"'),
        (["--iut", IUT], "selection was"),
    ]:
        with subtests.test(told=told):
            before = (interrupted / "results.ndjson").read_bytes()
            assert run_command(["run", *other, "--out", str(interrupted), "--resume"]) == 4
            assert told in capsys.readouterr().err
            assert (interrupted / "results.ndjson").read_bytes() == before


def test_an_implementation_that_is_gone_costs_nothing_of_what_is_kept(interrupted: Path):
    path = interrupted / "results.ndjson"
    iut = "stdio:false"
    path.write_bytes(path.read_bytes().replace(IUT.encode(), iut.encode()))
    before = path.read_bytes()
    assert run_command(["run", "--iut", iut, *PICK, "--out", str(interrupted), "--resume"]) == 1
    assert path.read_bytes() == before


def test_a_damaged_file_is_refused(interrupted: Path, capsys: pytest.CaptureFixture[str]):
    path = interrupted / "results.ndjson"
    path.write_bytes(b"garbage\n" + path.read_bytes())
    assert run_command(["run", "--iut", IUT, *PICK, "--out", str(interrupted), "--resume"]) == 4
    assert "results.ndjson:1: is not JSON" in capsys.readouterr().err


@long
def test_processes_that_are_killed_go_on(unbroken: bytes, tmp_path: Path):
    with begun(tmp_path, "-n", "2") as first:
        part = tmp_path / "shards" / "1" / "results.ndjson"
        while first.poll() is None and not (part.exists() and part.stat().st_size > len(unbroken) // 4):
            LOOK.wait(LOOK_EACH)
        first.send_signal(signal.SIGKILL)
    assert run(tmp_path, "-n", "2", "--resume") == 1
    assert (tmp_path / "results.ndjson").read_bytes() == unbroken
    shutil.rmtree(tmp_path / "bundles")
