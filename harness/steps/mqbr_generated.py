"""Steps whose enterprises are generated, and walks from end to end: one witness for a whole search."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest
from pytest_bdd import parsers, then, when

from mqconform.harness.ambiguity import ReadingLog
from mqconform.harness.iut import IutFault
from mqconform.harness.mqbr.counterexample import CounterexampleCase
from mqconform.harness.mqbr.enterprise import MACHINE, NamedEnterprise, guid_of
from mqconform.harness.mqbr.generators import enterprises, questions
from mqconform.harness.mqbr.gherkin import named
from mqconform.harness.mqbr.reduction import reduced
from mqconform.harness.mqbr.walk import Walk, walk
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.mqbr_next_hops import judge_answer, text_level
from mqconform.harness.oracle.mqbr_walk import judge_walk
from mqconform.harness.search import search
from mqconform.harness.steps.routing_scene import Asked, RoutingScene
from mqconform.harness.verdict import Verdict
from mqconform.harness.witness import Judgement

EXAMPLES = 10
SOURCES, DESTINATIONS = 5, 3
WALKS = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """A question that was answered wrongly."""

    source: str
    destination: str
    judgement: Judgement
    crashed: bool = False


@dataclass(slots=True)
class Search:
    """What a search came to.

    Attributes:
        judge: weighs readings without noting them: what is generated says nothing about staying with one.
        passed: how many answers were right.
        finding: the wrong answer in the smallest enterprise.
    """

    judge: Judge
    passed: int = 0
    finding: Finding | None = None
    walked: Walk[Asked] | None = None


@pytest.fixture
def hunt(routing: RoutingScene) -> Search:
    """Return where a scenario keeps its search."""
    judge = routing.judge
    return Search(Judge(judge.register, judge.profile, ReadingLog(judge.register)))


Question = Callable[[RoutingScene, Search, str, str], Judgement]


@when(parsers.parse('generated enterprises of the shape "{shape}" are routed'))
def routed(routing: RoutingScene, hunt: Search, shape: str) -> None:
    """Search for an enterprise and a question that is answered wrongly."""
    _look_for(routing, hunt, shape, _one_answer, (SOURCES, DESTINATIONS))
    if hunt.finding:
        asks = f"When {hunt.finding.source} asks for the way to {hunt.finding.destination}"
        _keep(routing, "A wrong next hop", [asks, "Then the next hop is one that the algorithm allows"])


@when(parsers.parse('messages travel through generated enterprises of the shape "{shape}"'))
def messages_travel(routing: RoutingScene, hunt: Search, shape: str) -> None:
    """Search for an enterprise in which a message does not arrive."""
    _look_for(routing, hunt, shape, _one_walk, (WALKS, 1))
    if hunt.finding:
        travels = f"When a message travels from {hunt.finding.source} to {hunt.finding.destination}"
        _keep(routing, "A message that is misled", [travels, "Then it arrives"])


@when(parsers.re(r"a message travels from (?P<source>\w+) to (?P<destination>\w+)"))
def message_travels(routing: RoutingScene, hunt: Search, source: str, destination: str) -> None:
    """Walk one message through the enterprise of the scenario."""
    hunt.walked = _walk(routing, source, destination)


@then("every answer is one that the algorithm allows")
@then("every message arrives")
def nothing_was_found(routing: RoutingScene, hunt: Search) -> None:
    """Record what the search came to."""
    if hunt.finding:
        routing.witness(hunt.finding.judgement)
    elif hunt.passed:
        routing.witness(routing.judge.says(True, "no counterexample", f"none; {hunt.passed} answers were right"))
    else:
        routing.witness(routing.judge.undecided("no counterexample", "every answer was left open by the text"))


@then(parsers.re(r"it arrives by way of (?P<way>.+)"))
def arrives_by_way(routing: RoutingScene, hunt: Search, way: str) -> None:
    """Judge a walk; the feature's own way has to be one that the model allows."""
    assert hunt.walked is not None, "no message travels in this scenario"
    source = hunt.walked.way[0]
    hops = named(way)
    for at, hop in zip((source, *hops), hops, strict=False):
        _, permitted = text_level(routing.model(at, hops[-1]).allowed)
        agreed = any(guid_of(MACHINE, hop) in one for one in permitted)
        assert agreed, f"the feature sends from {at} to {hop}, which the model does not"
    routing.witness(_judged(routing, routing.judge, hunt.walked))


