"""Deliveries on a real cluster give what one machine gives; a submitted wheel does as well."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cluster_results import events_in, octets_in_order
from long_tier import LONG
from pyspark.find_spark_home import _find_spark_home
from pyspark.sql import SparkSession
from standalone_cluster import Cluster
from worker_processes import Gate

from mqconform.reference.directory import Directory, document_from_directory
from mqconform.reports.pipeline.deliveries.audit import audit_log, of_streams

PROJECT = Path(__file__).parents[2]

pytestmark = [
    LONG,
    pytest.mark.cluster,
    pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc to find who writes a file"),
    pytest.mark.timeout(900),
]


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
