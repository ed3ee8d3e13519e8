"""Which file of a user's repository stands for an implementation."""

import json
from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.run.source_file import source_of


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a program, a module and a facts file; the test stands in a folder of it."""
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "server"
    (folder / "mine").mkdir(parents=True)
    for name in ("server.py", "facts.toml", "mine/__init__.py", "mine/iut.py"):
        (folder / name).touch()
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    return tmp_path


def test_the_program_stands_for_it_or_else_the_facts(subtests: pytest.Subtests) -> None:
    for target, facts, source in [
        ("stdio:python3 server.py --iut-protocol", "", "server/server.py"),
        ("stdio:./server.py", "facts.toml", "server/server.py"),
        ("stdio:/bin/cat", "", ""),
        ("stdio:'unclosed", "", ""),
        ("api:mine.iut:Server", "", "server/mine/iut.py"),
        ("api:mine:Server", "", "server/mine/__init__.py"),
        ("api:json:loads", "", ""),
        ("api:no_such_module:thing", "", ""),
        ("udp:127.0.0.1:1801", "facts.toml", "server/facts.toml"),
        ("udp:127.0.0.1:1801", "missing.toml", ""),
        ("ref:", "", ""),
    ]:
        with subtests.test(target=target):
            assert source_of(target, Path(facts) if facts else None, None) == source


@pytest.mark.parametrize("source", ["missing.c", "mine", "/bin/sh"])
def test_what_is_no_file_of_the_repository_is_refused(source: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["run", "--source", source]) == 4
    assert f"--source {source}: is not in this repository" in capsys.readouterr().err


def test_a_run_notes_the_file_beside_its_results(checkout: Path) -> None:
    quick = ["--req", "MQSD-3.2.5.1", "-k", "client-without", "--no-probe", "--out", str(checkout / "out")]
    assert run_command(["run", *quick, "--source", "server.py", "--report", "sarif"]) == 0
    assert json.loads((checkout / "out" / "environment.json").read_text("utf-8"))["source"] == "server/server.py"
