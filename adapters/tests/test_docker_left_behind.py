"""Harnesses that are killed leave nothing behind, and those that live are left alone."""

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Event

import container_engine
import pytest
from container_images import load
from long_tier import LONG

from mqconform.adapters.containers import reaper as docker_owner
from mqconform.adapters.containers.engine import Engine
from mqconform.adapters.containers.holder import program
from mqconform.adapters.containers.reaper import LABEL, Owner, owner_in, reap, this_process

pytestmark = [LONG, pytest.mark.docker]

KILLS = 4
PAUSE = Event()
"""Is never set."""
LOOKS, LOOK_EACH = 600, 0.05
HARNESS = """
import sys
from mqconform.adapters.containers.iut import open_iut
from mqconform.adapters.containers.reaper import this_process
from mqconform.harness.iut import AdapterOptions, ServerFacts

print(this_process().label(), flush=True)
guid = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"
iut = open_iut(sys.argv[1], AdapterOptions(facts=ServerFacts(guid, guid, (), ()), discovery_port=1801))
print("started", flush=True)
iut.call("initialize", {"protocol": 1, "harness": "tests"})
print("ready", flush=True)
sys.stdin.read()
"""


class Harness:
    """A process that has an implementation in a container, until it is killed."""

    def __init__(self, target: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HARNESS, target], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.label = self.line()

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def kill(self) -> None:
        with self.process as process:
            process.kill()

    def watchers(self) -> list[int]:
        """The processes that would clean up after it."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text("ascii").split()
        return [int(one) for one in children]


def of(engine: Engine, label: str) -> list[str]:
    """What bears a label: containers and networks."""
    wanted = {"label": f"{LABEL}={label}"}
    found = [*engine.api.containers(all=True, filters=wanted), *engine.api.networks(filters=wanted)]
    return [str(one["Id"]) for one in found]


def appeared(engine: Engine, label: str) -> bool:
    """Whether the first of it came into being: the harness is in the middle of making the rest then."""
    return any(of(engine, label) or PAUSE.wait(LOOK_EACH) for _ in range(LOOKS))


def gone(engine: Engine, label: str) -> bool:
    for _ in range(LOOKS):
        if not of(engine, label):
            return True
        PAUSE.wait(LOOK_EACH)
    return False


def test_a_harness_that_is_killed_at_any_moment_leaves_nothing(engine: Engine, unruly: str):
    ways = [f"{unruly} stays", unruly, f"{unruly}?udp&ready=60 stays", f"{unruly}?udp&via=port&ready=60 stays"]
    for number in range(KILLS):
        harness = Harness(ways[number % len(ways)])
        if number % 3:
            assert appeared(engine, harness.label)
        elif number % len(ways) < 2:
            assert harness.line() == "started"
        watchers = harness.watchers()
        harness.kill()
        assert gone(engine, harness.label), f"kill {number}: {ways[number % len(ways)]}"
        for one in watchers:
            assert ended(one)


def ended(pid: int) -> bool:
    for _ in range(LOOKS):
        with suppress(FileNotFoundError):
            if Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z":
                PAUSE.wait(LOOK_EACH)
                continue
        return True
    return False


def test_the_next_run_removes_what_even_the_watch_was_killed_over_and_not_what_lives(engine: Engine, unruly: str):
    dead, alive = Harness(f"{unruly} stays"), Harness(unruly)
    assert dead.line() == alive.line() == "started"
    watchers = dead.watchers()
    dead.process.send_signal(signal.SIGSTOP)
    for one in watchers:
        os.kill(one, signal.SIGKILL)
    dead.kill()
    assert of(engine, dead.label)
    done = subprocess.run(
        [sys.executable, "-m", "mqconform.adapters.containers.reaper"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert of(engine, dead.label) == []
    assert len(of(engine, alive.label)) == 1
    alive.kill()
    assert gone(engine, alive.label)


@pytest.mark.parametrize(
    "label", ["", "pid=1", "pid=1 start=1 boot=x space=1", "\x1b[2J", "pid=1 " * 9, "pid=-1 start=0"]
)
def test_a_container_with_a_label_that_we_did_not_write_is_left_alone(engine: Engine, label: str):
    load(engine.api, "mqconform-tests/idle:1", {"/p": program(engine.api.version()["Arch"])}, Entrypoint=["/p"])
    made = engine.api.create_container("mqconform-tests/idle:1", labels={LABEL: label, "evil": "\x1b]0;x\x07"})["Id"]
    try:
        (told,) = [one for one in reap(engine) if one.why == "its label is none of ours"]
        assert not told.removed
        assert told.name.isprintable()
        assert engine.api.inspect_container(made)["Id"] == made
    finally:
        engine.api.remove_container(made, force=True)


def test_a_container_of_a_harness_elsewhere_is_left_alone_while_it_may_live(engine: Engine):
    load(engine.api, "mqconform-tests/idle:1", {"/p": program(engine.api.version()["Arch"])}, Entrypoint=["/p"])
    here = this_process()
    elsewhere = Owner(here.pid, here.start, "0" * 8 + here.boot[8:], here.space)
    made = engine.api.create_container("mqconform-tests/idle:1", labels={LABEL: elsewhere.label()})["Id"]
    try:
        assert [one.removed for one in reap(engine) if "elsewhere" in one.why] == [False]
    finally:
        engine.api.remove_container(made, force=True)


def test_a_process_is_told_from_a_later_one_of_the_same_number():
    here = this_process()
    assert owner_in(here.label()) == here
    assert here.lives(here) is True
    assert Owner(here.pid, here.start + 1, here.boot, here.space).lives(here) is False
    assert Owner(here.pid, here.start, here.boot, here.space + 1).lives(here) is None
    with subprocess.Popen(["true"]) as process:
        assert process.stdout is None
        started = docker_owner.started(process.pid)
    assert docker_owner.started(process.pid) is None
    assert started is None or Owner(process.pid, started, here.boot, here.space).lives(here) is False


ENGINE = """
import sys
from pathlib import Path

from container_engine import start_engine

problem = start_engine(Path(sys.argv[1]))
print(problem, flush=True)
sys.stdin.read()
"""


def test_an_engine_of_the_tests_goes_with_the_test_run_that_is_killed():
    folder = Path(tempfile.mkdtemp(prefix="mqconform-engine-"))
    command = [sys.executable, "-c", ENGINE, str(folder)]
    around = os.environ | {"PYTHONPATH": str(Path(container_engine.__file__).parent)}
    around.pop("PYTEST_XDIST_WORKER", None)
    run = subprocess.Popen(command, env=around, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with run as process:
        assert process.stdout is not None
        if problem := process.stdout.readline().strip():
            process.kill()
            pytest.skip(problem)
        assert processes_of(folder)
        process.kill()
    assert all(ended(pid) for pid in processes_of(folder))
    assert not folder.exists()


def processes_of(folder: Path) -> list[int]:
    """Processes that name a folder on their command line, the engine's guardian first."""
    found = []
    for one in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if str(folder).encode() in one.read_bytes():
                found.append(int(one.parent.name))
    return sorted(found)
