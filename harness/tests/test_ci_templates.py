"""The action for GitHub and the template for GitLab: what their services take, and gates that open and close."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from long_tier import LONG

ROOT = Path(__file__).parents[2]
ACTION, TEMPLATE = ROOT / "action.yml", ROOT / "templates" / "mqconform.gitlab-ci.yml"
EXAMPLES = ROOT / "examples"
SERVER = EXAMPLES / "sample_server" / "server.py"
FIXES = ('s/"big"/"little"/', r's/return names.encode/return (names + "\\0").encode/')
REQUIREMENT = "MQSD-2.2.3-04"
"""Violated by the sample server as it is, met once it is corrected."""


def steps() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {
        step["id"]: step for step in yaml.safe_load(ACTION.read_text("utf-8"))["runs"]["steps"]
    }
    return found


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with the sample server."""
    folder = tmp_path / "checkout"
    (folder / ".git").mkdir(parents=True)
    shutil.copy(SERVER, folder)
    return folder


@pytest.fixture
def runner(tmp_path: Path) -> dict[str, str]:
    """What a runner has in its environment; ``mqconform`` lies where the action installs it, and on the path."""
    program = tmp_path / "temp" / "mqconform" / "bin" / "mqconform"
    program.parent.mkdir(parents=True)
    start = shlex.quote("from mqconform.harness.cli import main; main()")
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {start} "$@"\n', "utf-8")
    program.chmod(0o755)
    return {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "GITHUB_SHA": "abc",
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "CI_COMMIT_SHA": "abc",
    }


def shell(script: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_each_file_is_what_its_service_takes() -> None:
    for schema, *files in (
        ("github-actions", ACTION),
        ("github-workflows", EXAMPLES / "ci" / "github.yml", *sorted((ROOT / ".github" / "workflows").iterdir())),
        ("gitlab-ci", TEMPLATE, EXAMPLES / "ci" / "gitlab.yml"),
    ):
        check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, files)]
        done = subprocess.run(check, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_no_script_of_the_action_holds_an_input() -> None:
    """What a workflow passes in is data: inside a script GitHub would paste it as code."""
    assert not [one for one in steps().values() if "${{" in one["run"]]
    assert {value for one in steps().values() for value in one["env"].values()} == {
        "${{ github.action_path }}",
        *(f"${{{{ inputs.{name} }}}}" for name in ("iut", "arguments", "extras")),
    }


def test_the_action_closes_the_gate_and_opens_it_with_the_settings_of_the_project(
    checkout: Path, runner: dict[str, str], tmp_path: Path
) -> None:
    script = steps()["judge"]["run"]
    inputs = {"IUT": "stdio:python3 server.py", "ARGUMENTS": f"--req={REQUIREMENT}\n--no-probe\n"}
    done = shell(script, checkout, runner | inputs)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "::error file=server.py,line=1,title=mqsd/" in done.stdout
    assert REQUIREMENT in (tmp_path / "summary.md").read_text("utf-8").replace("&#45;", "-")
    results = checkout / "mqconform-results"
    assert (tmp_path / "output").read_text("utf-8") == f"results={results}\n"
    assert {"junit.xml", "results.sarif", "results.ndjson"} <= {path.name for path in results.iterdir()}
    for fix in FIXES:
        subprocess.run(["sed", "-i", fix, "server.py"], cwd=checkout, check=True)
    file = f'iut = "stdio:python3 server.py"\n[run]\nreq = "{REQUIREMENT}"\nprobe = false\n'
    (checkout / "mqconform.toml").write_text(file, "utf-8")
    assert shell(script, checkout, runner | {"IUT": "", "ARGUMENTS": ""}).returncode == 0


def test_the_template_closes_the_gate(checkout: Path, runner: dict[str, str]) -> None:
    job = yaml.safe_load(TEMPLATE.read_text("utf-8"))[".mqconform"]
    (script,) = job["script"]
    variables = {"IUT": "stdio:python3 server.py", "MQCONFORM_ARGUMENTS": f"--req {REQUIREMENT} --no-probe"}
    done = shell(script, checkout, runner | variables)
    assert done.returncode == 1, done.stdout + done.stderr
    assert (checkout / job["artifacts"]["reports"]["junit"]).is_file()


@pytest.mark.parametrize("service", [pytest.param("github", marks=LONG), pytest.param("gitlab", marks=LONG)])
def test_what_it_installs_is_this_project(service: str, tmp_path: Path) -> None:
    source = tmp_path / "source"
    ignored = shutil.ignore_patterns(".git", ".venv", ".tox", "__pycache__", "mqconform-results*")
    shutil.copytree(ROOT, source, ignore=ignored)
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "python")], check=True)
    environment = os.environ | {
        "RUNNER_TEMP": str(tmp_path),
        "SOURCE": str(source),
        "EXTRAS": "",
        "MQCONFORM": str(source),
    }
    environment["PATH"] = f"{tmp_path / 'python' / 'bin'}{os.pathsep}{environment['PATH']}"
    if service == "github":
        script, program = steps()["install"]["run"], tmp_path / "mqconform" / "bin" / "mqconform"
    else:
        (script,) = yaml.safe_load(TEMPLATE.read_text("utf-8"))[".mqconform"]["before_script"]
        program = tmp_path / "python" / "bin" / "mqconform"
    done = shell(script, tmp_path, environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert subprocess.run([program, "--version"], check=True, capture_output=True).stdout.startswith(b"mqconform, ")
