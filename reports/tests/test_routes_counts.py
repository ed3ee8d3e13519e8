"""Counts of verdicts are those of a plain count, split as one may, and name the first failing row of each router."""

import pickle
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconform.reports.pipeline.routes import counts as of_counts
from mqconform.reports.pipeline.routes.counts import NOWHERE, Counts, Grid, counted, place_in, summed
from mqconform.reports.pipeline.routes.enterprise import CompiledEnterprise
from mqconform.reports.pipeline.routes.judging import Judged
from mqconform.reports.pipeline.routes.summary import PAIR, WORST, _worst, site_map
from mqconform.reports.pipeline.routes.verdicts import FAIL, PASS, RULES, VERDICTS

MACHINES, SITES = 5, 3
SITE_OF = np.array([0, 0, 1, 2, 3, 3, 3], np.int32)
"""Of five machines, the last but one without site, and of those that the directory does not know."""
Row = tuple[int, int, int, int]
ROWS = st.lists(
    st.tuples(
        st.integers(0, len(VERDICTS) - 1),
        st.integers(0, len(RULES) - 1),
        st.sampled_from([*range(MACHINES), -2]),
        st.sampled_from([*range(MACHINES), -2]),
    )
)


class Version(NamedTuple):
    site_of: Any = SITE_OF


ENTERPRISE = CompiledEnterprise((Version(),), np.zeros(1, np.int64), False, 0)  # type: ignore[arg-type]


def counts_of(rows: list[Row], split: int = 0, sites: int = SITES, routers: list[str | None] | None = None) -> Counts:
    verdict, rule, source, destination = (np.array([row[place] for row in rows], np.int32) for place in range(4))
    nothing = np.zeros(len(rows), np.int32)
    octets = verdict.astype(np.uint8), rule.astype(np.uint8)
    judged = Judged(*octets, nothing.astype(np.bool_), nothing, source, destination, {})
    columns = {"n": pa.array(nothing)} | ({} if routers is None else {"router": pa.array(routers, pa.string())})
    counts = Counts([(MACHINES, sites)])
    counts.add(ENTERPRISE, pa.RecordBatch.from_pydict(columns), judged, split)
    return counts


def by_place(grid: Any) -> Counter[tuple[int, ...]]:
    return Counter({place: int(count) for place, count in np.ndenumerate(grid.counts) if count})


@given(ROWS)
def test_every_row_is_counted_once_in_each_table(rows: list[Row]) -> None:
    counts = counts_of(rows, 7)
    numbered = [(source if source >= 0 else MACHINES, verdict) for verdict, _, source, _ in rows]
    pairs = [(int(SITE_OF[here]) * (SITES + 1) + int(SITE_OF[there]), verdict) for verdict, _, here, there in rows]
    assert by_place(counts.rules) == Counter((rule, verdict) for verdict, rule, _, _ in rows)
    assert by_place(counts.routers[0]) == Counter(numbered)
    assert by_place(counts.pairs[0]) == Counter(pairs)
    failing = dict(reversed([(router, row) for row, (router, verdict) in enumerate(numbered) if verdict == FAIL]))
    first = {router: place_in(place) for router, place in enumerate(counts.routers[0].first) if place != NOWHERE}
    assert first == {router: (0, 7, row) for router, row in failing.items()}


@given(ROWS, ROWS)
def test_counts_of_parts_that_went_through_files_add_up(one: list[Row], other: list[Row]) -> None:
    whole = Counts([(MACHINES, SITES)], np.int64)
    for split, part in enumerate((one, other)):
        whole.merge(pickle.loads(pickle.dumps(counts_of(part, split))))  # noqa: S301 - our own
    together = counts_of([*one, *other])
    assert by_place(whole.routers[0]) == by_place(together.routers[0])
    assert by_place(whole.pairs[0]) == by_place(together.pairs[0])
    assert whole.rows == together.rows


