"""What one run shares between its cases."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from mqconform.harness.ambiguity import ReadingLog, Register
from mqconform.harness.catalogue import Catalogue
from mqconform.harness.iut import AdapterOptions, Iut, IutProblem
from mqconform.harness.profile import Profile
from mqconform.harness.results import ResultWriter
from mqconform.harness.verdict import Verdict, worst
from mqconform.harness.witness import Judgement, Traffic, Witness, clip

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

    @property
    def verdict(self) -> Verdict:
        """The worst of its witnesses; error where the harness failed."""
        if self.error:
            return Verdict.ERROR
        return worst(one.judgement.verdict for one in self.witnesses)

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
        extra = {"row": self.row, "excused": self.excused, "reason": clip(self.reason)}
        extra |= {"error": clip(self.error), "trace": clip(self.trace)}
        return line | {key: value for key, value in extra.items() if value}


@dataclass(slots=True)
class Session:
    """One run against one IUT.

    Attributes:
        iut: how the implementation is reached.
        reconnect: opens the IUT anew after it crashed.
        dead_since: the case after which the IUT answered no more, where it cannot be started again.
        second_opinion: whether a second, independent oracle votes on routing; a disagreement is an error of ours.
        silences: how many requests that must be answered were waited for in vain.
        floods: how many exchanges ended because more came than the harness keeps.
        by_requirement: verdicts of all witnesses so far, by requirement id.
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
    dead_since: str = ""
    restarts: int = 0
    silences: int = 0
    floods: int = 0

    def witness(
        self, case: Case, requirements: Iterable[str], judgement: Judgement, traffic: Traffic | None = None
    ) -> None:
        """Record one judgement for each of the requirements that it bears on, on disk before it returns."""
        for requirement in requirements:
            self.catalogue[requirement]  # an id that no catalogue has is a defect of ours: fail loudly
            seen = Witness(case.id, requirement, case.step, judgement, traffic or Traffic())
            case.witnesses.append(seen)
            self.by_requirement[requirement].append(judgement.verdict)
            self.writer.write(seen.record())

    def finish(self, case: Case) -> None:
        """Write the record of a case that is over."""
        self.cases.append(case)
        self.writer.write(case.record())

    def lose_iut(self, case: Case) -> None:
        """Replace an IUT that crashed or hung by a fresh one, so that one crash does not hide the rest."""
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
