"""Every command of the documentation does what its page says, page by page, and every link leads somewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from long_tier import mostly_long

from mqconform.harness.cli import COMMANDS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
BLOCK = re.compile(r"^```sh\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
"""Commands, and lines that the last of them prints where the next block has some."""
FENCED = re.compile(r"^ *```[a-z]*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
EXIT_CODE = re.compile(r"#\s*exit code (\d)\b")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
SHIM = f'#!{sys.executable}\nfrom mqconform.harness.cli import main\nif __name__ == "__main__":\n    main()\n'
"""What an installation puts on the path; processes that a command spawns import it and must not begin anew."""
GENERATED = {"reference/command-line.md", "reference/requirements.md", "explanation/ambiguities.md"}
WALKED = [
    page
    for page in (DOCS / "tutorial.md", *sorted((DOCS / "how-to").glob("*.md")))
    if BLOCK.search(page.read_text("utf-8"))
]
"""Pages that a reader follows from top to bottom, each command in the folder that the one before left."""


def name(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


@pytest.mark.parametrize("page", mostly_long(map(name, WALKED), first=["tutorial.md"]))
def test_a_page_can_be_followed_from_top_to_bottom(page: str, tmp_path: Path):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "bin").mkdir()
    shim = tmp_path / "bin" / "mqconform"
    shim.write_text(SHIM, "utf-8")
    shim.chmod(0o755)
    surroundings = os.environ | {"PATH": f"{shim.parent}{os.pathsep}{os.environ['PATH']}"}
    surroundings.pop("GITHUB_STEP_SUMMARY", None)
    for block, shown in BLOCK.findall((DOCS / page).read_text("utf-8")):
        for line in block.splitlines():
            promised = EXIT_CODE.search(line)
            done = subprocess.run(
                ["bash", "-c", line], cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False
            )
            assert done.returncode == (int(promised.group(1)) if promised else 0), line + done.stdout + done.stderr
        for expected in shown.splitlines():
            assert expected in done.stdout


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_to_a_file(page: Path):
    targets = [(page.parent / link).resolve() for link in LINK.findall(page.read_text("utf-8"))]
    generated = {DOCS / one for one in GENERATED}
    assert [str(one) for one in targets if not one.exists() and one not in generated] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_that_a_page_names_exists(page: Path):
    text = page.read_text("utf-8")
    blocks = "\n".join(FENCED.findall(text))
    named = {*re.findall(r"`mqconform ([a-z][a-z-]+)", text)}
    named |= {*re.findall(r"^ *mqconform ([a-z][a-z-]+)", blocks, re.MULTILINE)}
    assert named <= set(COMMANDS)


def test_the_site_has_every_page(tmp_path: Path):
    pytest.importorskip("mkdocs", reason="the extra docs is not installed")
    out = tmp_path / "site"
    quiet = os.environ | {"DISABLE_MKDOCS_2_WARNING": "true", "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(out)]
    done = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for page in [*map(name, PAGES), *GENERATED]:
        folder = out / page.removesuffix(".md").removesuffix("index")
        assert (folder / "index.html").is_file(), page
    assert "MQSD-2.2.3-11" in (out / "reference" / "requirements" / "index.html").read_text("utf-8")
    assert "mqconform run" in (out / "reference" / "command-line" / "index.html").read_text("utf-8")
