"""Every command of the documentation does what its page says, page by page, and every link leads somewhere."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from _pytest.mark.structures import ParameterSet
from long_tier import LONG, long, mostly_long

from mqconform.harness.cli import COMMANDS, cli, run_command

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text(encoding="utf-8")
TOUR = (DOCS / "tour.md").read_text(encoding="utf-8")
UDP_PAGE = (DOCS / "how-to" / "test-a-udp-server.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
PAGES += [*sorted(DOCS.rglob("*.md")), *sorted((ROOT / "examples").rglob("*.md"))]
BLOCK = re.compile(r"^```sh\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
"""Commands, and what a page shows the last of them to print where the next block has it."""
FENCED = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
EXIT_CODE = re.compile(r"#\s*exit code (\d)\b")
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
        lines = [line for line in block.splitlines() if line.startswith("mqconform ") and not READERS_OWN.search(line)]
        for line in lines:
            promised = EXIT_CODE.search(line)
            yield Command(line, int(promised.group(1)) if promised else 0, shown if line == lines[-1] else "")


def is_shown(shown: str, printed: str) -> bool:
    """Tell whether each line of a page begins a line of what was printed, in the same order; lines may be left out."""
    lines = iter(printed.splitlines())
    return all(any(line.startswith(wanted) for line in lines) for wanted in shown.splitlines())


def arguments(line: str) -> list[str]:
    """Return the words behind ``mqconform``, as a shell makes them of a line."""
    words = shlex.split(line, comments=True)[1:]
    return [path for word in words for path in (map(str, sorted(Path().glob(word))) if "*" in word else [word])]


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory like a reader's checkout, in which results may be left; the working directory of the test."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("directory")
def test_the_readme_can_be_followed_from_top_to_bottom(capsys: pytest.CaptureFixture[str]) -> None:
    followed = [*commands(README)]
    assert len(followed) >= 5
    assert len([command for command in followed if command.shown]) >= 2
    for command in followed:
        assert run_command(arguments(command.line)) == command.exit_code, command.line
        printed = capsys.readouterr().out
        assert is_shown(command.shown, printed), f"{command.line}\n{command.shown}\n--- printed:\n{printed}"


def in_their_tiers(known: Iterator[Command]) -> list[ParameterSet]:
    slow = re.compile(r"mqconform (run -n \d|mutants )")  # the whole suite, some of them several times
    return [pytest.param(command, id=command.line, marks=LONG if slow.match(command.line) else ()) for command in known]


@pytest.mark.usefixtures("directory")
@pytest.mark.parametrize("command", in_their_tiers(commands(TOUR)))
def test_a_command_of_the_tour_works(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(arguments(command.line)) == command.exit_code
    assert is_shown(command.shown, capsys.readouterr().out)


GATES_OWN = re.compile(r"mqconform mutants(?! --mutant)|mqconform run -n \d")
"""What the gate itself does, for the better part of an hour."""
WALKED = {"tour.md", "tutorial.md"}
ON_PAGES = [
    command
    for page in sorted(DOCS.glob("*.md"))
    if page.name not in WALKED
    for command in commands(page.read_text(encoding="utf-8"))
    if not GATES_OWN.match(command.line)
]


@long
@pytest.mark.usefixtures("directory")
@pytest.mark.parametrize("command", ON_PAGES, ids=lambda command: command.line)
def test_a_command_of_a_reference_page_works(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(arguments(command.line)) == command.exit_code
    assert is_shown(command.shown, capsys.readouterr().out)


IN_A_SESSION = "audit-in-a-notebook.md"
"""Its blocks are Python, and reports/tests/test_audit_notebook.py compares what it shows."""


def test_what_a_page_shows_stands_behind_the_commands_that_print_it(subtests: pytest.Subtests) -> None:
    for page in PAGES:
        with subtests.test(page=page):
            text = page.read_text(encoding="utf-8")
            shown = [block for language, block in FENCED.findall(text) if language == "text"]
            compared = [output for _, output in BLOCK.findall(text) if output]
            assert page.name == IN_A_SESSION or shown == compared


@long
def test_the_readme_works_from_its_own_install(tmp_path: Path) -> None:
    """Every block as a reader pastes it, in a copy of the checkout, after the install of the first block."""
    left_out = shutil.ignore_patterns(".git", ".venv", ".tox", "__pycache__", ".*_cache", "mqconform-results*", "build")
    checkout = shutil.copytree(ROOT, tmp_path / "checkout", ignore=left_out)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    first, tests, *blocks = BLOCK.findall(README)
    assert "pytest" in tests[0]  # the gate runs that one to the letter
    for block, shown in [first, *blocks]:
        for line in block.splitlines():
            done = subprocess.run(
                ["bash", "-c", line], cwd=checkout, env=environment, capture_output=True, text=True, check=False
            )
            promised = EXIT_CODE.search(line)
            assert done.returncode == int(promised[1] if promised else 0), line + done.stdout + done.stderr
        assert is_shown(shown, done.stdout)
        environment["PATH"] = f"{checkout / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture
def peer_port(directory: Path) -> Iterator[str]:
    """The port of a running peer: a free one in place of the one on the page, which something else may hold."""
    (peer,) = (line for line in UDP_PAGE.splitlines() if line.startswith(PEER))
    command = [sys.executable, "-c", MAIN, *arguments(PEER_PORT.sub("--port 0", peer))]
    with subprocess.Popen(command, cwd=directory, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            listening = LISTENING.match(first)
            assert listening, first
            yield listening.group(1)
            process.send_signal(signal.SIGINT)
            assert process.wait(10) == 0
        finally:
            process.kill()


@long
def test_the_peer_of_the_page_on_udp_answers_those_who_ask(peer_port: str) -> None:
    (port,) = PEER_PORT.findall(UDP_PAGE)
    asking = [line for line in UDP_PAGE.splitlines() if line.startswith("mqconform") and f"127.0.0.1:{port}" in line]
    assert asking
    for line in asking:
        assert run_command(arguments(line.replace(port, peer_port))) == 0


def test_the_first_two_commands_set_up_a_fresh_machine() -> None:
    run, test = (block.strip() for block, _ in BLOCK.findall(README)[:2])
    assert run == "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/mqconform run --report junit"
    assert test.startswith("python3 -m venv .venv && .venv/bin/pip install -q '.[test]' && ")


def test_the_gate_runs_the_test_command_of_the_readme_to_the_letter() -> None:
    test, _ = BLOCK.findall(README)[1]
    stages = tomllib.loads((ROOT / ".ci" / "lanes.toml").read_text(encoding="utf-8"))["stage"]
    assert test.strip() == stages["tests"]["command"].strip()


def command_lines(page: Path) -> Iterator[str]:
    """Yield what a page gives to paste that begins with ``mqconform``, lines that go on joined."""
    blocks = [text for language, text in FENCED.findall(page.read_text("utf-8")) if language in {"", "sh", "console"}]
    for block in blocks:
        for line in block.replace("\\\n", " ").splitlines():
            if line.strip().removeprefix("$ ").startswith("mqconform "):
                yield line.strip().removeprefix("$ ")


def test_every_command_that_a_page_gives_is_one_that_the_command_line_takes(subtests: pytest.Subtests) -> None:
    for page in PAGES:
        with subtests.test(page=page):
            for line in command_lines(page):
                context: click.Context = click.Context(cli, info_name="mqconform")
                command: click.Command | None = cli
                words = shlex.split(line, comments=True)[1:]
                while isinstance(command, click.Group) and words and not words[0].startswith("-"):
                    command = command.get_command(context, words.pop(0))
                    assert command is not None, line
                assert command is not None
                try:
                    command.parse_args(click.Context(command, resilient_parsing=False), words)
                except click.BadParameter:
                    pass  # a file of the reader's that is not here
                except click.exceptions.Exit:
                    pass  # --help
                except click.UsageError as error:
                    pytest.fail(f"{line}: {error.format_message()}")


SAVED = re.compile(r"^```python\n(.*?)^```$\n\nSave it as `([\w.]+)`", re.MULTILINE | re.DOTALL)
"""A program that a page lets its reader save, and the file's name."""
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
SOURCE = re.compile(r"`((?:features|reference|harness|adapters|reports)/[\w/]+\.py)`(?:, `(\w+)`)?")
"""A file of the product, and what in it is meant."""
STARTS = re.compile(r"^(start|service) = |= \"(stdio|api|image):", re.MULTILINE)
"""What in a facts file or a matrix is a command."""
SHIM = f'#!{sys.executable}\nfrom mqconform.harness.cli import main\nif __name__ == "__main__":\n    main()\n'
"""What an installation puts on the path; processes that a command spawns import it and must not begin anew."""
PLAIN = re.compile(r"mqconform [^|&;<>$`*?~(){}\\\\]+")
"""A command of ours that leaves nothing to the shell but the quotes."""
FOLLOWED = [
    page
    for page in (DOCS / "tutorial.md", *sorted((DOCS / "how-to").glob("*.md")))
    if BLOCK.search(page.read_text("utf-8"))
]
"""Pages that a reader follows from top to bottom, each command in the folder that the one before left."""

