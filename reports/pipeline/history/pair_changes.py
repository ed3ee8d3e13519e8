"""What differs between two stored runs, each change with the cause that ``mqconform diff`` gives it."""

import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mqconform.harness.records.run_file import RESULTS
from mqconform.reports.comparison.compare import compare_files
from mqconform.reports.pipeline.history.stored_run import ENVIRONMENT
from mqconform.reports.pipeline.history.tables import KEY

CHANGE_COLUMNS: Final = ("kind", "id", "cause", "before", "after", "detail", "formerly")

Row = Mapping[str, Any]


def changes_of(then: Row, now: Row, again: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """Yield a row for each change between two rows of ``RUNS_FILE``, and repetitions of the later one."""
    carried = {name: now[name] for name in KEY} | {"then_run": then["run"], "now_run": now["run"]}
    with tempfile.TemporaryDirectory(prefix="mqconform-history-") as scratch:
        earlier, later, *others = (
            _unpacked(Path(scratch) / f"{place}", run, with_environment=place < 2)
            for place, run in enumerate((then, now, *again))
        )
        for change in compare_files(earlier, later, others).changes:
            yield carried | {name: str(getattr(change, name)) for name in CHANGE_COLUMNS} | {"worse": change.worse}


def _unpacked(folder: Path, run: Row, *, with_environment: bool) -> Path:
    folder.mkdir()
    (folder / RESULTS).write_bytes(zlib.decompress(run["results"]))
    if with_environment and run["environment"]:
        (folder / ENVIRONMENT).write_text(run["environment"], encoding="utf-8")
    return folder
