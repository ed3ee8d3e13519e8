"""Hosts get their numbers and counts whatever their order, limits and processes; times get into their bins."""

import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconform.reports.pipeline.captures.bulk_addresses import BEYOND, AddressBook
from mqconform.reports.pipeline.captures.histograms import ANSWER_EDGES, count_times, histogram_record, no_histograms
from mqconform.reports.pipeline.captures.host_counts import OTHERS, HostCounts
from mqconform.reports.time_bins import bin_names, time_text, within

ADDRESSES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**64 - 1) | st.integers(0, 5)), max_size=40)
MILLISECOND = 1_000_000


def array(addresses: list[tuple[int, int]]) -> np.ndarray:
    return np.array(addresses, np.uint64).reshape(-1, 2)


@given(st.lists(ADDRESSES, max_size=5), st.integers(1, 60))
def test_addresses_are_numbered_as_they_first_occur(portions: list[list[tuple[int, int]]], most: int):
    book, known = AddressBook(most), dict[tuple[int, int], int]()
    for portion in portions:
        for one in portion:
            if one not in known and len(known) < most:
                known[one] = len(known)
        assert book.numbers(array(portion)).tolist() == [known.get(one, BEYOND) for one in portion]
    assert [tuple(one) for one in book.addresses.tolist()] == list(known)


def test_a_book_grows_over_many_portions():
    book = AddressBook()
    for start in range(0, 100_000, 777):
        numbers = np.arange(start, start + 777, dtype=np.uint64)
        assert book.numbers(np.stack([numbers * 0, numbers], 1)).tolist() == list(range(start, start + 777))
    assert len(book) == 129 * 777


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2)), max_size=60), st.integers(1, 12))
def test_counts_of_parts_add_up_to_those_of_the_whole(seen: list[tuple[int, int]], most: int):
    parts = [HostCounts(3, most) for _ in range(3)]
    for part, some in zip(parts, (seen[0::3], seen[1::3], seen[2::3]), strict=True):
        part.count(array([(0, host) for host, _ in some]), np.array([what for _, what in some], np.int64))
    whole = HostCounts(3, 100)
    for part in parts:
        whole.add(pickle.loads(pickle.dumps(part)))  # noqa: S301 - our own
    assert whole.total().tolist() == [Counter(what for _, what in seen)[what] for what in range(3)]
    if most >= 10:
        for host in range(10):
            held = Counter(what for other, what in seen if other == host)
            assert whole.of(bytes(15) + bytes([host])).tolist() == [held[what] for what in range(3)]
        assert not whole.of(OTHERS).any()


def test_a_time_on_an_edge_lies_above_it():
    counts = no_histograms().answers
    times = np.array([0, MILLISECOND - 1, MILLISECOND, 15_000 * MILLISECOND - 1, 15_000 * MILLISECOND], np.int64)
    count_times(counts, ANSWER_EDGES, array([(0, 1)] * 5), times)
    found = histogram_record(counts, ANSWER_EDGES)["counts"]
    assert (found[0], found[1], found[-2], found[-1]) == (2, 1, 1, 1)
    assert len(found) == len(ANSWER_EDGES) + 1 == len(bin_names(ANSWER_EDGES))


def test_hosts_beyond_those_that_are_told_are_told_together():
    counts = no_histograms().answers
    hosts = [(0, 0xFFFF_0A00_0000 + host) for host in range(25) for _ in range(25 - host)]
    count_times(counts, ANSWER_EDGES, array(hosts), np.full(len(hosts), MILLISECOND, np.int64))
    hosts = histogram_record(counts, ANSWER_EDGES)["hosts"]
    assert [one["host"] for one in hosts] == [f"10.0.0.{host}" for host in range(20)] + ["(others)"]
    assert hosts[-1]["counts"][1] == 5 + 4 + 3 + 2 + 1


@pytest.mark.parametrize(
    ("milliseconds", "text"), [(5, "5 ms"), (1_000, "1 s"), (14_900, "14.9 s"), (300_000, "5 min"), (1_050, "1050 ms")]
)
def test_a_time_is_said_in_its_unit(milliseconds: int, text: str):
    assert time_text(milliseconds) == text


def test_a_share_lies_under_the_edge_that_it_reaches():
    assert within((10, 20), (5, 4, 1), 0.5) == "under 10 ms"
    assert within((10, 20), (5, 4, 1), 0.9) == "under 20 ms"
    assert within((10, 20), (5, 4, 1), 0.99) == "20 ms or more"