FIRST = ("how-to/test-code-that-uses-queues.md",)
"""The tutorial repeats the README and the tour, but for its run of the whole suite, which is a stage of the gate."""


def name(page: Path) -> str:
    return page.relative_to(DOCS if page.is_relative_to(DOCS) else ROOT).as_posix()


@pytest.mark.parametrize("page", mostly_long(map(name, FOLLOWED), first=FIRST))
def test_a_page_can_be_followed_from_top_to_bottom(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "bin").mkdir()
    shim = tmp_path / "bin" / "mqconform"
    shim.write_text(SHIM, "utf-8")
    shim.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{shim.parent}{os.pathsep}{os.environ['PATH']}")
    for variable in ("GITHUB_STEP_SUMMARY", "MQCONFORM_ALLOW_COMMANDS"):
        monkeypatch.delenv(variable, raising=False)
    for program, file in SAVED.findall((DOCS / page).read_text("utf-8")):
        (tmp_path / file).write_text(program, "utf-8")
    for block, shown in BLOCK.findall((DOCS / page).read_text("utf-8")):
        for line in block.splitlines():
            promised = EXIT_CODE.search(line)
            code = followed(line)
            printed = capfd.readouterr()
            assert code == (int(promised.group(1)) if promised else 0), line + printed.out + printed.err
        for expected in shown.splitlines():
            assert expected in printed.out


