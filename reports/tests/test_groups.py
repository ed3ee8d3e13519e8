"""Groups of rows are handed on whole, whatever batches they come in."""

import pytest

pa = pytest.importorskip("pyarrow", reason="the extra spark is not installed")
pytest.importorskip("pyspark", reason="the extra spark is not installed")

from mqconform.reports.pipeline.groups import GROUP, whole_groups  # noqa: E402


def tables(batches: list[list[int]], together: int) -> list[list[int]]:
    made = [pa.RecordBatch.from_pydict({GROUP: pa.array(groups, pa.int64())}) for groups in batches]
    return [table.column(GROUP).to_pylist() for table in whole_groups(made, together)]


def test_a_table_ends_where_a_group_does():
    assert tables([[1, 1, 2], [2, 2, 3], [3, 4, 4]], 3) == [[1, 1, 2, 2, 2], [3, 3, 4, 4]]


def test_a_table_ends_between_batches_where_a_group_does():
    assert tables([[1, 1], [2, 2], [3]], 2) == [[1, 1], [2, 2], [3]]


def test_a_group_longer_than_a_table_stays_whole():
    assert tables([[1, 1], [1, 1], [1, 2]], 2) == [[1, 1, 1, 1, 1], [2]]


def test_no_rows_are_no_table():
    assert tables([], 1) == tables([[]], 1) == []
