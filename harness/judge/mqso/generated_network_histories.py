"""Drawn histories of several queue managers, searched and judged as those of one are."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import pytest

from mqconform.harness.judge.marks import from_seed
from mqconform.harness.judge.mqso.clock import clock_of
from mqconform.harness.judge.mqso.drawn_network_text import (
    ALWAYS,
    NEEDS,
    QUEUES,
    WEIGHTS,
    deeds,
    kinds_for,
    perform,
)
from mqconform.harness.judge.mqso.history_search import HistorySearch, is_wrong
from mqconform.harness.judge.mqso.network import look_at_all_machines, with_machines
from mqconform.harness.judge.mqso.scenes import NetworkScene, calls_of
from mqconform.harness.judge.mqso.sketch import Sketch, drawn
from mqconform.harness.suite.steps import then, when

HISTORIES: Final = 26
"""Tried while all is well."""
LENGTH: Final = 8
"""Deeds of a history: each of them is several calls, and what is seen of several machines costs more to explain."""
MOST_WORLDS: Final = 60
"""A history that may have led to more than these is followed no further: that would take seconds."""


@dataclass(slots=True)
class NetworkHistorySearch(HistorySearch[NetworkScene]):
    """A search of histories of several machines, of the kinds of deeds that the implementation can do."""

    kinds: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.kinds = kinds_for(self.first.run.iut.description.capabilities)

    def sentences(self, sketch: Sketch) -> Iterable[str]:
        """Return what a history does, as far as the implementation can do it."""
        return deeds(sketch, self.kinds)

    def play(self, sketch: Sketch) -> NetworkScene | None:
        """Play a history on machines as freshly installed; return its scene where nothing explains it."""
        first = self.first
        first.run.iut.call("reset", {})
        scene = NetworkScene(
            calls_of(first.run), clock_of(first.run), run=first.run, case=first.case, judge=first.judge,
            most_worlds=MOST_WORLDS,
        )  # fmt: skip
        with_machines(scene, [list(row) for row in QUEUES])
        scene.assume(self.assumed)
        for sentence in self.sentences(sketch):
            perform(scene, sentence)
            if is_wrong(scene):
                return scene
            if scene.explanation.undecided:
                return None
        look_at_all_machines(scene)
        return self.conclude(scene)


@pytest.fixture
def network_history_search(network: NetworkScene) -> NetworkHistorySearch:
    """Give a scenario a search that has not begun."""
    return NetworkHistorySearch(network)


@when("generated histories of several machines are played")
@from_seed
def network_histories_are_played(network_history_search: NetworkHistorySearch) -> None:
    searched = network_history_search
    sketch = searched.search(lambda random: drawn(random, searched.kinds, ALWAYS, WEIGHTS, length=LENGTH), HISTORIES)
    if sketch is not None:
        needs = {"several-machines", "virtual-clock"}.union(*(NEEDS.get(kind, ()) for kind, _ in sketch))
        then = "the specification explains what all machines hold"
        searched.save(sketch, "queue managers with the queues", QUEUES, then, needs)


@then("the specification explains each of them on all machines")
def each_of_several_is_explained(network_history_search: NetworkHistorySearch) -> None:
    network_history_search.judge()
