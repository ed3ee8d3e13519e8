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
from mqconform.reports.pipeline.history.store import Store, stored_rows
from mqconform.reports.pipeline.history.stored_run import stored_run, stored_score

Rendered = tuple[dict[str, Any], str, str]
"""A document, the same as JSON text, and text for a reader."""

PACKED: Final = ("results", "environment")
"""What only a comparison of runs needs."""


def add(store: Path, results: Sequence[Path], at: datetime | None) -> list[tuple[Path, str, bool]]:
    """Add runs, and kill matrices, to a history, which is made where there is none.

    Returns:
        For each: where it was, its identity, and whether it was not there yet.

    Raises:
        UnusableInput: one cannot be used, and then none is added, or the folder cannot be written.
    """
    rows = [(path, *_row(path, at)) for path in results]
    history = Store(store)
    history.prepare()
    return [(path, row[identity], history.add(table, row)) for path, table, identity, row in rows]


def _row(path: Path, at: datetime | None) -> tuple[str, str, dict[str, Any]]:
    if path.suffix == ".json":
        return "scores", "score", stored_score(path, at)
    return "runs", "run", stored_run(path, at)


def trend(store: Path, selection: Mapping[str, Any]) -> Rendered:
    """Return what a history shows over time, of the runs that ``stored_rows`` selects.

    Raises:
        UnusableInput: the folder is not a history, or a file of it cannot be read.
    """
    history = _checked(store)
    runs = stored_rows(history, "runs", selection, without=PACKED)
    scores = stored_rows(history, "scores", {"since": selection.get("since")})
    document = trend_document(shown.trend_tables(runs, scores))
    return document, json_text(document), trend_text(document)


def regress(store: Path, selection: Mapping[str, Any], between: tuple[str, str] | None, *, every: bool) -> Rendered:
    """Return what differs between runs and those before them; see ``trend`` and ``shown.pairs_of``.

    Raises:
        UnusableInput: as ``trend``, or ``between`` names no two runs.
    """
    history = _checked(store)
    runs = stored_rows(history, "runs", selection, without=PACKED)

    def packed(names: Sequence[str]) -> dict[str, dict[str, Any]]:
        return {row["run"]: row for row in stored_rows(history, "runs", selection, only=("run", names))}

    document = regress_document(shown.regress_tables(runs, between, packed, every=every))
    return document, json_text(document), regress_text(document)


def _checked(store: Path) -> Store:
    history = Store(store)
    history.check()
    return history


SCHEMA: Final = 1
LONGEST: Final = 200
MOST: Final = 30
"""Lines of each part of a text; JSON has all."""

Record = dict[str, Any]
Records = Mapping[str, Iterable[Record]]

_WHO: Final = ("vendor", "name", "profile", "selection")
_ORDER: Final = {
    "coverage": (*_WHO, "time", "run"),
    "mutation": ("measure", "time", "score"),
    "first_bad": (*_WHO, "requirement"),
    "matrix": ("vendor", "name", "profile", "requirement", "version"),
    "pairs": (*_WHO, "now_time", "now_run"),
    "changes": (*_WHO, "now_run", "kind", "id"),
}


def trend_document(tables: Records) -> Record:
    """Return what a history shows over time."""
    rows = map(plain, tables["flakes"])
    flakes = sorted(rows, key=lambda flake: (-flake["low"], *(flake[name] for name in _WHO), flake["case"]))
    parts = {name: _sorted(name, tables) for name in ("coverage", "mutation", "first_bad", "matrix")}
    return {"schema": SCHEMA, "runs": len(parts["coverage"]), "flakes": flakes} | parts


def regress_document(tables: Records) -> Record:
    """Return what differs between runs and those before them."""
    changes = _sorted("changes", tables)
    return {
        "schema": SCHEMA,
        "pairs": _sorted("pairs", tables),
        "counts": dict(sorted(Counter(change["cause"] for change in changes).items())),
        "changes": changes,
        "first_bad": _sorted("first_bad", tables),
    }


def json_text(document: Record) -> str:
    """Return a document as JSON text, ASCII and with sorted keys."""
    return json.dumps(document, indent=1, sort_keys=True) + "\n"


def trend_text(document: Record) -> str:
    """Return what a history shows over time, for a reader at a terminal."""
    return "\n".join(_trend_lines(document)) + "\n"


def regress_text(document: Record) -> str:
    """Return what differs, for a reader at a terminal."""
    return "\n".join(_regress_lines(document)) + "\n"


