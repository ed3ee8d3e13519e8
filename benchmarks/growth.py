"""Measure how the audits grow: time, processors, memory, and octets that are read, exchanged and written.

``python benchmarks/growth.py routes captures deliveries --rows 1000000 10000000`` prints a line for each audit and
number of rows; ``--json FILE`` writes them as well. Each is measured in a session of its own, after a small audit that
loads the compiled loops. Memory is the peak of driver, JVM and workers together, as proportional set size without the
pages of files that are mapped, such as captures, which the kernel takes back when it needs them. Rows are exchanged
through Spark's shuffle; decisions need none. docs/how-to/size-a-cluster.md
says what follows for larger inputs.
"""

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from time import perf_counter
from typing import Any, Final

import pyarrow.compute as pc
import pyarrow.parquet as pq
from audit_deliveries import log_of
from capture_files import write_capture
from decisions import Recorder, write_decisions
from processors import processor_seconds, used_since

from mqconform.reports.pipeline.captures.audit import audit_captures
from mqconform.reports.pipeline.deliveries.audit import audit_log, of_streams
from mqconform.reports.pipeline.routes.audit import audit_routes
from mqconform.reports.pipeline.routes.enterprise import DirectoryVersion, Enterprise
from mqconform.reports.pipeline.session import ROWS_IN_SPARK, SessionSettings, spark_session

SEED: Final = 1_406
FAULTS: Final = 1_000
WARM: Final = 100_000
"""Rows of the audit before the one that counts."""
TOGETHER: Final = 4_000_000
"""Entries of deliveries in one file."""
LOOK_EACH: Final = 0.2
"""Seconds between two looks at memory and staging folder."""
ROW: Final = "{:<12}{:>13}{:>10}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}"
HEADINGS: Final = ("audit", "rows", "seconds", "processors", "rows/s", "MiB", "octets in", "exchanged", "out")

Audit = Callable[[Any, Path, Path], object]
"""Session, input and output."""


def routes(folder: Path, rows: int, recorder: list[Recorder]) -> tuple[Path, Audit]:
    """Write decisions of 100,000 queue managers in 1,000 sites, GUIDs as text; return the file and its audit."""
    if not recorder:
        recorder.append(Recorder(1_000, 100_000))
    enterprise, file = Enterprise((DirectoryVersion(None, recorder[0].directory),)), folder / f"{rows}.parquet"
    write_decisions(file, recorder[0], "text", rows)
    return file, lambda spark, file, out: audit_routes(spark, enterprise, str(file), str(out))


def captures(folder: Path, packets: int, _: list[Recorder]) -> tuple[Path, Audit]:
    """Write a capture of discoveries; return it and its audit."""
    file = folder / f"{packets}.pcap"
    write_capture(file, packets, FAULTS, SEED)
    return file, lambda spark, file, out: audit_captures(spark, str(file), str(out))


def deliveries(folder: Path, entries: int, _: list[Recorder]) -> tuple[Path, Audit]:
    """Write logs of ordered streams as Parquet; return their folder and its audit."""
    logs = folder / str(entries)
    logs.mkdir()
    for part, first in enumerate(range(0, entries, TOGETHER)):
        log = log_of(min(TOGETHER, entries - first), FAULTS)
        names: Any = pc.binary_join_element_wise(log["stream"], str(part), "-")  # type: ignore[attr-defined]
        pq.write_table(log.set_column(0, "stream", names), logs / f"{part}.parquet")
    return logs, lambda spark, log, out: audit_log(
        spark, str(log), str(out), of_streams(complete=True, from_start=False)
    )


INPUTS: Final = {"routes": routes, "captures": captures, "deliveries": deliveries}


def measured(name: str, rows: int, folder: Path, recorder: list[Recorder]) -> dict[str, Any]:
    """Measure one audit of so many rows."""
    events = folder / "events"
    events.mkdir()
    settings = SessionSettings("local[*]", ({} if name == "routes" else ROWS_IN_SPARK) | _logged(events))
    with spark_session(settings, "mqconform benchmark") as spark:
        small, audit = INPUTS[name](folder, WARM, recorder)
        audit(spark, small, folder / "warm")
        mark = sum(_shuffled(events))
        file, audit = INPUTS[name](folder, rows, recorder)
        before, start = processor_seconds(), perf_counter()
        with looking() as peaks:
            audit(spark, file, folder / "out")
        seconds, used = perf_counter() - start, used_since(before)
    exchanged = sum(_shuffled(events)) - mark
    octets = {"in": octets_below(file), "exchanged": exchanged, "out": octets_below(folder / "out")}
    figures = {"seconds": seconds, "processors": used, "peak_octets": peaks["memory"]}
    return {"audit": name, "rows": rows} | figures | {f"octets_{what}": count / rows for what, count in octets.items()}


def _logged(events: Path) -> dict[str, str]:
    options = {"enabled": "true", "dir": events.as_uri(), "compress": "false", "rolling.enabled": "false"}
    return {f"spark.eventLog.{option}": value for option, value in options.items()}


def _shuffled(events: Path) -> Iterator[int]:
    """Yield the octets that each task gave to Spark's shuffle."""
    for log in events.iterdir():
        for line in log.read_text("utf-8").splitlines():
            if '"SparkListenerTaskEnd"' in line:
                metrics = json.loads(line).get("Task Metrics", {})
                yield metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0)


@contextmanager
def looking() -> Iterator[dict[str, int]]:
    """Give the peak of memory, in octets."""
    peaks, done = {"memory": 0}, Event()

    def look() -> None:
        while not done.wait(LOOK_EACH):
            peaks["memory"] = max(peaks["memory"], sum(map(_proportional_octets, processor_seconds())))

    watcher = Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield peaks
    finally:
        done.set()
        watcher.join()


def _proportional_octets(process: int) -> int:
    """Return the memory of a process; pages of files that it has mapped are the kernel's, which takes them back."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("Pss_Anon:", "Pss_Shmem:")))


def octets_below(path: Path) -> int:
    """Return how long a file, or the files below a folder, are together."""
    if path.is_file():
        return path.stat().st_size
    try:
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    except OSError:
        return 0  # it was moved meanwhile


def main() -> None:
    """Run everything that the arguments ask for."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("audits", nargs="+", choices=list(INPUTS))
    options.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 10_000_000], help="numbers of rows")
    options.add_argument("--folder", type=Path, help="where inputs and outputs are made, and removed again")
    options.add_argument("--json", type=Path, help="file to write the figures to")
    given = options.parse_args()
    print(ROW.format(*HEADINGS))
    table, recorder = [], list[Recorder]()
    for name in given.audits:
        for rows in given.rows:
            with tempfile.TemporaryDirectory(dir=given.folder) as folder:
                line = measured(name, rows, Path(folder), recorder)
            table.append(line)
            octets = (f"{line[f'octets_{what}']:.1f}" for what in ("in", "exchanged", "out"))
            print(ROW.format(name, f"{rows:,}", f"{line['seconds']:.2f}", f"{line['processors']:.1f}",
                             f"{rows / line['seconds']:,.0f}", f"{line['peak_octets'] / 2**20:,.0f}", *octets),
                  flush=True)  # fmt: skip
    if given.json:
        given.json.write_text(json.dumps(table, indent=1), "utf-8")


if __name__ == "__main__":
    main()
