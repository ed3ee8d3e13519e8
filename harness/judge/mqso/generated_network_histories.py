"""Drawn histories of several queue managers, searched and judged as those of one are."""

from dataclasses import dataclass
from typing import Final

import pytest

from mqconform.harness.judge.marks import from_seed
from mqconform.harness.judge.mqso import drawn_network_text
from mqconform.harness.judge.mqso import network as network_steps
from mqconform.harness.judge.mqso.clock import clock_of
from mqconform.harness.judge.mqso.history_search import (
    HistoriesPlayed,
    Sketch,
    is_wrong,
    perform,
    sketches,
    smallest_unexplained,
)
from mqconform.harness.judge.mqso.network import look_at_all_machines, with_machines
from mqconform.harness.judge.mqso.scenes import NetworkScene, calls_of
from mqconform.harness.suite.steps import then, when

HISTORIES: Final = 26
"""Tried while all is well."""
LENGTH: Final = 8
"""Deeds of a history: each of them is several calls, and what is seen of several machines costs more to explain."""
OCTETS: Final = 4
"""Of the number of a deed, most of which are several sends."""
MOST_WORLDS: Final = 60
"""A history that may have led to more than these is followed no further: that would take seconds."""


@dataclass(slots=True)
class NetworkHistoriesPlayed(HistoriesPlayed[NetworkScene]):
    """A search of histories of several machines, each of the kinds of deeds that the implementation can do."""

    kinds: tuple[str, ...] = ()

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
            perform(scene, sentence, network_steps)
            if is_wrong(scene):
                return scene
            if scene.explanation.undecided:
                return None
        look_at_all_machines(scene)
        return self.conclude(scene)


@pytest.fixture
def network_history_search(network: NetworkScene) -> NetworkHistoriesPlayed:
    """Give a scenario a search that has not begun."""
    return NetworkHistoriesPlayed(network, drawn_network_text.kinds_for(network.run.iut.description.capabilities))


@when("generated histories of several machines are played")
@from_seed
def network_histories_are_played(network_history_search: NetworkHistoriesPlayed) -> None:
    searched = network_history_search
    scene = searched.first
    smallest = smallest_unexplained(
        sketches(searched.kinds, drawn_network_text.ALWAYS, drawn_network_text.WEIGHTS, length=LENGTH, octets=OCTETS),
        searched.play,
        lambda: None,
        seed=scene.run.seed,
        examples=HISTORIES * scene.run.thorough,
    )
    if smallest is None:
        return
    sketch, unexplained = smallest
    sentences = drawn_network_text.deeds(sketch, searched.kinds)
    needs = {"several-machines", "virtual-clock"}.union(*(drawn_network_text.NEEDS.get(kind, ()) for kind, _ in sketch))
    scenario = ("queue managers with the queues", sentences, "the specification explains what all machines hold")
    searched.save(unexplained, scenario, drawn_network_text.QUEUES, needs)


@then("the specification explains each of them on all machines")
def each_of_several_is_explained(network_history_search: NetworkHistoriesPlayed) -> None:
    network_history_search.judge()
