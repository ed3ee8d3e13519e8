"""What killed harnesses leave is removed by the next one and named; what living ones have is left alone."""

import os
import re
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest
from container_images import load
from long_tier import LONG

from mqconform.adapters.containers import labels
from mqconform.adapters.containers.engine import Engine
from mqconform.adapters.containers.labels import LABEL, lives, sweep, this_process

PAUSE = Event()
"""Is never set."""
LOOKS, LOOK_EACH = 600, 0.05
MQCONFORM = [sys.executable, "-c", "from mqconform.harness.cli import main; main()"]
HARNESS = """
import sys
from mqconform.adapters.containers.iut import open_iut
from mqconform.adapters.containers.labels import this_process
from mqconform.harness.iut.interface import AdapterOptions, ServerFacts

print(this_process(), flush=True)
guid = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"
iut = open_iut(sys.argv[1], AdapterOptions(facts=ServerFacts(guid, guid, (), ()), discovery_port=1801))
print("started", flush=True)
sys.stdin.read()
"""


class Harness:
    """A process that has an implementation in a container, until it is killed."""

    def __init__(self, target: str) -> None:
        command = [sys.executable, "-c", HARNESS, target]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.label = self.line()

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def kill(self) -> None:
        with self.process as process:
            process.kill()


def of(engine: Engine, label: str) -> list[str]:
    """What bears a label: containers and networks."""
    wanted = {"label": f"{LABEL}={label}"}
    found = [*engine.api.containers(all=True, filters=wanted), *engine.api.networks(filters=wanted)]
    return [str(one["Id"]) for one in found]


@LONG
@pytest.mark.docker
@pytest.mark.parametrize("way", ["", "?udp&ready=60", "?udp&via=port&ready=60"])
def test_the_next_start_removes_what_a_killed_harness_left_and_not_what_lives(engine: Engine, unruly: str, way: str):
    alive, dead = Harness(unruly), Harness(f"{unruly}{way} stays")
    assert alive.line() == "started"
    # Something of it is there, and in the middle of a start more is to come.
    assert any(of(engine, dead.label) or PAUSE.wait(LOOK_EACH) for _ in range(LOOKS))
    dead.kill()
    done = subprocess.run(
        [*MQCONFORM, "smoke", "--iut", f"image:{unruly} dies"], capture_output=True, text=True, check=False
    )
    assert re.search(r"removed: \w+ mqconform-.*: its harness was killed", done.stderr)
    # What the engine was about to make when the harness died came after that.
    assert any(not of(engine, dead.label) or (sweep(engine) and PAUSE.wait(LOOK_EACH)) for _ in range(LOOKS))
    assert len(of(engine, alive.label)) == 1
    alive.kill()
    assert any(f", image {unruly} (" in line for line in sweep(engine))
    assert of(engine, alive.label) == []


@LONG
@pytest.mark.docker
@pytest.mark.usefixtures("unruly")
@pytest.mark.parametrize("label", ["", "pid=1", "\x1b[2J", "1 " * 9, "0 0 -1 0", "elsewhere"])
def test_a_container_of_another_machine_or_with_a_strange_label_is_left_alone(
    engine: Engine, label: str, monkeypatch: pytest.MonkeyPatch
):
    load(engine.api, "mqconform-tests/idle:1", {"/p": b""}, Entrypoint=["/p"])
    label = label.replace("elsewhere", f"elsewhere {this_process().partition(' ')[2]}")
    made = engine.api.create_container("mqconform-tests/idle:1", labels={LABEL: label, "evil": "\x1b]0;x\x07"})["Id"]
    try:
        (line,) = [line for line in sweep(engine) if ", mqconform-tests/idle:1 (" in line]
        assert line.startswith("left alone: container ")
        assert line.isprintable()
        assert engine.api.inspect_container(made)["Id"] == made
        monkeypatch.setattr(labels, "FORSAKEN_SECONDS", -60)
        assert [line for line in sweep(engine) if ", mqconform-tests/idle:1 (" in line and line.startswith("removed: ")]
    finally:
        labels.remove(engine, made)


def test_a_process_is_told_from_a_later_one_of_the_same_number():
    boot, space, pid, start = this_process().split()
    assert lives(this_process()) is True
    assert lives(f"{boot} {space} {pid} {int(start) + 1}") is False
    assert lives(f"{boot} {space}1 {pid} {start}") is None
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
        label = f"{boot} {space} {process.pid} {labels.start_time(process.pid)}"
    assert lives(label) is False
    assert lives(f"{boot} {space} {os.getpid()} {Path.cwd()}") is None
