"""Generated enterprises (MS-MQBR 3.1.3.1, 3.1.5): a search for a wrong answer, and one witness for all of it.

A counterexample is kept as a named case: a feature that a later run can include, and the enterprise.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from mqconform.harness.iut.interface import IutFault
from mqconform.harness.judge.counterexamples import reduced
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.marks import from_seed
from mqconform.harness.judge.mqbr.enterprise_description import givens
from mqconform.harness.judge.mqbr.enterprise_shapes import enterprises, has_gates, questions, smaller_enterprises
from mqconform.harness.judge.mqbr.message_walks import judge_hops, walk_of_message
from mqconform.harness.judge.mqbr.named_enterprise import NamedEnterprise
from mqconform.harness.judge.mqbr.next_hops import judge_asked
from mqconform.harness.judge.mqbr.routing_scene import Asked, RoutingScene
from mqconform.harness.judge.search import search
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.ambiguity import ReadingLog
from mqconform.harness.suite.steps import then, when

EXAMPLES = 10
SOURCES, DESTINATIONS = 5, 3
WALKS = 3


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """A question that was answered wrongly."""

    source: str
    destination: str
    judgement: Judgement
    crashed: bool = False
    requirement: str = ""
    """That of the branch which decides, where the answer follows from the two records alone."""


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
    finding: WrongAnswer | None = None


Question = Callable[[RoutingScene, Search, str, str], Judgement]


@pytest.fixture
def hunt(routing: RoutingScene) -> Search:
    """Return where a scenario keeps its search."""
    judge = routing.judge
    return Search(Judge(judge.register, judge.profile, ReadingLog(judge.register)))


@when('generated enterprises of the shape "{shape}" are routed')
@from_seed
def routed(routing: RoutingScene, hunt: Search, shape: str) -> None:
    _look_for(routing, hunt, shape, _one_answer, (SOURCES, DESTINATIONS))
    if hunt.finding:
        asks = f"When {hunt.finding.source} asks for the way to {hunt.finding.destination}"
        _keep(routing, "A wrong next hop", [asks, "Then the algorithm allows the next hop"])


@when('messages travel through generated enterprises of the shape "{shape}"')
@from_seed
def messages_travel(routing: RoutingScene, hunt: Search, shape: str) -> None:
    _look_for(routing, hunt, shape, _one_walk, (WALKS, 1))
    if hunt.finding:
        travels = f"When a message travels from {hunt.finding.source} to {hunt.finding.destination}"
        _keep(routing, "A message that is misled", [travels, "Then it arrives"])


@then("the algorithm allows every answer")
@then("every message arrives")
def no_wrong_hop_was_found(routing: RoutingScene, hunt: Search) -> None:
    if hunt.finding and hunt.finding.requirement:
        routing.run.witness(routing.case, (hunt.finding.requirement,), hunt.finding.judgement)
    elif hunt.finding:
        routing.witness(hunt.finding.judgement)
    elif hunt.passed:
        routing.witness(routing.judge.says(True, "no counterexample", f"no violation; {hunt.passed} correct answers"))
    else:
        routing.witness(routing.judge.undecided("no counterexample", "the specification leaves every answer open"))


def _one_answer(routing: RoutingScene, hunt: Search, source: str, destination: str) -> Judgement:
    asked = routing.ask(source, destination)
    return judge_asked(hunt.judge, asked, routing.naming)


def _one_walk(routing: RoutingScene, hunt: Search, source: str, destination: str) -> Judgement:
    return judge_hops(routing, hunt.judge, walk_of_message(routing, source, destination))


def _look_for(routing: RoutingScene, hunt: Search, shape: str, question: Question, spread: tuple[int, int]) -> None:
    """Search with the seed of the run, then take out of the counterexample what it does not need."""

    def test(enterprise: NamedEnterprise) -> WrongAnswer | None:
        if hunt.finding is None:
            pairs = list(questions(enterprise, *spread))
            hunt.finding = _first_wrong(routing, hunt, enterprise, pairs, question)
            return hunt.finding
        return None  # octets say little about size: what makes an enterprise smaller is tried out below

    counterexample = search(
        enterprises(shape),
        test,
        seed=routing.run.plan.seed,
        examples=EXAMPLES * routing.run.plan.thorough,
        size=lambda enterprise: len(enterprise.machines),
    )
    if counterexample is None:
        return
    hunt.finding = counterexample.finding
    asked = (counterexample.finding.source, counterexample.finding.destination)

    def shows(enterprise: NamedEnterprise) -> bool:
        if not set(asked) <= {machine.name for machine in enterprise.machines} or not has_gates(enterprise):
            return False
        wrong = _first_wrong(routing, hunt, enterprise, [asked], question)
        hunt.finding = wrong or hunt.finding
        return wrong is not None

    smallest = (
        counterexample.example
        if counterexample.finding.crashed
        else reduced(counterexample.example, smaller_enterprises, shows)
    )
    routing.enterprise = smallest


def _first_wrong(
    routing: RoutingScene,
    hunt: Search,
    enterprise: NamedEnterprise,
    pairs: Sequence[tuple[str, str]],
    question: Question,
) -> WrongAnswer | None:
    """Return the first question that is answered wrongly, None if all are answered as they may be."""
    if routing.run.patience.dead_since:
        return None
    routing.enterprise = enterprise
    asked = pairs[0]
    try:
        routing.load()
        for asked in pairs:
            judgement = question(routing, hunt, *asked)
            if judgement.verdict is Verdict.FAIL:
                return WrongAnswer(*asked, judgement, requirement=_deciding(routing.asked))
            hunt.passed += judgement.verdict is Verdict.PASS
    except IutFault as fault:
        routing.run.lose_iut(routing.case)
        expected = "the implementation keeps answering"
        return WrongAnswer(*asked, Judgement(Verdict.FAIL, expected, f"{fault.kind}: {fault}"), crashed=True)
    finally:
        routing.asked.clear()
    return None


def _deciding(asked: Sequence[Asked]) -> str:
    """Return the requirement of the branch that gives the only question asked its answer, where it is a last one."""
    if len(asked) != 1:
        return ""
    *_, step = asked[0].decision.allowed.alternatives[0].derivation
    return step.branches[-1] if step.procedure.startswith("GetNextHops") else ""


def _keep(routing: RoutingScene, title: str, steps: Sequence[str]) -> None:
    """Save the counterexample as a scenario of its own, and its enterprise, beside the results."""
    of_enterprise = [*givens(routing.enterprise), *steps]
    path = routing.save_case(of_enterprise, tags="@role:router", requirement=routing.case.requirements[0], title=title)
    document = json.dumps(routing.enterprise.document, indent=2)
    path.with_suffix(".enterprise.json").write_text(f"{document}\n", encoding="utf-8")
