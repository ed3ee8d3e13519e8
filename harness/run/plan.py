"""Plan and outcome of a run."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from mqconform.harness.iut.interface import IutDescription
from mqconform.harness.judge.session import JudgingPlan
from mqconform.harness.records.case import Case
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.results import Declaration
from mqconform.harness.records.run_file import RESULTS
from mqconform.harness.records.shard import Shard
from mqconform.harness.run.diagnosis import Explanation
from mqconform.harness.run.gate.baseline import Baseline
from mqconform.harness.run.gate.expectations import Expectations
from mqconform.harness.run.gate.losses import Coverage
from mqconform.harness.suite.ambiguity import MixedReadings
from mqconform.harness.suite.selection import Selection


@dataclass(frozen=True, slots=True)
class Plan(JudgingPlan):
    """What the user asked for.

    Attributes:
        shard: the part of the run that is made here, None where it is made whole.
        build: which build of the implementation this is, such as a commit; empty where the user names none.
        baseline: failures that are expected, None where none are.
        update: how the baseline is to be written anew: ``shrink``, ``grow``, or empty for not at all.
        earlier: what an earlier run judged and this one has to judge again.
        today: the day by which entries of the baseline expire.
        bundles: whether each failed case leaves a folder with all that running it again takes.
        stop_first: whether the first case that fails, and was not expected to, ends the run.
        source: the file of the user's repository that reports point to, empty where none is known.
        resume: whether to go on with what a killed run left in the same directory.
        declaration: what the implementation declares, reviewed and probed; None where it was not reviewed.
        diagnosis: whether known faults are held against a red run.
        requested: ids of cases, of which each is played when it comes; None where all are played in their order.
    """

    selection: Selection
    out: Path
    features: tuple[Path, ...] = ()
    shard: Shard | None = None
    build: str = ""
    baseline: Baseline | None = None
    update: str = ""
    earlier: Coverage | None = None
    today: date = field(default_factory=date.today)
    bundles: bool = False
    resume: bool = False
    stop_first: bool = False
    source: str = ""
    declaration: Declaration | None = None
    diagnosis: bool = False
    requested: Iterator[str] | None = None


@dataclass(slots=True)
class Outcome:
    """Outcome of a run.

    Attributes:
        problem: why nothing could be judged, where the connection failed.
        mixed: where the IUT followed two readings of one ambiguity, which breaks no sentence by itself.
        diagnosis: what together explains the failed cases, the likeliest first.
        expected: what the baseline makes of the cases.
        added: cases that an update has added to the baseline.
        lost: what should have been judged and was not, that no requirement's standing tells.
        not_tried: see ``scope.not_tried``.
        planned: number of cases of the whole run, those of other parts included.
        selected_from: where only some requirements or cases were asked for, how many requirements a whole run judges.
        doubtful_facts: what of the first reply differs from the facts, and may be wrong there as well as in the server.
    """

    plan: Plan
    description: IutDescription
    cases: list[Case] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    diagnosis: tuple[Explanation, ...] = ()
    readings: list[str] = field(default_factory=list)
    mixed: list[MixedReadings] = field(default_factory=list)
    expected: Expectations = field(default_factory=Expectations)
    added: tuple[str, ...] = ()
    lost: list[str] = field(default_factory=list)
    not_tried: tuple[str, ...] = ()
    problem: str = ""
    planned: int = 0
    selected_from: int = 0
    doubtful_facts: tuple[str, ...] = ()
    exit_code: ExitCode = ExitCode.ERROR

    @property
    def inconstant(self) -> list[MixedReadings]:
        """Those mixed readings for which the run is inconclusive."""
        return [mixture for mixture in self.mixed if mixture.holds_back(self.plan.profile)]

    @property
    def results(self) -> Path:
        """The result file."""
        return self.plan.out / RESULTS
