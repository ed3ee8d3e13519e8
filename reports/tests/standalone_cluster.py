"""A master and two workers of Spark on loopback, each a process of these tests, and commands that run on them.

Workers share no temporary folder, neither with each other nor with the driver: each has its own in a mount namespace,
and from ours sees the data of the tests and the installed software alone.
"""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pyspark.find_spark_home import _find_spark_home
from worker_processes import Gate, descendants, kill_whole, parts_of_a_shuffle, writes_below

from mqconform.reports.pipeline.java import find_java, java_home_for_spark

PROJECT = Path(__file__).parents[2]
ALONE = """
set -e
temporary=$1; shift
handles=()
while [ "$1" != -- ]; do exec {handle}<"$1"; handles+=("$handle" "$1"); shift; done; shift
mount -t tmpfs private "$temporary"
for ((place = 0; place < ${#handles[@]}; place += 2)); do
    mkdir -p "${handles[place + 1]}"
    mount --no-canonicalize --bind "/proc/self/fd/${handles[place]}" "${handles[place + 1]}"
done
exec "$@"
"""
"""Gives a program a temporary folder of its own, with some folders of the one that was there before."""

CLI = "import sys; from mqconform.harness.cli import main; main(sys.argv[1:])"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def awaited(found: Callable[[], Any], what: str, seconds: float = 600) -> Any:
    """Return what is found before the time is up; nothing is judged by how long it takes."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError, ValueError):
            if result := found():
                return result
    pytest.fail(f"{what}: not within {seconds} s")


def why_workers_are_not_alone() -> str:
    """Return why a worker cannot have a temporary folder of its own here; empty where it can."""
    if shutil.which("unshare") is None:
        return "no unshare, by which each worker gets a temporary folder of its own"
    command = ["unshare", "--mount", "mount", "-t", "tmpfs", "private", tempfile.gettempdir()]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"no mount namespaces for the workers: {tried.stderr.strip()}" if tried.returncode else ""


class Cluster:
    """A master and its workers, each a process of this test."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.environment = os.environ | {
            "JAVA_HOME": str(java_home_for_spark(find_java(os.environ), folder)),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_LOCAL_DIRS": tempfile.gettempdir(),  # also where TMPDIR names another folder than Java's
            "SPARK_NO_DAEMONIZE": "1",
        }
        self._port, self._web_port = free_port(), free_port()
        self.url = f"spark://127.0.0.1:{self._port}"
        ports = ["--port", str(self._port), "--webui-port", str(self._web_port)]
        self._master = self._started("master.Master", *ports)
        awaited(self._state, "the master answers")
        self.workers: list[subprocess.Popen[bytes]] = []
        self.fill()

    def fill(self) -> None:
        """See that two workers are there: what a test kills, the next one has again."""
        self.workers = [one for one in self.workers if one.poll() is None]
        while len(self.workers) < 2:
            work = f"{tempfile.gettempdir()}/work-{free_port()}"
            size = ["--cores", "1", "--memory", "1g", "--webui-port", str(free_port()), "--work-dir", work]
            self.workers.append(self._started("worker.Worker", *size, self.url))
        awaited(lambda: self.alive() == 2, "two workers register")

    def _started(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        launcher = [f"{_find_spark_home()}/bin/spark-class", f"org.apache.spark.deploy.{what}", "--host", "127.0.0.1"]
        with (self._folder / f"{what}-{free_port()}.log").open("wb") as log:
            alone = self._alone() if what.startswith("worker") else []
            command = [*alone, "bash", *launcher, *arguments]
            return subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)

    def _alone(self) -> list[str]:
        """Return what gives a program that follows a temporary folder of its own."""
        temporary = Path(tempfile.gettempdir())
        needed = self._folder.parent, PROJECT, Path(sys.prefix), Path(sys.base_prefix)
        shared = [str(folder) for folder in needed if temporary in folder.parents]
        return ["unshare", "--mount", "bash", "-c", ALONE, "alone", str(temporary), *shared, "--"]

    def _state(self) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{self._web_port}/json/", timeout=5) as answer:
            return json.load(answer)

    def alive(self) -> int:
        """Return how many workers the master counts on."""
        return sum(one["state"] == "ALIVE" for one in self._state()["workers"])

    def stop(self) -> None:
        for process in (*self.workers, self._master):
            process.kill()
            process.wait()

    @contextlib.contextmanager
    def running(
        self, words: list[str], options: Mapping[str, Any], events: Path, python: str = sys.executable
    ) -> Iterator[subprocess.Popen[str]]:
        """Run a command of mqconform on the cluster, Spark's events kept in a folder; executors use a Python."""
        events.mkdir()
        conf = {
            "spark.executor.memory": "512m",
            # Executors of one host read each other's shuffle from its disk; ours have a disk each, as hosts do.
            "spark.shuffle.readHostLocalDisk": "false",
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": events.as_uri(),
            "spark.eventLog.rolling.enabled": "false",
            "spark.eventLog.compress": "false",
            # No task starts before both executors are there: without cores.max the ratio is one of nothing.
            "spark.cores.max": "2",
            "spark.scheduler.minRegisteredResourcesRatio": "1.0",
            "spark.scheduler.maxRegisteredResourcesWaitingTime": "600s",
        }
        given = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        given += [word for key, value in conf.items() for word in ("--conf", f"{key}={value}")]
        command = [sys.executable, "-c", CLI, *words, *given, "--master", self.url]
        environment = os.environ | {"PYSPARK_PYTHON": python}
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as started:
            yield started

    def kill_a_writer(self, running: subprocess.Popen[str], folder: Path) -> None:
        """Wait until a process below a worker writes into a folder; kill that worker and all below it then."""
        worker, _ = awaited(lambda: self._stopped_writer(running, folder), "some task writes its output")
        kill_whole(worker)

    def kill_a_holder(self, running: subprocess.Popen[str], gate: Gate) -> None:
        """Kill a worker whose task waits for its Python, as that of the other does; then let the Pythons start.

        Spark alone reads and exchanges the rows, and a task that judges them needs Python: while all of these wait, the
        exchange is over, nobody has got what came of it, and each worker holds what its own tasks gave.
        """

        def waits() -> subprocess.Popen[bytes] | None:
            assert running.poll() is None, "the command ended before a task waited for its Python"
            waiting = gate.waiting()
            return next((worker for worker in self.workers if waiting & set(descendants(worker.pid))), None)

        worker = awaited(waits, "a task waits for its Python")
        assert parts_of_a_shuffle(worker), "the worker holds no part of the shuffle"
        kill_whole(worker)
        gate.open()

    def _stopped_writer(
        self, running: subprocess.Popen[str], folder: Path
    ) -> tuple[subprocess.Popen[bytes], list[int]] | None:
        """Stop a process that is writing; return its worker and all that the worker has started."""
        assert running.poll() is None, "the command ended before anybody was seen writing"
        for worker in self.workers:
            below = descendants(worker.pid)
            for process in below:
                if not writes_below(folder, process):
                    continue
                os.kill(process, signal.SIGSTOP)
                if writes_below(folder, process):  # still: it was not done when it was stopped
                    return worker, below
                os.kill(process, signal.SIGCONT)
        return None
