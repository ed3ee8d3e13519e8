"""Commands on Spark whose disk is full, whose folder is harmed or whose reader stands still: one message, and no more.

Exit code 3 where the machine is at fault, 4 where another folder helps, and nothing half written looks whole.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from long_tier import long

pytest.importorskip("pyspark", reason="the extra spark is not installed")

from mqconform.harness.cli import run_command
from mqconform.reports.pipeline.output import STAGING, SUCCESS, new_output
from mqconform.reports.pipeline.storage import place_of

MAIN = [sys.executable, "-c", "from mqconform.harness.cli import main; main()"]
LOOK, LOOK_EACH = threading.Event(), 0.05
CAPTURE = Path(__file__).parents[2] / "harness" / "tests" / "fuzz_seeds" / "capture" / "server.pcapng"
CAPTURES = ["audit", "captures", "--captures", str(CAPTURE), "--master", "local[1]"]
ENTRY = {"stream": "s", "event": "accepted", "message": "m", "sequence": 1, "previous": 0, "position": 1}
DECISION = {"source": "a", "destination": "b", "next_hops": ["c"]}
INPUTS = {"log.jsonl": ENTRY, "decisions.jsonl": DECISION}
COMMANDS = {
    "deliveries": ["audit", "deliveries", "--log", "log.jsonl"],
    "captures": CAPTURES,
    "routes": ["audit", "routes", "--directory", "enterprise.json", "--decisions", "decisions.jsonl"],
    "vectors": ["vectors", "--enterprises", "0", "--packets", "20"],
}
ENTERPRISE = {"enterprise": {"name": "Nordic"}, "sites": [{"name": "Oslo"}], "routing_links": [], "queue_managers": []}


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, record in INPUTS.items():
        Path(name).write_text(json.dumps(record) + "\n")
    Path("enterprise.json").write_text(json.dumps(ENTERPRISE))


@pytest.mark.usefixtures("inputs")
@pytest.mark.parametrize("kind", COMMANDS)
def test_of_two_commands_into_one_folder_the_second_is_refused_before_spark_starts(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out = tmp_path / "out"
    with new_output(place_of(str(out))) as attempts:
        assert run_command([*COMMANDS[kind], "--out", str(out)]) == 4
        assert f"mqconform: {out}: another command is writing there, or was killed" in capsys.readouterr().err
        assert Path(attempts.text).is_dir()
        (out / "summary.json").write_text("whole")
    assert {file.name for file in out.iterdir()} == {"summary.json", SUCCESS}


def after_the_start(errors: str) -> str:
    """What a command on Spark said on standard error after it said that Spark starts."""
    first, rest = errors.split("\n", 1)
    assert first.startswith("starting Spark, ")
    return rest


def on_a_small_disk(folder: Path, size: str, command: list[str]) -> "subprocess.CompletedProcess[str]":
    """Run a command beside a file system of its own at ``folder``, which goes with it; print what was left there."""
    if shutil.which("unshare") is None:
        pytest.skip("unshare of util-linux is not on PATH")
    folder.mkdir()
    script = 'folder=$1 size=$2; shift 2; mount -t tmpfs -o size="$size" none "$folder" || exit 77; "$@"; code=$?; '
    script += 'find "$folder" -mindepth 1 -printf "left: %P\\n"; exit $code'
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", str(folder), size, *command],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == 77 or "unshare failed" in done.stderr:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()[:100]}")
    return done


@long
@pytest.mark.parametrize(
    ("command", "size"),
    [(CAPTURES, "16k"), (["vectors", "--enterprises", "20", "--packets", "2000", "--master", "local[1]"], "256k")],
    ids=["captures", "vectors"],
)
def test_a_full_disk_ends_with_one_message_and_leaves_an_empty_folder(command: list[str], size: str, tmp_path: Path):
    disk = tmp_path / "disk"
    done = on_a_small_disk(disk, size, [*MAIN, *command, "--out", str(disk / "out")])
    assert done.returncode == 3, done.stderr
    error = after_the_start(done.stderr)
    assert error.startswith(f"mqconform: {disk / 'out'}: [Errno 28] ")
    assert "make room" in error
    assert len(error.splitlines()) == 1
    assert done.stdout.splitlines() == ["left: out"]


def moved(out: Path) -> None:
    out.rename(out.with_name("moved"))


def replaced_by_a_file(out: Path) -> None:
    moved(out)
    out.write_text("mine")


def replaced_by_a_link(out: Path) -> None:
    moved(out)
    out.with_name("mine").mkdir()
    out.symlink_to(out.with_name("mine"))


def read_only(out: Path) -> None:
    for folder in (*out.glob(f"{STAGING}/*/"), out / STAGING, out):
        folder.chmod(0o555)


def has_output(out: Path) -> bool:
    """Return whether a task has written something; the folder may go while it is looked at."""
    try:
        return any(out.glob(f"{STAGING}/*/*"))
    except FileNotFoundError:
        return False


def limited() -> list[str]:
    """Words that take from root what makes it deaf to modes of files."""
    if os.geteuid():
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv of util-linux is not on PATH, and modes mean nothing to root")
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"]


@long
@pytest.mark.parametrize("harm", [moved, replaced_by_a_file, replaced_by_a_link, read_only])
def test_an_audit_whose_folder_is_harmed_says_so(harm: Callable[[Path], None], tmp_path: Path):
    out = tmp_path / "out"
    words = [*limited(), *MAIN, *CAPTURES, "--out", str(out)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not has_output(out):
            assert process.poll() is None
            LOOK.wait(LOOK_EACH / 10)
        harm(out)
        _, errors = process.communicate()
    assert process.returncode == 3, errors
    error = after_the_start(errors)
    assert error.startswith(f"mqconform: {out}: ")
    assert len(error.splitlines()) == 1
    assert not (out / SUCCESS).exists()
    assert harm is read_only or not (out / STAGING).exists()  # nothing can be removed from a read-only folder
    if harm is replaced_by_a_file:
        assert out.read_text() == "mine"
