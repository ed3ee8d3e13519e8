"""What differs between two stored runs, each change with the cause that ``mqconform diff`` gives it."""

import tempfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mqconform.harness.records.run_file import RESULTS
from mqconform.reports.comparison.compare import compare_files
from mqconform.reports.pipeline.history.stored_run import ENVIRONMENT
from mqconform.reports.pipeline.history.tables import KEY

CARRIED: Final = (*KEY, "then_run", "now_run")
CHANGE_COLUMNS: Final = ("kind", "id", "cause", "before", "after", "detail", "formerly")


def changes_of(pair: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield rows of ``CHANGES`` for a row of ``PAIRS``."""
    carried = {name: pair[name] for name in CARRIED}
    with tempfile.TemporaryDirectory(prefix="mqconform-history-") as scratch:
        then, now = (
            _unpacked(Path(scratch) / name, pair[f"{name}_results"], pair[f"{name}_environment"])
            for name in ("then", "now")
        )
        again = [
            _unpacked(Path(scratch) / f"{place}", repetition, "") for place, repetition in enumerate(pair["again"])
        ]
        for change in compare_files(then, now, again).changes:
            yield carried | {name: str(getattr(change, name)) for name in CHANGE_COLUMNS} | {"worse": change.worse}


def _unpacked(folder: Path, results: bytes, environment: str) -> Path:
    folder.mkdir()
    (folder / RESULTS).write_bytes(zlib.decompress(results))
    if environment:
        (folder / ENVIRONMENT).write_text(environment, encoding="utf-8")
    return folder
