"""Which engine is used, whose matter it is when it fails, and the page on containers."""

import json
import os
import re
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from container_engine import own_engine
from container_images import load
from long_tier import LONG

from mqconform.adapters.containers import engine as docker_engine
from mqconform.adapters.containers.engine import Engine, EngineFailed
from mqconform.adapters.containers.iut import open_iut, why_no_holders
from mqconform.harness.cli import run_command
from mqconform.harness.iut.interface import AdapterOptions

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "test-a-container.md"
BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MQCONFORM = "from mqconform.harness.cli import main\nmain()\n"


def commands() -> list[str]:
    lines = [line for block in BLOCK.findall(PAGE.read_text("utf-8")) for line in block.splitlines()]
    return [line for line in lines if not line.startswith("pip install")]


@LONG
@pytest.mark.docker
@pytest.mark.timeout(900)  # whole runs
def test_every_command_of_the_page_does_what_it_says(engine: Engine, tmp_path: Path):
    if reason := why_no_holders(engine):
        pytest.skip(f"part of the page needs networks for containers: {reason}")
    if shutil.which("go") is None:
        pytest.skip("the page builds an image of a program in Go, and no go is installed")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "bin").mkdir()
    shim, python = tmp_path / "bin" / "mqconform", tmp_path / "bin" / "python3"
    shim.write_text(f"#!{sys.executable}\n{MQCONFORM}", "utf-8")
    # No link: beside a link, Python would not find the environment that it is of.
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', "utf-8")
    shim.chmod(0o755)
    python.chmod(0o755)
    around = os.environ | {"PATH": f"{shim.parent}{os.pathsep}{os.environ['PATH']}"}
    assert len(commands()) > 6
    for command in commands():
        whole = command.startswith("mqconform run") and "--req" not in command and " -k " not in command
        line = f"{command} --req MQSD-3.2.5.1" if whole else command  # test_docker_samples.py has whole runs
        done = subprocess.run(
            ["bash", "-c", line], cwd=tmp_path, env=around, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        assert "VIOLATED" not in done.stdout


def test_an_engine_that_is_not_there_is_a_matter_of_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    docker_engine.engine.cache_clear()
    assert run_command(["run", "--iut", "image:x", "--out", str(tmp_path / "out")]) == 4
    told = capsys.readouterr().err
    assert "no Docker engine answers at unix://" in told
    assert "DOCKER_HOST" in told


def test_an_engine_that_never_answers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/mute.sock")
    monkeypatch.setattr(docker_engine, "CALL_SECONDS", 0.3)
    docker_engine.engine.cache_clear()
    with socket.socket(socket.AF_UNIX) as mute:
        mute.bind(f"{tmp_path}/mute.sock")
        mute.listen()
        with pytest.raises(EngineFailed, match=r"no Docker engine answers at unix://.*mute\.sock.*timed out"):
            docker_engine.engine()


def test_a_context_that_does_not_exist_is_not_taken_for_the_usual_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    monkeypatch.setenv("DOCKER_CONTEXT", "other")
    docker_engine.engine.cache_clear()
    with pytest.raises(EngineFailed, match="there is no context other; docker context ls names all"):
        docker_engine.engine()


@LONG
@pytest.mark.docker
def test_an_engine_that_ends_during_a_run_is_nobody_s_verdict(unruly_program: Path, monkeypatch: pytest.MonkeyPatch):
    with own_engine() as address:
        monkeypatch.setenv("DOCKER_HOST", address)
        docker_engine.engine.cache_clear()
        api = docker_engine.engine().api
        load(api, "mqconform-tests/unruly:1", {"/unruly": unruly_program.read_bytes()}, Entrypoint=["/unruly"])
        iut = open_iut("mqconform-tests/unruly:1", AdapterOptions())
        iut.call("initialize", {"protocol": 1, "harness": "tests"})
        pid = int(Path(address.removeprefix("unix://")).with_name("dockerd.pid").read_text("ascii"))
        over = os.pidfd_open(pid)
        os.kill(pid, signal.SIGTERM)
        assert select.select([over], [], [], 60)[0]
        with pytest.raises(EngineFailed, match=r"the Docker engine failed: .* no Docker engine answers"):
            iut.call("reset", {})
        iut.close()
        with pytest.raises(EngineFailed):
            open_iut("mqconform-tests/unruly:1", AdapterOptions())
    docker_engine.engine.cache_clear()


@LONG
@pytest.mark.docker
def test_the_current_context_names_the_engine_where_docker_host_does_not(
    docker_host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = tmp_path / "contexts" / "meta" / sha256(b"mine").hexdigest()
    folder.mkdir(parents=True)
    meta = {"Name": "mine", "Metadata": {}, "Endpoints": {"docker": {"Host": docker_host, "SkipTLSVerify": False}}}
    (folder / "meta.json").write_text(json.dumps(meta), "utf-8")
    (tmp_path / "config.json").write_text("{}", "utf-8")
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    monkeypatch.setenv("DOCKER_CONTEXT", "mine")
    docker_engine.engine.cache_clear()
    assert docker_engine.engine().answers()
    docker_engine.engine.cache_clear()