def _sorted(name: str, tables: Records) -> list[Record]:
    return sorted(map(plain, tables[name]), key=lambda record: tuple(str(record[key]) for key in _ORDER[name]))


def plain(value: Any) -> Any:
    """Return a record as JSON has it: times as text in UTC."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    return f"{value.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if isinstance(value, datetime) else value


def _trend_lines(document: Record) -> Iterator[str]:
    yield f"{document['runs']} runs"
    yield from _part("COVERAGE", document["coverage"], _coverage, newest=True)
    yield from _part("MUTATION SCORE", document["mutation"], _score, newest=True)
    yield from _part("VIOLATED NOW, SINCE", document["first_bad"], first_bad_line)
    yield from _part("FLAKES", document["flakes"], _flake)
    yield from _part("STANDING BY VERSION", _versions(document["matrix"]), str)


def _regress_lines(document: Record) -> Iterator[str]:
    if not document["pairs"]:
        yield "no implementation has two runs that ended"
        return
    for pair in document["pairs"]:
        yield f"{_who(pair)}: {pair['then_time']} {pair['then_run'][:8]} -> {pair['now_time']} {pair['now_run'][:8]}"
    for cause in document["counts"]:
        changes = [change for change in document["changes"] if change["cause"] == cause]
        worst_first = sorted(changes, key=lambda change: (not change["worse"], change["kind"] == "case"))
        yield from _part(cause.upper(), worst_first, _change)
    yield from _part("VIOLATED NOW, SINCE", document["first_bad"], first_bad_line)
    yield ""
    counted = ", ".join(f"{number} {cause}" for cause, number in document["counts"].items())
    yield f"changes: {counted or 'none'}"


def _part(title: str, rows: list[Any], line: Any, *, newest: bool = False) -> Iterator[str]:
    if not rows:
        return
    yield ""
    yield title
    excerpt = rows[-MOST:] if newest else rows[:MOST]
    yield from (f"  {shortened(visible(line(row)), LONGEST)}" for row in excerpt)
    if len(rows) > MOST:
        yield f"  and {len(rows) - MOST} more, all of them with --format json"


def _who(row: Record) -> str:
    maker = f"{row['vendor']} " if row["vendor"] else ""
    part = " (part of the suite)" if row.get("selection") else ""
    return f"{maker}{row['name']}, profile {row['profile']}{part}"


def _coverage(row: Record) -> str:
    share = "nothing due" if row["coverage"] is None else f"{row['coverage']:.1%} of {row['due']} judged"
    ended = "" if row["ended"] else ", did not end"
    failed = [*repeat(Standing.VIOLATED, row["violated"]), *repeat(Standing.INCONCLUSIVE, row["inconclusive"])]
    word = word_of_green(row["exit_code"], failed, 0) or f"{row['violated']} violated"
    return f"{row['time']} {row['run'][:8]} {_who(row)} {row['version']}: {share}, {word}{ended}"


def _score(row: Record) -> str:
    rate = "no mutants" if row["rate"] is None else f"{row['rate']:.1%}"
    return (
        f"{row['time']} {row['measure']}, {row['harness']}: {rate} ({row['killed']} of {row['mutants']} mutants killed)"
    )


def first_bad_line(row: Record) -> str:
    """Return since when a requirement is violated, on one line."""
    first, good = row["first_bad"], row["last_good"]
    before = f"last verified {good['time']} by {good['version']} ({good['run'][:8]})" if good else "never verified"
    since = f"{first['time']} by version {first['version']} ({first['run'][:8]})"
    return f"{row['requirement']} {_who(row)}: {since}, in {row['bad_runs']} runs; {before}"


def _flake(row: Record) -> str:
    rate = f"{row['rate']:.1%} [{row['low']:.1%}, {row['high']:.1%}]"
    return f"{row['case']} {_who(row)}: {rate}, {row['deviating']} of {row['runs']} runs"


def _versions(rows: list[Record]) -> list[str]:
    """Return how many requirements have each standing, by version."""
    counted: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        counted.setdefault((_who(row), row["version"]), Counter())[row["standing"]] += 1
    return [
        f"{who} {version}: " + ", ".join(f"{number} {standing}" for standing, number in counts.most_common())
        for (who, version), counts in counted.items()
    ]


def _change(row: Record) -> str:
    arrow = f"{row['before'] or 'absent'} -> {row['after'] or 'absent'}"
    return f"{row['kind']:<11} {row['id']}: {arrow}; {row['detail']}"
