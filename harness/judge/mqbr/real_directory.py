"""A router that reads a real directory by itself: asked for next hops while the harness reads the same directory.

The harness cannot order what the directory holds, nor stop others from changing it. So it reads it before and after
each round of questions, and permits what follows from either reading. Between rounds the router runs on: its table may
be as old as its timer lets it be, as the model of the clock has it (3.1.6.1). No attribute says what the gates of a
site are (BR-27): an answer that follows from another usual policy is inconclusive.
"""

import math
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, TypeAlias

from mqconform.harness.iut.interface import ConfigurationError, Iut, IutErrorAnswer, Unsupported
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqbr.next_hops import Naming, judge_answer
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.reference.directory import Directory, DirectoryView, QueueManagerId, SiteId
from mqconform.reference.directory.ldap_gates import GatePolicy
from mqconform.reference.mqbr import clock
from mqconform.reference.mqbr.clock import RouterState
from mqconform.reference.mqbr.decision import decide_next_hops

READING_OF_POLICY: Final = {
    GatePolicy.LINKS_AND_MEMBERS.value: "link-gates-of-own-members",
    GatePolicy.LINKS.value: "link-gates-unfiltered",
    GatePolicy.FILE.value: "collection-as-given",
}
"""Readings of BR-27, by where the gates of a site come from."""
_GUIDS: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)

Versions: TypeAlias = Mapping[str, Directory]
"""What the directory holds, by the policy for gates; the first one counts."""
States: TypeAlias = Mapping[str, RouterState]
Hops: TypeAlias = tuple[str | None, ...] | None
"""Next hops as the router gave them; None where it answered with an error."""


class Phase(StrEnum):
    """What a router had done before it was asked."""

    INITIALISED = "initialised"
    """It had just become the source."""
    RUNNING = "running"
    """It had been running since an earlier round."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer with its judgement.

    Attributes:
        round: number of the round, from 1.
        phase: what the router had done before.
        source: GUID of the queue manager that it was.
        destination: GUID that it was asked for.
        hops: what it answered.
        judgement: verdict, with what was expected and observed by name.
    """

    round: int
    phase: Phase
    source: str
    destination: str
    hops: Hops
    judgement: Judgement

    def record(self) -> dict[str, Any]:
        """Return the answer as JSON has it."""
        return {
            "round": self.round,
            "phase": self.phase.value,
            "source": self.source,
            "destination": self.destination,
            "next_hops": None if self.hops is None else list(self.hops),
            "verdict": self.judgement.verdict.word,
            "expected": self.judgement.expected,
            "observed": self.judgement.observed,
        }


@dataclass(frozen=True, slots=True)
class _Asked:
    phase: Phase
    source: QueueManagerId
    destination: QueueManagerId
    hops: Hops
    states: States


