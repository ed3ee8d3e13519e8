"""The audit from DataFrame to DataFrame, on ten rows."""

from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.testing import assertDataFrameEqual, assertSchemaEqual
from result_records import guid

from mqconform.reference.directory import Directory
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.routes import frames
from mqconform.reports.pipeline.routes.enterprise import DirectoryVersion, Enterprise

DECISIONS = "source string, destination string, next_hops array<string>, seen int"
VERDICTS = f"{DECISIONS}, verdict string, rule string, requirement string"
COUNTS = "pass long not null, fail long not null, inconclusive long not null"

TEN_ROWS: list[tuple[Any, ...]] = [
    (guid(3), guid(4), [guid(0)], 0, "pass", "via-server", "MQBR-3.1.5.1-B10"),
    (guid(3), guid(4), [guid(4)], 1, "fail", "via-server", "MQBR-3.1.5.1-B10"),
    (guid(3), guid(6), [guid(6)], 2, "pass", "client-direct", "MQBR-3.1.5.1-B09"),
    (guid(6), guid(5), [guid(0)], 3, "pass", "out-list", "MQBR-3.1.5.1-B05"),
    (guid(6), guid(5), [guid(1)], 4, "fail", "out-list", "MQBR-3.1.5.1-B05"),
    (guid(0), guid(5), [guid(1)], 5, "pass", "via-next-site", "MQBR-3.1.5.3-B10"),
    (guid(0), guid(5), [guid(2)], 6, "fail", "via-next-site", "MQBR-3.1.5.3-B10"),
    (guid(9), guid(5), None, 7, "pass", "unknown", "MQBR-3.1.5.1-B01"),
    ("nobody", guid(5), [guid(2)], 8, "inconclusive", "unreadable-source", None),
    (guid(0), guid(5), ["?"], 9, "inconclusive", "unreadable-hops", None),
]


@pytest.fixture
def enterprise(three_sites: Directory) -> Enterprise:
    return Enterprise((DirectoryVersion(None, three_sites),))


@pytest.fixture
def verdicts(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame(TEN_ROWS, VERDICTS)


def test_each_decision_gets_its_verdict_rule_and_requirement(spark: SparkSession, enterprise: Enterprise):
    decisions = spark.createDataFrame([row[:4] for row in TEN_ROWS], DECISIONS)
    judged = frames.judge_routes(decisions, enterprise)
    assertDataFrameEqual(judged, spark.createDataFrame(TEN_ROWS, VERDICTS), checkRowOrder=True)
    assertSchemaEqual(judged.schema, spark.createDataFrame([], VERDICTS).schema)


def test_decisions_without_hops_are_refused(spark: SparkSession, enterprise: Enterprise):
    decisions = spark.createDataFrame([(guid(0), guid(1))], "source string, destination string")
    with pytest.raises(UnusableInput, match="column next_hops is missing"):
        frames.judge_routes(decisions, enterprise)


def test_columns_that_name_no_machine_or_are_there_already_are_refused(spark: SparkSession, enterprise: Enterprise):
    for columns, complaint in (
        ("source string, destination string, next_hops map<string,string>", "column next_hops holds map"),
        (f"{DECISIONS}, verdict string", "column verdict is there already"),
    ):
        with pytest.raises(UnusableInput, match=complaint):
            frames.judge_routes(spark.createDataFrame([], columns), enterprise)


def test_verdicts_are_counted_by_requirement(spark: SparkSession, verdicts: DataFrame):
    expected = [
        ("MQBR-3.1.5.1-B01", 1, 0, 0),
        ("MQBR-3.1.5.1-B05", 1, 1, 0),
        ("MQBR-3.1.5.1-B09", 1, 0, 0),
        ("MQBR-3.1.5.1-B10", 1, 1, 0),
        ("MQBR-3.1.5.3-B10", 1, 1, 0),
    ]
    counted = frames.counted(verdicts.where("requirement is not null"), "requirement")
    assertDataFrameEqual(counted, spark.createDataFrame(expected, f"requirement string, {COUNTS}"))
