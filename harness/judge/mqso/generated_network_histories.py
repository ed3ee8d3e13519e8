"""Drawn histories of several queue managers, searched and judged as those of one are."""

from dataclasses import dataclass
from typing import Final

import pytest

from mqconform.harness.judge.marks import from_seed
from mqconform.harness.judge.mqso import drawn_network_text
from mqconform.harness.judge.mqso.clock import clock_of
from mqconform.harness.judge.mqso.history_search import (
    Sketch,
    is_wrong,
    judge_search,
    save_history,
    sketches,
    smallest_unexplained,
)
from mqconform.harness.judge.mqso.network import look_at_all_machines, with_machines
from mqconform.harness.judge.mqso.scenes import NetworkScene, calls_of
from mqconform.harness.suite.steps import then, when
from mqconform.reference.allowed import Standing

HISTORIES: Final = 26
"""Tried while all is well."""
LENGTH: Final = 8
"""Deeds of a history: each of them is several calls, and what is seen of several machines costs more to explain."""
OCTETS: Final = 4
"""Of the number of a deed, most of which are several sends."""
MOST_WORLDS: Final = 60
"""A history that may have led to more than these is followed no further: that would take seconds."""


@dataclass(slots=True)
class NetworkHistorySearch:
    """What a search of histories of several machines came to.

    Attributes:
        first: the scene of the scenario; each history has a scene of its own.
        kinds: of deeds that the implementation can do.
        explained: how many were by text and register.
        unexplained: the scene of the smallest history that nothing explains, None without one.
    """

    first: NetworkScene
    kinds: tuple[str, ...]
    explained: int = 0
    unexplained: NetworkScene | None = None

    def play(self, sketch: Sketch) -> NetworkScene | None:
        """Play a history on machines as freshly installed; return its scene where nothing explains it."""
        first = self.first
        first.run.iut.call("reset", {})
        scene = NetworkScene(
            calls_of(first.run), clock_of(first.run), run=first.run, case=first.case, judge=first.judge,
            most_worlds=MOST_WORLDS,
        )  # fmt: skip
        with_machines(scene, [list(row) for row in drawn_network_text.QUEUES])
        for sentence in drawn_network_text.deeds(sketch, self.kinds):
            drawn_network_text.perform(scene, sentence)
            if is_wrong(scene):
                return scene
            if scene.explanation.undecided:
                return None
        look_at_all_machines(scene)
        if is_wrong(scene):
            return scene
        standing = scene.explanation.standing
        self.explained += standing is not None and standing <= Standing.PERMITTED
        return None


@pytest.fixture
def network_history_search(network: NetworkScene) -> NetworkHistorySearch:
    """Give a scenario a search that has not begun."""
    return NetworkHistorySearch(network, drawn_network_text.kinds_for(network.run.iut.description.capabilities))


@when("generated histories of several machines are played")
@from_seed
def network_histories_are_played(network_history_search: NetworkHistorySearch) -> None:
    searched = network_history_search
    scene = searched.first
    smallest = smallest_unexplained(
        sketches(searched.kinds, drawn_network_text.ALWAYS, drawn_network_text.WEIGHTS, length=LENGTH, octets=OCTETS),
        searched.play,
        lambda: None,
        seed=scene.run.plan.seed,
        examples=HISTORIES * scene.run.plan.thorough,
    )
    if smallest is None:
        return
    sketch, searched.unexplained = smallest
    steps = ["Given queue managers with the queues", *(f"  | {' | '.join(row)} |" for row in drawn_network_text.QUEUES)]
    steps += [
        f"{'And' if place else 'When'} {step}"
        for place, step in enumerate(drawn_network_text.deeds(sketch, searched.kinds))
    ]
    needs = {"several-machines", "virtual-clock"}.union(*(drawn_network_text.NEEDS.get(kind, ()) for kind, _ in sketch))
    save_history(scene, searched.unexplained, [*steps, "Then the specification explains what all machines hold"], needs)


@then("the specification explains each of them on all machines")
def each_of_several_is_explained(network_history_search: NetworkHistorySearch) -> None:
    searched = network_history_search
    judge_search(searched.first, searched.unexplained, searched.explained)
