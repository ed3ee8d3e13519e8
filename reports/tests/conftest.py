"""What the tests of the pipeline share: one Spark session for a whole test run."""

from collections.abc import Iterator

import pytest

from mqconform.reports.pipeline.session import SessionSettings, spark_session


@pytest.fixture(scope="session")
def spark() -> Iterator[object]:
    """A session on two cores of this machine."""
    pytest.importorskip("pyspark", reason="the extra spark is not installed")
    settings = SessionSettings("local[2]", {"spark.sql.shuffle.partitions": "2"})
    with spark_session(settings, "mqconform tests") as session:
        yield session
