"""Drawn histories of a queue manager: what no reading explains is made small, judged, and kept as a named case."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Final

import pytest

from mqconform.harness.iut.interface import Unsupported
from mqconform.harness.judge.marks import from_seed
from mqconform.harness.judge.mqso import drawn_history_text, queue_manager_steps
from mqconform.harness.judge.mqso.history_search import (
    HistoriesPlayed,
    Sketch,
    is_wrong,
    judge_explained,
    perform,
    sketches,
    smallest_unexplained,
)
from mqconform.harness.judge.mqso.queue_manager_checks import hold_against_history_check
from mqconform.harness.judge.mqso.queue_manager_steps import are_sent, is_received_by_identifier, with_queues
from mqconform.harness.judge.mqso.scenes import QueueManagerScene, begun
from mqconform.harness.suite.steps import then, when
from mqconform.reference.mqso.elements import SYSTEM_QUEUES, Access, QueueName
from mqconform.reference.mqso.events import CreateQueue

HISTORIES: Final = {"of plain messages": 10, "with transactions": 10, "of all kinds": 28}
"""Tried while all is well. The first two kinds are for those that offer little: the third has all that they have."""
RESTARTS: Final = 6
"""After these, by the real clock, no further history with restarts is tried: a broker takes seconds for each.

A number and not a time: what is tried may not depend on how fast a machine is today.
"""
REPORTS: Final = QueueName("acks")
REPORTED_WITHIN: Final = 4
"""Seconds that an acknowledgment may take to its queue, which the text does not say."""


@dataclass(slots=True)
class SingleHistoriesPlayed(HistoriesPlayed[QueueManagerScene]):
    """A search of histories of one queue manager.

    Attributes:
        offer: what a history may ask of the implementation.
        restarts: how many are left, infinitely many by the virtual clock.
    """

    offer: drawn_history_text.Offer = field(init=False)
    restarts: float = field(init=False)

    def __post_init__(self) -> None:
        self.offer = offer_of(fresh(self.first))
        self.renew_restarts()

    def renew_restarts(self) -> None:
        """Allow as many restarts as in the beginning."""
        self.restarts = inf if self.first.exact else RESTARTS

    def play(self, sketch: Sketch) -> QueueManagerScene | None:
        """Play a history on a queue manager as freshly installed; return its scene where nothing explains it."""
        restarts = sum(kind == "restart" for kind, _ in sketch)
        if restarts > self.restarts:
            return None
        self.restarts -= restarts
        scene = fresh(self.first)
        with_queues(scene, [list(row) for row in self.offer.queues])
        for sentence in drawn_history_text.deeds(sketch, self.offer):
            perform(scene, sentence, queue_manager_steps)
            if is_wrong(scene):
                return scene
        look_at_all(scene)
        if scene.run.second_opinion:
            hold_against_history_check(scene.history, scene.explanation)
        return self.conclude(scene)


def fresh(scene: QueueManagerScene) -> QueueManagerScene:
    """Return the scene of a history that has not begun, on a queue manager as freshly installed."""
    scene.run.iut.call("reset", {})
    return begun(scene.run, scene.case, scene.judge)


def offer_of(scene: QueueManagerScene) -> drawn_history_text.Offer:
    """Try what no capability names: limited room, what a send may ask for, and messages by identifier."""
    with_queues(scene, [["queue", "transactional", "room"], ["inbox", "no", "any"], ["acks", "no", "any"]])
    rooms = _offered(with_queues, scene, [list(drawn_history_text.QUEUES[0]), list(drawn_history_text.QUEUES[-1])])
    wishes = tuple(
        wish for wish in drawn_history_text.WISHES if not wish or _offered(are_sent, scene, "m1", "inbox", None, wish)
    )
    identifiers = _offered(is_received_by_identifier, scene, "m1", "inbox", "looked at", None)
    return drawn_history_text.Offer(wishes, rooms, identifiers)


def _offered(deed: Callable[..., object], *of: object) -> bool:
    try:
        deed(*of)
    except Unsupported:
        return False
    return True


def look_at_all(scene: QueueManagerScene) -> None:
    """Ask what became of those who wait, and take all messages out of all queues, until something is wrong.

    The queue manager's own queues are looked at where they are offered.
    """
    if scene.operations:
        scene.outcomes()
    sent = scene.messages_sent()
    created = dict.fromkeys(
        exchange.event.queue for exchange in scene.history if isinstance(exchange.event, CreateQueue)
    )
    for name in (*(name for name in created if name != REPORTS), REPORTS, *SYSTEM_QUEUES):
        if is_wrong(scene):
            return
        if name == REPORTS and scene.exact and sent:
            scene.advance(REPORTED_WITHIN)
        if name in SYSTEM_QUEUES and sent and not _offered(scene.opened, name, Access.RECEIVE):
            continue
        transactional = scene.is_transactional(name)
        label = f"check {len(scene.history)}" if transactional else None
        if label and sent:
            scene.begin_transaction(label)
        if sent:
            scene.receive_all(name, label)
        if label and sent and not is_wrong(scene):
            scene.end(label, commit=True)


@pytest.fixture
def history_search(queue_manager: QueueManagerScene) -> SingleHistoriesPlayed:
    """Give a scenario a search that has not begun."""
    return SingleHistoriesPlayed(queue_manager)


@when(r"generated histories (?P<kind>of plain messages|with transactions|of all kinds) are played")
@from_seed
def histories_are_played(history_search: SingleHistoriesPlayed, kind: str) -> None:
    scene = history_search.first
    offered = frozenset(scene.run.iut.description.capabilities).difference(() if scene.exact else {"virtual-clock"})
    smallest = smallest_unexplained(
        sketches(
            drawn_history_text.kinds_for(offered, kind, history_search.offer),
            drawn_history_text.ALWAYS,
            drawn_history_text.WEIGHTS,
        ),
        history_search.play,
        history_search.renew_restarts,
        seed=scene.run.seed,
        examples=HISTORIES[kind] * scene.run.thorough,
    )
    if smallest is not None:
        sketch, unexplained = smallest
        sentences = drawn_history_text.deeds(sketch, history_search.offer)
        needs = {drawn_history_text.NEEDS[kind] for kind, _ in sketch if kind in drawn_history_text.NEEDS}
        scenario = ("a queue manager with the queues", sentences, "the specification explains every observation")
        history_search.save(unexplained, scenario, history_search.offer.queues, needs)


@then("the specification explains each of them")
def each_is_explained(history_search: SingleHistoriesPlayed) -> None:
    history_search.judge()


@then("the specification explains every observation")
def all_is_explained(queue_manager: QueueManagerScene) -> None:
    look_at_all(queue_manager)
    judge_explained(queue_manager)
