"""The sample IUT in Rust conforms: over calls, over UDP, and as a client that broadcasts."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from long_tier import LONG
from sample_iuts import EXAMPLES, build, judge_by_broadcast, judge_by_calls, judge_by_datagrams

pytestmark = [*LONG]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("rust", tmp_path_factory)


def test_the_whole_suite_finds_nothing_to_object_to(program: Path, tmp_path: Path):
    judge_by_calls(program, tmp_path / "out")


def test_its_server_answers_datagrams_as_its_facts_say(program: Path, tmp_path: Path):
    judge_by_datagrams(program, tmp_path / "out")


def test_its_client_broadcasts_and_waits_by_the_real_clock(program: Path, tmp_path: Path):
    judge_by_broadcast(program, tmp_path / "out")


@pytest.mark.parametrize(
    "check", [("fmt", "--check"), ("clippy", "--quiet", "--offline", "--locked", "--", "-D", "warnings")]
)
def test_its_source_is_as_the_tools_of_the_language_want_it(check: tuple[str, ...], tmp_path: Path):
    if shutil.which(f"cargo-{check[0]}") is None:
        pytest.skip(f"no cargo-{check[0]} on PATH")
    folder = EXAMPLES / "iut" / "rust"
    environment = {**os.environ, "CARGO_TARGET_DIR": str(tmp_path)}
    done = subprocess.run(["cargo", *check], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
