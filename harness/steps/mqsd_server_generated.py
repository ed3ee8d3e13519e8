"""Steps whose datagrams and configurations are generated: one witness for a whole search."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from hypothesis import strategies as st
from pytest_bdd import given, parsers, then, when

from mqconform.harness.iut import Datagram, DatagramCarrier, DirectoryServerFact, IutFault, NotApplicable, ServerFacts
from mqconform.harness.mqsd.configurations import configured
from mqconform.harness.mqsd.generators import configurations, malformed, requests
from mqconform.harness.mqsd.requests import Draft
from mqconform.harness.oracle.open_choices import allowed_for_malformed
from mqconform.harness.oracle.reply_view import view
from mqconform.harness.oracle.service_checks import answered_once, still_answers
from mqconform.harness.oracle.whole_reply import judge_whole_reply
from mqconform.harness.saved_cases import save_case
from mqconform.harness.search import MAX_FAILURES, Counterexample, search
from mqconform.harness.steps.judging import expectation, judge_reply, pick, witness
from mqconform.harness.steps.mqsd_server_when import fresh_request, send_one
from mqconform.harness.steps.scene import Scene
from mqconform.harness.verdict import Verdict
from mqconform.harness.witness import Judgement

EXAMPLES = 60
EXAMPLES_OVER_A_NETWORK = 25
RESTARTS_OF_A_SEARCH = 3
REPLY_AS_THE_STEPS_ALLOW = "every reply is one that the steps allow"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Finding:
    """What a generated datagram led to.

    Attributes:
        restarted: whether the IUT had to be started again, which a run does not do without end.
    """

    judgement: Judgement
    request: bytes
    reply: Datagram | None = None
    restarted: bool = False


@when("generated malformed datagrams arrive")
def generated_malformed(scene: Scene) -> None:
    """Search for a datagram that stops the service or draws what is not allowed."""
    right = scene.draft().octets()
    scene.found = look_for(scene, malformed(right), lambda octets: _after_malformed(scene, octets), len)
    if scene.found:
        when_said = f"a malformed datagram arrives: {scene.found.example.hex()}"
        _keep(scene, "A malformed datagram", when_said, "the server still answers")


@when("generated topology requests arrive")
def generated_requests(scene: Scene) -> None:
    """Search for a right request whose reply no step makes."""
    drafts = requests(bytes(scene.server.enterprise), bytes(scene.server.site))
    scene.found = look_for(scene, drafts, lambda draft: _after_request(scene, draft), _weight)
    if scene.found:
        _keep_request(scene, scene.found.example)


@when("generated topology requests arrive at generated configurations")
def generated_configurations(scene: Scene) -> None:
    """Search for a configuration and a request whose reply no step makes."""
    if scene.target.facts is not None:
        raise NotApplicable("needs a server that the harness can configure; the facts file states one configuration")

    def attempt(drawn: tuple[ServerFacts, bool]) -> Finding | None:
        scene.use(configured(scene.target, drawn[0], lambda facts: True, ""))  # noqa: ARG005 - it is just configured
        return _after_request(scene, scene.draft(own_site=drawn[1]))

    pairs = st.tuples(configurations(), st.booleans())
    scene.found = look_for(scene, pairs, attempt, lambda drawn: len(repr(drawn)))
    if scene.found:
        scene.use(scene.found.example[0])
        _keep_request(scene, scene.draft(own_site=scene.found.example[1]))


@then("none of them stops the service")
@then(REPLY_AS_THE_STEPS_ALLOW)
def nothing_was_found(scene: Scene) -> None:
    """Record what the search came to."""
    if scene.found is None:
        judgement = scene.judge.says(True, "no counterexample", f"none among {scene.tried} generated ones")
        witness(scene, "generated", judgement)
        return
    finding: Finding = scene.found.finding
    witness(scene, "generated", finding.judgement, finding.request, finding.reply)


@given(parsers.parse("a discovery server configured as {facts}"))
def server_configured_as(scene: Scene, facts: str) -> None:
    """Want exactly this configuration, written as the parameters of ``discovery_server.configure``."""
    read = json.loads(facts)
    wanted = ServerFacts(
        read["enterprise"],
        read["site"],
        tuple(read["connected_networks"]),
        tuple(DirectoryServerFact(**one) for one in read["directory_servers"]),
    )
    scene.use(configured(scene.target, wanted, lambda found: found == wanted, "the configuration of a saved case"))


@when(parsers.re(r"a topology request arrives: (?P<octets>[0-9a-f]+)"))
def request_arrives(scene: Scene, octets: str) -> None:
    """Send these octets, which are a right request."""
    scene.send(bytes.fromhex(octets), expected=1)


@then("the reply is one that the steps allow")
def reply_allowed(scene: Scene) -> None:
    """Judge the whole reply."""
    judge_reply(scene, "whole_reply", judge_whole_reply)


def look_for(
    scene: Scene, strategy: st.SearchStrategy[T], test: Callable[[T], Finding | None], size: Callable[[T], int]
) -> Counterexample[T, Finding] | None:
    """Search with the seed of the run; a crash of the IUT is a finding and costs a restart."""
    over_network = isinstance(scene.target, DatagramCarrier)
    scene.tried = EXAMPLES_OVER_A_NETWORK if over_network else EXAMPLES

    def guarded(example: T) -> Finding | None:
        try:
            return test(example)
        except IutFault as fault:
            request = scene.sent
            _start_again(scene)
            expected = "the implementation goes on and answers"
            return Finding(Judgement(Verdict.FAIL, expected, f"{fault.kind}: {fault}"), request, restarted=True)
        finally:
            del scene.asked[:-1]  # only the last exchange is ever looked at

    return search(strategy, guarded, seed=scene.run.seed, examples=scene.tried, size=size, cost=_cost)


def _cost(finding: Finding) -> int:
    return MAX_FAILURES // RESTARTS_OF_A_SEARCH if finding.restarted else 1


def _start_again(scene: Scene) -> None:
    """Replace the crashed IUT and bring it back into the configuration of the scenario."""
    scene.run.lose_iut(scene.case)
    scene.target = scene.run.iut
    if scene.facts is not None and not scene.run.dead_since:
        scene.target.call("discovery_server.configure", scene.facts.params())


def _keep_request(scene: Scene, draft: Draft) -> None:
    _keep(
        scene,
        "A request",
        f"a topology request arrives: {draft.octets().hex()}",
        "the reply is one that the steps allow",
    )


def _keep(scene: Scene, title: str, when_said: str, then_said: str) -> None:
    """Save the counterexample as a scenario of its own, beside the results."""
    assert scene.facts is not None
    path = save_case(
        scene.run.writer.path.parent,
        requirement=scene.case.requirements[0],
        title=title,
        facts=scene.facts,
        when=when_said,
        then=then_said,
        seed=scene.run.seed,
    )
    scene.case.saved.append(path)


def _weight(draft: Draft) -> int:
    """Return how far a request is from the plainest one."""
    zeros = draft.request_id.count(0) + draft.site.count(0)
    return (draft.version > 0) + (draft.reserved > 0) + len(draft.tail) - zeros


def _after_malformed(scene: Scene, octets: bytes) -> Finding | None:
    answers = scene.send(octets, expected=0)
    drawn = allowed_for_malformed(scene.judge, answers)
    if drawn.verdict > Verdict.PASS:
        return Finding(drawn, octets, answers.replies[0] if answers.replies else None)
    alive = still_answers(scene.judge, scene.send(fresh_request(scene), expected=1))
    return Finding(alive, octets) if alive.verdict > Verdict.PASS else None


def _after_request(scene: Scene, draft: Draft) -> Finding | None:
    send_one(scene, draft)
    answers, request = scene.answers, draft.octets()
    reply = pick(answers.replies, request)
    once = answered_once(scene.judge, answers)
    if reply is None or once.verdict > Verdict.PASS:
        return Finding(once, request, reply)
    judged = judge_whole_reply(scene.judge, view(reply.octets, expectation(scene, request)))
    return Finding(judged, request, reply) if judged.verdict > Verdict.PASS else None
