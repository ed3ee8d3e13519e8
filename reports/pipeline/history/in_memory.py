"""The tables of ``views`` for a history that is small, without Spark: what starts it takes longer than they do.

Each function says in a few lines of Python what the function of the same name in ``frames`` or ``regressions`` says to
Spark; a test holds the two to the same records on histories that are drawn by chance.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import pyarrow as pa
import pyarrow.dataset as ds

from mqconform.reports.pipeline.history.pair_changes import changes_of
from mqconform.reports.pipeline.history.rates import DUE, JUDGED, MOST_AGAIN, wilson
from mqconform.reports.pipeline.history.selection import Selection, check_named, month_of
from mqconform.reports.pipeline.history.store import Store
from mqconform.reports.pipeline.history.tables import KEY, RUNS_FILE, SCORES_FILE
from mqconform.reports.pipeline.problems import UnusableInput

Record = dict[str, Any]
Records = dict[str, list[Record]]
Rows = list[Record]

_PARTITIONS: Final = pa.schema([("month", pa.string())])
_COUNTED: Final = ("verified", "violated", "inconclusive", "unverified")
_PACKED: Final = ("results", "environment")
_VERSIONS: Final = ("vendor", "name", "profile", "requirement", "version")


def trend_records(store: Store, selection: Selection) -> Records:
    """Return what ``views.trend_tables`` computes, as ``reading.records`` returns it.

    Raises:
        UnusableInput: a file of the history cannot be read.
    """
    runs = _rows(store, "runs", selection, without=_PACKED)
    scores = _rows(store, "scores", Selection(since=selection.since))
    return {
        "coverage": [_coverage(run) for run in runs],
        "first_bad": [*_first_bad(runs)],
        "matrix": [*_matrix(runs)],
        "flakes": [*_flakes(runs)],
        "mutation": [_mutation(score) for score in scores],
    }


def regress_records(store: Store, selection: Selection, between: tuple[str, str] | None, *, every: bool) -> Records:
    """Return what ``views.regress_tables`` computes, as ``reading.records`` returns it.

    Raises:
        UnusableInput: a file of the history cannot be read, or ``between`` names no two runs.
    """
    runs = _rows(store, "runs", selection)
    if between:
        check_named([run["run"] for run in runs], *between)
        pairs = [*_chosen_pair(runs, *between)]
    else:
        pairs = [*_pairs(runs, every=every)]
    carried = (*KEY, "then_run", "then_time", "now_run", "now_time")
    return {
        "pairs": [{name: _plain(pair[name]) for name in carried} for pair in pairs],
        "changes": [change for pair in pairs for change in changes_of(pair)],
        "first_bad": [*_first_bad(runs)],
    }


def _rows(store: Store, table: str, selection: Selection, without: Sequence[str] = ()) -> Rows:
    schema = {"runs": RUNS_FILE, "scores": SCORES_FILE}[table]
    equal = [(ds.field(name), getattr(selection, name)) for name in ("vendor", "name", "profile")]
    condition = ds.scalar(True)
    for field, choice in equal:
        condition = condition & (field == choice) if choice else condition
    if selection.since:
        since = pa.scalar(selection.since, schema.field("time").type)
        condition = condition & (ds.field("month") >= month_of(selection.since)) & (ds.field("time") >= since)
    try:
        whole = pa.unify_schemas([schema, _PARTITIONS])
        dataset = ds.dataset(
            store.table(table), whole, "parquet", partitioning=ds.partitioning(_PARTITIONS, flavor="hive")
        )
        columns = [name for name in schema.names if name not in without]
        rows: Rows = dataset.to_table(columns, filter=condition).to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise UnusableInput(f"the history cannot be read: {error}") from error
    return rows


def _plain(value: Any) -> Any:
    return f"{value:%Y-%m-%dT%H:%M:%SZ}" if hasattr(value, "strftime") else value


def _key(run: Mapping[str, Any]) -> Record:
    return {name: run[name] for name in KEY}


def _coverage(run: Record) -> Record:
    standings = Counter(requirement["standing"] for requirement in run["requirements"])
    due, judged = (sum(standings[name] for name in names) for names in (DUE, JUDGED))
    carried = {name: _plain(run[name]) for name in ("version", "run", "time", "ended", "exit_code")}
    counted = {name: standings[name] for name in _COUNTED} | {"due": due, "judged": judged}
    return _key(run) | carried | counted | {"coverage": judged / due if due else None}


def _first_bad(runs: Rows) -> Iterator[Record]:
    findings = defaultdict(list)
    for run in runs:
        when = (run["time"], run["run"], run["version"])
        for row in run["requirements"]:
            findings[*_key(run).values(), row["requirement"]].append((when, row["standing"], row["level"]))
    for (*key, requirement), rows in findings.items():
        good = max((when for when, standing, _ in rows if standing == "verified"), default=None)
        bad = [(when, level) for when, standing, level in rows if standing == "violated" and (not good or when > good)]
        if bad:
            yield dict(zip(KEY, key, strict=True)) | {
                "requirement": requirement,
                "level": max(bad)[1],
                "bad_runs": len(bad),
                "first_bad": _when(min(bad)[0]),
                "last_good": good and _when(good),
            }


def _when(when: tuple[Any, ...]) -> Record:
    return dict(zip(("time", "run", "version"), map(_plain, when), strict=True))


def _matrix(runs: Rows) -> Iterator[Record]:
    findings = defaultdict(list)
    for run in runs:
        for row in run["requirements"]:
            by = (run["vendor"], run["name"], run["profile"], row["requirement"], run["version"])
            findings[by].append((run["time"], run["run"], row["standing"]))
    for by, rows in findings.items():
        time, latest, standing = max(rows)
        carried = {"standing": standing, "run": latest, "time": _plain(time), "runs": len({run for _, run, _ in rows})}
        yield dict(zip(_VERSIONS, by, strict=True)) | carried


def _flakes(runs: Rows) -> Iterator[Record]:
    answers: dict[tuple[Any, ...], set[tuple[str, str]]] = defaultdict(set)
    for run in runs:
        for row in run["cases"] if run["build"] else ():
            answers[*_key(run).values(), row["case"], run["question"], run["build"]].add((row["status"], run["run"]))
    totals: Counter[tuple[Any, ...]] = Counter()
    deviating: Counter[tuple[Any, ...]] = Counter()
    for asked, answered in answers.items():
        if len(answered) > 1:
            totals[asked[:-2]] += len(answered)
            deviating[asked[:-2]] += len(answered) - max(Counter(status for status, _ in answered).values())
    for by, number in totals.items():
        if hits := deviating[by]:
            low, high = wilson(hits, number, math.sqrt)
            shares = {"rate": hits / number, "low": max(0.0, low), "high": min(1.0, high)}
            yield dict(zip((*KEY, "case"), by, strict=True)) | {"runs": number, "deviating": hits} | shares


def _mutation(score: Record) -> Record:
    names = ("score", "time", "harness", "measure", "mutants", "killed", "survivors")
    rate = score["killed"] / score["mutants"] if score["mutants"] else None
    return {name: _plain(score[name]) for name in names} | {"rate": rate}


def _pairs(runs: Rows, *, every: bool) -> Iterator[Record]:
    by_key = defaultdict(list)
    for run in runs:
        if run["ended"]:
            by_key[*_key(run).values()].append(run)
    for alike in by_key.values():
        in_order = sorted(alike, key=lambda run: (run["time"], run["run"]))
        for place in range(1 if every else max(1, len(in_order) - 1), len(in_order)):
            yield _pair(in_order[max(0, place - MOST_AGAIN) : place], in_order[place])


def _chosen_pair(runs: Rows, then: str, now: str) -> Iterable[Record]:
    (earlier,), (later,) = ([run for run in runs if run["run"].startswith(identity)] for identity in (then, now))
    return [_pair([earlier], later)]


def _pair(before: Rows, now: Record) -> Record:
    names = ("run", "time", *_PACKED)
    then = {f"then_{name}": before[-1][name] for name in names}
    again = [run["results"] for run in before if run["question"] == now["question"]]
    return _key(now) | then | {f"now_{name}": now[name] for name in names} | {"again": again}
