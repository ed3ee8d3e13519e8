"""The example of a stream loses nothing and judges nothing twice, although it is killed again and again."""

import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from long_tier import long
from pyspark.sql import SparkSession
from result_records import guid

PROGRAM = Path(__file__).parents[2] / "examples" / "stream" / "judge_decisions.py"
ENTERPRISE = {
    "enterprise": {"name": "Nordic"},
    "sites": [{"name": "Oslo", "site_gates": [guid(0)]}, {"name": "Bergen", "site_gates": [guid(1)]}],
    "routing_links": [{"id": "a", "site1": "Oslo", "site2": "Bergen", "cost": 1}],
    "queue_managers": [
        {"id": guid(0), "name": "gate-Oslo", "sites": ["Oslo"], "routing_server": True},
        {"id": guid(1), "name": "gate-Bergen", "sites": ["Bergen"], "routing_server": True},
        {"id": guid(3), "name": "client", "sites": ["Oslo"], "routing_server": False},
    ],
}
KILLS = 3


def decision(number: int) -> dict[str, Any]:
    """Return a decision; every seventh is wrong."""
    hop = guid(3) if number % 7 == 0 else guid(1)
    time = f"2026-01-{1 + number % 28:02d}T00:00:00Z"  # in no order
    return {"id": str(number), "time": time, "source": guid(0), "destination": guid(1), "next_hops": [hop]}


class Recorder:
    """Moves files of decisions into a folder; a fifth of the decisions arrive again, some much later."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.random, self.files, self.count = folder, random.Random(7), 0, 0
        folder.mkdir()

    def write(self, decisions: int) -> None:
        numbers = list(range(self.count, self.count + decisions))
        self.count += decisions
        numbers += self.random.choices(range(self.count), k=decisions // 5)
        self.random.shuffle(numbers)
        draft = self.folder.parent / "draft"
        draft.write_text("".join(json.dumps(decision(number)) + "\n" for number in numbers), "utf-8")
        draft.rename(self.folder / f"{self.files:05d}.json")
        self.files += 1


def batches(checkpoint: Path) -> int:
    """Return how many batches have begun."""
    return len([one for one in checkpoint.glob("offsets/*") if one.name.isdigit()])


@pytest.fixture
def stream(tmp_path: Path) -> Iterator[Any]:
    """A function that starts the program in a group of processes of its own."""
    (tmp_path / "enterprise.json").write_text(json.dumps(ENTERPRISE), "utf-8")
    started: list[subprocess.Popen[bytes]] = []

    def start(*more: str) -> subprocess.Popen[bytes]:
        folders = ("--directory", "enterprise.json", "--decisions", "in", "--out", "out", "--checkpoint", "checkpoint")
        command = [sys.executable, str(PROGRAM), *folders, "--files", "2", *more]
        with (tmp_path / "log").open("ab") as log:
            one = subprocess.Popen(command, cwd=tmp_path, start_new_session=True, stdout=log, stderr=log)
        started.append(one)
        return one

    yield start
    for one in started:
        kill(one)


def kill(program: "subprocess.Popen[bytes]") -> None:
    """Kill a program with its JVM and its workers, if it still runs."""
    if program.poll() is None:
        os.killpg(program.pid, signal.SIGKILL)
        program.wait()


@long
def test_nothing_is_lost_and_nothing_judged_twice(stream: Any, spark: SparkSession, tmp_path: Path):
    recorder, pause, chance = Recorder(tmp_path / "in"), Event(), random.Random(3)
    for _ in range(KILLS):
        for _ in range(6):
            recorder.write(200)
        program, before = stream(), batches(tmp_path / "checkpoint")
        while batches(tmp_path / "checkpoint") <= before:
            assert program.poll() is None, (tmp_path / "log").read_text("utf-8")[-3_000:]
            pause.wait(0.1)
        pause.wait(chance.uniform(0, 3))  # within a batch, or between two
        kill(program)
    recorder.write(200)
    assert stream("--once").wait() == 0, (tmp_path / "log").read_text("utf-8")[-3_000:]

    verdicts = spark.read.parquet(str(tmp_path / "out")).select("id", "verdict", "rule").collect()
    assert Counter(row["id"] for row in verdicts) == Counter(map(str, range(recorder.count)))
    assert {row["id"] for row in verdicts if row["verdict"] == "fail"} == {str(n) for n in range(0, recorder.count, 7)}
    assert {row["rule"] for row in verdicts} == {"via-next-site"}
