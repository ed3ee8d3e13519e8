"""Every command that the README and the other pages give does what they say, and every link leads somewhere."""

import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from _pytest.mark.structures import ParameterSet
from long_tier import LONG

from mqconform.harness.cli import COMMANDS, run_command

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]  # test_docs.py holds those of docs/
BLOCK = re.compile(r"^```sh\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
"""Commands, and what a page shows them to print where the next block has it."""
LINK = re.compile(r"\]\(([^)#:]+)\)")
EXIT_CODE = re.compile(r"#\s*exit code (\d)\b")
LASTING = ("VIOLATED", "  expected", "  observed")
MAIN = "from mqconform.harness.cli import main; main()"
PEER = "mqconform serve discovery-server"
PEER_PORT = re.compile(r"--port (\d+)")
LISTENING = re.compile(r"listening on 127\.0\.0\.1:(\d+)")
READERS_OWN = re.compile(r"\bmy[-_]")
"""What stands for something that only the reader has, such as my-server."""


class Command(NamedTuple):
    """One command of a page, the exit code that the comment behind it promises, and what it is shown to print."""

    line: str
    exit_code: int
    shown: str = ""


def commands(text: str) -> Iterator[Command]:
    """Yield the commands of the shell blocks that begin with ``mqconform`` and need nothing of the reader's."""
    for block, shown in BLOCK.findall(text):
        for line in block.splitlines():
            if line.startswith("mqconform ") and not READERS_OWN.search(line):
                promised = EXIT_CODE.search(line)
                yield Command(line, int(promised.group(1)) if promised else 0, shown)


def lasting(text: str) -> list[str]:
    """Return the lines of a verdict that stay as they are when the suite grows; all lines of what gives none."""
    lines = [line.rstrip() for line in text.splitlines()]
    return [line for line in lines if line.startswith(LASTING)] or lines


def arguments(line: str) -> list[str]:
    return shlex.split(line, comments=True)[1:]


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory like a reader's checkout, in which results may be left; the working directory of the test."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def peer_and_those_who_ask() -> tuple[Command, list[Command]]:
    """Return the command that serves until it is stopped, and those that talk to its port."""
    (peer,) = (command for command in commands(README) if command.line.startswith(PEER))
    (port,) = PEER_PORT.findall(peer.line)
    return peer, [command for command in commands(README) if f"127.0.0.1:{port}" in command.line]


def commands_on_their_own() -> list[Command]:
    peer, asking = peer_and_those_who_ask()
    return [command for command in commands(README) if command not in (peer, *asking)]


WHOLE_SUITE = re.compile(r"mqconform (run -n \d|mutants )")
"""Commands that play the whole suite, some of them several times; the first of the README does so for the gate."""


def in_their_tiers(known: list[Command]) -> list[ParameterSet]:
    return [pytest.param(one, id=one.line, marks=LONG if WHOLE_SUITE.match(one.line) else ()) for one in known]


@pytest.fixture
def peer_port(directory: Path) -> Iterator[str]:
    """The port of a running peer: a free one in place of the one on the page, which something else may hold."""
    peer, _ = peer_and_those_who_ask()
    command = [sys.executable, "-c", MAIN, *arguments(PEER_PORT.sub("--port 0", peer.line))]
    with subprocess.Popen(command, cwd=directory, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            listening = LISTENING.match(first)
            assert listening, first
            yield listening.group(1)
            process.send_signal(signal.SIGINT)
            assert process.wait(10) == peer.exit_code
        finally:
            process.kill()


def test_the_peer_of_the_readme_answers_those_who_ask(peer_port: str) -> None:
    peer, asking = peer_and_those_who_ask()
    (port,) = PEER_PORT.findall(peer.line)
    assert asking
    for command in asking:
        assert run_command(arguments(command.line.replace(port, peer_port))) == command.exit_code


@pytest.mark.usefixtures("directory")
@pytest.mark.parametrize("command", in_their_tiers(commands_on_their_own()))
def test_a_command_of_the_readme_works(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(arguments(command.line)) == command.exit_code
    if command.shown:
        assert lasting(capsys.readouterr().out) == lasting(command.shown)


def test_the_readme_shows_what_a_faulty_server_is_told() -> None:
    assert [command for command in commands(README) if "VIOLATED" in command.shown]


def test_the_readme_gives_commands_to_run() -> None:
    assert len(list(commands(README))) >= 5


def test_the_first_two_commands_set_up_a_fresh_machine() -> None:
    run, test = (block.strip() for block, _ in BLOCK.findall(README)[:2])
    assert run == "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/mqconform run --report junit"
    assert test.startswith("python3 -m venv .venv && .venv/bin/pip install -q -e ")


def test_the_gate_runs_the_test_command_of_the_readme_to_the_letter() -> None:
    test, _ = BLOCK.findall(README)[1]
    gate = [line.strip() for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()]
    assert test.strip() in gate


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_leads_to_a_file(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [link for link in LINK.findall(text) if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`|^)mqconform ([a-z][a-z-]+)", text, re.MULTILINE))
    assert named <= set(COMMANDS)


def test_a_command_of_the_readers_own_is_not_run() -> None:
    page = (
        "```sh\nmqconform run --iut stdio:./my-server\nmqconform list  # exit code 4\n```\n\n```text\nCONFORMS\n```\n"
    )
    assert list(commands(page)) == [Command("mqconform list  # exit code 4", 4, "CONFORMS\n")]
