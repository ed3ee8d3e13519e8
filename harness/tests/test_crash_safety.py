"""Runs that are killed, stopped or lose a process: nothing that was reported is lost, and they can be gone on with."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from forked_commands import ForkedCommand
from long_tier import long
from timeless import timeless

from mqconform.harness.cli import run_command

LOOK, LOOK_EACH = threading.Event(), 0.001
"""How the size of a file is watched: a test that spins takes the processor from the run that it is to kill."""
PICK = ["--req", "MQSD-3.2.5.1", "-k", "not generated"]
IUT = "mutant:zero-site-is-own"


def words(out: Path, *more: str) -> list[str]:
    return ["run", "--iut", IUT, *PICK, "--out", str(out), *more]


def gone_on(out: Path, *more: str) -> int:
    return run_command(words(out, "--resume", *more))


def octets(out: Path) -> bytes:
    return timeless((out / "results.ndjson").read_bytes())


def records(path: Path) -> list[dict[str, Any]]:
    """The whole lines of a result file that may end in a torn one."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]] if path.exists() else []


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    out = tmp_path_factory.mktemp("unbroken")
    assert run_command(words(out)) == 1
    return octets(out)


def signalled(out: Path, results: Path, size: int, number: int, *more: str) -> int | None:
    """Run until a result file has a size, then send a signal; return how the run ended."""
    with ForkedCommand(*words(out, *more)) as process:
        while process.poll() is None and not (results.exists() and results.stat().st_size >= size):
            LOOK.wait(LOOK_EACH)
        process.send_signal(number)
        process.wait()
        return process.poll()


