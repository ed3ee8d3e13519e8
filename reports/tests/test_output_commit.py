"""A new output belongs to one command; what a killed one left is removed, and what else lies there is left alone."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the extra spark is not installed")

from mqconform.harness.records.problem import OutputLost
from mqconform.reports.pipeline.claim import BEGUN, OUTPUTS, OWNER
from mqconform.reports.pipeline.commit import STAGING, SUCCESS, mark_whole, new_output, write_text
from mqconform.reports.pipeline.folder_lock import LOCK, scratch_folder
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.storage import Place, place_of

MANY = 8
STARTED = """
import sys
from mqconform.reports.pipeline.commit import SUCCESS, new_output, publish, write_text
from mqconform.reports.pipeline.storage import place_of
out = place_of(sys.argv[1])
with new_output(out) as attempts:
    write_text(attempts / "a", "half")
    for file in sys.argv[2:]:
        write_text(attempts / "b", "half")
        publish(attempts, {file: "b"}, out)
    print("written", flush=True)
    sys.stdin.read()
"""
SCRATCH = """
import sys
from mqconform.reports.pipeline.folder_lock import scratch_folder
with scratch_folder("mqconform-test-") as folder:
    print(folder, flush=True)
    sys.stdin.read()
"""


def killed(program: str, *arguments: str, **surroundings: str) -> str:
    """Kill a program once it has printed a line, and return the line."""
    with subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        env=os.environ | surroundings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        line = process.stdout.readline().strip()
        process.send_signal(signal.SIGKILL)
    assert line
    return line


def write_all(out: Place) -> None:
    with new_output(out) as attempts:
        write_text(attempts / "a", "whole")
        write_text(out / "summary.json", "whole")
        mark_whole(out)


def contents(folder: Path) -> dict[str, str]:
    return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()}


WHOLE = {"summary.json": "whole", SUCCESS: ""}


def test_of_commands_that_begin_at_the_same_time_one_writes(tmp_path: Path):
    together, all_tried = threading.Barrier(MANY), threading.Barrier(MANY)
    refused: list[str] = []

    def begin() -> None:
        together.wait(10)
        try:
            with new_output(place_of(str(tmp_path / "out"))):
                all_tried.wait(10)
        except UnusableInput as error:
            refused.append(str(error))
            all_tried.wait(10)

    threads = [threading.Thread(target=begin) for _ in range(MANY)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(refused) == MANY - 1
    assert {text.partition(": ")[2] for text in refused} == {"another command is writing there; name a new folder"}
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize("published", [(), ("packets",), OUTPUTS], ids=["nothing", "some", "all"])
@pytest.mark.parametrize("system", ["", "file://"])
def test_a_folder_that_a_killed_command_left_is_begun_anew(
    system: str, published: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out = place_of(f"{system}{tmp_path / 'out'}")
    killed(STARTED, out.text, *published)
    assert {entry.name for entry in (tmp_path / "out").iterdir()} == {STAGING, *published}
    write_all(out)
    assert contents(tmp_path / "out") == WHOLE
    assert "what a command left unfinished that was killed is removed" in capsys.readouterr().err


def test_a_folder_in_which_a_command_is_writing_is_left_to_it(tmp_path: Path):
    out = place_of(str(tmp_path))
    with new_output(out) as attempts:
        write_text(attempts / "a", "one")
        with pytest.raises(UnusableInput, match="another command is writing there"):
            write_all(out)
        write_text(out / "summary.json", "one")
        mark_whole(out)
    assert contents(tmp_path) == {"summary.json": "one", SUCCESS: ""}


def test_what_no_command_has_written_is_named_and_stays(tmp_path: Path):
    killed(STARTED, str(tmp_path), "packets")
    (tmp_path / "mine.txt").write_text("mine")
    before = contents(tmp_path)
    for _ in range(2):
        with pytest.raises(UnusableInput, match=r"killed, and mine\.txt is not its work; move that away"):
            write_all(place_of(str(tmp_path)))
        assert contents(tmp_path) == before
    (tmp_path / "mine.txt").unlink()
    write_all(place_of(str(tmp_path)))
    assert contents(tmp_path) == WHOLE


@pytest.mark.parametrize("owner", [None, "", "another's"])
def test_without_the_mark_of_a_command_nothing_is_removed(owner: str | None, tmp_path: Path):
    (tmp_path / STAGING).mkdir()
    (tmp_path / STAGING / "00001-part").write_text("half")
    (tmp_path / "summary.json").write_text("mine")
    if owner is not None:
        (tmp_path / STAGING / OWNER).write_text(owner)
    with pytest.raises(UnusableInput, match="exists and is not empty"):
        write_all(place_of(str(tmp_path)))
    assert contents(tmp_path) == {f"{STAGING}/00001-part": "half", "summary.json": "mine"}


@pytest.mark.parametrize("left", [(), (OWNER,)])
def test_a_command_that_was_killed_before_it_began_leaves_nothing_in_the_way(left: tuple[str, ...], tmp_path: Path):
    (tmp_path / STAGING).mkdir()
    for name in left:
        (tmp_path / STAGING / name).write_text("")
    write_all(place_of(str(tmp_path)))
    assert contents(tmp_path) == WHOLE


def test_a_link_that_a_killed_command_did_not_make_leads_to_no_loss(tmp_path: Path):
    killed(STARTED, str(tmp_path / "out"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("mine")
    (tmp_path / "out" / "packets").symlink_to(tmp_path / "mine")
    write_all(place_of(str(tmp_path / "out")))
    assert contents(tmp_path / "out") == WHOLE
    assert contents(tmp_path / "mine") == {"file": "mine"}


def test_an_output_that_fails_leaves_an_empty_folder(tmp_path: Path):
    def fail() -> None:
        out = place_of(str(tmp_path))
        with new_output(out) as attempts:
            write_text(attempts / "a", "half")
            write_text(out / "summary.json", "half")
            write_text(out / "no-such-folder" / "summary.json", "half")

    with pytest.raises(OutputLost, match=r"No such file or directory.*run again"):
        fail()
    assert list(tmp_path.iterdir()) == []


def _replace_by_a_file(out: Path) -> None:
    out.rename(out.with_name("moved"))
    out.write_text("mine")


def _replace_by_a_link(out: Path) -> None:
    out.rename(out.with_name("moved"))
    out.symlink_to(out.with_name("mine"))


@pytest.mark.parametrize("harm", [_replace_by_a_file, _replace_by_a_link])
def test_a_folder_that_is_replaced_meanwhile_is_lost_and_its_successor_is_left_alone(
    harm: Callable[[Path], None], tmp_path: Path
):
    out = tmp_path / "out"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "summary.json").write_text("mine")

    def be_harmed() -> None:
        with new_output(place_of(str(out))) as attempts:
            write_text(attempts / "a", "half")
            harm(out)

    with pytest.raises(OutputLost, match="was moved or replaced while it was written"):
        be_harmed()
    assert contents(tmp_path / "mine") == {"summary.json": "mine"}
    assert (tmp_path / "moved" / STAGING / OWNER).read_bytes() == BEGUN
    write_all(place_of(str(tmp_path / "moved")))
    assert contents(tmp_path / "moved") == WHOLE


def test_temporary_folders_of_killed_commands_are_removed_by_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = Path(killed(SCRATCH, TMPDIR=str(tmp_path)))
    unknown = tmp_path / "mqconform-test-of-another-kind"
    unknown.mkdir()
    with scratch_folder("mqconform-test-") as first:
        assert not left.exists()
        with scratch_folder("mqconform-test-") as second:
            assert (Path(first) / LOCK).exists()
            assert (Path(second) / LOCK).exists()
    assert [*tmp_path.iterdir()] == [unknown]
