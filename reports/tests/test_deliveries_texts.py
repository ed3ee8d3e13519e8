"""Texts of delivery logs: what is read by compiled loops is what everybody reads, and the rest is left alone."""

import csv
import io
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pa = pytest.importorskip("pyarrow", reason="the extra spark is not installed")

from mqconform.reports.pipeline.deliveries.bulk_texts import is_plain_csv  # noqa: E402
from mqconform.reports.pipeline.deliveries.shaping import Odd, hashes_of, integer, shaped  # noqa: E402

FEW = st.text(st.sampled_from('ab,"\\\n\r\t \0å1'), max_size=12)
NUMBERS = st.decimals(-(10**17), 10**17, places=9) | st.integers(-(10**17), 10**17).map(Decimal)
MOMENTS = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30))  # noqa: DTZ001 - gets its zone below
ZONES = st.integers(-14 * 60 + 1, 14 * 60 - 1).map(lambda minutes: timezone(timedelta(minutes=minutes)))


def moments(texts: list[str | None]) -> list[Fraction | None]:
    """What a column of times is read as, in seconds."""
    found = shaped(pa.table({"time": pa.array(texts, pa.string())}))
    keys = zip(*(found.column(name).to_pylist() for name in ("order_known", "order_0", "order_1")), strict=True)
    return [Fraction(seconds) + Fraction(rest, 10**9) if known else None for known, seconds, rest in keys]


@given(st.lists(NUMBERS, max_size=5))
def test_numbers_of_seconds_are_read_exactly(numbers: list[Decimal]):
    assert moments([f"{one:f}" for one in numbers]) == [Fraction(one) for one in numbers]


@given(st.lists(st.tuples(MOMENTS, ZONES), max_size=5), st.sampled_from("T "))
def test_moments_are_read_exactly(given_moments: list[tuple[datetime, timezone]], between: str):
    aware = [moment.replace(tzinfo=zone) for moment, zone in given_moments]
    since = [(one - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1) for one in aware]
    assert moments([one.isoformat(between) for one in aware]) == [Fraction(one, 10**6) for one in since]
    in_utc = [one.astimezone(UTC).replace(tzinfo=None).isoformat(between) for one in aware]
    for texts in (in_utc, [f"{one}Z" for one in in_utc]):
        assert moments(texts) == [Fraction(one, 10**6) for one in since]


def test_what_is_absent_or_empty_is_no_time():
    assert moments([None, "", "1"]) == [None, None, Fraction(1)]


@pytest.mark.parametrize(
    "text",
    ["x", "1e3", "+1", " 1", "1 ", "1.", ".5", "-", "--1", "1.0000000001", "1" * 19, "2026-02-29T00:00:00Z",
     "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "0000-01-01T00:00:00Z",
     "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z",
     "2026-01-01T00:00:00.1234567Z", "2026-01-01T00:00:00z", "2026-01-01T00:00:00+1:00", "2026-01-01T00:00:00+15:00",
     "2026-01-01T00:00:00+01:60", "2026-01-01T00:00:00+0100", "2026-01-01_00:00:00", "2026/01-01T00:00:00",
     "2026-01-01T00:00:00 UTC", "2026-01-01", "10:00"],
)  # fmt: skip
def test_other_times_are_left_to_spark(text: str):
    with pytest.raises(Odd, match="a form of its own"):
        moments(["1", text])


@given(st.lists(st.integers(-(2**63), 2**63 - 1).map(str) | st.text(st.sampled_from("0123456789+-. x\t"), max_size=22)))
def test_integers_are_read_one_by_one_or_all_at_once(texts: list[str]):
    found = shaped(pa.table({"sequence": pa.array(texts, pa.string()), "position": pa.array(range(len(texts)))}))
    assert found.column("sequence").to_pylist() == [integer(one) for one in texts]


@given(st.lists(FEW | st.sampled_from(["a,b\n", '"a",b\n', "a,\n", "a,b\r\n"]), max_size=6))
def test_what_is_plain_is_read_by_all_in_one_way(texts: list[str]):
    lines = "".join(texts)
    if not is_plain_csv(np.frombuffer(lines.encode(), np.uint8), 2):
        return
    quoted = [*csv.reader(io.StringIO(lines, newline=""), strict=True)]
    assert [len(row) for row in quoted] == [2] * len(quoted)
    bare = [line.removesuffix("\r").split(",") for line in lines.removesuffix("\n").split("\n")] if lines else []
    if '"' not in lines:
        assert quoted == bare
    assert len(quoted) == len(lines.removesuffix("\n").split("\n")) if lines else not quoted


@pytest.mark.parametrize(
    ("lines", "plain"),
    [
        ('a,b\n"c,d",e\nf,"g"\n', True), ("a,b\r\nc,d\r\n", True), ("a,b\nc,d", True), ("", True), (",\n", True),
        ("å,\u2028\n", True), ('a,""\n', False), ('a,"b"c\n', False), ('a, "b"\n', False), ('a,"b""c"\n', False),
        ('a,"b\nc"\n', False), ('a,"b\\c"\n', False), ("a,b\\c\n", False), ("a,b\n\nc,d\n", False),
        ("a,b\rc,d\n", False),
        ("a\n", False), ("a,b,c\n", False), ("a,\0\n", False), ('a,"b', False), ("\r\n", False), ("a,b\nc", False),
    ],
)  # fmt: skip
def test_lines_that_somebody_may_read_otherwise_are_not_plain(lines: str, plain: bool):  # noqa: FBT001 - a parameter
    assert is_plain_csv(np.frombuffer(lines.encode(), np.uint8), 2) is plain


def test_hashes_depend_on_the_text_alone():
    texts = pa.array(["a", None, "", "ab", "a", "ba", None])
    hashes = hashes_of(texts).tolist()
    assert hashes[0] == hashes[4]
    assert hashes[1] == hashes[6]
    assert len(set(hashes)) == 4 + (hashes[1] != hashes[2])
    assert hashes_of(texts.slice(3, 3)).tolist() == hashes[3:6]
    assert hashes_of(pa.array([], pa.string())).tolist() == []


@pytest.mark.parametrize("kind", [pa.float64(), pa.bool_(), pa.binary(), pa.timestamp("us"), pa.uint64()])
def test_columns_of_other_types_are_left_to_spark(kind: object):
    with pytest.raises(Odd, match="has the type"):
        shaped(pa.table({"stream": pa.nulls(2, kind), "position": pa.array([1, 2])}))


def test_texts_are_read_in_whatever_form_arrow_holds_them():
    texts = pa.array(["1", "2", None])
    for form in (texts, texts.dictionary_encode(), texts.cast(pa.large_string())):
        found = shaped(pa.table({"position": form, "stream": form, "sequence": form}))
        assert found.column("order_0").to_pylist()[:2] == found.column("sequence").to_pylist()[:2] == [1, 2]
        assert found.column("order_known").to_pylist() == [True, True, False]
        assert found.column("stream").to_pylist() == texts.to_pylist()
