"""The benchmark runs from its command line on a tiny size, and says what it measured."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from long_tier import long

pytest.importorskip("numba")

COMMAND = Path(__file__).parents[2] / "benchmarks" / "routing.py"


@long
def test_the_benchmark_measures_every_table_on_a_tiny_size(tmp_path: Path):
    figures = tmp_path / "figures.json"
    size = ["--sites", "30", "--costs", "9", "--all-roots", "20", "--enterprise", "10", "60", "--rows", "200"]
    ran = subprocess.run(
        [sys.executable, str(COMMAND), *size, "--runs", "1", "--json", str(figures)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert ran.returncode == 0, ran.stderr
    written = json.loads(figures.read_text())
    assert [table["title"].split(",")[0] for table in written["tables"]][:2] == ["one root", "all roots"]
    for table in written["tables"]:
        assert all(seconds > 0 for seconds in table["median_seconds"].values())
    assert set(written["tables"][0]["median_seconds"]) >= {"mqconform", "mqconform, all allowed"}
    for name in written["not_measured"]:
        assert name in ran.stdout
        assert name not in written["tables"][0]["median_seconds"]
