"""What a history shows: functions from rows of ``RUNS_FILE`` and ``SCORES_FILE`` to rows."""

import math
import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from mqconform.harness.records.run_file import RESULTS
from mqconform.reports.comparison.compare import compare_files
from mqconform.reports.pipeline.history.store import KEY, STANDINGS, VERSIONS, WHEN, check_named
from mqconform.reports.pipeline.history.stored_run import ENVIRONMENT

Record = dict[str, Any]
Records = Iterable[Record]

Z: Final = 1.959963984540054
"""Standard deviations on either side that hold 95 of a hundred."""
JUDGED: Final = ("verified", "violated", "inconclusive")
DUE: Final = (*JUDGED, "unverified", "error")
"""Standings of what should have been judged."""
CHANGE_COLUMNS: Final = ("kind", "id", "cause", "before", "after", "detail", "formerly")
MOST_AGAIN: Final = 5
"""Repetitions of a run that are looked at for flakes."""


def findings(runs: Records) -> Iterator[Record]:
    """Yield a row for each requirement of each run."""
    for run in runs:
        carried = {name: run[name] for name in (*KEY, *WHEN)}
        yield from (carried | requirement for requirement in run["requirements"])


def answers(runs: Records) -> Iterator[Record]:
    """Yield a row for each case of each run."""
    for run in runs:
        carried = {name: run[name] for name in (*KEY, "question", "build", "run")}
        yield from (carried | case for case in run["cases"])


def coverage(runs: Records) -> Iterator[Record]:
    """Yield a row for each run.

    Coverage is the share of the requirements due that were judged; what an implementation does not offer, and what
    nothing could show, is not due.
    """
    for run in runs:
        standings = Counter(requirement["standing"] for requirement in run["requirements"])
        due, judged = (sum(standings[name] for name in names) for names in (DUE, JUDGED))
        carried = {name: run[name] for name in (*KEY, *WHEN, "ended", "exit_code")}
        counted = {name: standings[name] for name in STANDINGS} | {"due": due, "judged": judged}
        yield carried | counted | {"coverage": judged / due if due else None}


def first_bad(rows: Records) -> Iterator[Record]:
    """Yield a row for each requirement that is violated now; from ``findings``.

    A requirement is violated now if no run since the last violation verified it. The first bad run is the first that
    violated it after the last that verified it.
    """
    for by, of_requirement in _by(rows, *KEY, "requirement"):
        when = [(tuple(row[name] for name in WHEN), row) for row in of_requirement]
        good = max((at for at, row in when if row["standing"] == "verified"), default=None)
        bad = [(at, row["level"]) for at, row in when if row["standing"] == "violated" and (not good or at > good)]
        if bad:
            yield by | {
                "level": max(bad)[1],
                "bad_runs": len(bad),
                "first_bad": dict(zip(WHEN, min(bad)[0], strict=True)),
                "last_good": good and dict(zip(WHEN, good, strict=True)),
            }


def matrix(rows: Records) -> Iterator[Record]:
    """Yield a row for each requirement of each version: its latest standing; from ``findings``."""
    for by, of_version in _by(rows, *VERSIONS):
        latest = max(of_version, key=lambda row: (row["time"], row["run"], row["standing"]))
        carried = {name: latest[name] for name in ("standing", "run", "time")}
        yield by | carried | {"runs": len({row["run"] for row in of_version})}


def flakes(rows: Records) -> Iterator[Record]:
    """Yield a row for each case that did not always answer alike; from ``answers``.

    Only runs with the same question and a known build are compared; other differences have other causes. A run deviates
    if its answer is not the one that most runs of its question gave. The interval is Wilson's, of 95 in a hundred.
    """
    for by, of_case in _by(rows, *KEY, "case"):
        answered = defaultdict(set)
        for row in of_case:
            if row["build"]:
                answered[row["question"], row["build"]].add((row["status"], row["run"]))
        alike = [Counter(status for status, _ in runs) for runs in answered.values() if len(runs) > 1]
        tries = sum(counts.total() for counts in alike)
        hits = tries - sum(max(counts.values()) for counts in alike)
        if hits:
            low, high = wilson(hits, tries)
            shares = {"rate": hits / tries, "low": max(0.0, low), "high": min(1.0, high)}
            yield by | {"runs": tries, "deviating": hits} | shares


