"""Captures, vectors and histories on a real cluster give what one machine gives; a submitted wheel does as well."""

import json
import os
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cluster_results import events_in, executors_in, octets_in_order
from long_tier import LONG
from pyspark.find_spark_home import _find_spark_home
from pyspark.sql import SparkSession
from standalone_cluster import CLI, Cluster
from worker_processes import Gate

from mqconform.reference.directory import Directory, document_from_directory
from mqconform.reports.pipeline.captures.audit import audit_captures
from mqconform.reports.pipeline.deliveries.audit import audit_log, of_streams

PROJECT = Path(__file__).parents[2]

pytestmark = [
    LONG,
    pytest.mark.cluster,
    pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc to find who writes a file"),
    pytest.mark.timeout(900),
]

FILES, DISCOVERIES = 12, 20_000
WRONG = 250


def capture(number: int) -> bytes:
    """Return discoveries of many clients, each answered; in the first file some replies have a mask that is not 0."""
    request = b"\0\1\0\0" + b"E" * 16 + bytes(16) + b"S" * 16
    reply = b"\0\2\0\0" + bytes(16) + struct.pack("<III", 1, 0, 0) + b"N" * 16
    frames = [
        packet(request, b"\x0a\1\0\0", b"\xff" * 4, 4000, 1801),
        packet(reply, b"\x0a\2\0\1", bytes(4), 1801, 4000),
    ]
    rows = np.tile(np.frombuffer(b"".join(frames), np.uint8), (DISCOVERIES, 1))
    second = len(frames[0])
    identifiers = np.random.default_rng(number).integers(0, 256, (DISCOVERIES, 16), np.uint8)
    rows[:, 44 + 20 : 44 + 36] = rows[:, second + 44 + 4 : second + 44 + 20] = identifiers
    clients = np.arange(DISCOVERIES)
    address = np.stack([clients * 0 + 10, clients * 0 + 1, clients >> 8 & 255, clients & 255], 1)
    rows[:, 28:32] = rows[:, second + 32 : second + 36] = address
    for start, later in ((0, 0), (second, 1)):
        moment = 2 * (clients + number * DISCOVERIES) + later
        seconds = np.stack([1_700_000_000 + moment // 1000, moment % 1000 * 1000], 1)
        rows[:, start : start + 8] = seconds.astype("<u4").view(np.uint8)
    if not number:
        rows[:WRONG, second + 44 + 24] = 1
    return struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101) + rows.tobytes()


def packet(payload: bytes, source: bytes, destination: bytes, source_port: int, destination_port: int) -> bytes:
    udp = struct.pack(">HHHH", source_port, destination_port, 8 + len(payload), 0) + payload
    ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0) + source + destination + udp
    return struct.pack("<IIII", 0, 0, len(ip), len(ip)) + ip


@pytest.fixture(scope="module")
def captures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("captures")
    for number in range(FILES):
        (folder / f"{number:02}.pcap").write_bytes(capture(number))
    return folder


def rows(out: Path, what: str) -> bytes:
    order = ("file", "frame") if what == "packets" else ("id",)
    table = pq.read_table(out / what)
    for place, field in enumerate(table.schema):
        table = table.set_column(place, field.name, table[field.name].cast(_plain(field.type)))
    return octets_in_order(table, *order)


def _plain(kind: Any) -> Any:
    return getattr(kind, "value_type", kind)


def test_captures_are_judged_alike_though_a_worker_dies(
    cluster: Cluster, captures: Path, spark: SparkSession, tmp_path: Path
):
    there, here = tmp_path / "there", tmp_path / "here"
    with cluster.running(["audit", "captures"], {"captures": captures, "out": there}, tmp_path / "events") as running:
        cluster.kill_a_writer(running, there / "_staging")
        output, errors = running.communicate(timeout=600)
    assert running.returncode == 1, errors
    assert "discovery packets judged" in output
    expected = audit_captures(spark, str(captures), str(here))
    assert json.loads((there / "summary.json").read_text()) == expected
    assert expected["packets"]["verdicts"]["fail"] == WRONG
    assert expected["conversations"]["verdicts"]["pass"] == FILES * DISCOVERIES
    for what in ("packets", "conversations"):
        assert rows(there, what) == rows(here, what)
    assert not (there / "_staging").exists()
    reasons = [one["Task End Reason"]["Reason"] for one in events_in(tmp_path / "events", "SparkListenerTaskEnd")]
    assert "ExecutorLostFailure" in reasons


