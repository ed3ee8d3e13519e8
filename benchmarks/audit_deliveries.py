"""Measure the audit of deliveries on generated logs: the command, and its function on what Spark reads.

``python benchmarks/audit_deliveries.py`` prints times and seconds of processors, which are less swayed by a busy
machine; ``--json FILE`` writes them as well. Only ratios within one run mean anything.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from processors import processor_seconds, used_since
from pyarrow import csv

from mqconform.reports.pipeline.deliveries.audit import audit_log, of_streams
from mqconform.reports.pipeline.deliveries.frames import judge_deliveries
from mqconform.reports.pipeline.session import ROWS_IN_SPARK, SessionSettings, spark_session
from mqconform.reports.pipeline.storage import place_of, read_rows

SEED = 1_801
OF_A_STREAM = 400
"""Entries of a stream: each message is queued, sent, accepted and acknowledged."""
EVENTS = ("enqueued", "sent", "accepted", "acknowledged")
MIXED = 5_000_000
"""Microseconds by which the entries of different streams are mixed in the log."""
FORMS = ("csv", "parquet", "ndjson")
ROW = "{:<44}{:>10}{:>12}{:>14}"


def log_of(entries: int, faults: int) -> pa.Table:
    """Return a log of about so many entries, of which some are wrong: accepted with the number that follows."""
    random = np.random.default_rng(SEED)
    streams = max(1, entries // OF_A_STREAM)
    messages = max(1, entries // streams // len(EVENTS))
    stream = np.repeat(np.arange(streams), messages * len(EVENTS))
    message = np.tile(np.repeat(np.arange(messages), len(EVENTS)), streams)
    event = np.tile(np.arange(len(EVENTS)), streams * messages)
    time = 1_000 * stream + 4_000_000 * message + 1_000 * event
    sequence = message + 1
    accepted = np.flatnonzero(event == EVENTS.index("accepted"))
    sequence[random.choice(accepted, min(faults, len(accepted)), replace=False)] += 1
    order = np.argsort(time + random.integers(0, MIXED, len(time)), kind="stable")
    names = pa.array([f"{one:08x}-0000-1111-2222-333344445555:queue{one % 97}" for one in range(streams)])
    called = pa.array([f"{one:032x}" for one in range(streams * messages)])
    moments = np.datetime_as_string(np.datetime64("2026-01-01", "us") + time.astype("timedelta64[us]"), unit="us")
    nameless = event == EVENTS.index("acknowledged")
    table = pa.table(
        {
            "stream": names.take(pa.array(stream)),
            "event": pa.array(EVENTS).take(pa.array(event)),
            "message": called.take(pa.array(stream * messages + message, mask=nameless)),
            "sequence": pa.array(sequence),
            "previous": pa.array(message, mask=nameless),
            "time": pa.array([f"{one}Z" for one in moments.tolist()]),
        }
    )
    return table.take(pa.array(order))


def write_log(table: pa.Table, path: Path) -> None:
    """Write a log in the form that the name of the file says."""
    match path.suffix:
        case ".parquet":
            pq.write_table(table, path)
        case ".csv":
            csv.write_csv(table, path, csv.WriteOptions(quoting_style="needed"))
        case _:
            with path.open("w") as file:
                for batch in table.to_batches(100_000):
                    file.writelines(json.dumps(row) + "\n" for row in batch.to_pylist())


def measured(work: Callable[[], object], runs: int) -> dict[str, float]:
    """Return the medians of time and of processors over some runs, after one that does not count."""
    times, processors = [], []
    for turn in range(runs + 1):
        before, start = processor_seconds(), perf_counter()
        work()
        if turn:
            times.append(perf_counter() - start)
            processors.append(used_since(before))
    return {"seconds": median(times), "processor_seconds": median(processors)}


def measure(spark: Any, folder: Path, entries: int, runs: int) -> dict[str, dict[str, float]]:
    """Measure all forms of a log of so many entries."""
    table, found = log_of(entries, entries // 1_000), dict[str, dict[str, float]]()

    def run(log: Path) -> None:
        with tempfile.TemporaryDirectory(dir=folder) as out:
            summary = audit_log(spark, str(log), f"{out}/out", of_streams(complete=True, from_start=False))
        assert summary["entries"] == table.num_rows, "every entry once"
        assert bool(summary["found"]) == bool(entries // 1_000), "no false alarm"

    def judge(log: Path) -> None:
        with tempfile.TemporaryDirectory(dir=folder) as out:
            entries = read_rows(spark, place_of(str(log)), as_text=True)
            judge_deliveries(entries, healed=True).write.parquet(f"{out}/streams")

    for form in FORMS:
        log = folder / f"log.{form}"
        write_log(table, log)
        found[form] = measured(lambda log=log: run(log), runs)
        found[f"{form}, judge_deliveries, written by Spark"] = measured(lambda log=log: judge(log), runs)
        log.unlink()
    for name, one in found.items():
        print(ROW.format(f"  {name}", f"{entries:,}", *(f"{value:.2f} s" for value in one.values())))
    return found


def main() -> None:
    """Run everything that the arguments ask for."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--entries", type=int, nargs="+", default=[400, 4_000_000], help="entries of the logs")
    options.add_argument("--runs", type=int, default=3, help="runs that count; their medians are shown")
    options.add_argument("--folder", type=Path, help="where the logs are made, and removed again")
    options.add_argument("--json", type=Path, help="file to write the figures to")
    given = options.parse_args()
    print(ROW.format(f"median of {given.runs} runs", "entries", "time", "processors"))
    settings = SessionSettings("local[*]", ROWS_IN_SPARK)
    with tempfile.TemporaryDirectory(dir=given.folder) as folder, spark_session(settings) as spark:
        figures = {entries: measure(spark, Path(folder), entries, given.runs) for entries in given.entries}
    if given.json:
        given.json.write_text(json.dumps({"runs": given.runs, "cores": os.cpu_count(), "figures": figures}, indent=1))


if __name__ == "__main__":
    main()
