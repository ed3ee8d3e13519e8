"""Measure ``audit routes`` against other ways to audit the same decisions, in one run.

``python benchmarks/audit_routes.py`` prints medians and ratios; ``--json FILE`` writes them as well. Everything goes
from Parquet to verdict Parquet after the JVM has started; the candidates take turns on the same file. Of the audit
itself that includes sums, explained examples and the page. What a candidate works out of the enterprise beforehand -
its compiled form, the tables of the joins - counts for none. How it grows: growth.py.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import pyarrow as pa
from audit_peers import JoinTables, failures, one_process, with_duckdb, with_polars, with_readable_model
from decisions import Recorder, names_of, write_decisions
from peers import available
from processors import processor_seconds, used_since
from pyspark.sql import DataFrame, SparkSession

from mqconform.reports.pipeline.routes.audit import audit_routes
from mqconform.reports.pipeline.routes.enterprise import DirectoryVersion, Enterprise, compiled_octets
from mqconform.reports.pipeline.routes.frames import judge_routes
from mqconform.reports.pipeline.session import ROWS_IN_SPARK, SessionSettings, spark_session

FORMS = ("number", "octets", "text")
READABLE_ROWS = 200
FRAMES = "judge_routes on a DataFrame, to Parquet"
ALONE = "judge_routes on a DataFrame, not written"
ROW = "  {:<42}{:>10}{:>18}{:>10}{:>12}"


class Bench:
    """One enterprise with a session to audit it in."""

    def __init__(self, spark: SparkSession, recorder: Recorder, folder: Path, given: argparse.Namespace) -> None:
        self.spark, self.recorder, self.folder = spark, recorder, folder
        self.runs, self.frames = given.runs, not given.no_frames
        self.enterprise = Enterprise((DirectoryVersion(None, recorder.directory),))

    def written(self, form: str, rows: int) -> tuple[Path, int]:
        """Return a file of decisions and how many of them are wrong."""
        file = self.folder / f"{form}-{rows}.parquet"
        return file, write_decisions(file, self.recorder, form, rows)

    def audit(self, file: Path, out: Path) -> None:
        """Audit as the command does."""
        audit_routes(self.spark, self.enterprise, str(file), str(out))

    def _judged(self, file: Path) -> DataFrame:
        return judge_routes(self.spark.read.parquet(str(file)), self.enterprise)

    def side_by_side(self, form: str, rows: int) -> dict[str, Any]:
        """Measure everything there is on one file."""
        file, wrong = self.written(form, rows)
        candidates: dict[str, Callable[[Path, Path], object]] = {
            "mqconform audit routes (Spark)": self.audit,
            FRAMES: lambda file, out: self._judged(file).write.parquet(str(out)),
            ALONE: lambda file, _: self._judged(file).write.format("noop").mode("overwrite").save(),
            "one pyarrow process, same oracle": one_process(compiled_octets(self.enterprise.packed)),
        }
        if not self.frames:
            del candidates[FRAMES], candidates[ALONE]
        tables = JoinTables(self.recorder.directory, names_of(self.recorder, form))
        candidates |= {
            f"{name}, joins": peer(tables)
            for name, peer in (("duckdb", with_duckdb), ("polars", with_polars))
            if available(name)
        }
        seconds = self._turns(candidates, file, wrong)
        readable = with_readable_model(self.recorder.directory, READABLE_ROWS)
        taken = _seconds(lambda: readable(file, self.folder / "readable.parquet"))
        seconds[f"readable model, extrapolated from {READABLE_ROWS}"] = [taken / READABLE_ROWS * rows]
        file.unlink()
        found = _report(f"{rows:,} rows, machines as {form}", rows, seconds)
        worked = {name: median(taken) for name, taken in self.processor_seconds.items()}
        print("  seconds of processors: " + ", ".join(f"{name} {taken:.1f}" for name, taken in worked.items()))
        return found | {"median_processor_seconds": worked}

    def _turns(self, candidates: dict[str, Any], file: Path, wrong: int) -> dict[str, list[float]]:
        """Return the seconds of each candidate in each round; the first round tells only whether it is right."""
        seconds: dict[str, list[float]] = {name: [] for name in candidates}
        self.processor_seconds: dict[str, list[float]] = {name: [] for name in candidates}
        for turn in range(self.runs + 1):
            for name, candidate in candidates.items():
                out = Path(tempfile.mkdtemp(dir=self.folder)) / "out.parquet"
                before = processor_seconds()
                taken = _seconds(partial(candidate, file, out))
                worked = used_since(before)
                print(
                    f"    round {turn}: {name} {taken:.2f} s, {worked:.2f} s of processors", file=sys.stderr, flush=True
                )
                if turn:
                    seconds[name].append(taken)
                    self.processor_seconds[name].append(worked)
                elif name != ALONE:
                    found = failures(out / "verdicts" if (out / "verdicts").exists() else out)
                    assert found == wrong, f"{name} finds {found} wrong decisions of {wrong}"
                shutil.rmtree(out.parent)
        return seconds


def _seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def _report(title: str, rows: int, seconds: dict[str, list[float]]) -> dict[str, Any]:
    """Print one table, each time as a multiple of the first, and return it."""
    medians = {name: median(taken) for name, taken in seconds.items()}
    ours = next(iter(medians.values()))
    print(f"\n{title}")
    for name, taken in medians.items():
        spread = f"{min(seconds[name]):.1f} - {max(seconds[name]):.1f}"
        print(ROW.format(name, f"{taken:.2f} s", f"{rows / taken / 1e6:.3f} M rows/s", f"{taken / ours:.2f} x", spread))
    return {"title": title, "rows": rows, "median_seconds": medians, "seconds": seconds}


def main() -> None:
    """Run everything that the arguments ask for."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=10_000_000, help="decisions side by side")
    options.add_argument("--forms", nargs="+", choices=FORMS, default=FORMS, help="how machines are named")
    options.add_argument("--enterprise", type=int, nargs=2, default=[1_000, 100_000], help="sites and queue managers")
    options.add_argument("--runs", type=int, default=5, help="runs that count; their median is shown")
    options.add_argument("--no-frames", action="store_true", help="leave out the DataFrame function, the slowest")
    options.add_argument("--master", default="local[*]", help="master URL of Spark")
    options.add_argument("--json", type=Path, help="file to write the figures to")
    given = options.parse_args()
    missing = [name for name in ("duckdb", "polars") if not available(name)]
    print(f"not measured, since not installed: {', '.join(missing) or 'none'}")
    found: dict[str, Any] = {"not_measured": missing, "runs": given.runs, "cores": os.cpu_count()}
    settings = SessionSettings(given.master, {} if given.no_frames else ROWS_IN_SPARK)
    with tempfile.TemporaryDirectory() as folder, spark_session(settings, "mqconform benchmark") as spark:
        bench = Bench(spark, Recorder(*given.enterprise), Path(folder), given)
        found["tables"] = [bench.side_by_side(form, given.rows) for form in given.forms]
    if given.json:
        given.json.write_text(json.dumps(found | {"arrow": pa.__version__}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
