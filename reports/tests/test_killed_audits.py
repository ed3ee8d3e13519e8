"""Commands on Spark that are killed at any moment: nothing half written looks whole, and the next one is equal."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from long_tier import LONG

pytest.importorskip("pyspark", reason="the extra spark is not installed")

import pyarrow as pa
import pyarrow.parquet as pq

from mqconform.harness.cli import run_command
from mqconform.reference.directory import Directory, document_from_directory
from mqconform.reports.pipeline.claim import OUTPUTS, STAGING, SUCCESS

pytestmark = [
    LONG,
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes that stay are looked for in /proc"),
]
LOOK, LOOK_EACH, PATIENCE = threading.Event(), 0.05, 1_200
MAIN = [sys.executable, "-c", "from mqconform.harness.cli import main; main()"]
CAPTURE = Path(__file__).parents[2] / "harness" / "tests" / "fuzz_seeds" / "capture" / "server.pcapng"


def guid(number: int) -> str:
    return f"0000000{number}-abcd-4000-8000-00000000beef"


def log(folder: Path, _: Directory) -> list[str]:
    file = folder / "log.jsonl"
    assert run_command(["simulate", "--schedule", "queue a; +31 lose acknowledgment; queue b", "--log", str(file)]) == 0
    return ["audit", "deliveries", "--log", str(file)]


def captures(folder: Path, _: Directory) -> list[str]:
    (folder / "captures").mkdir()
    for number in range(30):
        shutil.copy(CAPTURE, folder / "captures" / f"{number}.pcapng")
    return ["audit", "captures", "--captures", str(folder / "captures")]


def decisions(folder: Path, directory: Directory) -> list[str]:
    (folder / "enterprise.json").write_text(json.dumps(document_from_directory(directory)))
    rows = {"source": [guid(3)] * 2, "destination": [guid(4)] * 2, "next_hops": [guid(0), guid(4)]}
    pq.write_table(pa.table({name: column * 50_000 for name, column in rows.items()}), folder / "decisions.parquet")
    inputs = ["--directory", str(folder / "enterprise.json"), "--decisions", str(folder / "decisions.parquet")]
    return ["audit", "routes", *inputs]


def plan(_: Path, __: Directory) -> list[str]:
    return ["vectors", "--enterprises", "300", "--packets", "3000", "--seed", "5"]


Inputs = Callable[[Path, Directory], list[str]]
KINDS: dict[str, tuple[Inputs, int, str]] = {
    "deliveries": (log, 6, SUCCESS),
    "captures": (captures, 7, SUCCESS),
    "routes": (decisions, 7, SUCCESS),
    "vectors": (plan, 3, "vectors.json"),
}
"""For each kind what it needs, how often it is killed, and the file that says that an output is whole."""


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder for temporary files, by which processes that a command started are known; its name is short.

    Names of Unix domain sockets have to be.
    """
    folder = Path(tempfile.mkdtemp(prefix="kills-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def surroundings(scratch: Path) -> dict[str, str]:
    return os.environ | {"TMPDIR": str(scratch), "JDK_JAVA_OPTIONS": f"-Djava.io.tmpdir={scratch}"}


def running(scratch: Path) -> list[str]:
    """Return the processes that a command started, Java and Python's workers among them."""
    processes = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            try:
                environment = (process / "environ").read_bytes()
            except OSError:  # has ended, or is somebody else's
                continue
            if f"TMPDIR={scratch}\0".encode() in environment:
                processes.append(process.name)
    return processes


def ended(scratch: Path) -> bool:
    """Wait until no process of a command is left, and say whether that came."""
    for _ in range(PATIENCE):
        if not running(scratch):
            return True
        LOOK.wait(LOOK_EACH)
    return False


def contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in sorted(folder.rglob("*")) if file.is_file() and not file.name.startswith("."))
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def has_output(out: Path) -> bool:
    """Return whether a task has written something; the folder may go while it is looked at."""
    try:
        return any(out.glob(f"{STAGING}/*/*"))
    except FileNotFoundError:
        return False


def kill(command: list[str], scratch: Path, moment: float, out: Path | None = None) -> bool:
    """Kill a command so many seconds after its start, or after its first output; return whether it was still going."""
    with subprocess.Popen(
        command, env=surroundings(scratch), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        while out is not None and process.poll() is None and not has_output(out):
            LOOK.wait(LOOK_EACH / 10)
        LOOK.wait(moment)
        process.send_signal(signal.SIGKILL)
    return process.returncode == -signal.SIGKILL


@pytest.mark.usefixtures("commands_share_spark")
@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_command_leaves_no_process_and_the_next_one_into_its_folder_is_equal(
    kind: str, three_sites: Directory, scratch: Path, tmp_path: Path
):
    """Every second moment is just after the first output, the others are spread over the life of the command."""
    inputs, kills, mark = KINDS[kind]
    words, rng = inputs(tmp_path, three_sites), random.Random(f"{kind} 7")
    command = [*MAIN, *words, "--master", "local[2]", "--out"]
    began = time.monotonic()
    done = subprocess.run(
        [*command, str(tmp_path / "whole")], env=surroundings(scratch), capture_output=True, check=False
    )
    assert done.returncode in {0, 1, 2}, done.stderr
    lasts, whole = time.monotonic() - began, contents(tmp_path / "whole")
    assert mark in whole
    assert [*scratch.iterdir()] == []
    killed = left_unfinished = 0
    for number in range(kills):
        out = tmp_path / str(number)
        if number % 2:
            killed += kill([*command, str(out)], scratch, rng.uniform(0, lasts / 50), out)
        else:
            killed += kill([*command, str(out)], scratch, lasts * (number + rng.random()) / kills)
        assert ended(scratch)
        left = contents(out) if out.exists() else {}
        assert mark not in left or left.items() >= whole.items()
        assert {name.partition("/")[0] for name in left} <= {STAGING, *OUTPUTS}
        left_unfinished += (out / STAGING).exists()
        if mark in left and not (out / STAGING).exists():  # it was killed after its work
            shutil.rmtree(out)
        if number < kills - 1:  # in this process, which is quicker
            assert run_command([*words, "--out", str(out)]) == done.returncode
        else:
            again = subprocess.run([*command, str(out)], env=surroundings(scratch), capture_output=True, check=False)
            assert again.returncode == done.returncode, again.stderr
        assert contents(out) == whole
        assert not (out / STAGING).exists()
    assert killed > kills // 2  # a busy machine makes the moments of some come late
    assert left_unfinished
    assert [*scratch.iterdir()] == []
