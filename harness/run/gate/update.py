"""The baseline after a run: smaller by what passed, and larger only on request."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from mqconform.harness.records.case import Case
from mqconform.harness.run.gate.baseline import Baseline, baseline_of, text_of
from mqconform.harness.run.gate.expectations import FAILURES, Expectations, Judged, observed, tolerates

GRACE = timedelta(days=30)
"""How long an entry lives that a run made: long enough to find out why, too short to forget it."""
PATTERN_LENGTH = 120
GONE = ("passed", "unmatched")


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
        _add(document, [case for case in judged.cases if _is_new(case, listed)], judged)
    return baseline_of(baseline.path, text_of(document))


def _is_new(case: Case, listed: set[str]) -> bool:
    return case.verdict in FAILURES and not case.excused and not case.crashed and case.id not in listed


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
