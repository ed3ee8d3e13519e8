"""Messages that travel from queue manager to queue manager, each asked in turn (MS-MQBR 3.1.3.1, 3.1.5).

Each hop is judged by itself, and then whether the message gets there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Generic, TypeVar

import pytest

from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqbr.enterprise_description import named
from mqconform.harness.judge.mqbr.named_enterprise import MACHINE, guid_of
from mqconform.harness.judge.mqbr.next_hops import judge_asked, text_level
from mqconform.harness.judge.mqbr.routing_scene import Asked, RoutingScene
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then, when

A = TypeVar("A")
MOST_HOPS: Final = 29
"""Hops after which a message is not passed on any more (MS-MQQB 3.1.5.8.2)."""


class End(StrEnum):
    """How a walk ended."""

    ARRIVED = "arrived"
    STUCK = "no next hop"
    LOOP = "returned to an earlier queue manager"
    TOO_LONG = f"not delivered after {MOST_HOPS} hops"
    ASTRAY = "sent to a machine unknown to the directory"


@dataclass(frozen=True, slots=True)
class Walk(Generic[A]):
    """A message's way.

    Attributes:
        way: names of the queue managers that had the message, the source first.
        answers: what each of them but the last answered.
    """

    way: tuple[str, ...]
    answers: tuple[A, ...]
    end: End

    def __str__(self) -> str:
        """Return the way in words."""
        return f"{' -> '.join(self.way)}: {self.end}"


@dataclass(slots=True)
class Journey:
    """The message of a scenario."""

    walk: Walk[Asked] | None = None
    """Its way, None before it travels."""


@pytest.fixture
def journey() -> Journey:
    """Return where a scenario keeps the way of its message."""
    return Journey()


@when(r"a message travels from (?P<source>\w+) to (?P<destination>\w+)")
def message_travels(routing: RoutingScene, journey: Journey, source: str, destination: str) -> None:
    journey.walk = walk_of_message(routing, source, destination)


@then(r"it arrives by way of (?P<way>.+)")
def arrives_by_way(routing: RoutingScene, journey: Journey, way: str) -> None:
    """Judge a walk; the feature's own way has to be one that the model allows."""
    assert journey.walk is not None, "no message travels in this scenario"
    source = journey.walk.way[0]
    hops = named(way)
    for at, hop in zip((source, *hops), hops, strict=False):
        _, permitted = text_level(routing.model(at, hops[-1]).allowed)
        agreed = any(guid_of(MACHINE, hop) in outcome for outcome in permitted)
        assert agreed, f"the feature sends from {at} to {hop}, which the model does not"
    routing.witness(judge_hops(routing, routing.judge, journey.walk))


@then("it arrives")
def arrives(routing: RoutingScene, journey: Journey) -> None:
    """Judge a walk by the model alone."""
    assert journey.walk is not None, "no message travels in this scenario"
    routing.witness(judge_hops(routing, routing.judge, journey.walk))


def walk(ask: Callable[[str], tuple[A, str | None]], source: str, destination: str) -> Walk[A]:
    """Return the way of a message when each queue manager's first next hop is taken.

    Args:
        ask: gives a queue manager's answer and the name of its first hop: empty if the directory has no such
            machine, None without any hop.
        source: name of the queue manager that sends.
        destination: name of the queue manager that is to receive.
    """
    way, answers = [source], list[A]()
    while way[-1] != destination:
        if len(way) > MOST_HOPS:
            return Walk(tuple(way), tuple(answers), End.TOO_LONG)
        answer, hop = ask(way[-1])
        answers.append(answer)
        if not hop:
            return Walk(tuple(way), tuple(answers), End.STUCK if hop is None else End.ASTRAY)
        way.append(hop)
        if hop in way[:-1]:
            return Walk(tuple(way), tuple(answers), End.LOOP)
    return Walk(tuple(way), tuple(answers), End.ARRIVED)


def walk_of_message(routing: RoutingScene, source: str, destination: str) -> Walk[Asked]:
    """Return the way of a message through the enterprise of the scenario."""
    names = {guid_of(MACHINE, machine.name): machine.name for machine in routing.enterprise.machines}

    def ask(at: str) -> tuple[Asked, str | None]:
        asked = routing.ask(at, destination)
        hop = next((hop for hop in asked.hops or () if hop is not None), None)
        return asked, None if hop is None else names.get(hop.lower(), "")

    return walk(ask, source, destination)


def judge_hops(routing: RoutingScene, judge: Judge, route: Walk[Asked]) -> Judgement:
    """Judge each hop of a message, and that it arrives."""
    hops = [judge_asked(judge, answer, routing.naming) for answer in route.answers]
    return judge_walk(judge, str(route), route.end, hops)


def judge_walk(judge: Judge, way: str, end: End, hops: Sequence[Judgement]) -> Judgement:
    """Return the worst of the hops; allowed hops that do not lead to the destination are none either.

    In an enterprise with positive costs whose directory stands still, hops by the letter come closer to the destination
    one by one (BR-50): a message that circles, or is under way too long, was misled. One that machines lead by other
    readings may do so; nor does it convict anybody where it stops at a machine that does not route.
    """
    worst = max(hops, key=lambda hop: hop.verdict, default=judge.says(True, "", ""))
    if worst.verdict > Verdict.PASS:
        return Judgement(worst.verdict, worst.expected, f"{way}; {worst.observed}", reading=worst.reading)
    expected = "the message arrives by permitted hops"
    chosen = next(filter(judge.is_a_choice, hops), None)
    if chosen is not None:
        return replace(chosen, observed=f"{way}; {chosen.observed}")
    match end:
        # A machine without a next hop has raised by right: each hop was judged already (3.1.5.1).
        case End.ARRIVED | End.STUCK:
            return judge.says(True, expected, way)
        case End.LOOP | End.TOO_LONG | End.ASTRAY:
            return judge.says(False, expected, way)