def wilson(hits: int, tries: int, z: float = Z) -> tuple[float, float]:
    """Return the lower and upper end of Wilson's interval for a share.

    Rounding may carry them beyond 0 and 1 by a little.
    """
    share = hits / tries
    spread = z * math.sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries))
    centre, whole = share + z * z / (2 * tries), 1 + z * z / tries
    return (centre - spread) / whole, (centre + spread) / whole


def mutation(scores: Records) -> Iterator[Record]:
    """Yield a row for each score."""
    for score in scores:
        rate = score["killed"] / score["mutants"] if score["mutants"] else None
        names = ("score", "time", "harness", "measure", "mutants", "killed", "survivors")
        yield {name: score[name] for name in names} | {"rate": rate}


class Pair(NamedTuple):
    """Two runs to be compared, with repetitions of the later one that came before it."""

    then: Record
    now: Record
    again: Sequence[Record]

    def row(self) -> Record:
        """Return who is compared, and both runs."""
        ends = {f"{end}_{name}": getattr(self, end)[name] for end in ("then", "now") for name in ("run", "time")}
        return {name: self.now[name] for name in KEY} | ends


def pairs_of(runs: Sequence[Record], between: tuple[str, str] | None, *, every: bool) -> list[Pair]:
    """Return which runs are compared.

    Args:
        runs: the history, or the part that is looked at: ``KEY``, run, time, question and ended.
        between: identities of two runs, which may be shortened, or None.
        every: whether, without two runs, each is compared with the one before it, not the latest alone.

    Raises:
        UnusableInput: ``between`` names no two runs.
    """
    if between:
        check_named([run["run"] for run in runs], *between)
        then, now = (next(run for run in runs if run["run"].startswith(identity)) for identity in between)
        return [_pair([then], now)]
    pairs = []
    for _, alike in _by((run for run in runs if run["ended"]), *KEY):
        in_order = sorted(alike, key=lambda run: (run["time"], run["run"]))
        first = 1 if every else max(1, len(in_order) - 1)
        pairs += [
            _pair(in_order[max(0, place - MOST_AGAIN) : place], in_order[place])
            for place in range(first, len(in_order))
        ]
    return pairs


def _pair(before: Sequence[Record], now: Record) -> Pair:
    return Pair(before[-1], now, [run for run in before if run["question"] == now["question"]])


def _by(rows: Records, *names: str) -> Iterator[tuple[Record, list[Record]]]:
    """Yield rows that are alike in some columns, with what these hold."""
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[name] for name in names)].append(row)
    for values, group in groups.items():
        yield dict(zip(names, values, strict=True)), group


def changes(pair: Pair, whole: Mapping[str, Record]) -> Iterator[Record]:
    """Yield a row for each change between two runs; ``whole`` has all columns of them and of the repetitions."""
    carried = {name: pair.now[name] for name in KEY} | {"then_run": pair.then["run"], "now_run": pair.now["run"]}
    with tempfile.TemporaryDirectory(prefix="mqconform-history-") as scratch:
        earlier, later, *others = (
            _unpacked(Path(scratch) / f"{place}", whole[run["run"]], with_environment=place < 2)
            for place, run in enumerate((pair.then, pair.now, *pair.again))
        )
        for change in compare_files(earlier, later, others).changes:
            yield carried | {name: str(getattr(change, name)) for name in CHANGE_COLUMNS} | {"worse": change.worse}


def _unpacked(folder: Path, run: Record, *, with_environment: bool) -> Path:
    folder.mkdir()
    (folder / RESULTS).write_bytes(zlib.decompress(run["results"]))
    if with_environment and run["environment"]:
        (folder / ENVIRONMENT).write_text(run["environment"], encoding="utf-8")
    return folder