@then("it arrives")
def arrives(routing: RoutingScene, hunt: Search) -> None:
    """Judge a walk by the model alone."""
    assert hunt.walked is not None, "no message travels in this scenario"
    routing.witness(_judged(routing, routing.judge, hunt.walked))


def _one_answer(routing: RoutingScene, hunt: Search, source: str, destination: str) -> Judgement:
    asked = routing.ask(source, destination)
    return judge_answer(hunt.judge, asked.decision, asked.hops, routing.naming)


def _one_walk(routing: RoutingScene, hunt: Search, source: str, destination: str) -> Judgement:
    return _judged(routing, hunt.judge, _walk(routing, source, destination))


def _walk(routing: RoutingScene, source: str, destination: str) -> Walk[Asked]:
    names = {guid_of(MACHINE, machine.name): machine.name for machine in routing.enterprise.machines}

    def ask(at: str) -> tuple[Asked, str | None]:
        asked = routing.ask(at, destination)
        return asked, names.get(asked.hops[0].lower(), "") if asked.hops else None

    return walk(ask, source, destination)


def _judged(routing: RoutingScene, judge: Judge, walked: Walk[Asked]) -> Judgement:
    hops = [judge_answer(judge, one.decision, one.hops, routing.naming) for one in walked.answers]
    return judge_walk(judge, str(walked), walked.end, hops)


def _look_for(routing: RoutingScene, hunt: Search, shape: str, question: Question, spread: tuple[int, int]) -> None:
    """Search with the seed of the run, then take out of the counterexample whatever it does not need."""

    def test(enterprise: NamedEnterprise) -> Finding | None:
        if hunt.finding is None:
            pairs = list(questions(enterprise, *spread))
            hunt.finding = _first_wrong(routing, hunt, enterprise, pairs, question)
            return hunt.finding
        return None  # octets say little about size: what makes an enterprise smaller is tried out below

    found = search(
        enterprises(shape), test, seed=routing.run.seed, examples=EXAMPLES, size=lambda one: len(one.machines)
    )
    if found is None:
        return
    hunt.finding = found.finding
    asked = (found.finding.source, found.finding.destination)

    def shows(enterprise: NamedEnterprise) -> bool:
        if not set(asked) <= {machine.name for machine in enterprise.machines} or not has_gates(enterprise):
            return False
        wrong = _first_wrong(routing, hunt, enterprise, [asked], question)
        hunt.finding = wrong or hunt.finding
        return wrong is not None

    smallest = found.example if found.finding.crashed else reduced(found.example, shows)
    routing.enterprise = smallest


def has_gates(enterprise: NamedEnterprise) -> bool:
    """Return whether each site has a gate, which MS-MQBR 1.5 takes for granted where there are several sites."""
    gates = dict(enterprise.gates)
    return len(enterprise.sites) == 1 or all(gates.get(site) for site in enterprise.sites)


def _first_wrong(
    routing: RoutingScene,
    hunt: Search,
    enterprise: NamedEnterprise,
    pairs: Sequence[tuple[str, str]],
    question: Question,
) -> Finding | None:
    """Return the first question that is answered wrongly, None if all are answered as they may be."""
    if routing.run.dead_since:
        return None
    routing.enterprise = enterprise
    asked = pairs[0]
    try:
        routing.load()
        for asked in pairs:
            judgement = question(routing, hunt, *asked)
            if judgement.verdict is Verdict.FAIL:
                return Finding(*asked, judgement)
            hunt.passed += judgement.verdict is Verdict.PASS
    except IutFault as fault:
        routing.run.lose_iut(routing.case)
        expected = "the implementation goes on and answers"
        return Finding(*asked, Judgement(Verdict.FAIL, expected, f"{fault.kind}: {fault}"), crashed=True)
    finally:
        routing.asked.clear()
    return None


def _keep(routing: RoutingScene, title: str, steps: Sequence[str]) -> None:
    """Save the counterexample as a scenario of its own, beside the results."""
    kept = CounterexampleCase(routing.case.requirements[0], title, routing.enterprise, steps, routing.run.seed)
    routing.case.saved.append(kept.save(routing.run.writer.path.parent))
