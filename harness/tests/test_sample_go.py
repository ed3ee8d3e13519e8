"""The sample IUT in Go conforms, by calls, by datagrams and by broadcasts, and is as tidy as its language wants it."""

import os
import subprocess
from pathlib import Path

import pytest
from long_tier import LONG
from sample_iuts import EXAMPLES, build, judge_by_broadcast, judge_by_calls, judge_by_datagrams

SOURCES = EXAMPLES / "iut" / "go"
pytestmark = [LONG, pytest.mark.samples]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("go", tmp_path_factory)


def test_the_whole_suite_finds_nothing_to_object_to(program: Path, tmp_path: Path):
    judge_by_calls(program, tmp_path / "out")


def test_its_server_answers_datagrams_as_its_facts_say(program: Path, tmp_path: Path):
    judge_by_datagrams(program, tmp_path / "out")


def test_its_client_broadcasts_and_waits_by_the_real_clock(program: Path, tmp_path: Path):
    judge_by_broadcast(program, tmp_path / "out")


def test_it_is_formatted_and_vetted_and_needs_no_libraries_of_the_machine(program: Path):
    environment = {**os.environ, "GOCACHE": str(program.parent / "go-cache")}
    checked = subprocess.run(
        ["make", "-C", str(SOURCES), "check", f"BUILD={program.parent}"],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    loaded = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False)
    assert "not a dynamic executable" in loaded.stderr


def test_it_says_what_is_wrong_with_its_command_line(program: Path):
    for arguments, complaint in (
        (["serve"], "usage:"),
        (["discovery-server", "--site", "e6eaba60"], "e6eaba60"),
        (["discovery-server"], "enterprise"),
        (["discovery-client", "--network", "nowhere"], "nowhere"),
    ):
        done = subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 4
        assert complaint in done.stderr
        assert "goroutine" not in done.stderr
