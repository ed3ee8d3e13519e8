"""Measure the audit of systems of queue managers on a generated log: the whole command, from Parquet to verdicts.

``python benchmarks/audit_systems.py --events 10000000`` prints time, seconds of processors and what was found.
"""

import argparse
import json
import os
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from processors import processor_seconds, used_since

from mqconform.reports.pipeline.deliveries.audit import audit_log, of_system
from mqconform.reports.pipeline.session import ROWS_IN_SPARK, SessionSettings, spark_session

SEED = 1_801
EVENTS = ("sent", "routed", "arrived", "received", "acknowledged")
"""Of each message, in this order."""
MACHINES = 200
TOGETHER = 200_000
"""Messages that are made in one go."""


def write_log(path: Path, events: int, faults: int) -> int:
    """Write a log of one system, all rows mixed within parts, and return how many messages are lost in it."""
    random = np.random.default_rng(SEED)
    messages = events // len(EVENTS)
    lost = set(random.choice(messages, faults, replace=False).tolist())
    machines = pa.array([f"machine-{number:03}" for number in range(MACHINES)])
    with pq.ParquetWriter(path, part(machines, 0, 1, lost, random).schema) as writer:
        for first in range(0, messages, TOGETHER):
            writer.write_table(part(machines, first, min(TOGETHER, messages - first), lost, random))
    return len(lost)


def part(machines: pa.Array, first: int, count: int, lost: set[int], random: np.random.Generator) -> pa.Table:
    """Return the rows of some messages; of lost ones nothing is told but that they were sent and routed."""
    message = np.repeat(np.arange(first, first + count), len(EVENTS))
    event = np.tile(np.arange(len(EVENTS)), count)
    source, to = message * 7 % MACHINES, (message * 7 + 1 + message // MACHINES % 40) % MACHINES
    at_source, sent = np.isin(event, (0, 1, 4)), event == 0
    nowhere = event >= 1
    kept = ~(np.isin(message, [*lost]) & (event >= 2))
    order = random.permutation(np.flatnonzero(kept))
    names = pa.array([f"{number:032x}" for number in range(first, first + count)])
    table = pa.table(
        {
            "position": pa.array(message * 10 + event),
            "event": pa.array(EVENTS).take(pa.array(event)),
            "message": names.take(pa.array(message - first)),
            "machine": machines.take(pa.array(np.where(at_source, source, to))),
            "to": machines.take(pa.array(to, mask=event > 1)),
            "assurance": pa.array(["transactional"] * len(event), mask=nowhere),
            "hop": machines.take(pa.array(to, mask=event != 1)),
            "dead_letter": pa.array(np.zeros(len(event), bool), mask=~sent),
        }
    )
    return table.take(pa.array(order))


def main() -> None:
    """Run everything that the arguments ask for."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--events", type=int, default=10_000_000)
    options.add_argument("--faults", type=int, default=1_000, help="messages that are lost")
    options.add_argument("--folder", type=Path, help="where the log is made, and removed again")
    options.add_argument("--json", type=Path, help="file to write the figures to")
    given = options.parse_args()
    settings = SessionSettings("local[*]", ROWS_IN_SPARK)
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        log = Path(folder) / "log.parquet"
        lost = write_log(log, given.events, given.faults)
        with spark_session(settings) as spark:
            before, start = processor_seconds(), perf_counter()
            summary = audit_log(spark, str(log), f"{folder}/out", of_system(complete=True))
            figures = {"seconds": perf_counter() - start, "processor_seconds": used_since(before)}
    assert summary["messages"]["fail"] == lost, "what was lost, and nothing else"
    figures |= {
        "entries": summary["entries"],
        "messages": sum(summary["messages"].values()),
        "load": os.getloadavg()[0],
    }
    print(json.dumps(figures, indent=1))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
