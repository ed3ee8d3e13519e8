"""Vectors generated on Spark: the same octets for any partitions; the example in JavaScript convicts a wrong router."""

import json
import shutil
import subprocess
from importlib.resources import files
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

pytest.importorskip("pyspark", reason="the extra spark is not installed")

from jsonschema import Draft202012Validator
from pyspark.sql import SparkSession

from mqconform.reference.mqsd.audit.wire_rules import WIRE_RULES
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.session import SessionSettings
from mqconform.reports.pipeline.vectors import generate
from mqconform.reports.pipeline.vectors import vectors as rows_of
from mqconform.reports.vectors.tables import Plan

EXAMPLE = Path(__file__).parents[2] / "examples" / "vectors"
WEIGHTS = {"/".join(rule.reading): "pass" for rule in WIRE_RULES if rule.reading}
PLAN = Plan(11, 110, 10, 5, 5100, WEIGHTS)

pytestmark = pytest.mark.skipif(not EXAMPLE.is_dir(), reason="the examples are beside a checkout alone")


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("vectors")
    generate(SessionSettings(), PLAN, str(out))
    return out


def test_any_number_of_partitions_gives_the_same_rows_in_both_forms(spark: SparkSession, vectors: Path):
    for table, key in (("enterprises", "enterprise"), ("decisions", "id"), ("packets", "id")):
        rows = pq.read_table(vectors / "parquet" / table).to_pylist()
        again = rows_of(spark, PLAN, table).repartition(3).collect()
        assert sorted((row.asDict(recursive=True) for row in again), key=itemgetter(key)) == rows
        assert lines(vectors, table) == [
            row | {"directory": json.loads(row["directory"])} if "directory" in row else row for row in rows
        ]


def lines(vectors: Path, table: str) -> list[Any]:
    parts = sorted((vectors / "jsonl" / table).glob("*.json"))
    return [json.loads(line) for part in parts for line in part.read_text("ascii").splitlines()]


def test_the_manifest_and_every_enterprise_have_the_documented_form(vectors: Path):
    schema = json.loads(files("mqconform.features").joinpath("schemas", "vectors.schema.json").read_text("utf-8"))
    manifest = json.loads((vectors / "vectors.json").read_text())
    Draft202012Validator({"$ref": "#/$defs/manifest", "$defs": schema["$defs"]}).validate(manifest)
    assert manifest["rows"]["enterprises"] == PLAN.enterprises
    assert manifest["rows"]["packets"] == PLAN.packets
    judge = Draft202012Validator({"$ref": "#/$defs/enterprise", "$defs": schema["$defs"]})
    assert all(judge.is_valid(line) for line in lines(vectors, "enterprises")[:50])


def checked(vectors: Path, implementation: Path) -> "subprocess.CompletedProcess[str]":
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: apt-get install nodejs")
    return subprocess.run(
        [node, str(EXAMPLE / "check.mjs"), str(vectors), str(implementation)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_an_implementation_in_javascript_passes(vectors: Path):
    done = checked(vectors, EXAMPLE / "implementation.mjs")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 fail" in done.stdout


def test_a_broken_implementation_is_convicted(vectors: Path, tmp_path: Path):
    text = (EXAMPLE / "implementation.mjs").read_text()
    broken = tmp_path / "broken.mjs"
    for right, wrong, requirement in (
        ("get(here) + cost", "get(here) + 1", "MQBR-3.1.5.3-B10"),
        ("little(4, 2)", "big(4, 2)", "EnterpriseID"),
    ):
        assert right in text
        broken.write_text(text.replace(right, wrong))
        done = checked(vectors, broken)
        assert done.returncode == 1, done.stdout + done.stderr
        assert requirement in done.stdout


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UnusableInput, match="is not empty"):
        generate(SessionSettings("local[1]"), PLAN, str(tmp_path))