STREAMS, MESSAGES, LOST = 4_000, 60, 40


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of ordered streams in eight files, each with a part of every stream; some messages never arrive."""
    folder = tmp_path_factory.mktemp("logs")
    stream, number = (column.ravel() for column in np.mgrid[:STREAMS, 1 : MESSAGES + 1])
    lost = (stream < LOST) & (number == MESSAGES)
    names = np.char.add("queue-", np.char.zfill(stream.astype(str), 5))
    called = np.char.add("message-", number.astype(str))
    for event, place, rows in (("sent", 0, stream >= 0), ("accepted", 1, ~lost)):
        columns = {"stream": names[rows], "message": called[rows], "sequence": number[rows]}
        position = 2 * number[rows] + place
        table = pa.table(columns | {"event": np.full(rows.sum(), event), "position": position})
        for part in range(4):
            pq.write_table(table.filter(pa.array(position // 2 % 4 == part)), folder / f"{event}-{part}.parquet")
    return folder


def test_deliveries_are_judged_alike_though_a_worker_dies_with_its_part_of_the_shuffle(
    cluster: Cluster, logs: Path, spark: SparkSession, tmp_path: Path
):
    there, here, gate = tmp_path / "there", tmp_path / "here", Gate(tmp_path / "gate")
    options = {"log": logs, "out": there, "conf": "spark.sql.files.maxPartitionBytes=4m"}
    command = ["audit", "deliveries", "--complete"]
    with cluster.running(command, options, tmp_path / "events", str(gate.python)) as running:
        cluster.kill_a_holder(running, gate)
        output, errors = running.communicate(timeout=600)
    assert running.returncode == 1, errors + output
    expected = audit_log(spark, str(logs), str(here), of_streams(complete=True, from_start=False))
    assert json.loads((there / "summary.json").read_text()) == expected
    assert expected["verdicts"] == {"pass": STREAMS - LOST, "fail": LOST, "inconclusive": 0}
    for what, order in (("streams", ["stream"]), ("findings", ["stream", "finding", "message"])):
        assert octets_in_order(pq.read_table(there / what), *order) == octets_in_order(
            pq.read_table(here / what), *order
        )
    assert not (there / "_staging").exists()
    tasks = events_in(tmp_path / "events", "SparkListenerTaskEnd")
    assert "ExecutorLostFailure" in [task["Task End Reason"]["Reason"] for task in tasks]
    again = [task for task in tasks if task["Task Type"] == "ShuffleMapTask" and task["Stage Attempt ID"]]
    assert again, "what the dead worker held for the shuffle was made again"


def local(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", CLI, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_vectors_are_the_same_octets(cluster: Cluster, tmp_path: Path):
    asked = {"enterprises": 400, "packets": 20_000, "seed": 7}
    there, here = tmp_path / "there", tmp_path / "here"
    with cluster.running(["vectors"], asked | {"out": there}, tmp_path / "events") as running:
        _, errors = running.communicate(timeout=600)
    assert running.returncode == 0, errors
    assert executors_in(tmp_path / "events") == {"0", "1"}
    done = local("vectors", "--out", here, *(word for name, value in asked.items() for word in (f"--{name}", value)))
    assert done.returncode == 0, done.stderr
    assert (there / "vectors.json").read_bytes() == (here / "vectors.json").read_bytes()
    for one in json.loads((here / "vectors.json").read_text())["files"]:
        assert (there / one["file"]).read_bytes() == (here / one["file"]).read_bytes()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the project that leaves a mark wherever it is imported."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    shutil.copytree(
        PROJECT, source, ignore=shutil.ignore_patterns(".git", "*.egg-info", "__pycache__", "build", "target")
    )
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, source]
    subprocess.run(list(map(str, command)), check=True)
    (built,) = folder.glob("*.whl")
    marked = folder / "marked" / built.name
    marked.parent.mkdir()
    mark = f"\nimport os as _os\nopen('{folder}/mark-%d' % _os.getpid(), 'w').write(__file__)\n"
    with zipfile.ZipFile(built) as whole, zipfile.ZipFile(marked, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in whole.namelist():
            octets = whole.read(name)
            copy.writestr(
                name, octets + mark.encode() if name == "mqconform/reports/pipeline/routes/row_groups.py" else octets
            )
    return marked


@pytest.mark.skipif(not (PROJECT / "examples" / "cluster").is_dir(), reason="the examples are beside a checkout alone")
def test_the_script_submits_the_wheel(cluster: Cluster, wheel: Path, three_sites: Directory, tmp_path: Path):
    (tmp_path / "enterprise.json").write_text(json.dumps(document_from_directory(three_sites)))
    gate, client, other = (f"0000000{number}-abcd-4000-8000-00000000beef" for number in (0, 3, 4))
    asked = [(client, other, gate), (client, other, other)] * 5_000
    lines = (json.dumps(dict(zip(("source", "destination", "next_hops"), one, strict=True))) for one in asked)
    (tmp_path / "decisions.jsonl").write_text("\n".join(lines) + "\n")
    environment = cluster.environment | {
        "SPARK_MASTER": cluster.url,
        "WHEEL": str(wheel),
        "EXECUTOR_MEMORY": "512m",
        "PYSPARK_PYTHON": sys.executable,
        "PATH": f"{_find_spark_home()}/bin:{os.environ['PATH']}",
    }
    given = ["--directory", "enterprise.json", "--decisions", "decisions.jsonl", "--out", "audited"]
    script = PROJECT / "examples" / "cluster" / "standalone.sh"
    done = subprocess.run(
        ["bash", str(script), *given], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr[-3000:]
    summary = json.loads((tmp_path / "audited" / "summary.json").read_text())
    assert summary["verdicts"] == {"pass": 5_000, "fail": 5_000, "inconclusive": 0}
    imported = [one.read_text() for one in wheel.parents[1].glob("mark-*")]
    assert len(imported) > 1, "driver and executors took mqconform from the wheel"
    assert sum("mqconform_wheel" in one for one in imported) == len(imported) - 1, "all but the driver as it travelled"
