"""A real cluster of a master and two workers on loopback gives what one machine gives, though a worker dies."""

import json
import subprocess
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cluster_results import events_in, octets_in_order
from long_tier import LONG
from pyspark.sql import SparkSession
from result_records import guid
from standalone_cluster import Cluster

from mqconform.reference.directory import Directory, document_from_directory
from mqconform.reports.pipeline.routes.audit import audit_routes
from mqconform.reports.pipeline.routes.enterprise import DirectoryVersion, Enterprise

pytestmark = [
    LONG,
    pytest.mark.cluster,
    pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc to find who writes a file"),
    pytest.mark.timeout(900),
]

ROWS = 960_000


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


def audit(cluster: Cluster, decisions: Path, out: Path) -> AbstractContextManager[subprocess.Popen[str]]:
    """Run the command on the cluster, its events kept beside the output."""
    given = {"directory": decisions / "enterprise.json", "decisions": decisions / "decisions.parquet", "out": out}
    return cluster.running(["audit", "routes"], given, out.with_suffix(".events"))


def finished(running: subprocess.Popen[str]) -> None:
    output, errors = running.communicate(timeout=240)
    assert running.returncode == 1, errors
    assert output.startswith(f"{ROWS:,} decisions: ")


def sums(out: Path) -> dict[str, Any]:
    return {key: value for key, value in json.loads((out / "summary.json").read_text()).items() if key != "routers"}


def verdicts(out: Path) -> bytes:
    return octets_in_order(pq.read_table(out / "verdicts"), "at")


@pytest.fixture(scope="module")
def expected(spark: SparkSession, decisions: Path, three_sites: Directory) -> Path:
    """What one machine finds."""
    out = decisions / "local"
    enterprise = Enterprise((DirectoryVersion(None, three_sites),))
    audit_routes(spark, enterprise, str(decisions / "decisions.parquet"), str(out))
    return out


def test_a_worker_killed_in_the_middle_of_a_file_loses_nothing(
    cluster: Cluster, decisions: Path, expected: Path, tmp_path: Path
):
    out = tmp_path / "out"
    with audit(cluster, decisions, out) as running:
        cluster.kill_a_writer(running, out / "_staging")
        finished(running)
    assert sums(out) == sums(expected)
    assert verdicts(out) == verdicts(expected)
    assert not (out / "_staging").exists()
    reasons = [
        one["Task End Reason"]["Reason"] for one in events_in(out.with_suffix(".events"), "SparkListenerTaskEnd")
    ]
    assert "ExecutorLostFailure" in reasons
