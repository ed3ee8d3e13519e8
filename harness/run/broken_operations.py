"""Operations that never answered correctly in a run: one cause, however many requirements fail with them.

Time lines show it: an operation is called wrong in several scenarios and gave no other answer anywhere before.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from mqconform.harness.records.case import Case
from mqconform.harness.records.results import Moment
from mqconform.harness.suite.telling import scenario_of

FEWEST: Final = 3
"""Scenarios in which an operation has to be wrong: less may be chance."""


def broken_operations(cases: Iterable[Case]) -> dict[str, str]:
    """Return the operation that never answered correctly by the id of each case that it made fail."""
    wrong: dict[str, set[str]] = defaultdict(set)
    other: dict[str, set[str]] = defaultdict(set)
    failed: dict[str, str] = {}
    for case in cases:
        for moment in _judged(case.timeline):
            (wrong if moment.allowed else other)[_operation(moment)].add(moment.answer)
            if moment.allowed:
                failed[case.id] = _operation(moment)
    failures = [operation for _, operation in {(scenario_of(case), operation) for case, operation in failed.items()}]
    broken = {operation for operation in wrong if other[operation] <= wrong[operation]}
    return {
        case: operation
        for case, operation in failed.items()
        if operation in broken and failures.count(operation) >= FEWEST
    }


def _judged(timeline: Iterable[Moment]) -> Iterator[Moment]:
    """Yield the rows up to the one that was not allowed; those behind it are not judged."""
    for moment in timeline:
        yield moment
        if moment.allowed:
            return


def _operation(moment: Moment) -> str:
    return moment.what.partition(" ")[0]
