"""What the suite found of one implementation, small enough to be passed between processes and kept in a file."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, Self

from mqconform.harness.records.case import Case
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.verdict import Standing, Verdict
from mqconform.harness.records.witness import Witness
from mqconform.harness.run.execution import Outcome

GENERATED = "generated"
"""In the ids of cases that search: what they find bears on a whole procedure, not on one rule of it."""


class Conviction(NamedTuple):
    """One assertion that an implementation failed."""

    case: str
    requirement: str
    check: str

    @property
    def generated(self) -> bool:
        """Whether a search found it."""
        return GENERATED in self.case


class Remark(NamedTuple):
    """What an assertion said short of a conviction: that it cannot decide, or which reading was followed."""

    case: str
    requirement: str
    check: str
    says: str


class ReadingVerdict(NamedTuple):
    """A reading of the ambiguity register that an implementation followed, and what an assertion said of it."""

    reading: str
    """``AMBIGUITY/reading``."""
    verdict: str
    """Pass, inconclusive or fail, as a word; none where it was noted and nothing depended on it."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What the suite found of one implementation.

    Attributes:
        name: of the mutant.
        ended: ``run``, ``timeout`` where it was stopped, or ``crash`` where its process died.
        remarks: what assertions said that neither passed plainly nor convicted.
        readings: readings of the register that explain an observation, with the verdict; failed ones as well.
        undecided: requirements that have an inconclusive witness.
        errors: what the harness stumbled over; there should be nothing.
        reasons: what it says of cases that ended early, by the id of the case.
        assertions: how many assertions were executed in each case.
        behaviour: a digest of all that the implementation answered in each case.
    """

    name: str
    ended: str = "run"
    exit_code: int = ExitCode.ERROR
    convictions: tuple[Conviction, ...] = ()
    remarks: tuple[Remark, ...] = ()
    readings: tuple[ReadingVerdict, ...] = ()
    verified: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    reasons: dict[str, str] = field(default_factory=dict)
    assertions: dict[str, int] = field(default_factory=dict)
    behaviour: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def violated(self) -> tuple[str, ...]:
        """Ids of violated requirements, sorted."""
        return tuple(sorted({conviction.requirement for conviction in self.convictions}))

    @property
    def killed(self) -> bool:
        """Whether anything gave the mutant away: a verdict against it, a crash, or that it never ended."""
        return self.ended != "run" or bool(self.convictions)

    def cases_against(self, requirement: str) -> tuple[str, ...]:
        """Return the ids of the cases that found a requirement violated."""
        return tuple(
            sorted({conviction.case for conviction in self.convictions if conviction.requirement == requirement})
        )

    def record(self) -> dict[str, Any]:
        """Return the trial as JSON."""
        named = {"convictions": self.convictions, "remarks": self.remarks, "readings": self.readings}
        return asdict(self) | {key: [list(row) for row in value] for key, value in named.items()}

    @classmethod
    def read(cls, record: dict[str, Any]) -> Self:
        """Return the trial that ``record`` wrote."""
        lists = {key: tuple(value) for key, value in record.items() if isinstance(value, list)}
        convictions = tuple(Conviction(*fields) for fields in record["convictions"])
        remarks = tuple(Remark(*fields) for fields in record["remarks"])
        readings = tuple(ReadingVerdict(*fields) for fields in record["readings"])
        return cls(**record | lists | {"convictions": convictions, "remarks": remarks, "readings": readings})


def gist(name: str, outcome: Outcome, behaviour: dict[str, str], seconds: float) -> Trial:
    """Return the gist of a run."""
    witnesses = [witness for case in outcome.cases for witness in case.witnesses]
    failed = {
        Conviction(witness.case, witness.requirement, witness.check)
        for witness in witnesses
        if witness.judgement.verdict is Verdict.FAIL
    }
    undecided = {witness.requirement for witness in witnesses if witness.judgement.verdict is Verdict.INCONCLUSIVE}
    return Trial(
        name,
        exit_code=outcome.exit_code,
        convictions=tuple(sorted(failed)),
        remarks=tuple(sorted({*map(_remark, filter(_is_remarkable, witnesses))})),
        readings=tuple(sorted(_readings(outcome.cases))),
        verified=tuple(finding.requirement.id for finding in outcome.findings if finding.standing is Standing.VERIFIED),
        undecided=tuple(sorted(undecided)),
        errors=tuple(filter(None, (*map(_error, outcome.cases), outcome.problem))),
        reasons={case.id: case.reason for case in outcome.cases if case.reason and not case.excused},
        assertions={case.id: len(case.witnesses) for case in outcome.cases if not case.excused},
        behaviour=behaviour,
        seconds=round(seconds, 3),
    )


def _readings(cases: Iterable[Case]) -> set[ReadingVerdict]:
    judged = {
        ReadingVerdict(witness.judgement.reading, witness.judgement.verdict.word)
        for case in cases
        for witness in case.witnesses
        if witness.judgement.reading
    }
    named = {reading_verdict.reading for reading_verdict in judged}
    noted = {noted_reading.record().reading for case in cases for noted_reading in case.followed}
    return judged | {ReadingVerdict(reading, Verdict.NONE.word) for reading in noted - named}


def _is_remarkable(witness: Witness) -> bool:
    judged = witness.judgement
    return judged.verdict is not Verdict.FAIL and (judged.verdict is not Verdict.PASS or bool(judged.reading))


def _remark(witness: Witness) -> Remark:
    judged = witness.judgement
    return Remark(witness.case, witness.requirement, witness.check, f"{judged.verdict.word} {judged.reading}".rstrip())


def _error(case: Case) -> str:
    return f"{case.id}: {case.error}\n{case.trace}" if case.error else ""
