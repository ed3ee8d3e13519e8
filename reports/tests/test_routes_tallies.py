"""Counts of verdicts: kept apart by what passed and what did not, they are those of a plain count, split as one may."""

import pickle
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from mqconform.reports.pipeline.routes.counting import VerdictCounts, count_pairs, count_verdicts
from mqconform.reports.pipeline.routes.kept_rows import KeptRows
from mqconform.reports.pipeline.routes.ranking import WORST, Ranked
from mqconform.reports.pipeline.routes.verdicts import FAIL, RULES, VERDICTS

MACHINES, SITES = 5, 3
SITE_OF = np.array([0, 0, 1, 2, 3, 3, 3], np.int32)
"""Of five machines, the last but one without site, and of those that the directory does not know."""
ROWS = st.lists(
    st.tuples(
        st.integers(0, len(VERDICTS) - 1),
        st.integers(0, len(RULES) - 1),
        st.sampled_from([*range(MACHINES), -2]),
        st.sampled_from([*range(MACHINES), -2]),
    )
)


def through_a_file(held: Any) -> Any:
    return pickle.loads(pickle.dumps(held))  # noqa: S301 - our own


def columns(rows: list[tuple[int, int, int, int]]) -> tuple[np.ndarray, ...]:
    kinds = (np.uint8, np.uint8, np.int32, np.int32)
    return tuple(np.array([row[place] for row in rows], kind) for place, kind in enumerate(kinds))


def counted(rows: list[tuple[int, int, int, int]]) -> tuple[np.ndarray, VerdictCounts, VerdictCounts, list[int]]:
    verdict, rule, source, destination = columns(rows)
    rules = np.zeros((len(RULES), len(VERDICTS)), np.int64)
    routers, pairs, first = VerdictCounts(MACHINES + 1), VerdictCounts((SITES + 1) ** 2), np.zeros(len(rows), np.bool_)
    count_verdicts(verdict, rule, source, rules, routers.rows, routers.others, first)
    count_pairs(verdict, source, destination, SITE_OF, pairs.rows, pairs.others)
    return rules, routers, pairs, np.flatnonzero(first).tolist()


@given(ROWS)
def test_every_row_is_counted_once_in_each_table(rows: list[tuple[int, int, int, int]]) -> None:
    rules, routers, pairs, first = counted(rows)
    by_router = Counter((source if source >= 0 else MACHINES, verdict) for verdict, _, source, _ in rows)
    by_pair = Counter(
        (int(SITE_OF[source]) * (SITES + 1) + int(SITE_OF[destination]), verdict)
        for verdict, _, source, destination in rows
    )
    assert Counter({place: n for place, n in np.ndenumerate(rules) if n}) == Counter((r, v) for v, r, _, _ in rows)
    assert {place: n for place, n in np.ndenumerate(routers.by_verdict) if n} == by_router
    assert {place: n for place, n in np.ndenumerate(pairs.by_verdict) if n} == by_pair
    failing = [(source, row) for row, (verdict, _, source, _) in enumerate(rows) if verdict == FAIL]
    assert first == sorted(dict(reversed(failing)).values())


@given(ROWS, ROWS)
def test_counts_of_parts_that_went_through_files_add_up(
    one: list[tuple[int, int, int, int]], other: list[tuple[int, int, int, int]]
) -> None:
    whole = VerdictCounts(MACHINES + 1, np.int64)
    for part in (one, other):
        whole.add(through_a_file(counted(part)[1]))
    assert (whole.by_verdict == counted([*one, *other])[1].by_verdict).all()


def test_counts_beyond_an_octet_survive_a_file() -> None:
    counts = VerdictCounts(2)
    counts.rows[:], counts.others[1] = [300, 70_000], [260, 66_000]
    assert through_a_file(counts).by_verdict.tolist() == counts.by_verdict.tolist()


@given(st.lists(st.tuples(st.text("ab", min_size=1, max_size=2), st.integers(0, 3), st.integers(0, 3)), max_size=30))
def test_the_worst_are_those_with_most_failures(found: list[tuple[str, int, int]]) -> None:
    parts = [([name], np.array([[1, fails, others]])) for name, fails, others in found]
    ranked = Ranked[str].joined(parts)
    failures = Counter[str]()
    for name, fails, _ in found:
        failures[name] += fails
    wanted = sorted((name for name in failures if failures[name]), key=lambda name: (-failures[name], name))
    assert [key for key, _ in ranked.worst()] == wanted[:WORST]
    assert {key: int(counts[FAIL]) for key, counts in ranked.worst()} == {key: failures[key] for key in wanted[:WORST]}


def batch(*names: str) -> pa.RecordBatch:
    told = {"destination": "d", "next_hops": "h", "more": "x"}
    return pa.RecordBatch.from_pydict({"source": [*names], **{name: [one] * len(names) for name, one in told.items()}})


def test_of_each_router_the_first_failing_row_is_kept() -> None:
    kept, later = KeptRows(), KeptRows()
    kept.add(batch("a", "b", "c"), np.array([0, 2]), ["a", "c"], np.zeros(3, np.int32)[[0, 2]], 100)
    kept.add(batch("a", "e"), np.array([0, 1]), ["a", "e"], np.zeros(2, np.int32), 200)
    later.add(batch("z"), np.array([0]), ["e"], np.zeros(1, np.int32), 0)
    whole = KeptRows()
    whole.merge(kept, 3)
    whole.merge(through_a_file(later), 4)
    found = [
        (router, row.split, row.row, row.columns["source"]) for router, row in whole.of({(None, "a"), (None, "e")})
    ]
    assert found == [("a", 3, 100, "a"), ("e", 3, 201, "e"), ("e", 4, 0, "z")]
    assert "more" not in next(row for _, row in whole.of({(None, "a")})).columns
    assert not [*whole.of({(1, "a")})]
