"""Drawn histories of several queue managers, searched and judged as those of one are."""

from dataclasses import dataclass
from random import Random
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
from mqconform.harness.judge.mqso.history_search import (
    is_wrong,
    judge_search,
    readings_of,
    save_history,
    smallest_unexplained,
)
from mqconform.harness.judge.mqso.network import look_at_all_machines, with_machines
from mqconform.harness.judge.mqso.scenes import NetworkScene, calls_of
from mqconform.harness.judge.mqso.sketch import Sketch, drawn, varied
from mqconform.harness.suite.steps import then, when
from mqconform.reference.choice import Choice

HISTORIES: Final = 26
"""Tried while all is well."""
LENGTH: Final = 8
"""Deeds of a history: each of them is several calls, and what is seen of several machines costs more to explain."""
MOST_WORLDS: Final = 60
"""A history that may have led to more than these is followed no further: that would take seconds."""


@dataclass(slots=True)
class NetworkHistorySearch:
    """What a search of histories of several machines came to.

    Attributes:
        first: the scene of the scenario; each history has a scene of its own.
        kinds: of deeds that the implementation can do.
        explained: how many were by text and register.
        assumed: the readings that the implementation seems to follow, by which the next history is explained sooner.
        unexplained: the scene of the smallest history that nothing explains, None without one.
    """

    first: NetworkScene
    kinds: tuple[str, ...]
    explained: int = 0
    assumed: frozenset[Choice] = frozenset()
    unexplained: NetworkScene | None = None

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
        for sentence in deeds(sketch, self.kinds):
            perform(scene, sentence)
            if is_wrong(scene):
                return scene
            if scene.explanation.undecided:
                return None
        look_at_all_machines(scene)
        if is_wrong(scene):
            return scene
        self.explained += scene.explanation.is_permitted
        self.assumed = readings_of(scene.explanation, self.assumed)
        return None


@pytest.fixture
def network_history_search(network: NetworkScene) -> NetworkHistorySearch:
    """Give a scenario a search that has not begun."""
    return NetworkHistorySearch(network, kinds_for(network.run.iut.description.capabilities))


@when("generated histories of several machines are played")
@from_seed
def network_histories_are_played(network_history_search: NetworkHistorySearch) -> None:
    """Search for a history that nothing explains, and make it small."""
    searched = network_history_search
    scene = searched.first
    random = Random(scene.run.plan.seed)
    histories = varied(
        lambda: drawn(random, searched.kinds, ALWAYS, WEIGHTS, length=LENGTH),
        lambda sketch: deeds(sketch, searched.kinds),
        HISTORIES,
        scene.run.plan.thorough,
    )
    found = smallest_unexplained(histories, searched.play, lambda: None)
    if found is None:
        return
    sketch, searched.unexplained = found
    steps = ["Given queue managers with the queues", *(f"  | {' | '.join(row)} |" for row in QUEUES)]
    steps += [f"{'And' if place else 'When'} {step}" for place, step in enumerate(deeds(sketch, searched.kinds))]
    needs = {"several-machines", "virtual-clock"}.union(*(NEEDS.get(kind, ()) for kind, _ in sketch))
    save_history(scene, searched.unexplained, [*steps, "Then the specification explains what all machines hold"], needs)


@then("the specification explains each of them on all machines")
def each_of_several_is_explained(network_history_search: NetworkHistorySearch) -> None:
    """Judge the history that nothing explains, or say that there was none."""
    searched = network_history_search
    judge_search(searched.first, searched.unexplained, searched.explained)
