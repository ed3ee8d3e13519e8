"""Drawn histories of a queue manager: what no reading explains is made small, judged, and kept as a named case."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final

import pytest

from mqconform.harness.iut.interface import Unsupported
from mqconform.harness.judge.marks import from_seed
from mqconform.harness.judge.mqso.drawn_history_kinds import WEIGHTS, WEIGHTS_OF_USERS, kinds_for, needs_of
from mqconform.harness.judge.mqso.drawn_history_text import ALWAYS, deeds, perform
from mqconform.harness.judge.mqso.drawn_story import (
    QUEUES,
    QUEUES_OF_USERS,
    READERS,
    SEALS,
    TRANSACTIONS,
    WISHES,
    Offer,
)
from mqconform.harness.judge.mqso.history_search import HistorySearch, is_wrong, judge_explained
from mqconform.harness.judge.mqso.queue_manager_checks import hold_against_history_check
from mqconform.harness.judge.mqso.queue_manager_steps import are_sent, is_received_by_identifier, with_queues
from mqconform.harness.judge.mqso.scenes import QueueManagerScene, begun
from mqconform.harness.judge.mqso.security import GIVEN_USERS, in_a_domain_with_queues
from mqconform.harness.judge.mqso.sketch import Sketch, drawn
from mqconform.harness.suite.steps import then, when
from mqconform.reference.mqso.elements import SYSTEM_QUEUES, Access, QueueName, User
from mqconform.reference.mqso.explanation import Seen, explain
from mqconform.reference.mqso.world import World

HISTORIES: Final = {"of plain messages": 8, "with transactions": 8, "of all kinds": 62, "of users": 11}
"""Tried while all is well. The first two kinds are for those that offer little: the third has all that they have."""
RESTARTS: Final = 6
"""After these, by the real clock, no further history with restarts is tried: a broker takes seconds for each.

A number and not a time: what is tried may not depend on how fast a machine is today.
"""
REPORTS: Final = QueueName("acks")
REPORTED_WITHIN: Final = 4
"""Seconds that an acknowledgment may take to its queue, which the text does not say."""


@dataclass(slots=True)
class SingleHistorySearch(HistorySearch[QueueManagerScene]):
    """A search of histories of one queue manager.

    Attributes:
        offer: what a history may ask of the implementation.
        restarts: how many are left, infinitely many by the virtual clock.
        undecided: histories that may have led to more worlds than are kept.
    """

    offer: Offer = field(init=False)
    restarts: float = field(init=False)
    undecided: list[list[Seen]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.offer = offer_of(fresh(self.first))
        self.renew()

    def renew(self) -> None:
        """Allow as many restarts as in the beginning."""
        self.restarts = inf if self.first.exact else RESTARTS

    def sentences(self, sketch: Sketch) -> Iterable[str]:
        """Return what a history does, as far as the implementation offers it."""
        return deeds(sketch, self.offer)

    def play(self, sketch: Sketch) -> QueueManagerScene | None:
        """Play a history on a queue manager as freshly installed; return its scene where nothing explains it."""
        restarts = sum(kind == "restart" for kind, _ in sketch)
        if restarts > self.restarts:
            return None
        self.restarts -= restarts
        scene = fresh(self.first)
        begin = in_a_domain_with_queues if self.offer.seals else with_queues
        begin(scene, [list(row) for row in self.offer.queues])
        scene.assume(self.assumed)
        for sentence in self.sentences(sketch):
            perform(scene, sentence)
            if is_wrong(scene):
                return scene
        look_at_all(scene, READERS[0] if self.offer.seals else None)
        if scene.run.plan.second_opinion:
            hold_against_history_check(scene.history, scene.explanation)
        if scene.explanation.undecided:
            self.undecided.append(scene.history)
        return self.conclude(scene)

    def judge(self) -> None:
        """Judge as any search, those left undecided by the readings that all others have shown."""
        started = World(followed=self.assumed)
        self.explained += sum(explain(history, start=started).is_permitted for history in self.undecided)
        HistorySearch.judge(self)  # a class with slots is another one than that of its methods


def fresh(scene: QueueManagerScene) -> QueueManagerScene:
    """Return the scene of a history that has not begun, on a queue manager as freshly installed."""
    scene.run.iut.call("reset", {})
    return begun(scene.run, scene.case, scene.judge)


def offer_of(scene: QueueManagerScene) -> Offer:
    """Try what no capability names: limited room, what a send may ask for, and messages by identifier."""
    with_queues(scene, [["queue", "transactional", "room"], ["inbox", "no", "any"], ["acks", "no", "any"]])
    rooms = _offered(with_queues, scene, [list(QUEUES[0]), list(QUEUES[-1])])
    wishes = tuple(wish for wish in WISHES if not wish or _offered(are_sent, scene, "m1", "inbox", None, wish))
    identifiers = _offered(is_received_by_identifier, scene, "m1", "inbox", "looked at", None, None)
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


def look_at_all(scene: QueueManagerScene, user: str | None = None) -> None:
    """Ask what became of those who wait, and take all messages out of all queues, until something is wrong.

    The queue manager's own queues are looked at where they are offered.
    """
    if scene.operations:
        scene.outcomes()
    sent = scene.messages_sent()
    created = dict.fromkeys(creation.queue for creation in scene.creations())
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
            scene.receive_all(name, label, None if user is None else User(user))
        if label and sent and not is_wrong(scene):
            scene.end(label, commit=True)


@pytest.fixture
def history_search(queue_manager: QueueManagerScene) -> SingleHistorySearch:
    """Give a scenario a search that has not begun."""
    return SingleHistorySearch(queue_manager)


def seals_of(scene: QueueManagerScene) -> tuple[str, ...]:
    """Try what a send may carry of its sender."""
    in_a_domain_with_queues(scene, [list(row) for row in QUEUES_OF_USERS[:2]])
    return tuple(seal for seal in SEALS if _offered(are_sent, scene, "m1", "inbox", None, seal))


@when(r"generated histories (?P<kind>of plain messages|with transactions|of all kinds|of users) are played")
@from_seed
def histories_are_played(history_search: SingleHistorySearch, kind: str) -> None:
    scene = history_search.first
    given, weights = "a queue manager with the queues", WEIGHTS
    if kind == "of users":
        given, weights = GIVEN_USERS, WEIGHTS_OF_USERS
        history_search.offer = replace(history_search.offer, seals=seals_of(fresh(scene)))
    offered = frozenset(scene.run.iut.description.capabilities).difference(() if scene.exact else {"virtual-clock"})
    kinds = kinds_for(offered, kind, history_search.offer)
    sketch = history_search.search(
        lambda random: drawn(random, kinds, ALWAYS, weights, first="queues", last="restart"), HISTORIES[kind]
    )
    if sketch is not None:
        needs = needs_of([*history_search.sentences(sketch)])
        then = "the specification explains every observation"
        history_search.save(sketch, given, history_search.offer.queues, then, needs)


@then("the specification explains each of them")
def each_is_explained(history_search: SingleHistorySearch) -> None:
    history_search.judge()


@then("the specification explains every observation")
def all_is_explained(queue_manager: QueueManagerScene) -> None:
    look_at_all(queue_manager)
    judge_explained(queue_manager)
