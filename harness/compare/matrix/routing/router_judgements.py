"""What the model says of each answer, whoever gave it; decisions are made once for all implementations."""

import re
from dataclasses import dataclass, field
from typing import Final

from mqconform.harness.compare.matrix.routing.enterprises import Enterprise
from mqconform.harness.compare.matrix.routing.router_answers import Question
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqbr.next_hops import judge_answer
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.ambiguity import ReadingLog, Register
from mqconform.reference.directory import DirectoryView, QueueManagerId
from mqconform.reference.mqbr.clock import RouterState, initialize
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops

_GUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(slots=True)
class Model:
    """The reference model with what it has decided so far."""

    register: Register
    profile: Profile
    _states: dict[tuple[str, str], RouterState] = field(default_factory=dict)
    _decisions: dict[Question, NextHopsDecision] = field(default_factory=dict)
    _judgements: dict[tuple[Question, tuple[str, ...] | None], Judgement] = field(default_factory=dict)

    def judgement(
        self, enterprise: Enterprise, source: str, destination: str, hops: tuple[str, ...] | None
    ) -> Judgement:
        """Return the judgement on an answer, names in place of GUIDs (MS-MQBR 3.1.5.1)."""
        question = (enterprise.name, source, destination)
        key = (question, hops)
        if key not in self._judgements:
            judge = Judge(self.register, self.profile, ReadingLog(self.register))

            def naming(text: str) -> str:
                return _GUID.sub(lambda found: enterprise.named(found.group()), text)

            decision = self._decision(enterprise, source, destination)
            self._judgements[key] = judge_answer(judge, decision, hops, naming)
        return self._judgements[key]

    def requirement(self, enterprise: Enterprise, source: str, destination: str) -> str:
        """Return the branch of the algorithm by which the text answers a question, empty where it leaves it open."""
        alternatives = self._decision(enterprise, source, destination).allowed.alternatives
        best = min(alternatives, key=lambda one: one.standing, default=None)
        return best.requirements[-1] if best and best.requirements else ""

    def _decision(self, enterprise: Enterprise, source: str, destination: str) -> NextHopsDecision:
        question = (enterprise.name, source, destination)
        if question not in self._decisions:
            state = self._state(enterprise, source)
            self._decisions[question] = decide_next_hops(state, QueueManagerId(destination))
        return self._decisions[question]

    def _state(self, enterprise: Enterprise, source: str) -> RouterState:
        key = (enterprise.name, source)
        if key not in self._states:
            self._states[key] = initialize(DirectoryView(enterprise.directory), QueueManagerId(source))
        return self._states[key]
