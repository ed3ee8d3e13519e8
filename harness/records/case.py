"""One scenario, or one row of an outline, as it runs and as the result file has it, with the readings followed."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self, cast

import msgspec

from mqconform.harness.records import results
from mqconform.harness.records.results import FollowedReading
from mqconform.harness.records.verdict import Verdict, worst
from mqconform.harness.records.witness import Witness, clip


@dataclass(frozen=True, slots=True)
class Followed:
    """A reading that an IUT followed on one occasion; ``situation`` may be empty."""

    ambiguity: str
    reading: str
    situation: str

    def record(self) -> FollowedReading:
        """Return it as the result file has it."""
        return FollowedReading(f"{self.ambiguity}/{self.reading}", self.situation)

    @classmethod
    def of(cls, record: FollowedReading) -> Self:
        """Return what a record says."""
        ambiguity, _, reading = record.reading.partition("/")
        return cls(ambiguity, reading, record.situation)


@dataclass(slots=True)
class Case:
    """One scenario, or one row of a scenario outline, as it runs.

    Attributes:
        id: stable name: feature file, scenario and row, ``mqsd/3_2_discovery_server/own-site/plain``.
        requirements: ids that its ``@req`` tags name.
        step: text of the step that runs now; ``check`` is the name of what it asserts.
        reason: why there is no verdict, or what the IUT did to get a bad one.
        excused: ``unsupported`` or ``not-applicable`` where it could not be judged, else empty.
        error: what the harness stumbled over; ``trace`` says where.
        text: fingerprint of its tags and steps, the name left out.
        followed: readings of ambiguities that the IUT followed in it, in the order of first sight.
        crashed: whether the IUT had to be started again because of it.
        patience: what it cost of the run's patience: ``silences``, ``floods``, ``restarts`` where they were several,
            ``waited`` in vain, in seconds, and ``given_up`` where it was the case after which the IUT was given up.
        position: its place in the whole run, from 1; 0 where the run has no other part.
        generated: whether a step does.
        saved: feature files that hold shrunk input of this case.
        timeline: what happened in it, row by row, where the judge keeps a history and it did not pass.
        refused: operations in it that are not offered, such as ``receive by identifier``.
        began: when it began, in ISO 8601; empty where it was not run.
        seconds: how long it took.
    """

    id: str
    feature: str
    scenario: str
    row: str
    requirements: tuple[str, ...]
    tags: tuple[str, ...] = ()
    step: str = ""
    check: str = ""
    witnesses: list[Witness] = field(default_factory=list)
    reason: str = ""
    excused: str = ""
    error: str = ""
    trace: str = ""
    text: str = ""
    followed: tuple[Followed, ...] = ()
    crashed: bool = False
    patience: dict[str, float] = field(default_factory=dict)
    position: int = 0
    generated: bool = False
    saved: list[Path] = field(default_factory=list)
    timeline: tuple[results.Moment, ...] = ()
    refused: tuple[str, ...] = ()
    began: str = ""
    seconds: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """The worst of its witnesses; error where the harness failed."""
        if self.error:
            return Verdict.ERROR
        return worst(witness.judgement.verdict for witness in self.witnesses)

    @property
    def left_open(self) -> Witness:
        """The first inconclusive witness of a case that has one."""
        return next(witness for witness in self.witnesses if witness.judgement.verdict is Verdict.INCONCLUSIVE)

    @property
    def restarts(self) -> int:
        """How often the IUT had to be started again because of it."""
        return int(self.patience.get("restarts", self.crashed))

    def record(self) -> results.Case:
        """Return the case as the result file has it."""
        return results.Case(
            id=self.id,
            feature=self.feature,
            scenario=self.scenario,
            requirements=self.requirements,
            verdict=cast("results.CaseVerdict", self.verdict.word),
            row=self.row,
            excused=cast("results.Excuse", self.excused),
            reason=clip(self.reason),
            error=clip(self.error),
            trace=clip(self.trace),
            text=self.text,
            generated=self.generated,
            patience=msgspec.convert(self.patience, results.Patience) if self.patience else None,
            crashed=self.crashed,
            readings=tuple(followed.record() for followed in self.followed),
            position=self.position,
            timeline=self.timeline,
            refused=self.refused,
            began=self.began,
            seconds=self.seconds or 0,  # of which nothing is written
        )

    @classmethod
    def of(cls, record: results.Case, witnesses: Iterable[results.Witness]) -> Self:
        """Return the case in a record with the witnesses that it had."""
        made = [Witness.of(witness) for witness in witnesses]
        return cls(
            id=record.id,
            feature=record.feature,
            scenario=record.scenario,
            row=record.row,
            requirements=record.requirements,
            step=made[-1].step if made else "",
            witnesses=made,
            reason=record.reason,
            excused=record.excused,
            error=record.error,
            trace=record.trace,
            text=record.text,
            followed=tuple(map(Followed.of, record.readings)),
            crashed=record.crashed,
            patience=results.document_of(record.patience) if record.patience else {},
            position=record.position,
            generated=record.generated,
            timeline=record.timeline,
            refused=record.refused,
            began=record.began,
            seconds=record.seconds,
        )
