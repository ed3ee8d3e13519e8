"""What each implementation answers as each queue manager, and what the model says of it.

Each is asked once for all cells, and the model decides once for all implementations.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from mqconform.harness.explore.matrix.matrix_plan import Implementation
from mqconform.harness.explore.matrix.routing.enterprises import Enterprise
from mqconform.harness.iut.interface import ConfigurationError, IutErrorAnswer, IutFault, IutProblem
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqbr.next_hops import judge_answer
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.ambiguity import ReadingLog, Register
from mqconform.reference.directory import DirectoryView, QueueManagerId
from mqconform.reference.mqbr.clock import RouterState, initialize
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops

MOST_FAULTS: Final = 3
"""An implementation that breaks its contract so often is asked no more."""
MOST_HOPS: Final = 200
"""Of one answer; no list of an enterprise is as long."""

Question = tuple[str, str, str]
"""Name of the enterprise, identifiers of source and destination."""
_GUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(slots=True)
class Answers:
    """All answers of one implementation.

    Attributes:
        hops: None where there was no route.
        faults: how the implementation broke its contract, by question.
        unreachable: why it could not be asked at all, empty where it could.
    """

    hops: dict[Question, tuple[str, ...] | None] = field(default_factory=dict)
    faults: dict[Question, str] = field(default_factory=dict)
    unreachable: str = ""


@dataclass(slots=True)
class Asking:
    """One implementation being asked, its connection made anew after each fault."""

    implementation: Implementation
    deadline: float
    answers: Answers = field(default_factory=Answers)
    _iut: CheckedIut | None = None
    _local: tuple[str, str] = ("", "")

    def ask_all(self, enterprises: Sequence[Enterprise]) -> Answers:
        """Ask as every queue manager of each enterprise for the way to every destination."""
        try:
            for enterprise in enterprises:
                for source in enterprise.machines:
                    for destination in enterprise.destinations:
                        if source != destination:
                            self._ask(enterprise, source, destination)
        except ConfigurationError as problem:
            self.answers.unreachable = str(problem)
        finally:
            self._close()
        return self.answers

    def _ask(self, enterprise: Enterprise, source: str, destination: str) -> None:
        question = (enterprise.name, source, destination)
        if len(self.answers.faults) >= MOST_FAULTS:
            return
        try:
            self.answers.hops[question] = self._hops(enterprise, source, destination)
        except ConfigurationError:
            raise
        except IutProblem as problem:
            self.answers.faults[question] = str(problem)
            self._close()

    def _hops(self, enterprise: Enterprise, source: str, destination: str) -> tuple[str, ...] | None:
        iut = self._become(enterprise, source)
        try:
            hops = iut.call("router.get_next_hops", {"source": source, "destination": destination})["next_hops"]
        except IutErrorAnswer:
            return None  # every error in answer to this question means that there is no route
        if len(hops) > MOST_HOPS:
            raise IutFault("oversize", f"router.get_next_hops: {len(hops)} hops; an answer has {MOST_HOPS} at most")
        return tuple(hop.lower() for hop in hops if hop is not None)

    def _become(self, enterprise: Enterprise, source: str) -> CheckedIut:
        if self._iut is None:
            self._iut = self.implementation.connect(self.deadline)
        if self._local[0] != enterprise.name:
            self._iut.call("reset", {})
            self._iut.call("router.load_directory", {"directory": enterprise.document})
        if self._local != (enterprise.name, source):
            self._iut.call("router.initialize", {"local": source})
        self._local = (enterprise.name, source)
        return self._iut

    def _close(self) -> None:
        self._local = ("", "")
        if self._iut is not None:
            self._iut.close()
            self._iut = None


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
                return _GUID.sub(lambda match: enterprise.named(match.group()), text)

            decision = self._decision(enterprise, source, destination)
            self._judgements[key] = judge_answer(judge, decision, hops, naming)
        return self._judgements[key]

    def requirement(self, enterprise: Enterprise, source: str, destination: str) -> str:
        """Return the branch of the algorithm by which the text answers a question, empty where it leaves it open."""
        alternatives = self._decision(enterprise, source, destination).allowed.alternatives
        best = min(alternatives, key=lambda alternative: alternative.standing, default=None)
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
