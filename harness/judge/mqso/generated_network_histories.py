"""Drawn histories of several queue managers, searched and judged as those of one are."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar, Final

import pytest

from mqconform.harness.judge.marks import from_seed
from mqconform.harness.judge.mqso import drawn_domain_text, drawn_network_text
from mqconform.harness.judge.mqso.arrangements import with_public_queues, with_sites
from mqconform.harness.judge.mqso.clock import clock_of
from mqconform.harness.judge.mqso.directory import with_directory
from mqconform.harness.judge.mqso.drawn_network_text import QUEUES, perform
from mqconform.harness.judge.mqso.history_search import HistorySearch, is_wrong
from mqconform.harness.judge.mqso.network import look_at_all_machines, with_machines
from mqconform.harness.judge.mqso.scenes import NetworkScene, calls_of
from mqconform.harness.judge.mqso.sketch import Sketch, drawn
from mqconform.harness.suite.steps import then, when

HISTORIES: Final = 26
"""Tried while all is well."""
IN_A_DOMAIN: Final = 8
"""Of these in a domain, besides."""
LENGTH: Final = 8
"""Deeds of a history: each of them is several calls, and what is seen of several machines costs more to explain."""
LENGTH_IN_A_DOMAIN: Final = 5
"""Deeds of a history with a directory, of which each machine knows more or less."""
MOST_WORLDS: Final = 60
"""A history that may have led to more than these is followed no further: that would take seconds."""
_NEEDS: Final = {"several-machines", "virtual-clock"}


@dataclass(slots=True)
class NetworkHistorySearch(HistorySearch[NetworkScene]):
    """A search of histories of several machines, of the kinds of deeds that the implementation can do."""

    kinds: tuple[str, ...] = field(init=False)
    text: ClassVar = drawn_network_text

    def __post_init__(self) -> None:
        self.kinds = self.text.kinds_for(self.first.run.iut.description.capabilities)

    def sentences(self, sketch: Sketch) -> Iterable[str]:
        """Return what a history does, as far as the implementation can do it."""
        return self.text.deeds(sketch, self.kinds)

    def arrange(self, scene: NetworkScene) -> None:
        """Set the machines up."""
        with_machines(scene, [list(row) for row in QUEUES])

    def play(self, sketch: Sketch) -> NetworkScene | None:
        """Play a history on machines as freshly installed; return its scene where nothing explains it."""
        first = self.first
        first.run.iut.call("reset", {})
        scene = NetworkScene(
            calls_of(first.run), clock_of(first.run), run=first.run, case=first.case, judge=first.judge,
            most_worlds=MOST_WORLDS,
        )  # fmt: skip
        self.arrange(scene)
        scene.assume(self.assumed)
        for sentence in self.sentences(sketch):
            perform(scene, sentence)
            if is_wrong(scene):
                return scene
            if scene.explanation.undecided:
                return None
        look_at_all_machines(scene)
        return self.conclude(scene)

    def find(self, number: int, length: int) -> None:
        """Play a number of histories of some deeds, and save the one that nothing explains."""
        sketch = self.search(
            lambda random: drawn(random, self.kinds, self.text.ALWAYS, self.text.WEIGHTS, length=length), number
        )
        if sketch is not None:
            needs = _NEEDS.union(*(self.text.NEEDS.get(kind, ()) for kind, _ in sketch))
            self.save_as_case(sketch, needs)

    def save_as_case(self, sketch: Sketch, needs: set[str]) -> None:
        """Save a history with the machines that it begins with."""
        self.save(sketch, "queue managers with the queues", QUEUES, _THEN, needs)


_THEN: Final = "the specification explains what all machines hold"


@dataclass(slots=True)
class DomainHistorySearch(NetworkHistorySearch):
    """A search of histories of a domain with public queues, over a routing server where there is routing."""

    text: ClassVar = drawn_domain_text

    @property
    def routed(self) -> bool:
        """Whether messages are routed."""
        return "routing" in self.first.run.iut.description.capabilities

    def arrange(self, scene: NetworkScene) -> None:
        """Set the machines up."""
        if self.routed:
            with_sites(scene, "West-East 1", [list(row) for row in drawn_domain_text.SITES])
        else:
            with_directory(scene, [list(row) for row in drawn_domain_text.MODES])
        with_public_queues(scene, drawn_domain_text.PUBLIC_QUEUES)

    def save_as_case(self, sketch: Sketch, needs: set[str]) -> None:
        """Save a history with the domain that it begins with."""
        given = drawn_domain_text.ROUTED if self.routed else drawn_domain_text.UNROUTED
        rows = drawn_domain_text.SITES if self.routed else drawn_domain_text.MODES
        also = f"public queues {drawn_domain_text.PUBLIC_QUEUES}"
        self.save(sketch, given, rows, _THEN, needs | {"directory", *(["routing"] if self.routed else [])}, also)


@pytest.fixture
def network_history_search(network: NetworkScene) -> NetworkHistorySearch:
    """Give a scenario a search that has not begun."""
    return NetworkHistorySearch(network)


@pytest.fixture
def domain_history_search(network: NetworkScene) -> DomainHistorySearch:
    """Give a scenario a search of a domain that has not begun."""
    return DomainHistorySearch(network)


@when("generated histories of several machines are played")
@from_seed
def network_histories_are_played(network_history_search: NetworkHistorySearch) -> None:
    network_history_search.find(HISTORIES, LENGTH)


@when("generated histories of a domain are played")
@from_seed
def domain_histories_are_played(domain_history_search: DomainHistorySearch) -> None:
    domain_history_search.find(IN_A_DOMAIN, LENGTH_IN_A_DOMAIN)


@then("the specification explains each of them on all machines")
def each_of_several_is_explained(network_history_search: NetworkHistorySearch) -> None:
    network_history_search.judge()


@then("the specification explains each of them in the domain")
def each_of_domain_is_explained(domain_history_search: DomainHistorySearch) -> None:
    domain_history_search.judge()
