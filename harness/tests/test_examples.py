"""The sample server goes from red to green by its README; the CI files are what their services take, and gate."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from long_tier import long

EXAMPLES = Path(__file__).parents[2] / "examples"
SAMPLE = EXAMPLES / "sample_server"
BLOCK = re.compile(r"^```sh\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
EXIT_CODE = re.compile(r"#\s*exit code (\d)\b")
PROGRAM = "-c 'from mqconform.harness.cli import main; main()'"
FIXES = ('s/"big"/"little"/', r's/return names.encode/return (names + "\\0").encode/')


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """An environment in which `mqconform` and `python3` are those of this interpreter."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("mqconform", "python3"):
        script = folder / name
        arguments = PROGRAM if name == "mqconform" else ""
        script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {arguments} "$@"\n')
        script.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def run(line: str, cwd: Path, shell: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-ec", line], cwd=cwd, env=shell, capture_output=True, text=True, check=False, timeout=200
    )


def sample(tmp_path: Path, *, mended: bool) -> Path:
    folder = tmp_path / "sample"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("mqconform-results", "__pycache__", ".*"))
    for fix in FIXES if mended else ():
        subprocess.run(["sed", "-i", fix, "server.py"], cwd=folder, check=True)
    return folder


@long
def test_the_readme_of_the_sample_server_leads_from_red_to_green(tmp_path: Path, shell: dict[str, str]):
    (tmp_path / "examples").symlink_to(EXAMPLES)
    cwd, codes = tmp_path, []
    for block, shown in BLOCK.findall((SAMPLE / "README.md").read_text(encoding="utf-8")):
        for line in block.splitlines():
            promised = EXIT_CODE.search(line)
            done = run(line, cwd, shell)
            assert done.returncode == (int(promised[1]) if promised else 0), line + done.stdout + done.stderr
            codes.append(done.returncode)
            cwd = tmp_path / "my-sample" if line.startswith("cp ") else cwd
        for told in shown.splitlines():
            assert told in done.stdout
    assert 1 in codes
    assert codes[-1] == 0


@long  # it installs
@pytest.mark.parametrize("environment", ["conformance", "pytest"])
def test_tox_runs_the_environment(environment: str, tmp_path: Path):
    folder = sample(tmp_path, mended=True)
    command = [sys.executable, "-m", "tox", "-e", environment]
    variables = {**os.environ, "MQCONFORM": str(EXAMPLES.parent)}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
