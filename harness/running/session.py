"""What one run shares between its cases."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mqconform.harness.ambiguity import Followed, ReadingLog, Register
from mqconform.harness.bundles.conversation import Conversation
from mqconform.harness.catalogue import Catalogue
from mqconform.harness.iut import AdapterOptions, Iut, IutProblem, LiveClients, Unreachable
from mqconform.harness.profile import Profile
from mqconform.harness.protocol import CheckedIut
from mqconform.harness.results import ResultWriter
from mqconform.harness.verdict import Verdict, worst
from mqconform.harness.witness import Judgement, Traffic, Witness, clip

if TYPE_CHECKING:
    from mqconform.harness.realtime.performances import Performances

MAX_RESTARTS = 20
"""How often an IUT that crashed is started anew before the run gives it up."""


@dataclass(slots=True)
class Case:
    """One scenario, or one row of a scenario outline, as it runs.

    Attributes:
        id: stable name: feature file, scenario and row, ``mqsd/3_2_discovery_server/own-site/plain``.
        requirements: ids that its ``@req`` tags name.
        step: text of the step that runs now.
        reason: why there is no verdict, or what the IUT did to get a bad one.
        excused: ``unsupported`` or ``not-applicable`` where it could not be judged, else empty.
        error: what the harness stumbled over; ``trace`` says where.
        text: fingerprint of its tags and steps, the name left out.
        followed: readings of ambiguities that the IUT followed in it, in the order of first sight.
        crashed: whether the IUT had to be started again because of it.
        patience: what it cost of the run's patience: ``silences``, ``floods``, ``restarts`` where they were several,
            and ``given_up`` where it was the case after which the IUT was given up.
        position: its place in the whole run, from 1; 0 where the run has no other part.
        opening: text of its first step, in a part of a run.
        opening_generated: whether that one searches with what derives from the seed.
        generated: whether a step does.
        saved: feature files that hold shrunk input of this case.
    """

    id: str
    feature: str
    scenario: str
    row: str
    requirements: tuple[str, ...]
    tags: tuple[str, ...] = ()
    step: str = ""
    witnesses: list[Witness] = field(default_factory=list)
    reason: str = ""
    excused: str = ""
    error: str = ""
    trace: str = ""
    text: str = ""
    followed: tuple[Followed, ...] = ()
    crashed: bool = False
    patience: dict[str, int | bool] = field(default_factory=dict)
    position: int = 0
    opening: str = ""
    opening_generated: bool = False
    generated: bool = False
    saved: list[Path] = field(default_factory=list)

    @property
    def verdict(self) -> Verdict:
        """The worst of its witnesses; error where the harness failed."""
        if self.error:
            return Verdict.ERROR
        return worst(one.judgement.verdict for one in self.witnesses)

    @property
    def restarts(self) -> int:
        """How often the IUT had to be started again because of it."""
        return int(self.patience.get("restarts", self.crashed))

    def record(self) -> dict[str, Any]:
        """Return the case as the result schema has it."""
        line: dict[str, Any] = {
            "record": "case",
            "id": self.id,
            "feature": self.feature,
            "scenario": self.scenario,
            "requirements": list(self.requirements),
            "verdict": self.verdict.word,
        }
        extra: dict[str, Any] = {"row": self.row, "excused": self.excused, "reason": clip(self.reason)}
        extra |= {"error": clip(self.error), "trace": clip(self.trace), "text": self.text, "crashed": self.crashed}
        extra |= {"readings": [one.record() for one in self.followed], "position": self.position}
        extra |= {"generated": self.generated, "patience": self.patience}
        if self.position and self.opening:
            extra["opening"] = {"step": self.opening, "generated": self.opening_generated}
        return line | {key: value for key, value in extra.items() if value}


def silent_since(case: str) -> str:
    """Return why nothing is asked of an implementation that was given up."""
    return f"the implementation has not answered since case {case}"


@dataclass(slots=True)
class Session:
    """One run against one IUT.

    Attributes:
        iut: how the implementation is reached.
        reconnect: opens the IUT anew after it crashed.
        dead_since: the case after which the IUT answered no more, where it cannot be started again.
        second_opinion: whether a second, independent oracle votes on routing; a disagreement is an error of ours.
        live: where discovery clients with the real clock come from; None with a virtual one.
        performances: what discovery clients did with the real clock, before the first case; None with a virtual one.
        silences: how many requests that must be answered were waited for in vain.
        floods: how many exchanges ended because more came than the harness keeps.
        by_requirement: verdicts of all witnesses so far, by requirement id.
        conversation: what was said since the case began.
        after_case: called with each case that was run, before its record is written.
        spent: silences, floods, restarts and whether the IUT was given up, as cases that are over account for them.
        cut_short: violations that an earlier part of this run had reported of a case that it did not end.
    """

    iut: Iut
    reconnect: Callable[[], Iut]
    profile: Profile
    seed: int
    options: AdapterOptions
    catalogue: Catalogue
    register: Register
    writer: ResultWriter
    readings: ReadingLog = field(default_factory=ReadingLog)
    cases: list[Case] = field(default_factory=list)
    by_requirement: dict[str, list[Verdict]] = field(default_factory=lambda: defaultdict(list))
    second_opinion: bool = False
    live: LiveClients | None = None
    performances: "Performances | None" = None
    dead_since: str = ""
    restarts: int = 0
    silences: int = 0
    floods: int = 0
    conversation: Conversation = field(default_factory=Conversation)
    after_case: Callable[["Session", Case], None] | None = None
    spent: tuple[int, int, int, bool] = (0, 0, 0, False)
    cut_short: tuple[Witness, ...] = ()

    @property
    def roles(self) -> frozenset[str]:
        """What the implementation says it is."""
        return self.iut.description.roles

    def check_alive(self) -> None:
        """Stand in the way of a case of an implementation that was given up.

        Raises:
            Unreachable: it was.
        """
        if self.dead_since:
            raise Unreachable(silent_since(self.dead_since))

    def witness(
        self, case: Case, requirements: Iterable[str], judgement: Judgement, traffic: Traffic | None = None
    ) -> None:
        """Record one judgement for each of the requirements that it bears on, on disk before it returns."""
        for requirement in requirements:
            self.catalogue[requirement]  # an id that no catalogue has is a defect of ours: fail loudly
            self._record(case, Witness(case.id, requirement, case.step, judgement, traffic or Traffic()))

    def overheard(self, iut: CheckedIut) -> CheckedIut:
        """Return an IUT so that what is said to it is kept as evidence."""
        iut.conversation = self.conversation
        return iut

    def finish(self, case: Case) -> None:
        """Write the record of a case that is over."""
        for one in self.cut_short:
            if one.case == case.id and one not in case.witnesses:
                self._record(case, one)
        case.followed = self.readings.recent()
        case.patience = self._spent_in_this_case()
        if self.after_case and not case.excused:
            self.after_case(self, case)
        self.cases.append(case)
        self.writer.write(case.record())

    def _spent_in_this_case(self) -> dict[str, int | bool]:
        silences, floods, restarts, given_up = self.spent
        self.spent = (self.silences, self.floods, self.restarts, bool(self.dead_since))
        cost: dict[str, int | bool] = {"silences": self.silences - silences, "floods": self.floods - floods}
        cost["restarts"] = again if (again := self.restarts - restarts) > 1 else 0
        cost["given_up"] = bool(self.dead_since) and not given_up
        return {name: value for name, value in cost.items() if value}

    def _record(self, case: Case, seen: Witness) -> None:
        case.witnesses.append(seen)
        self.by_requirement[seen.requirement].append(seen.judgement.verdict)
        self.writer.write(seen.record())

    def lose_iut(self, case: Case) -> None:
        """Replace an IUT that crashed or hung by a fresh one, so that one crash does not hide the rest."""
        case.crashed = True
        self.iut.close()
        self.restarts += 1
        if self.restarts > MAX_RESTARTS:
            self.dead_since = case.id
            return
        try:
            self.iut = self.reconnect()
        except IutProblem as problem:
            self.dead_since = case.id
            case.reason += f"; and it could not be started again: {problem}"
