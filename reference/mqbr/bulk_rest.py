"""Rows that are not plain, judged by the readable model, each distinct one once."""

from collections.abc import Callable
from functools import cached_property
from typing import Final

from mqconform.reference.directory.elements import Directory, QueueManagerId
from mqconform.reference.directory.reading import DirectoryView
from mqconform.reference.mqbr.bulk_rules import rule_of
from mqconform.reference.mqbr.clock import RouterState, initialize
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops

OUTCOMES: Final = tuple(Outcome)
"""By outcome code: allowed, by the register, not allowed."""

MOST_REMEMBERED: Final = 1_000_000
"""Verdicts kept; one more and all are forgotten."""

Row = tuple[int, int, tuple[int, ...] | None]
"""Source, destination, hops with -1 for Nothing, or None for a failed attempt."""


class ReadableRows:
    """The readable model behind a memory of verdicts."""

    def __init__(self, directory: Callable[[], Directory], identifiers: tuple[str, ...]) -> None:
        self._directory = directory
        self._identifiers = identifiers
        self._verdicts: dict[Row, tuple[int, int]] = {}
        self._state: tuple[int, RouterState] | None = None
        self._decision: tuple[tuple[int, int], NextHopsDecision] | None = None

    def verdict(self, source: int, destination: int, hops: tuple[int, ...] | None) -> tuple[int, int]:
        """Return outcome code and rule code; quickest where rows of one source follow each other."""
        row = (source, destination, hops)
        if row not in self._verdicts:
            if len(self._verdicts) >= MOST_REMEMBERED:
                self._verdicts.clear()
            self._verdicts[row] = self._judged(row)
        return self._verdicts[row]

    def _judged(self, row: Row) -> tuple[int, int]:
        source, destination, hops = row
        decision = self._decided(source, destination)
        observed = None if hops is None else [self._named(hop) if hop != -1 else None for hop in hops]
        judgement = judge_next_hops(decision, observed)
        return OUTCOMES.index(judgement.outcome), rule_of(decision, judgement)

    def _decided(self, source: int, destination: int) -> NextHopsDecision:
        if self._state is None or self._state[0] != source:
            self._state = (source, initialize(self._view, self._named(source)))
            self._decision = None
        if self._decision is None or self._decision[0] != (source, destination):
            self._decision = (source, destination), decide_next_hops(self._state[1], self._named(destination))
        return self._decision[1]

    @cached_property
    def _view(self) -> DirectoryView:
        return DirectoryView(self._directory())

    @cached_property
    def _unused_name(self) -> str:
        """A name that no queue manager has."""
        return "?" * (1 + max(map(len, self._identifiers), default=0))

    def _named(self, number: int) -> QueueManagerId:
        return QueueManagerId(self._identifiers[number] if number >= 0 else self._unused_name)
