"""Vectors generated on Spark: the same octets for any partitions; the example in JavaScript convicts a wrong router."""

import hashlib
import json
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="the extra spark is not installed")

from jsonschema import Draft202012Validator
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from mqconform.reference.mqsd.audit.wire_rules import WIRE_RULES
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.session import SessionSettings
from mqconform.reports.pipeline.vectors import command
from mqconform.reports.pipeline.vectors.command import FILES, generated
from mqconform.reports.vectors.plan import Plan

EXAMPLE = Path(__file__).parents[2] / "examples" / "vectors"
WEIGHTS = {"/".join(rule.reading): "pass" for rule in WIRE_RULES if rule.reading}
PLAN = Plan(11, 110, 10, 5, 5100, WEIGHTS)

pytestmark = pytest.mark.skipif(not EXAMPLE.is_dir(), reason="the examples are beside a checkout alone")


@pytest.fixture(scope="module")
def vectors(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("vectors")
    rows = written(spark, out, 4)
    (out / "vectors.json").write_text(json.dumps(command.manifest_of(PLAN, rows)))
    return out


def written(spark: SparkSession, out: Path, partitions: int) -> list[dict[str, Any]]:
    chunks = spark.createDataFrame([(one,) for one in range(PLAN.chunks)], "chunk long").repartition(partitions)
    found = generated(chunks, PLAN, str(out))
    assert found.schema == from_arrow_schema(FILES)
    return sorted((row.asDict() for row in found.collect()), key=lambda one: one["file"])


def test_any_number_of_partitions_gives_the_same_octets(spark: SparkSession, vectors: Path, tmp_path: Path):
    there = json.loads((vectors / "vectors.json").read_text())["files"]
    assert written(spark, tmp_path, 1) == there
    for one in there:
        octets = (vectors / one["file"]).read_bytes()
        assert (one["octets"], one["sha256"]) == (len(octets), hashlib.sha256(octets).hexdigest())
        assert octets == (tmp_path / one["file"]).read_bytes()
    assert sorted(str(file.relative_to(vectors)) for file in vectors.rglob("*.*") if file.name != "vectors.json") == [
        one["file"] for one in there
    ]


def test_the_manifest_and_every_enterprise_have_the_documented_form(vectors: Path):
    schema = json.loads(files("mqconform.features").joinpath("schemas", "vectors.schema.json").read_text("utf-8"))
    manifest = json.loads((vectors / "vectors.json").read_text())
    Draft202012Validator({"$ref": "#/$defs/manifest", "$defs": schema["$defs"]}).validate(manifest)
    assert manifest["rows"]["enterprises"] == PLAN.enterprises
    assert manifest["rows"]["packets"] == PLAN.packets
    judge = Draft202012Validator({"$ref": "#/$defs/enterprise", "$defs": schema["$defs"]})
    lines = (vectors / "jsonl" / "enterprises" / "000000.jsonl").read_text().splitlines()
    assert all(judge.is_valid(json.loads(line)) for line in lines)


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
        command.generate(SessionSettings("local[1]"), PLAN, tmp_path)


def test_files_that_the_driver_does_not_see_are_an_error(tmp_path: Path):
    with pytest.raises(UnusableInput, match="name a folder that all machines share"):
        command.check_seen(tmp_path, [{"file": "jsonl/packets/000000.jsonl", "octets": 1}])