@dataclass(slots=True)
class RouterOnDirectory:
    """A router beside the directory that it reads.

    Attributes:
        look: reads the directory.
        now: seconds by a clock that never goes back.
        machines: GUIDs of the queue managers that the router can be; all of the directory if empty.
        questions: how many are asked in each phase of a round.
    """

    iut: Iut
    judge: Judge
    look: Callable[[], Versions]
    now: Callable[[], float]
    machines: Sequence[QueueManagerId]
    questions: int
    seed: int
    versions: Versions = field(default_factory=dict)
    """What the directory held when it was read last."""
    _states: dict[str, RouterState] = field(default_factory=dict)
    _started: float = 0.0
    _rounds: int = 0

    def round(self) -> tuple[Answer, ...]:
        """Ask one round of questions and judge the answers.

        Raises:
            ConfigurationError: the directory cannot be read, or the router cannot be asked in this way.
            IutFault: the router broke the protocol.
        """
        self._rounds += 1
        self._follow(self.look())
        asked = [*self._running(), *self._initialised()]
        before = self.versions
        self._follow(self.look())
        naming = _naming(next(iter(before.values())), self._directory)
        return tuple(self._judged(question, before, naming) for question in asked)

    def _follow(self, versions: Versions) -> None:
        """Take over what the directory holds now, and let the model's clock keep pace."""
        for policy, state in self._states.items():
            advanced = clock.advance_clock(state, max(0.0, self.now() - self._started - state.now))
            if versions[policy] != self.versions[policy]:
                advanced = clock.change_directory(advanced, versions[policy])
            self._states[policy] = advanced
        self.versions = versions

    def _running(self) -> Iterator[_Asked]:
        """Ask a router that has been running since an earlier round."""
        if self._states:
            local = next(iter(self._states.values())).local
            for destination in self._destinations(Phase.RUNNING, self.questions):
                yield self._ask(Phase.RUNNING, local, destination)

    def _initialised(self) -> Iterator[_Asked]:
        """Let the router become one queue manager after the other, and ask each."""
        for local in self._sources():
            if not self._initialise(local):
                return
            for destination in self._destinations(local, self._width):
                yield self._ask(Phase.INITIALISED, local, destination)

    def _initialise(self, local: QueueManagerId) -> bool:
        """Let the router become a queue manager; return whether it can, or else is the only one that it can be."""
        began = self.now()
        try:
            self.iut.call("router.initialize", {"local": local})
        except Unsupported as unable:
            if len(self.machines) != 1:
                raise ConfigurationError(
                    "the router cannot be made a queue manager (router.initialize is not supported); name the one that "
                    "it is: machines in the table router of the facts file"
                ) from unable
            if self._states:
                return False
        self._started = began
        self._states = {
            name: clock.initialize(DirectoryView(directory), local) for name, directory in self.versions.items()
        }
        return True

    @property
    def _width(self) -> int:
        """How many sources are asked for how many destinations, so that all sites have their turn."""
        return max(1, math.isqrt(self.questions))

    @property
    def _all_machines(self) -> Sequence[QueueManagerId]:
        return [queue_manager.identifier for queue_manager in self._directory.queue_managers]

    @property
    def _directory(self) -> Directory:
        return next(iter(self.versions.values()))

    def _sources(self) -> Sequence[QueueManagerId]:
        """Return who is to ask: a routing server of each site before others, since they alone have tables."""
        records = self._directory.queue_managers_by_identifier
        drawn = self._drawn(self.machines or self._all_machines, "sources")
        routers_first = sorted(
            drawn, key=lambda machine: not any(record.routing_server for record in records.get(machine, ()))
        )
        return self._spread(routers_first)[: self._width]

    def _destinations(self, why: str, most: int) -> Sequence[QueueManagerId]:
        return self._spread(self._drawn(self._all_machines, why))[:most]

    def _drawn(self, machines: Sequence[QueueManagerId], why: str) -> Sequence[QueueManagerId]:
        return random.Random(f"{self.seed} {self._rounds} {why}").sample(machines, len(machines))

    def _spread(self, machines: Sequence[QueueManagerId]) -> Sequence[QueueManagerId]:
        """Return queue managers in an order in which every site has its turn before any has another one."""
        records = self._directory.queue_managers_by_identifier
        first: dict[tuple[SiteId, ...], QueueManagerId] = {}
        for machine in machines:
            first.setdefault(next((record.site_identifier_list for record in records.get(machine, ())), ()), machine)
        return list(dict.fromkeys((*first.values(), *machines)))

    def _ask(self, phase: Phase, source: QueueManagerId, destination: QueueManagerId) -> _Asked:
        hops: Hops
        try:
            answer = self.iut.call("router.get_next_hops", {"source": source, "destination": destination})
            hops = tuple(answer["next_hops"])
        except IutErrorAnswer:
            hops = None  # every error in answer to this question means that there is no route
        return _Asked(phase, source, destination, hops, dict(self._states))

    def _judged(self, asked: _Asked, before: Versions, naming: Naming) -> Answer:
        """Return the best judgement that one of the readings around the question gives."""
        counting, *others = asked.states
        first = self._judgement(asked, counting, before, naming)
        for policy in others if first.verdict is Verdict.FAIL else ():
            if self._judgement(asked, policy, before, naming).verdict is not Verdict.FAIL:
                observed = f"{first.observed}; the gates of another policy allow it"
                first = self.judge.reading("BR-27", READING_OF_POLICY[policy], first.expected, observed)
                break
        return Answer(self._rounds, asked.phase, asked.source, asked.destination, asked.hops, first)

    def _judgement(self, asked: _Asked, policy: str, before: Versions, naming: Naming) -> Judgement:
        states = [asked.states[policy]]
        after = self.versions[policy]
        if after != before[policy]:
            changed = clock.change_directory(states[0], after)
            states += [changed, clock.initialize(DirectoryView(after), asked.source)]
        decisions = (decide_next_hops(state, asked.destination) for state in states)
        weighed = [judge_answer(self.judge, decision, asked.hops, naming) for decision in decisions]
        return min(weighed, key=lambda judgement: judgement.verdict)


def _naming(*directories: Directory) -> Naming:
    names = {
        queue_manager.identifier: queue_manager.name
        for directory in directories
        for queue_manager in directory.queue_managers
        if queue_manager.name
    }

    def named(text: str) -> str:
        for identifier in set(_GUIDS.findall(text)):
            text = text.replace(identifier, names.get(QueueManagerId(identifier.lower()), identifier))
        return text

    return named
