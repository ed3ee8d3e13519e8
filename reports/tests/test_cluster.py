"""A real cluster of a master and two workers on loopback gives what one machine gives, even if a worker dies."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.find_spark_home import _find_spark_home
from pyspark.sql import SparkSession

from mqconform.reference.directory import Directory, document_from_directory
from mqconform.reports.pipeline.java import find_java, java_home_for_spark
from mqconform.reports.pipeline.routes.audit import audit_routes
from mqconform.reports.pipeline.routes.enterprise import DirectoryVersion, Enterprise

pytestmark = [
    pytest.mark.skipif("MQCONFORM_CLUSTER" not in os.environ, reason="takes a minute; set MQCONFORM_CLUSTER=1"),
    pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc to find who writes a file"),
    pytest.mark.timeout(900),
]

ROWS = 960_000
CLI = "import sys; from mqconform.harness.cli import main; main(sys.argv[1:])"


def guid(number: int) -> str:
    return f"0000000{number}-abcd-4000-8000-00000000beef"


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


class Cluster:
    """A master and its workers, each a process of this test."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._environment = os.environ | {
            "JAVA_HOME": str(java_home_for_spark(find_java(os.environ), folder)),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_NO_DAEMONIZE": "1",
        }
        self._port, self._web_port = free_port(), free_port()
        self.url = f"spark://127.0.0.1:{self._port}"
        ports = ["--port", str(self._port), "--webui-port", str(self._web_port)]
        self._processes = [self._started("master.Master", *ports)]
        awaited(self._state, "the master answers")
        self.workers = [self._worker(), self._worker()]
        awaited(lambda: self.alive() == 2, "two workers register")

    def _worker(self) -> subprocess.Popen[bytes]:
        work = self._folder / f"work-{len(self._processes)}"
        size = ["--cores", "1", "--memory", "1g", "--webui-port", str(free_port()), "--work-dir", str(work)]
        self._processes.append(self._started("worker.Worker", *size, self.url))
        return self._processes[-1]

    def _started(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        launcher = [f"{_find_spark_home()}/bin/spark-class", f"org.apache.spark.deploy.{what}", "--host", "127.0.0.1"]
        with (self._folder / f"{what}-{free_port()}.log").open("wb") as log:
            command = ["bash", *launcher, *arguments]
            return subprocess.Popen(command, env=self._environment, stdout=log, stderr=log)

    def _state(self) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{self._web_port}/json/", timeout=5) as answer:
            return json.load(answer)

    def alive(self) -> int:
        """Return how many workers the master counts on."""
        return sum(one["state"] == "ALIVE" for one in self._state()["workers"])

    def stop(self) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    held = Cluster(tmp_path_factory.mktemp("cluster"))
    yield held
    held.stop()


@pytest.fixture(scope="module")
def decisions(tmp_path_factory: pytest.TempPathFactory, three_sites: Directory) -> Path:
    """Two right decisions to each wrong one, and the enterprise beside them."""
    folder = tmp_path_factory.mktemp("decisions")
    (folder / "enterprise.json").write_text(json.dumps(document_from_directory(three_sites)))
    columns = [[guid(3), guid(0), guid(6)], [guid(4), guid(5), guid(5)], [guid(0), guid(2), guid(0)]]
    wide = [pa.array(column).take(pa.array([row % 3 for row in range(ROWS)])) for column in columns]
    table = pa.table([*wide, pa.array(range(ROWS))], ["source", "destination", "next_hops", "at"])
    pq.write_table(table, folder / "decisions.parquet", row_group_size=ROWS // 16)
    return folder


@contextlib.contextmanager
def audit(cluster: Cluster, decisions: Path, out: Path) -> Iterator[subprocess.Popen[str]]:
    """Run the command on the cluster, its events kept beside the output."""
    events = out.with_suffix(".events")
    events.mkdir()
    given = {"directory": decisions / "enterprise.json", "decisions": decisions / "decisions.parquet", "out": out}
    conf = {
        "spark.executor.memory": "512m",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": events.as_uri(),
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.compress": "false",
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
    }
    words = [word for name, value in given.items() for word in (f"--{name}", str(value))]
    words += [word for key, value in conf.items() for word in ("--conf", f"{key}={value}")]
    command = [sys.executable, "-c", CLI, "audit", "routes", *words, "--master", cluster.url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        yield running


def finished(running: subprocess.Popen[str]) -> None:
    output, errors = running.communicate(timeout=240)
    assert running.returncode == 1, errors
    assert output.startswith(f"{ROWS:,} decisions: ")


def events_of(out: Path, kind: str) -> list[dict[str, Any]]:
    (log,) = (one for one in out.with_suffix(".events").iterdir() if one.is_file() and not one.name.startswith("."))
    return [event for event in map(json.loads, log.read_text().splitlines()) if event["Event"] == kind]


def sums(out: Path) -> dict[str, Any]:
    return {key: value for key, value in json.loads((out / "summary.json").read_text()).items() if key != "routers"}


def verdicts(out: Path) -> pa.Table:
    return pq.read_table(out / "verdicts").sort_by("at")


@pytest.fixture(scope="module")
def expected(spark: SparkSession, decisions: Path, three_sites: Directory) -> Path:
    """What one machine finds."""
    out = decisions / "local"
    enterprise = Enterprise((DirectoryVersion(None, three_sites),))
    audit_routes(spark, enterprise, str(decisions / "decisions.parquet"), str(out))
    return out


def test_two_workers_find_what_one_machine_finds(cluster: Cluster, decisions: Path, expected: Path, tmp_path: Path):
    out = tmp_path / "out"
    with audit(cluster, decisions, out) as running:
        finished(running)
    assert sums(out) == sums(expected)
    assert verdicts(out).equals(verdicts(expected))
    ended = events_of(out, "SparkListenerTaskEnd")
    assert {one["Task Info"]["Executor ID"] for one in ended} == {"0", "1"}


def test_a_worker_killed_in_the_middle_of_a_file_loses_nothing(
    cluster: Cluster, decisions: Path, expected: Path, tmp_path: Path
):
    out = tmp_path / "out"
    with audit(cluster, decisions, out) as running:
        worker, stopped = awaited(lambda: stopped_writer(cluster, running, out), "some task writes its verdicts")
        for process in (worker.pid, *stopped):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        finished(running)
    assert sums(out) == sums(expected)
    assert verdicts(out).equals(verdicts(expected))
    assert not (out / "_staging").exists()
    reasons = [one["Task End Reason"]["Reason"] for one in events_of(out, "SparkListenerTaskEnd")]
    assert "ExecutorLostFailure" in reasons
    assert reasons.count("Success") == 8


def stopped_writer(
    cluster: Cluster, running: subprocess.Popen[str], out: Path
) -> tuple[subprocess.Popen[bytes], list[int]] | None:
    """Stop a process that is writing verdicts; return its worker and all that the worker has started."""
    assert running.poll() is None, "the audit ended before anybody was seen writing"
    folder = out / "_staging"
    for worker in cluster.workers:
        below = descendants(worker.pid)
        for process in below:
            if not writes_below(folder, process):
                continue
            os.kill(process, signal.SIGSTOP)
            if writes_below(folder, process):  # still: it was not done when it was stopped
                return worker, below
            os.kill(process, signal.SIGCONT)
    return None


def writes_below(folder: Path, process: int) -> bool:
    with contextlib.suppress(OSError):
        return any(str(one.readlink()).startswith(str(folder)) for one in Path(f"/proc/{process}/fd").iterdir())
    return False


def descendants(process: int) -> list[int]:
    """Return the processes below one, those that others started before what they started."""
    found = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            children = [int(child) for child in (thread / "children").read_text().split()]
            found += [one for child in children for one in (child, *descendants(child))]
    return found
