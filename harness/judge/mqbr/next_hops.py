"""Next hops of clients, routers and site gates (MS-MQBR 3.1.5.1 to 3.1.5.3): how they are asked for and judged.

The words of a feature are checked against the model first. Where they disagree one of the two is wrong, and neither is
the implementation's fault. Then the model says what is allowed, and the register weighs the readings.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqbr.enterprise_description import named
from mqconform.harness.judge.mqbr.named_enterprise import MACHINE, SITE, guid_of
from mqconform.harness.judge.mqbr.routing_scene import Asked, RoutingScene
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then, when
from mqconform.reference.allowed import Allowed, Standing
from mqconform.reference.mqbr.decision import NextHopsDecision
from mqconform.reference.mqbr.judgement import Judgement as ModelJudgement
from mqconform.reference.mqbr.next_hops import NextHops
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops

Naming = Callable[[str], str]
"""Replaces the GUIDs in a text by names."""
NO_ROUTE: frozenset[str] = frozenset()
NO_ROUTE_TEXT = "no route"
_OR = re.compile(r"\s+or\s+")


@when(r"(?P<source>\w+) asks for the way to (?P<destination>\w+)")
def asks(routing: RoutingScene, source: str, destination: str) -> None:
    """Ask for the next hops; the router is initialised as the source if it is not."""
    routing.ask(source, destination)


@when(r"(?P<source>\w+) asks for the way to the identifier of site (?P<site>\w+)")
def asks_for_a_site(routing: RoutingScene, source: str, site: str) -> None:
    routing.ask_by_guid(source, f"site {site}", guid_of(SITE, site))


@then(r"the next hop is (?P<name>\w+)")
def next_hop_is(routing: RoutingScene, name: str) -> None:
    judge_last(routing, frozenset({outcome([name])}))


@then(r"the next hop is one of (?P<names>.+)")
def next_hop_is_one_of(routing: RoutingScene, names: str) -> None:
    judge_last(routing, frozenset(outcome([name]) for name in named(names)))


@then(r"the next hops are (?P<names>.+)")
def next_hops_are(routing: RoutingScene, names: str) -> None:
    judge_last(routing, frozenset({outcome(named(names))}))


@then("there is no route")
def no_route(routing: RoutingScene) -> None:
    judge_last(routing, frozenset({NO_ROUTE}))


@then(r"the answer is (?P<outcomes>.+ or .+)")
def answer_is_either(routing: RoutingScene, outcomes: str) -> None:
    """Expect one of several outcomes, ``no route`` among them."""
    expected = (NO_ROUTE if word == NO_ROUTE_TEXT else outcome(named(word)) for word in _OR.split(outcomes))
    judge_last(routing, frozenset(expected))


@then("the algorithm allows the next hop")
def next_hop_allowed(routing: RoutingScene) -> None:
    """Judge by the model alone, as saved counterexamples do."""
    judge_last(routing, None)


def judge_last(routing: RoutingScene, expected: frozenset[frozenset[str]] | None) -> None:
    """Judge the last answer; ``expected`` is what the feature says, None without a statement."""
    asked = routing.last
    plain, permitted = text_level(asked.decision.allowed)
    message = f"the feature disagrees with the model about {asked.source} to {asked.destination}"
    assert expected is None or expected in (plain, permitted), (
        f"{message}: {expected} against {plain} and at most {permitted}"
    )
    routing.witness(judge_asked(routing.judge, asked, routing.naming))


def outcome(names: Sequence[str]) -> frozenset[str]:
    """Return a set of hops, given by name."""
    return frozenset(guid_of(MACHINE, name) for name in names)


def judge_asked(judge: Judge, asked: Asked, naming: Naming) -> Judgement:
    """Judge one answer, and name the question beside what is expected."""
    judgement = judge_answer(judge, asked.decision, asked.hops, naming)
    return replace(judgement, expected=f"{judgement.expected}, from {asked.source} to {asked.destination}")


def judge_answer(
    judge: Judge, decision: NextHopsDecision, observed: Sequence[str | None] | None, naming: Naming
) -> Judgement:
    """Judge one answer to GetNextHops (3.1.5.1); None is a failed routing attempt."""
    model = judge_next_hops(decision, observed)
    expected = expected_text(decision.allowed, naming)
    why = f" ({naming(model.explanation)})" if model.matches else ""  # else it would repeat what is expected
    return weigh(judge, model, expected, f"{naming(hops_text(observed))}{why}")


def weigh(judge: Judge, model: ModelJudgement[Any], expected: str, observed: str) -> Judgement:
    """Turn what the model says into a verdict of the profile; of several readings the worst counts, then a choice."""
    best = model.matched
    if best is None:
        return judge.says(False, expected, observed)
    weighed = [judge.reading(reading.register, reading.name, expected, observed) for reading in sorted(best.readings)]
    return max(
        weighed,
        key=lambda judgement: (judgement.verdict, judge.is_a_choice(judgement)),
        default=judge.says(True, expected, observed),
    )


def text_level(allowed: Allowed[NextHops]) -> tuple[frozenset[frozenset[str]], frozenset[frozenset[str]]]:
    """Return the outcomes that the text gives by itself, and those with all that the register permits; as sets."""
    return _as_sets(allowed.outcomes(Standing.TEXT)), _as_sets(allowed.outcomes(Standing.PERMITTED))


def expected_text(allowed: Allowed[NextHops], naming: Naming) -> str:
    """Return the allowed outcomes in words, by name."""
    outcomes = sorted({naming(hops_text(hops)) for hops in allowed.outcomes(Standing.PERMITTED)})
    return " or ".join(outcomes) or "left open by the specification"


def hops_text(hops: Sequence[str | None] | None) -> str:
    """Return an answer in words."""
    return ", ".join(hop or "Nothing" for hop in hops) if hops else NO_ROUTE_TEXT


def _as_sets(outcomes: Iterable[NextHops]) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(hops) for hops in outcomes)