def followed(line: str) -> int:
    """Return the exit code of a line as a reader types it; a plain command spares itself an interpreter and a shell."""
    if PLAIN.fullmatch(line):
        return run_command(shlex.split(line, comments=True)[1:])
    return subprocess.run(["bash", "-c", line], check=False).returncode


def test_commands_that_start_what_an_example_names_allow_it():
    texts = [page.read_text("utf-8") for page in PAGES]
    lines = [line for text in texts for _, block in FENCED.findall(text) for line in block.splitlines()]
    starting = [line for line in lines if any(STARTS.search(text) for text in examples_named_in(line))]
    assert starting
    assert [line for line in starting if "--allow-commands" not in line] == []


def examples_named_in(line: str) -> list[str]:
    named = re.findall(r"(?:--facts|mqconform matrix) (examples/\S+\.toml)", line)
    return [(ROOT / one).read_text("utf-8") for one in named]


def test_every_link_leads_to_a_file():
    links = [(page, link) for page in PAGES for link in LINK.findall(page.read_text("utf-8"))]
    assert len(links) > 100
    assert [(name(page), link) for page, link in links if not (page.parent / link).exists()] == []


def test_every_source_file_that_a_page_names_exists_with_its_function():
    missing = []
    for page in (page for page in PAGES if page.name != "CHANGELOG.md"):
        for file, function in SOURCE.findall(page.read_text("utf-8")):
            path, line = ROOT / file, rf"^(?: *def )?{function}\b"
            if not path.exists() or not re.search(line, path.read_text("utf-8"), re.MULTILINE):
                missing.append((name(page), file, function))
    assert missing == []


def test_every_command_that_a_sentence_names_exists():
    unknown = []
    for page in PAGES:
        named = {*re.findall(r"`mqconform ([a-z][a-z-]+)", page.read_text("utf-8"))}
        unknown += [(name(page), command) for command in named - set(COMMANDS)]
    assert unknown == []
