"""What a run makes of a baseline: which failures were expected, and what is wrong with the baseline itself.

Afterwards the baseline is smaller by what passed, and larger only on request.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from mqconform.harness.records.case import Case
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.run.gate.baseline import Baseline, Entry, baseline_of, text_of

FAILURES = (Verdict.FAIL, Verdict.INCONCLUSIVE)
ENOUGH_RUNS = 20
"""The number of counted runs after which a flake that always or never failed is called none."""
GRACE = timedelta(days=30)
"""How long an entry lives that a run made: long enough to find out why, too short to forget it."""
PATTERN_LENGTH = 120
GONE = ("passed", "unmatched")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with an entry."""

    entry: Entry
    text: str
    kind: str
    """``passed``, ``unmatched``, ``expired``, ``differs``, ``crashed``, ``steady``."""


@dataclass(frozen=True, slots=True)
class Expectations:
    """A baseline held against a run.

    Attributes:
        tolerated: ids of cases whose failure was expected or is a known flake; it does not count against the run.
        flaked: ids of those of them that are known flakes.
        problems: entry by entry.
        others: number of entries that are about other implementations.
    """

    tolerated: frozenset[str] = frozenset()
    flaked: frozenset[str] = frozenset()
    problems: tuple[Problem, ...] = ()
    others: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """What a baseline is held against.

    Attributes:
        name: what the implementation calls itself.
        today: the day on which entries expire.
        partial: whether the run leaves cases out on purpose, which are then no business of the baseline.
        case_ids: ids of all cases that there are, those left out included; needed of a partial run.
    """

    cases: Sequence[Case]
    name: str
    today: date
    partial: bool = False
    case_ids: frozenset[str] = frozenset()

    def by_id(self) -> dict[str, Case]:
        """Return the cases by their ids."""
        return {case.id: case for case in self.cases}


def expectations(baseline: Baseline, judged: Judged) -> Expectations:
    """Hold a baseline against the cases of a run."""
    cases = judged.by_id()
    mine = [entry for entry in baseline.entries if entry.is_about(judged.name)]
    left_out = judged.case_ids.difference(cases) if judged.partial else frozenset()
    entries = [entry for entry in mine if entry.case not in left_out]
    problems = tuple(problem for entry in entries for problem in _problems(entry, cases.get(entry.case), judged.today))
    tolerated = {entry.case: entry for entry in entries if entry.case in cases and tolerates(entry, cases[entry.case])}
    flaked = frozenset(case for case, entry in tolerated.items() if entry.flaky)
    return Expectations(frozenset(tolerated), flaked, problems, len(baseline.entries) - len(mine))


def tolerates(entry: Entry, case: Case) -> bool:
    """Tell whether a case failed as the entry says; what crashed or what the harness failed at never did."""
    if case.verdict not in FAILURES or case.excused or case.crashed:
        return False
    as_expected = entry.flaky or case.verdict.word == entry.verdict
    return as_expected and entry.error.occurs_in(observed(case))


def observed(case: Case) -> str:
    """Return what was observed where a case went wrong, assertion by assertion."""
    wrong = [witness for witness in case.witnesses if witness.judgement.verdict in FAILURES]
    return "\n".join([*(witness.judgement.observed for witness in wrong), case.reason])


def _problems(entry: Entry, case: Case | None, today: date) -> Iterator[Problem]:
    wrong = _wrong(entry, case)
    if wrong:
        yield Problem(entry, wrong[1], wrong[0])
    if entry.expires < today:
        yield Problem(
            entry, f"expired on {entry.expires}; correct the failure, or give a new date and a reason", "expired"
        )
    if entry.flaky and entry.runs >= ENOUGH_RUNS and entry.failures in {0, entry.runs}:
        often = "never failed" if entry.failures == 0 else "always failed"
        yield Problem(
            entry, f"{often} in {entry.runs} runs, so it is not a flake; remove it or expect the failure", "steady"
        )


def _wrong(entry: Entry, case: Case | None) -> tuple[str, str] | None:
    if case is None:
        return "unmatched", "matches no case of this run; remove it or correct its scenario and example"
    if case.excused:
        return "unmatched", f"was not judged, {case.excused}: {case.reason}; remove it"
    if case.error or case.crashed:
        what = "the harness failed at it" if case.error else "the implementation crashed or hung"
        return "crashed", f"{what}, which cannot be expected"
    if case.verdict is Verdict.PASS and not entry.flaky:
        return "passed", "passed; remove it, or run with --baseline-update"
    if case.verdict not in FAILURES or tolerates(entry, case):
        return None
    difference = f"fails differently than expected: {observed(case)[:200]!r} does not match {entry.error.text!r}"
    if entry.verdict not in {"", case.verdict.word}:
        difference = f"is {case.verdict.word}, not {entry.verdict} as expected"
    return "differs", difference


def updated(baseline: Baseline, expectations: Expectations, judged: Judged, *, grow: bool) -> Baseline:
    """Return the baseline without what passed or is gone, flakes counted; with new failures if it may grow.

    An expired entry stays: to let a failure live longer is for a person to decide.

    Raises:
        ConfigurationError: what came out is not a baseline, which would be a defect of ours.
    """
    document = baseline.document()
    _count_flakes(baseline, document, judged)
    dropped = {*GONE, "differs"} if grow else GONE
    for name, number in sorted(
        {problem.entry.place for problem in expectations.problems if problem.kind in dropped}, reverse=True
    ):
        del document[name][number]
    if grow:
        again = {problem.entry.case for problem in expectations.problems if problem.kind == "differs"}
        listed = {entry.case for entry in baseline.entries if entry.is_about(judged.name)} - again
        failed = (case for case in judged.cases if case.verdict in FAILURES and not case.excused and not case.crashed)
        _add(document, [case for case in failed if case.id not in listed], judged)
    return baseline_of(baseline.path, text_of(document))


def _count_flakes(baseline: Baseline, document: Any, judged: Judged) -> None:
    by_id = judged.by_id()
    for entry in baseline.entries:
        case = by_id.get(entry.case) if entry.flaky and entry.is_about(judged.name) else None
        if case and not case.excused:
            name, number = entry.place
            document[name][number]["runs"] = entry.runs + 1
            document[name][number]["failures"] = entry.failures + tolerates(entry, case)


def _add(document: Any, cases: Sequence[Case], judged: Judged) -> None:
    if not cases:
        return
    if not document.get("expected"):
        document["expected"] = []
    for case in cases:
        document["expected"].append(_entry(case, judged.name, judged.today))


def _pattern(text: str) -> str:
    """Return an expression for the first line of a text; what YAML or an editor may lose is any character."""
    line = text.partition("\n")[0][:PATTERN_LENGTH]
    words = line.split(" ")  # which stay apart by plain blanks: a person reads the expression
    return " ".join(
        "".join(re.escape(each) if each.isascii() and each.isprintable() else "." for each in word) for word in words
    )


def _entry(case: Case, name: str, today: date) -> dict[str, Any]:
    scenario, _, row = case.id.rpartition("/") if case.row else (case.id, "", "")
    made: dict[str, Any] = {"scenario": scenario} | ({"example": row} if row else {})
    made |= {
        "iut": name.translate({ord("["): "[[]", ord("*"): "[*]", ord("?"): "[?]"}) or "*",
        "verdict": case.verdict.word,
        "error": _pattern(observed(case)) or ".",
        "reason": "no reason given yet: added by --baseline-update=grow",
        "issue": "none yet",
        "owner": "unassigned",
        "since": today + timedelta(0),  # a date of its own: what is one object becomes an alias in YAML
        "expires": today + GRACE,
    }
    return made