def test_a_killed_run_loses_no_witness_and_goes_on_to_the_same_octets(unbroken: bytes, tmp_path: Path):
    signalled(tmp_path, tmp_path / "results.ndjson", len(unbroken) // 2, signal.SIGKILL)
    reported = octets(tmp_path)
    assert unbroken.startswith(reported[: reported.rfind(b"\n") + 1])
    assert gone_on(tmp_path) == 1
    assert octets(tmp_path) == unbroken
    ended = [(one["record"], one.get("verdict")) for one in records(tmp_path / "results.ndjson")]
    assert len(list((tmp_path / "bundles").glob("*/bundle.json"))) == ended.count(("case", "fail"))


@long
def test_processes_that_are_killed_go_on(unbroken: bytes, tmp_path: Path):
    part = tmp_path / "shards" / "1" / "results.ndjson"
    signalled(tmp_path, part, len(unbroken) // 4, signal.SIGKILL, "-n", "2")
    assert gone_on(tmp_path, "-n", "2") == 1
    assert octets(tmp_path) == unbroken


@long
def test_requests_of_clients_are_the_same_however_a_run_is_divided(tmp_path: Path):
    asked = ["run", "--req", "MQSD-3.1", "-k", "not generated", "--out"]
    assert run_command([*asked, str(tmp_path / "one")]) == 0
    expected = octets(tmp_path / "one")
    assert run_command([*asked, str(tmp_path / "two"), "-n", "2"]) == 0
    assert octets(tmp_path / "two") == expected
    shards = [str(tmp_path / f"shard{number}") for number in (1, 2, 3)]
    for number, shard in enumerate(shards, start=1):
        run_command([*asked, shard, "--shard", f"{number}/3"])
    assert run_command(["merge", *shards, "--out", str(tmp_path / "merged")]) == 0
    assert octets(tmp_path / "merged") == expected
    (tmp_path / "resumed").mkdir()
    (tmp_path / "resumed" / "results.ndjson").write_bytes(expected[: len(expected) // 2])
    assert run_command([*asked, str(tmp_path / "resumed"), "--resume"]) == 0
    assert octets(tmp_path / "resumed") == expected


@pytest.fixture
def interrupted(unbroken: bytes, tmp_path: Path) -> Path:
    """A directory as a kill leaves it: the last record torn, a case unfinished that had reported a violation."""
    lines = unbroken.split(b"\n")
    at = next(number for number, line in enumerate(lines) if b'"verdict":"fail"' in line and b'"witness"' in line)
    (tmp_path / "results.ndjson").write_bytes(b"\n".join(lines[: at + 1]) + b"\n" + lines[at + 1][:20])
    return tmp_path


def test_a_run_that_the_user_stops_says_so_and_can_be_gone_on_with(unbroken: bytes, tmp_path: Path):
    errors = tmp_path.with_suffix(".errors")
    with ForkedCommand(*words(tmp_path), errors=errors) as process:
        while not records(tmp_path / "results.ndjson")[3:]:
            assert process.poll() is None
            LOOK.wait(LOOK_EACH)
        process.send_signal(signal.SIGINT)
    assert process.poll() == 130
    assert f"stopped; the results so far are in {tmp_path}: " in errors.read_text("utf-8")
    assert gone_on(tmp_path) == 1
    assert octets(tmp_path) == unbroken


INTERRUPTED = """
import os, signal
from mqconform.harness.cli import main
from mqconform.harness.judge.session import Session

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
    lines = octets(interrupted).split(b"\n")
    changed = before | {"observed": "something else, once"}
    lines[-2] = json.dumps(changed, sort_keys=True, separators=(",", ":")).encode()
    (interrupted / "results.ndjson").write_bytes(b"\n".join(lines))
    assert gone_on(interrupted) == 1
    after = records(interrupted / "results.ndjson")
    assert changed in after
    assert len(after) == unbroken.count(b"\n") + 1


def test_another_run_and_a_damaged_file_are_refused(interrupted: Path, capsys: pytest.CaptureFixture[str]):
    before = octets(interrupted)
    for other, complaint in (
        (["--iut", "ref:"], "iut was"),
        (["--seed", "5"], "seed was 0, is 5"),
        (["--profile", "must"], 'profile was "default", is "must"'),
        (["--req", "MQSD-2"], "selection was"),
    ):
        assert gone_on(interrupted, *other) == 4
        assert complaint in capsys.readouterr().err
    assert octets(interrupted) == before
    (interrupted / "results.ndjson").write_bytes(b"garbage\n" + before)
    assert gone_on(interrupted) == 4
    assert "results.ndjson:1: is not JSON" in capsys.readouterr().err


def test_two_runs_into_one_directory_do_not_mix(unbroken: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with ForkedCommand(*words(tmp_path)) as first:
        while not (tmp_path / "results.ndjson").exists():
            assert first.poll() is None
            LOOK.wait(LOOK_EACH)
        first.send_signal(signal.SIGSTOP)
        try:
            assert run_command(words(tmp_path)) == 4
        finally:
            first.send_signal(signal.SIGCONT)
        assert "another run is writing there; name another directory" in capsys.readouterr().err
    assert octets(tmp_path) == unbroken


DIES = """
    import multiprocessing, os, signal
    from mqconform.harness.iut.all_roles import ReferenceIut

    class Iut(ReferenceIut):
        def call(self, method, params):
            if multiprocessing.parent_process() and method == "router.get_next_hops" and {condition}:
                {death}
            return super().call(method, params)
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("death", "told"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", "was killed by signal 9"),
        ("[os.kill(os.getpid(), signal.SIGSTOP) for _ in range(100)]", "was killed by signal 9"),
        ("os._exit(7)", "ended with code 7"),
    ],
)
def test_a_process_of_a_run_that_dies_is_named_and_the_run_goes_on_from_there(
    death: str, told: str, module: Callable[[str], str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    flag = tmp_path / "well"
    condition = f"not os.path.exists({str(flag)!r})"
    name = module(DIES.format(condition=condition, death=death))
    asked = ["run", "--iut", f"api:{name}:Iut", "--no-probe", "-n", "2", "--req", "MQBR-3.1.5", "--out"]
    assert run_command([*asked, str(tmp_path / "out")]) == 3
    error = capfd.readouterr().err
    assert told in error
    assert "--resume" in error
    assert "Traceback" not in error
    flag.touch()
    assert run_command([*asked, str(tmp_path / "out"), "--resume"]) in {0, 1}
