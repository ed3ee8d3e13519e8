"""What a machine has and lacks: tried with programs that are there, absent, broken, too old, mute and hostile."""

import json
import os
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.tools.diagnostics import doctor
from mqconform.harness.tools.diagnostics.doctor import CORE, OPTIONAL, Missing, Probe, examine


class Machine:
    """A machine whose programs are these scripts and no others."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def has(self, name: str, script: str) -> Path:
        program = self.folder / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        return program


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if name in ("docker", "pyroute2") else ...)
    return Machine(folder)


def missing(look: Callable[[], str]) -> str:
    with pytest.raises(Missing) as caught:
        look()
    return str(caught.value)


# The whole


def test_this_machine_has_what_a_run_needs(capsys: pytest.CaptureFixture[str]):
    assert run_command(["doctor"]) == 0
    told = capsys.readouterr().out
    for probe in CORE:
        assert f"ok       {probe.name}: " in told
    for probe in OPTIONAL:
        assert f"ok       {probe.name}: " in told or f"missing  {probe.name}: " in told
    assert told.endswith("everything a run needs is installed\n")


def test_json_has_one_object_for_each_check(capsys: pytest.CaptureFixture[str], machine: Machine):
    del machine
    assert run_command(["doctor", "--json"]) == 0
    checks = {one["check"]: one for one in map(json.loads, capsys.readouterr().out.splitlines())}
    assert [*checks] == [*(probe.name for probe in (*CORE, *OPTIONAL)), "specification texts"]
    assert "remedy" not in checks["Python"]
    tshark = {"check": "tshark", "ok": False, "found": "tshark: No such file or directory", "core": False}
    assert tshark.items() <= checks["tshark"].items()


def test_without_something_that_a_run_needs_the_exit_code_is_4(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(doctor, "OLDEST_PYTHON", (9, 9))
    assert run_command(["doctor"]) == 4
    told = capsys.readouterr().out
    assert "missing  Python: Python 3." in told
    assert "needed for everything; install Python 3.11 or later" in told
    assert told.endswith("no run works without: Python\n")


def test_whatever_a_check_raises_is_its_answer_in_printable_characters():
    def broken() -> str:
        raise RuntimeError("\x1b[31m\u202e" + "x" * 10_000)

    def mute() -> str:
        raise ValueError

    check = Probe("thing", broken, "tests", "mend it", core=True).check()
    assert not check.ok
    assert check.found.startswith(r"\u001b[31m\u202exxx")
    assert len(check.found) == 300
    assert Probe("thing", mute, "tests", "mend it").check().found == "ValueError"


# What every run needs


def test_a_package_that_is_absent_or_too_old_is_named(monkeypatch: pytest.MonkeyPatch):
    def version(name: str) -> str:
        if name == "scapy":
            raise PackageNotFoundError(name)
        return "0.1" if name == "click" else "99"

    monkeypatch.setattr(doctor, "version", version)
    wanted = ["scapy>=2.6", "click>=8.1", "rich>=13.9", 'numba>=0.60; extra == "bulk"', 'six; python_version < "3"']
    monkeypatch.setattr(doctor, "requires", lambda name: wanted if name == "mqconform" else None)
    assert missing(doctor.packages) == "scapy>=2.6 is not installed; click is 0.1, not >=8.1"
    assert doctor.packages("bulk") == "numba 99"


def test_a_loopback_that_swallows_datagrams_is_noticed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(doctor.ReferenceDiscoveryServer, "replies", lambda *_: [])
    monkeypatch.setattr(doctor, "LOOPBACK_SECONDS", 0.05)
    (probe,) = (one for one in CORE if one.name == "UDP on loopback")
    check = probe.check()
    assert not check.ok
    assert check.remedy == "bring the interface lo up"


# What some commands use


def test_a_program_is_asked_for_its_version_and_believed_only_then(machine: Machine):
    machine.has("tshark", "echo 'TShark (Wireshark) 4.0.17 (Git v4.0.17)'")
    assert doctor.tshark() == "TShark (Wireshark) 4.0.17 (Git v4.0.17)"
    machine.has("tshark", "echo 'TShark (Wireshark) 3.6.2'")
    assert missing(doctor.tshark) == "TShark (Wireshark) 3.6.2; version 4 or later is needed"
    machine.has("tshark", "echo usage")
    assert missing(doctor.tshark) == "it names no version but prints: usage"
    machine.has("tshark", "echo first >&2; echo last >&2; exit 3")
    assert missing(doctor.tshark) == "tshark: last"


def test_a_program_that_hangs_or_cannot_be_started_is_given_up(machine: Machine, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(doctor, "SECONDS", 0.2)
    program = machine.has("tshark", "while :; do :; done")
    assert missing(doctor.tshark) == "tshark said nothing for 0.2 seconds"
    program.write_bytes(b"\x7fELF")
    assert missing(doctor.tshark) == "tshark: Exec format error"


def test_docker_is_the_engine_and_not_the_command(machine: Machine, monkeypatch: pytest.MonkeyPatch):
    assert "neither the Python SDK nor the command docker is installed" in missing(doctor.docker_engine)
    machine.has("docker", "echo 28.2.2")
    assert missing(doctor.docker_engine).startswith("engine 28.2.2 answers, but not to us; run in a checkout")
    monkeypatch.setattr(doctor, "find_spec", lambda *_: ...)
    python = machine.has("python", "echo 'Error while fetching server API version' >&2; exit 1")
    monkeypatch.setattr(doctor.sys, "executable", str(python))
    assert missing(doctor.docker_engine) == f"{python}: Error while fetching server API version"
    machine.has("python", 'test "$1 $2" = "-P -c" && echo 27.0')
    monkeypatch.setenv("DOCKER_HOST", "unix:///run/user/7/docker.sock")
    assert doctor.docker_engine() == "engine 27.0 at unix:///run/user/7/docker.sock"


def test_namespaces_are_tried_as_root_and_else_in_a_user_namespace(machine: Machine, monkeypatch: pytest.MonkeyPatch):
    assert missing(doctor.namespaces) == "neither the command ip nor pyroute2 is available to set up a network"
    machine.has("ip", "")
    machine.has("unshare", 'test "$1" = --net')
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert doctor.namespaces() == "as root"
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert missing(doctor.namespaces) == "not root, and no user namespaces: unshare: exit status 1"
    machine.has("unshare", 'test "$*" = "--user --map-root-user --net true"')
    assert doctor.namespaces() == "in a user namespace, without root"


# Specification texts


def specification(title: str) -> str:
    return f"[{title}]:\n\nA Protocol\n\n| 6/1/2024 | 99.0 | None | No changes. |\n\n# 1 Introduction\n\nA sentence.\n"


def last_check(*copies: Path) -> str:
    *_, check = examine(copies)
    assert check.name == "specification texts"
    return f"{check.ok} {check.found}"


def test_copies_are_told_with_their_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(doctor, "CORE", ())
    monkeypatch.setattr(doctor, "OPTIONAL", ())
    mine, other = tmp_path / "mine.md", tmp_path / "other.md"
    mine.write_text(specification("MS-MQSD"))
    other.write_text(specification("MS-MQQQ"))
    catalogued = doctor.load_catalogue().specification("MQSD")
    assert catalogued
    assert last_check() == "False none given"
    assert last_check(mine) == f"True MS-MQSD 99.0 (catalogued is {catalogued.revision})"
    assert last_check(mine, other) == f"False {other}: MS-MQQQ is not catalogued"
    assert last_check(tmp_path / "absent").startswith(f"False {tmp_path / 'absent'}: ")