def test_counts_beyond_an_octet_survive_a_file() -> None:
    grid = Grid(2, np.int32, placed=True)
    grid.counts[:], grid.first[1] = [[300, 0, 1], [70_000, 260, 0]], 5
    read = pickle.loads(pickle.dumps(grid))  # noqa: S301 - our own
    assert read.counts.tolist() == grid.counts.tolist()
    assert read.first.tolist() == grid.first.tolist()


def test_a_router_has_the_first_row_of_the_first_split_under_the_earliest_version() -> None:
    failing = [(FAIL, 0, 2, 2)]
    whole = Counts([(MACHINES, SITES)], np.int64)
    for split, rows in ((4, [(PASS, 0, 2, 2), *failing]), (3, [*failing, *failing]), (1, [(PASS, 0, 2, 2)])):
        whole.merge(counts_of(rows, split))
    assert place_in(int(whole.routers[0].first[2])) == (0, 3, 0)


@given(ROWS)
def test_of_too_many_sites_pairs_with_rows_that_did_not_pass_are_counted(rows: list[Row]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(of_counts, "MOST_SITES", SITES - 1)
        whole = Counts([(MACHINES, SITES)], np.int64)
        for _ in range(2):
            whole.merge(counts_of(rows))
    dense = counts_of([row for row in rows if row[0] != PASS]).pairs[0].counts
    wanted = {int(pair): [2 * int(count) for count in dense[pair]] for pair in np.flatnonzero(dense.any(axis=1))}
    assert {row["pair"]: [row[name] for name in VERDICTS] for row in whole.sparse[0].to_pylist()} == wanted


def test_routers_that_a_column_names_are_counted_by_name_and_beyond_a_number_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(of_counts, "MOST_ROUTERS", 2)
    whole = Counts([(MACHINES, SITES)], np.int64)
    whole.merge(counts_of([(PASS, 0, 1, 1), (FAIL, 0, 1, 1), (FAIL, 0, 1, 1)], 0, routers=["a", None, "c"]))
    whole.merge(counts_of([(FAIL, 0, 1, 1), (FAIL, 0, 1, 1)], 1, routers=["d", "a"]))
    counts = {row["router"]: (row["pass"], row["fail"], place_in(row["first"])) for row in whole.named.to_pylist()}
    assert counts == {"a": (1, 1, (0, 1, 1)), "(none)": (0, 1, (0, 0, 1)), "(others)": (0, 2, (0, 0, 2))}


@given(st.lists(st.tuples(st.text("ab", min_size=1, max_size=2), st.integers(0, 3), st.integers(0, 3)), max_size=30))
def test_the_worst_are_those_with_most_failures(found: list[tuple[str, int, int]]) -> None:
    names, counts = [name for name, _, _ in found], [(1, fails, others) for _, fails, others in found]
    table = counted({"router": pa.array(names, pa.string())}, np.reshape(counts, (-1, 3)), [NOWHERE] * len(found))
    failures = Counter[str]()
    for name, fails, _ in found:
        failures[name] += fails
    wanted = sorted((name for name in failures if failures[name]), key=lambda name: (-failures[name], name))
    worst = {row["router"]: row["fail"] for row in _worst(summed([table], "router"), "router").to_pylist()}
    assert [*worst] == wanted[:WORST]
    assert worst == {name: failures[name] for name in wanted[:WORST]}


def test_the_map_has_the_sites_with_most_rows_that_did_not_pass_by_their_names() -> None:
    sites = [f"{place:02}" for place in range(30)]
    counts = [(0, 1, place) for place in range(30)]
    table = counted({PAIR[0]: pa.array(sites), PAIR[1]: pa.array(["x"] * 30)}, counts, [NOWHERE] * 30)
    shown = site_map(table, {"x": "Oslo", "29": "Bergen"})
    assert shown["sources"] == [*sites[6:29], "Bergen"]
    assert shown["destinations"] == ["Oslo"]
    assert shown["cells"][-1] == {"source": 23, "destination": 0, "pass": 0, "fail": 1, "inconclusive": 29}
