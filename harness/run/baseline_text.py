"""Comparison of a run with its baseline, as text."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from mqconform.harness.records.printable import visible
from mqconform.harness.run.plan import Outcome

LONGEST = 400
MOST_ADDED = 20
"""Cases added to the baseline that are named."""


def baseline_lines(outcome: Outcome, known: Sequence[str]) -> Iterator[Text]:
    """Yield the lines of the summary about the baseline, if there is one; ``known`` are violated as it expects."""
    baseline, expected = outcome.plan.baseline, outcome.expected
    if baseline is None:
        return
    flaked = len(expected.flaked)
    yield Text(f"\nbaseline: {len(expected.tolerated) - flaked} expected failures, {flaked} known flakes failed", "dim")
    if known:
        yield Text(f"  violated as expected: {', '.join(known)}", "yellow")
    if expected.others:
        yield Text(f"  {expected.others} entries for other implementations", "dim")
    yield from added_lines(outcome)
    for problem in expected.problems:
        where = f"{baseline.path}:{problem.entry.line}"
        yield Text(f"  {visible(where)}: {problem.entry.case}: {visible(problem.text)[:LONGEST]}", "yellow")


def added_lines(outcome: Outcome) -> Iterator[Text]:
    """Yield the cases that an update has added to the baseline."""
    for case in outcome.added[:MOST_ADDED]:
        yield Text(f"  added to the baseline: {visible(case)}", "yellow")
    if len(outcome.added) > MOST_ADDED:
        yield Text(f"  and {len(outcome.added) - MOST_ADDED} more added", "yellow")
