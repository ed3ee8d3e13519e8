"""What is behind ``mqconform history``: Parquet, read by pyarrow."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import repeat
from pathlib import Path
from typing import Any, Final

from mqconform.harness.records.printable import shortened, visible
from mqconform.harness.records.scope import word_of_green
from mqconform.harness.records.verdict import Standing
from mqconform.reports.pipeline.history import shown
from mqconform.reports.pipeline.history.store import add_row, check, prepare, stored_rows
from mqconform.reports.pipeline.history.stored_run import stored_run, stored_score

Record = dict[str, Any]
Records = Mapping[str, Iterable[Record]]
Rendered = tuple[Record, str, str]
"""A document, the same as JSON text, and text for a reader."""

SCHEMA: Final = 1
MOST: Final = 30
"""Lines of each part of a text; JSON has all."""
LONGEST: Final = 60
"""Characters of a cell."""
PACKED: Final = ("results", "environment")
"""What only a comparison of runs needs."""

_WHO: Final = ("vendor", "name", "profile", "selection")
_ORDER: Final = {
    "coverage": (*_WHO, "time", "run"),
    "mutation": ("measure", "time", "score"),
    "first_bad": (*_WHO, "requirement"),
    "matrix": ("vendor", "name", "profile", "requirement", "version"),
    "pairs": (*_WHO, "now_time", "now_run"),
    "changes": (*_WHO, "now_run", "kind", "id"),
}
_CELLS: Final = {
    "COVERAGE": ("time", "run", *_WHO, "version", "coverage", "due", "violated", "ended", "word"),
    "MUTATION SCORE": ("time", "measure", "harness", "rate", "killed", "mutants"),
    "VIOLATED NOW, SINCE": ("requirement", *_WHO, *(f"{end}_{what}" for end in ("first_bad", "last_good")
                            for what in ("time", "version", "run")), "bad_runs"),
    "FLAKES": ("case", *_WHO, "rate", "low", "high", "deviating", "runs"),
    "STANDING BY VERSION": ("vendor", "name", "profile", "version", "standing", "requirements"),
    "COMPARED": (*_WHO, "then_time", "then_run", "now_time", "now_run"),
    "CHANGES": ("cause", "kind", "id", "before", "after", "detail"),
}  # fmt: skip
"""By the title of a part: its columns; one that no row fills is left out."""


def add(store: Path, results: Sequence[Path], at: datetime | None) -> list[tuple[Path, str, bool]]:
    """Add runs, and kill matrices, to a history, which is made where there is none.

    Returns:
        For each: where it was, its identity, and whether it was not there yet.

    Raises:
        UnusableInput: one cannot be used, and then none is added, or the folder cannot be written.
    """
    rows = [(path, *_row(path, at)) for path in results]
    prepare(store)
    return [(path, row[identity], add_row(store, table, row)) for path, table, identity, row in rows]


def _row(path: Path, at: datetime | None) -> tuple[str, str, Record]:
    if path.suffix == ".json":
        return "scores", "score", stored_score(path, at)
    return "runs", "run", stored_run(path, at)


def trend(store: Path, selection: Mapping[str, Any]) -> Rendered:
    """Return what a history shows over time, of the runs that ``stored_rows`` selects.

    Raises:
        UnusableInput: the folder is not a history, or a file of it cannot be read.
    """
    check(store)
    runs = stored_rows(store, "runs", selection, without=PACKED)
    findings = [*shown.findings(runs)]
    tables = {
        "coverage": shown.coverage(runs),
        "first_bad": shown.first_bad(findings),
        "matrix": shown.matrix(findings),
        "mutation": shown.mutation(stored_rows(store, "scores", {"since": selection.get("since")})),
    }
    rows = map(plain, shown.flakes(shown.answers(runs)))
    flakes = sorted(rows, key=lambda flake: (-flake["low"], *(flake[name] for name in _WHO), flake["case"]))
    parts = {name: _sorted(name, tables) for name in ("coverage", "mutation", "first_bad", "matrix")}
    return _rendered({"schema": SCHEMA, "runs": len(runs), "flakes": flakes} | parts, _trend_lines)


def regress(store: Path, selection: Mapping[str, Any], between: tuple[str, str] | None, *, every: bool) -> Rendered:
    """Return what differs between runs and those before them; see ``trend`` and ``shown.pairs_of``.

    Raises:
        UnusableInput: as ``trend``, or ``between`` names no two runs.
    """
    check(store)
    runs = stored_rows(store, "runs", selection, without=PACKED)

    def changes(pair: shown.Pair) -> Iterator[Record]:
        names = [run["run"] for run in (pair.then, pair.now, *pair.again)]
        yield from shown.changes(
            pair, {row["run"]: row for row in stored_rows(store, "runs", selection, only=("run", names))}
        )

    pairs = shown.pairs_of(runs, between, every=every)
    tables = {
        "pairs": [pair.row() for pair in pairs],
        "changes": [change for pair in pairs for change in changes(pair)],
        "first_bad": shown.first_bad(shown.findings(runs)),
    }
    parts = {name: _sorted(name, tables) for name in ("pairs", "changes", "first_bad")}
    counts = dict(sorted(Counter(change["cause"] for change in parts["changes"]).items()))
    return _rendered({"schema": SCHEMA, "counts": counts} | parts, _regress_lines)


def _rendered(document: Record, lines: Any) -> Rendered:
    return document, json.dumps(document, indent=1, sort_keys=True) + "\n", "\n".join(lines(document)) + "\n"


def _sorted(name: str, tables: Records) -> list[Record]:
    return sorted(map(plain, tables[name]), key=lambda record: tuple(str(record[key]) for key in _ORDER[name]))


def plain(value: Any) -> Any:
    """Return a record as JSON has it: times as text in UTC."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    return f"{value.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if isinstance(value, datetime) else value


def _trend_lines(document: Record) -> Iterator[str]:
    yield f"{document['runs']} runs"
    yield from _table("COVERAGE", [row | {"word": _word(row)} for row in document["coverage"][-MOST:]])
    yield from _table("MUTATION SCORE", document["mutation"][-MOST:])
    yield from _table("VIOLATED NOW, SINCE", document["first_bad"])
    yield from _table("FLAKES", document["flakes"])
    versions = Counter(tuple(row[name] for name in _CELLS["STANDING BY VERSION"][:-1]) for row in document["matrix"])
    names = _CELLS["STANDING BY VERSION"]
    yield from _table("STANDING BY VERSION", [dict(zip(names, (*key, versions[key]), strict=True)) for key in versions])


def _regress_lines(document: Record) -> Iterator[str]:
    if not document["pairs"]:
        yield "no implementation has two runs that ended"
        return
    yield from _table("COMPARED", document["pairs"])
    worst = sorted(
        document["changes"], key=lambda change: (change["cause"], not change["worse"], change["kind"] == "case")
    )
    yield from _table("CHANGES", worst)
    yield from _table("VIOLATED NOW, SINCE", document["first_bad"])
    counted = ", ".join(f"{number} {cause}" for cause, number in document["counts"].items())
    yield from ("", f"changes: {counted or 'none'}")


def _word(run: Record) -> str:
    failed = [*repeat(Standing.VIOLATED, run["violated"]), *repeat(Standing.INCONCLUSIVE, run["inconclusive"])]
    return word_of_green(run["exit_code"], failed, 0)


def _table(title: str, rows: Sequence[Record]) -> Iterator[str]:
    flat = [
        row | {f"{end}_{name}": one for end in ("first_bad", "last_good") for name, one in (row.get(end) or {}).items()}
        for row in rows[:MOST]
    ]
    cells = [[name.replace("_", " "), *(_cell(name, row.get(name)) for row in flat)] for name in _CELLS[title]]
    columns = [column for column in cells if any(column[1:])]
    if not rows:
        return
    yield from ("", title)
    for line in zip(*columns, strict=True):
        yield (
            "  "
            + "  ".join(cell.ljust(max(map(len, column))) for cell, column in zip(line, columns, strict=True)).rstrip()
        )
    if len(rows) > MOST:
        yield f"  and {len(rows) - MOST} more, all of them with --format json"


def _cell(name: str, value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.1%}"
    text = "" if value is None else str(value)
    return shortened(visible(text[:8] if name.endswith("run") else text), LONGEST)
