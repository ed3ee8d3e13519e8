"""Measure routing tables against other libraries, and bulk decisions against the readable model, in one run.

``python benchmarks/routing.py`` prints medians and ratios; ``--json FILE`` writes them as well. Only ratios within one
run mean anything: everything in one table was measured in turns on the same graphs.
"""

import argparse
import json
import os
from collections.abc import Callable  # noqa: TC003 - short of a block for one name
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from enterprises import connected_graph, enterprise
from next_hop_tables import next_hop_tables
from peers import PEERS, available, ours, ours_allowed
from timing import medians

from mqconform.reference.directory import Directory, DirectoryView, QueueManagerId
from mqconform.reference.mqbr.bulk import BulkOracle
from mqconform.reference.mqbr.bulk_compiled import Int32s
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import decide_next_hops
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops

SEED = 2_718
ROW = "{:<44}{:>14}{:>22}"


def one_root(sites: int, cost: int, runs: int) -> dict[str, Any]:
    """Measure the tables of a few roots, one call each, everywhere on the same graph.

    A turn has several roots where graphs are small: a single call would measure mostly how much of the caches the
    candidate before it left.
    """
    roots = np.random.default_rng(SEED).integers(sites, size=max(10, 50_000 // sites)).tolist()
    graph = connected_graph(sites, cost, SEED)
    tables = {"mqconform": ours(graph), "mqconform, all allowed": ours_allowed(graph)}
    tables |= {name: peer(graph) for name, peer in PEERS.items() if available(name)}
    found = medians({name: lambda table=table: [table(root) for root in roots] for name, table in tables.items()}, runs)
    each = {name: seconds / len(roots) for name, seconds in found.items()}
    return _report(f"one root, {sites} sites, costs to {cost}", each)


def every_root(sites: int, cost: int, runs: int) -> dict[str, Any]:
    """Measure the tables of all roots: ours on all cores and on one, scipy's."""
    graph = connected_graph(sites, cost, SEED)
    threads = os.cpu_count() or 1
    pool = ThreadPoolExecutor(threads)
    candidates: dict[str, Callable[[], object]] = {
        f"mqconform, {threads} threads": lambda: next_hop_tables(graph, parts=threads, each=pool.map),
        "mqconform, 1 thread": lambda: next_hop_tables(graph),
    }
    if available("scipy"):
        root_by_root = PEERS["scipy"](graph)
        candidates["scipy"] = lambda: [root_by_root(root) for root in range(sites)]
    return _report(f"all roots, {sites} sites, costs to {cost}", medians(candidates, runs))


def decisions(sites: int, machines: int, rows: int, runs: int) -> dict[str, Any]:
    """Measure verdicts per second of the bulk oracle on right and on wrong answers, and of the readable model."""
    directory = enterprise(sites, machines, 20, SEED)
    oracle, random = BulkOracle.of(directory), np.random.default_rng(SEED)
    source, destination, wrong = (random.integers(machines, size=rows).astype(np.int32) for _ in range(3))
    apart = source != destination
    source, destination, wrong = source[apart], destination[apart], wrong[apart]
    few = min(2_000, len(source))
    right = _right_answers(directory, oracle, source[:few], destination[:few])
    again = np.arange(len(source)) % few
    asked = source[again], destination[again], right[again]
    found = medians(
        {
            "bulk, answers of the text": lambda: oracle.judge_single(*asked),
            "bulk, random answers": lambda: oracle.judge_single(source, destination, wrong),
        },
        runs,
    )
    readable_rows = min(100, few)
    readable = medians({"": lambda: _readable(directory, oracle, *(one[:readable_rows] for one in asked))}, runs)[""]
    found["readable model, as many"] = readable / readable_rows * len(source)
    return _report(f"{len(source)} decisions, {sites} sites, {machines} queue managers", found, len(source))


def _right_answers(directory: Directory, oracle: BulkOracle, source: Int32s, destination: Int32s) -> Int32s:
    """Return the first hop of the first allowed answer of each question."""
    numbers = {name: number for number, name in enumerate(oracle.identifiers)}
    view, states = DirectoryView(directory), {}
    hops = []
    for start, end in zip(source.tolist(), destination.tolist(), strict=True):
        if start not in states:
            states = {start: initialize(view, QueueManagerId(oracle.identifiers[start]))}
        allowed = decide_next_hops(states[start], QueueManagerId(oracle.identifiers[end])).allowed
        outcome = next(iter(allowed)).outcome
        hops.append(numbers[outcome[0]] if outcome else -1)
    return np.array(hops, dtype=np.int32)


def _readable(directory: Directory, oracle: BulkOracle, source: Int32s, destination: Int32s, hop: Int32s) -> None:
    view = DirectoryView(directory)
    for start, end, first in zip(source.tolist(), destination.tolist(), hop.tolist(), strict=True):
        state = initialize(view, QueueManagerId(oracle.identifiers[start]))
        decision = decide_next_hops(state, QueueManagerId(oracle.identifiers[end]))
        judge_next_hops(decision, [oracle.identifiers[first]] if first >= 0 else None)


def _report(title: str, seconds: dict[str, float], rows: int = 0) -> dict[str, Any]:
    """Print one table, each time as a multiple of the first, and return it."""
    ours_first = next(iter(seconds.values()))
    print(f"\n{title}")
    for name, taken in seconds.items():
        rate = f"{rows / taken / 1e6:.3f} M rows/s" if rows else ""
        print(ROW.format(f"  {name}", f"{taken * 1e3:.3f} ms", f"{taken / ours_first:.2f} x  {rate}"))
    return {"title": title, "rows": rows, "median_seconds": seconds}


def main() -> None:
    """Run everything that the arguments ask for."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sites", type=int, nargs="+", default=[1_000, 10_000, 50_000], help="sizes of the graphs")
    options.add_argument("--costs", type=int, nargs="+", default=[20, 999_999], help="greatest cost of a link")
    options.add_argument("--all-roots", type=int, default=1_000, help="sites of the graph for tables of all roots")
    options.add_argument("--enterprise", type=int, nargs=2, default=[1_000, 100_000], help="sites and queue managers")
    options.add_argument("--rows", type=int, default=4_000_000, help="decisions in one run")
    options.add_argument("--runs", type=int, default=5, help="runs that count; their median is shown")
    options.add_argument("--json", type=Path, help="file to write the figures to")
    given = options.parse_args()
    missing = [name for name in PEERS if not available(name)]
    print(f"not measured, since not installed: {', '.join(missing) or 'none'} ({len(missing)})")
    tables = [one_root(sites, cost, given.runs) for sites in given.sites for cost in given.costs]
    tables += [every_root(given.all_roots, cost, given.runs) for cost in given.costs]
    tables.append(decisions(*given.enterprise, given.rows, given.runs))
    if given.json:
        given.json.write_text(json.dumps({"not_measured": missing, "runs": given.runs, "tables": tables}, indent=1))


if __name__ == "__main__":
    main()
