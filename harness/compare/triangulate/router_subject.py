"""Role ``router``: next hops, before and after the directory changed (MS-MQBR 3.1.5.1)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Final

from hypothesis import strategies as st

from mqconform.harness.compare.triangulate.router_inputs import (
    Question,
    RouterInput,
    input_from,
    input_lines,
    input_record,
    router_inputs,
    smaller_inputs,
)
from mqconform.harness.compare.triangulate.subjects import Subject
from mqconform.harness.compare.triangulate.votes import CONTRARY, Answer, Ballot
from mqconform.harness.iut.interface import Iut, IutErrorAnswer, Json
from mqconform.harness.judge.independent.routing_opinion import OracleDisagreement, hold_against_second_opinion, vote
from mqconform.harness.judge.mqbr.named_enterprise import MACHINE, guid_of
from mqconform.harness.judge.mqbr.next_hops import hops_text, judge_answer
from mqconform.harness.records.profile import Profile
from mqconform.reference.allowed import Standing
from mqconform.reference.directory import DirectoryView, QueueManagerId
from mqconform.reference.mqbr import clock
from mqconform.reference.mqbr.clock import RouterState
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops

_GUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
LOOK_UPS: Final = frozenset({"GetDirectoryData", "GetQueueManager", "IsSiteGate"})
"""Procedures that every answer goes through; what is decided is decided behind them."""
TABLE: Final = "RoutingTable Initialization"
LEAST_COST: Final = "MQBR-3.1.3.1-12"


class RouterSubject(Subject[RouterInput]):
    """Puts enterprises and questions to routers."""

    role = "router"

    def inputs(self) -> st.SearchStrategy[RouterInput]:
        return router_inputs()

    def play(self, iut: Iut, given: RouterInput) -> list[Answer]:
        """Ask every question of a router that becomes each source in turn."""
        play = _Play(self.profile, iut, given, given.enterprise.document)
        answers: list[Answer] = []
        for source, asked in groupby(sorted(given.questions), key=lambda one: one[0]):
            answers += play.answers(source, [destination for _, destination in asked])
        return answers

    def smaller(self, given: RouterInput) -> Iterator[RouterInput]:
        return smaller_inputs(given)

    def size(self, given: RouterInput) -> int:
        """Return the number of things in it."""
        enterprises = [given.enterprise, *([given.later] if given.later else [])]
        things = sum(len(one.sites) + len(one.links) + len(one.machines) for one in enterprises)
        return things + len(given.questions)

    def record(self, given: RouterInput) -> Json:
        return input_record(given)

    def read(self, record: Json) -> RouterInput:
        return input_from(record)

    def told(self, given: RouterInput) -> list[str]:
        return input_lines(given)


@dataclass
class _Play:
    """One input, put to one router; the directory is loaded as seldom as that can be."""

    profile: Profile
    iut: Iut
    given: RouterInput
    document: Json
    loaded: bool = False

    def answers(self, source: str, destinations: list[str]) -> Iterator[Answer]:
        local = guid_of(MACHINE, source)
        if not self.loaded:
            self.iut.call("router.load_directory", {"directory": self.document})
        self.loaded = self.given.later is None
        self.iut.call("router.initialize", {"local": local})
        state = clock.initialize(DirectoryView(self.given.enterprise.directory), QueueManagerId(local))
        for destination in destinations:
            yield self._answer(state, (source, destination), "")
        later = self.given.later
        if later is None:
            return
        self.iut.call("router.change_directory", {"directory": later.document})
        state = clock.change_directory(state, later.directory)
        if self.given.wait:
            self.iut.call("router.advance_clock", {"seconds": self.given.wait})
            state = clock.advance_clock(state, self.given.wait)
        for destination in destinations:
            yield self._answer(state, (source, destination), f", {self.given.wait} s after the change")

    def _answer(self, state: RouterState, asked: Question, when: str) -> Answer:
        source, destination = (guid_of(MACHINE, name) for name in asked)
        decision = decide_next_hops(state, QueueManagerId(destination))
        hops = self._hops(source, destination)
        ballot = Ballot(self.profile)
        judgement = judge_answer(ballot.judge, decision, hops, self._naming)
        says = self._naming(hops_text(sorted({hop.lower() for hop in hops or () if hop is not None})))
        place = f"next hops from {asked[0]} to {asked[1]}{when}"
        answer = ballot.answer(place, says, judgement, blamed(decision))
        if when:  # the second oracle knows fresh tables only
            return answer
        objection = self._objection(source, destination, decision, answer, [hop for hop in hops or () if hop])
        return replace(answer, objection=objection)

    def _hops(self, source: str, destination: str) -> tuple[str | None, ...] | None:
        try:
            answer = self.iut.call("router.get_next_hops", {"source": source, "destination": destination})
        except IutErrorAnswer:
            return None  # every error in answer to this question means that there is no route
        return tuple(answer["next_hops"])

    def _objection(
        self, source: str, destination: str, decision: NextHopsDecision, answer: Answer, hops: Sequence[str]
    ) -> str:
        """Return where the second oracle parts from the reference, on the set or on the answer."""
        try:
            permitted = decision.allowed.outcomes(Standing.PERMITTED)
            hold_against_second_opinion(self.document, source, destination, permitted)
        except OracleDisagreement as disagreement:
            return self._naming(str(disagreement))
        other = vote(self.document, source, destination, hops)
        if other == CONTRARY.get(answer.vote):
            return f"the reference votes {answer.vote} on {answer.says}, the second oracle {other}"
        return ""

    def _naming(self, text: str) -> str:
        return _GUID.sub(lambda found: self.names.get(found.group().lower(), found.group()), text)

    @cached_property
    def names(self) -> dict[str, str]:
        """The name behind every GUID of the input."""
        names = self.given.enterprise.names | (self.given.later.names if self.given.later else {})
        names |= {guid_of(MACHINE, name): name for question in self.given.questions for name in question}
        return names


def blamed(decision: NextHopsDecision) -> tuple[str, ...]:
    """Return the requirements along the first allowed answer, the deciding one first."""
    steps = [step for one in list(decision.allowed)[:1] for step in one.derivation if step.procedure not in LOOK_UPS]
    deciding = steps[-1].branches[::-1] if steps else ()
    main = (LEAST_COST,) if any(step.procedure == TABLE for step in steps) else deciding
    rest = (branch for step in reversed(steps) for branch in step.branches)
    return tuple(dict.fromkeys((*main, *rest)))
