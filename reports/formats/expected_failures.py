"""Failures that the baseline of a run expected: they stay visible, and do not keep a gate shut."""

from collections.abc import Mapping
from typing import Final

from mqconform.harness.records.result_file import ResultFile
from mqconform.reports.formats.case_outcome import outcome

WORDS: Final = {"expected": "expected failure", "flaked": "known flake"}
"""List of the footer's ``baseline`` -> what a report calls the cases that it names."""


def expected_failures(run: ResultFile) -> Mapping[str, str]:
    """Return what a baseline calls each case that failed as it says, by case id; empty where there was none.

    Only a failure or an inconclusive case can have been expected, whatever the file says.
    """
    baseline = run.footer.baseline if run.footer else None
    words = {case: word for name, word in WORDS.items() for case in (getattr(baseline, name) if baseline else ())}
    return {case.id: words[case.id] for case in run.cases if case.id in words and outcome(case) in _TOLERATED}


def known_violations(run: ResultFile) -> frozenset[str]:
    """Return the requirements that failed in cases alone whose failure the baseline expects."""
    expected = expected_failures(run)
    failed = [witness for witness in run.witnesses if witness.verdict in _FAILED]
    unexpected = {witness.requirement for witness in failed if witness.case not in expected}
    return frozenset(witness.requirement for witness in failed) - unexpected


_FAILED: Final = ("fail", "error")
_TOLERATED: Final = {"fail", "inconclusive"}


def prefixed(message: str, expected: str) -> str:
    """Return a message that begins with what the baseline calls the case; as it is where it calls it nothing."""
    return f"{expected}: {message}" if expected else message
