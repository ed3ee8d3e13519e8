"""Columns of an audit of captures are written as the same octets each time, with nothing that was in memory before."""

import io

import numpy as np
import pytest

pytest.importorskip("numba", reason="the extra spark is not installed")

import pyarrow as pa
import pyarrow.parquet as pq

from mqconform.reports.pipeline.captures.columns import words

TEXTS = ("", "MQSD-2.2.1-01", "MQSD-2.2.1-01", "MQSD-2.2.1-02", "MQSD-2.2.1-01")


def test_numbers_that_stand_for_the_same_text_share_one_entry_of_the_dictionary():
    numbers = np.array([4, 3, 2, 1, 0], np.int32)
    column = words(numbers, TEXTS, numbers > 0)
    assert column.to_pylist() == ["MQSD-2.2.1-01", "MQSD-2.2.1-02", "MQSD-2.2.1-01", "MQSD-2.2.1-01", None]
    assert column.dictionary.to_pylist() == ["", "MQSD-2.2.1-01", "MQSD-2.2.1-02"]
    assert words(numbers, TEXTS).to_pylist() == [TEXTS[number] for number in numbers]


def test_a_page_of_texts_holds_texts_alone():
    """Texts are longer than what a page of them would leave open, each entry is its length and itself."""
    out, texts = io.BytesIO(), ("x", *("MQSD-2.2.1-01",) * 100)
    pq.write_table(pa.table({"requirement": words(np.arange(101, dtype=np.int32), texts)}), out, compression="none")
    column = pq.ParquetFile(out).metadata.row_group(0).column(0)
    page = column.data_page_offset - column.dictionary_page_offset
    assert page < 2 * (4 + 13) + 64  # and its header
