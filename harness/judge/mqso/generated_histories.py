"""Drawn histories of a queue manager: what no reading explains is made small, judged, and kept as a named case."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Final

import pytest
from pytest_bdd import parsers

from mqconform.harness.iut.interface import Unsupported
from mqconform.harness.judge.from_seed import from_seed
from mqconform.harness.judge.mqso.clock import clock_of
from mqconform.harness.judge.mqso.drawn_history_text import ALWAYS, WEIGHTS, deeds, kinds_for, needs_of, perform
from mqconform.harness.judge.mqso.drawn_story import QUEUES, TRANSACTIONS, WISHES, Offer
from mqconform.harness.judge.mqso.history_search import (
    is_wrong,
    judge_search,
    readings_of,
    save_history,
    smallest_unexplained,
)
from mqconform.harness.judge.mqso.queue_manager_checks import judge
from mqconform.harness.judge.mqso.queue_manager_scene import QueueManagerScene, calls_of
from mqconform.harness.judge.mqso.queue_manager_steps import are_sent, is_received_by_identifier, with_queues
from mqconform.harness.judge.mqso.second_opinion import hold_against_history_check
from mqconform.harness.judge.mqso.sketch import Sketch, sketches
from mqconform.harness.suite.steps import then, when
from mqconform.reference.choice import Choice
from mqconform.reference.mqso.elements import SYSTEM_QUEUES, Access, QueueName
from mqconform.reference.mqso.events import CreateQueue

HISTORIES: Final = {"of plain messages": 10, "with transactions": 10, "of all kinds": 80}
"""Tried while all is well. The first two kinds are for those that offer little: the third has all that they have."""
RESTARTS: Final = 6
"""After these, by the real clock, no further history with restarts is tried: a broker takes seconds for each.

A number and not a time: what is tried may not depend on how fast a machine is today.
"""
REPORTS: Final = QueueName("acks")
REPORTED_WITHIN: Final = 4
"""Seconds that an acknowledgment may take to its queue, which the text does not say."""


@dataclass(slots=True)
class HistorySearch:
    """What a search of histories came to.

    Attributes:
        first: the scene of the scenario; each history has a scene of its own.
        explained: how many were by text and register, so that those that are left open count for nothing.
        assumed: the readings that the implementation seems to follow, by which the next history is explained sooner.
        unexplained: the scene of the smallest history that nothing explains, None without one.
        offer: what a history may ask of the implementation.
        restarts: how many are left, infinitely many by the virtual clock.
    """

    first: QueueManagerScene
    offer: Offer = field(init=False)
    restarts: float = field(init=False)
    explained: int = 0
    assumed: frozenset[Choice] = frozenset()
    unexplained: QueueManagerScene | None = None

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
        scene.assume(self.assumed)
        for sentence in deeds(sketch, self.offer):
            perform(scene, sentence)
            if is_wrong(scene):
                return scene
        look_at_all(scene)
        if scene.run.second_opinion:
            hold_against_history_check(scene.history, scene.explanation)
        if is_wrong(scene):
            return scene
        self.explained += scene.explanation.is_permitted
        self.assumed = readings_of(scene.explanation, self.assumed)
        return None


def fresh(scene: QueueManagerScene) -> QueueManagerScene:
    """Return the scene of a history that has not begun, on a queue manager as freshly installed."""
    scene.run.iut.call("reset", {})
    begun = QueueManagerScene(
        calls_of(scene.run), clock_of(scene.run), run=scene.run, case=scene.case, judge=scene.judge
    )
    begun.begin()
    return begun


def offer_of(scene: QueueManagerScene) -> Offer:
    """Try what no capability names: limited room, what a send may ask for, and messages by identifier."""
    with_queues(scene, [["queue", "transactional", "room"], ["inbox", "no", "any"], ["acks", "no", "any"]])
    rooms = _offered(with_queues, scene, [list(QUEUES[0]), list(QUEUES[-1])])
    wishes = tuple(wish for wish in WISHES if not wish or _offered(are_sent, scene, "m1", "inbox", None, wish))
    identifiers = _offered(is_received_by_identifier, scene, "m1", "inbox", "looked at", None)
    offered = scene.run.iut.description.capabilities
    transactions: tuple[str, ...] = TRANSACTIONS[:1] if "transactions" in offered else ()
    if transactions and scene.exact and {"external-transactions", "virtual-clock"}.issubset(offered):
        transactions = TRANSACTIONS  # their outcomes take time
    return Offer(wishes, rooms, identifiers, "cursors" in offered, transactions)


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
    created = dict.fromkeys(seen.event.queue for seen in scene.history if isinstance(seen.event, CreateQueue))
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
def history_search(queue_manager: QueueManagerScene) -> HistorySearch:
    """Give a scenario a search that has not begun."""
    return HistorySearch(queue_manager)


@when(parsers.re(r"generated histories (?P<kind>of plain messages|with transactions|of all kinds) are played"))
@from_seed
def histories_are_played(history_search: HistorySearch, kind: str) -> None:
    """Search for a history that nothing explains, and make it small."""
    scene = history_search.first
    offered = frozenset(scene.run.iut.description.capabilities).difference(() if scene.exact else {"virtual-clock"})
    found = smallest_unexplained(
        sketches(kinds_for(offered, kind, history_search.offer), ALWAYS, WEIGHTS, first="queues", last="restart"),
        history_search.play,
        history_search.renew_restarts,
        seed=scene.run.seed,
        examples=HISTORIES[kind] * scene.run.thorough,
    )
    if found is not None:
        sketch, history_search.unexplained = found
        _save(history_search, sketch, history_search.unexplained)


@then("the specification explains each of them")
def each_is_explained(history_search: HistorySearch) -> None:
    """Judge the history that nothing explains, or say that there was none."""
    judge_search(history_search.first, history_search.unexplained, history_search.explained)


@then("the specification explains every observation")
def all_is_explained(queue_manager: QueueManagerScene) -> None:
    """Look at all that is left, and judge the whole history."""
    look_at_all(queue_manager)
    observed = f"a history {'without' if is_wrong(queue_manager) else 'with'} a permitted explanation"
    judge(queue_manager, "a history with a permitted explanation", observed, holds=True)


def _save(searched: HistorySearch, sketch: Sketch, unexplained: QueueManagerScene) -> None:
    steps = ["Given a queue manager with the queues", *(f"  | {' | '.join(row)} |" for row in searched.offer.queues)]
    steps += [f"{'And' if place else 'When'} {step}" for place, step in enumerate(deeds(sketch, searched.offer))]
    needs = needs_of(steps)
    save_history(searched.first, unexplained, [*steps, "Then the specification explains every observation"], needs)
