"""Role ``router``: next hops, before and after the directory changed (MS-MQBR 3.1.5.1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Final

from mqconform.harness.explore.inputs.router_enterprises import EnterpriseInputs, Question, RouterInput
from mqconform.harness.explore.votes import Answer, Ballot, Vote
from mqconform.harness.iut.drivers.router import known, next_hops, with_names
from mqconform.harness.iut.interface import Iut, Json
from mqconform.harness.judge.independent.routing_opinion import (
    OracleDisagreement,
    allowed_next_hops,
    hold_against_second_opinion,
)
from mqconform.harness.judge.mqbr.named_enterprise import MACHINE, guid_of
from mqconform.harness.judge.mqbr.next_hops import hops_text, judge_answer
from mqconform.harness.records.profile import Profile
from mqconform.reference.allowed import Standing
from mqconform.reference.directory import DirectoryView, QueueManagerId
from mqconform.reference.mqbr import clock
from mqconform.reference.mqbr.clock import RouterState
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops

LOOK_UPS: Final = frozenset({"GetDirectoryData", "GetQueueManager", "IsSiteGate"})
"""Procedures that every answer goes through; what is decided is decided behind them."""
TABLE: Final = "RoutingTable Initialization"
LEAST_COST: Final = "MQBR-3.1.3.1-12"


class RouterInputs(EnterpriseInputs):
    """Puts enterprises and questions to routers."""

    def play(self, iut: Iut, role_input: RouterInput) -> list[Answer]:
        """Ask every question of a router that becomes each source in turn."""
        play = _Play(self.profile, iut, role_input, role_input.enterprise.document)
        answers: list[Answer] = []
        for source, asked in groupby(sorted(role_input.questions), key=lambda question: question[0]):
            answers += play.answers(source, [destination for _, destination in asked])
        return answers


@dataclass
class _Play:
    """One input, put to one router; the directory is loaded as seldom as that can be."""

    profile: Profile
    iut: Iut
    role_input: RouterInput
    document: Json
    loaded: bool = False

    def answers(self, source: str, destinations: list[str]) -> Iterator[Answer]:
        local = guid_of(MACHINE, source)
        if not self.loaded:
            self.iut.call("router.load_directory", {"directory": self.document})
        self.loaded = self.role_input.later is None
        self.iut.call("router.initialize", {"local": local})
        state = clock.initialize(DirectoryView(self.role_input.enterprise.directory), QueueManagerId(local))
        for destination in destinations:
            yield self._answer(state, (source, destination), "")
        later = self.role_input.later
        if later is None:
            return
        self.iut.call("router.change_directory", {"directory": later.document})
        state = clock.change_directory(state, later.directory)
        if self.role_input.wait:
            self.iut.call("router.advance_clock", {"seconds": self.role_input.wait})
            state = clock.advance_clock(state, self.role_input.wait)
        for destination in destinations:
            yield self._answer(state, (source, destination), f", {self.role_input.wait} s after the change")

    def _answer(self, state: RouterState, asked: Question, when: str) -> Answer:
        source, destination = (guid_of(MACHINE, name) for name in asked)
        decision = decide_next_hops(state, QueueManagerId(destination))
        hops = next_hops(self.iut, source, destination)
        ballot = Ballot(self.profile)
        judgement = judge_answer(ballot.judge, decision, hops, self._naming)
        says = self._naming(hops_text(sorted({*(known(hops) or ())})))
        place = f"next hops from {asked[0]} to {asked[1]}{when}"
        answer = ballot.answer(place, says, judgement, blamed(decision))
        if when:  # the second oracle knows fresh tables only
            return answer
        objection = self._objection(source, destination, decision, answer, [hop for hop in hops or () if hop])
        return replace(answer, objection=objection)

    def _objection(
        self, source: str, destination: str, decision: NextHopsDecision, answer: Answer, hops: Sequence[str]
    ) -> str:
        """Return how the second oracle contradicts the reference, on the set or on the answer."""
        try:
            by_text, permitted = decision.allowed.outcomes(Standing.TEXT), decision.allowed.outcomes()
            hold_against_second_opinion(self.document, source, destination, by_text, permitted)
        except OracleDisagreement as disagreement:
            return self._naming(str(disagreement))
        observed = frozenset(hop.lower() for hop in hops)
        allowed = source not in observed and observed in allowed_next_hops(self.document, source, destination)
        if allowed and answer.vote is Vote.REFUSED:
            return f"the reference votes {answer.vote} on {answer.says}, the second oracle allowed"
        return ""

    def _naming(self, text: str) -> str:
        return with_names(text, self.names)

    @cached_property
    def names(self) -> dict[str, str]:
        """The name behind every GUID of the input."""
        names = self.role_input.enterprise.names | (self.role_input.later.names if self.role_input.later else {})
        names |= {guid_of(MACHINE, name): name for question in self.role_input.questions for name in question}
        return names


def blamed(decision: NextHopsDecision) -> tuple[str, ...]:
    """Return the requirements along the first allowed answer, the deciding one first."""
    steps = [
        step
        for alternative in list(decision.allowed)[:1]
        for step in alternative.derivation
        if step.procedure not in LOOK_UPS
    ]
    deciding = steps[-1].branches[::-1] if steps else ()
    main = (LEAST_COST,) if any(step.procedure == TABLE for step in steps) else deciding
    rest = (branch for step in reversed(steps) for branch in step.branches)
    return tuple(dict.fromkeys((*main, *rest)))
