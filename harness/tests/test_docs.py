"""Every command of the documentation does what its page says, page by page, and every link leads somewhere."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from long_tier import mostly_long

from mqconform.harness.cli import COMMANDS, run_command

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
TOP = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
BLOCK = re.compile(r"^```sh\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
"""Commands, and lines that the last of them prints where the next block has some."""
FENCED = re.compile(r"^ *```[a-z]*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
EXIT_CODE = re.compile(r"#\s*exit code (\d)\b")
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
WALKED = [
    page
    for page in (DOCS / "tutorial.md", *sorted((DOCS / "how-to").glob("*.md")))
    if BLOCK.search(page.read_text("utf-8"))
]
"""Pages that a reader follows from top to bottom, each command in the folder that the one before left."""

FIRST = ("how-to/test-code-that-uses-queues.md",)
"""The tutorial repeats the README and the tour, but for its run of the whole suite, which is a stage of the gate."""


def name(page: Path) -> str:
    return page.relative_to(DOCS if page.is_relative_to(DOCS) else ROOT).as_posix()


@pytest.mark.parametrize("page", mostly_long(map(name, WALKED), first=FIRST))
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
    texts = [page.read_text("utf-8") for page in (ROOT / "README.md", *PAGES)]
    lines = [line for text in texts for block in FENCED.findall(text) for line in block.splitlines()]
    starting = [line for line in lines if any(STARTS.search(text) for text in examples_named_in(line))]
    assert starting
    assert [line for line in starting if "--allow-commands" not in line] == []


def examples_named_in(line: str) -> list[str]:
    named = re.findall(r"(?:--facts|mqconform matrix) (examples/\S+\.toml)", line)
    return [(ROOT / one).read_text("utf-8") for one in named]


def test_every_link_leads_to_a_file():
    links = [(page, link) for page in [*TOP, *PAGES] for link in LINK.findall(page.read_text("utf-8"))]
    assert len(links) > 100
    assert [(name(page), link) for page, link in links if not (page.parent / link).exists()] == []


def test_every_source_file_that_a_page_names_exists_with_its_function():
    missing = []
    for page in [*TOP[:2], *PAGES]:
        for file, function in SOURCE.findall(page.read_text("utf-8")):
            path, line = ROOT / file, rf"^(?: *def )?{function}\b"
            if not path.exists() or not re.search(line, path.read_text("utf-8"), re.MULTILINE):
                missing.append((name(page), file, function))
    assert missing == []


def test_every_command_that_a_page_names_exists():
    unknown = []
    for page in [*TOP, *PAGES]:
        text = page.read_text("utf-8")
        blocks = "\n".join(FENCED.findall(text))
        named = {*re.findall(r"`mqconform ([a-z][a-z-]+)", text)}
        named |= {*re.findall(r"^ *mqconform ([a-z][a-z-]+)", blocks, re.MULTILINE)}
        unknown += [(name(page), command) for command in named - set(COMMANDS)]
    assert unknown == []
