"""One cell of a matrix: who is tried against whom, and what came of it; and its line in ``cells.ndjson``.

A line is written as soon as it is known, so that a killed matrix keeps what it had.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from mqconform.harness.explore.lines import lines_written, records_in
from mqconform.harness.iut.interface import ConfigurationError, Json
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.records.verdict import Verdict, worst
from mqconform.harness.records.witness import clip

DISCOVERY, ROUTING, DELIVERY = KINDS = "discovery", "routing", "delivery"
SIDES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {DISCOVERY: ("client", "server"), ROUTING: ("first", "second"), DELIVERY: ("sender", "receiver")}
)
"""What the two sides of a cell of each kind are called."""
ROLES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        DISCOVERY: ("discovery_client", "discovery_server"),
        ROUTING: ("router", "router"),
        DELIVERY: ("ordered_sender", "ordered_receiver"),
    }
)
"""What they have to be."""
TOGETHER: Final = "all"
"""Stands for either side of the cell in which all routers walk together."""
UNSUPPORTED, NOT_APPLICABLE = "unsupported", "not-applicable"
MOST_FINDINGS: Final = 40
"""Kept of one cell; what is wrong is told long before."""
NAME: Final = "cells.ndjson"
SCHEMA: Final = "matrix_results"
SAME: Final = ("record", "schema", "harness", "file_digest", "seed", "profile")
"""What has to be the same of two headers for the cells below to be of the same matrix."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Implementations that meet.

    Attributes:
        sides: name of the implementation on each side; of the cell of all routers, each by its own name.
    """

    kind: str
    sides: tuple[tuple[str, str], ...]

    @property
    def pair(self) -> tuple[str, str]:
        """The names of both sides; ``all`` for the cell of all routers."""
        if tuple(side for side, _ in self.sides) != SIDES[self.kind]:
            return TOGETHER, TOGETHER
        (_, first), (_, second) = self.sides
        return first, second

    @property
    def id(self) -> str:
        """A name that is the same in each run."""
        return "/".join((self.kind, *self.pair))


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was wrong, or could not be told, in a cell.

    Attributes:
        side: whose fault it is, empty where that is open.
        requirement: what it is about, empty where no single one is.
        verdict: fail, inconclusive or error.
        observed: what happened, in words; several lines where a time line tells it.
        evidence: file below the folder of the results, empty without one.
    """

    scenario: str
    side: str
    requirement: str
    verdict: Verdict
    says: str
    observed: str = ""
    evidence: str = ""

    @property
    def text(self) -> str:
        """What a known deviation is held against."""
        return " ".join(part for part in (self.requirement, self.says, self.observed) if part)

    def record(self) -> dict[str, str]:
        """Return it as the schema has it."""
        clipped = {"says": clip(self.says), "observed": clip(self.observed)}
        return asdict(self) | {"verdict": self.verdict.word} | clipped


@dataclass(frozen=True, slots=True)
class Played:
    """One scenario of a cell.

    Attributes:
        told: what came of it, in a few words.
        timeline: what happened, for a person to read; empty where nothing was wrong and it would be long.
    """

    name: str
    verdict: Verdict
    told: str = ""
    timeline: str = ""

    def record(self) -> dict[str, str]:
        """Return it as the schema has it."""
        clipped = {"told": clip(self.told), "timeline": clip(self.timeline)}
        return asdict(self) | {"verdict": self.verdict.word} | clipped


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a cell.

    Attributes:
        scenarios: what was played.
        excuse: ``unsupported`` or ``not-applicable`` where it was not played, and then ``reason`` says why.
        excused: whether it was not expected to be played, so that nothing is lost.
        known_deviations: numbers of the known deviations that its findings are, counted from 0.
        tolerated: whether each finding is a known deviation.
    """

    cell: Cell
    scenarios: tuple[Played, ...] = ()
    findings: tuple[Finding, ...] = ()
    evidence: tuple[str, ...] = ()
    excuse: str = ""
    reason: str = ""
    excused: bool = False
    known_deviations: tuple[int, ...] = field(default=())
    tolerated: bool = False

    @property
    def verdict(self) -> Verdict:
        """The worst of all."""
        played = worst(scenario.verdict for scenario in self.scenarios)
        return max(played, worst(finding.verdict for finding in self.findings))

    @property
    def outcome(self) -> str:
        """A word for what it came to."""
        return self.excuse or self.verdict.word

    @property
    def at_fault(self) -> tuple[str, ...]:
        """The sides that did something wrong, in the order of the cell."""
        wrong = {finding.side for finding in self.findings if finding.verdict is Verdict.FAIL}
        return tuple(side for side, _ in self.cell.sides if side in wrong)

    @property
    def blame(self) -> str:
        """In words whose fault it is: a side, several, ``undecided``, or empty where nothing is wrong."""
        if self.excuse or self.verdict <= Verdict.PASS:
            return ""
        if not self.at_fault:
            return "undecided"
        return "both" if len(self.at_fault) == len(self.cell.sides) == 2 else ", ".join(self.at_fault)

    def record(self) -> dict[str, object]:
        """Return it as a line of ``cells.ndjson``."""
        return {
            "record": "cell",
            "id": self.cell.id,
            "kind": self.cell.kind,
            "pair": list(self.cell.pair),
            "sides": dict(self.cell.sides),
            "outcome": self.outcome,
            "blame": self.blame,
            "at_fault": list(self.at_fault),
            "known": list(self.known_deviations),
            "tolerated": self.tolerated,
            "reason": clip(self.reason),
            "excused": self.excused,
            "scenarios": [scenario.record() for scenario in self.scenarios],
            "findings": [finding.record() for finding in self.findings[:MOST_FINDINGS]],
            "evidence": list(self.evidence),
        }


@contextmanager
def cells_written(
    out: Path, header: Json, *, resume: bool = False
) -> Iterator[tuple[Callable[[Mapping[str, object]], None], tuple[Result, ...]]]:
    """Give what writes a record, and the results that were there already.

    Args:
        out: folder of the results.
        header: the first record.
        resume: whether cells that are there already, below the same header, stay.

    Raises:
        ConfigurationError: the file cannot be written, or is of another matrix.
    """
    path = out / NAME
    earlier = _earlier(path, header) if resume else ()
    with lines_written(path, [header, *(result.record() for result in earlier)]) as write:
        yield write, earlier


def _earlier(path: Path, header: Json) -> tuple[Result, ...]:
    """Return the results of an earlier run of the same matrix; lines that a kill cut off are left out."""
    try:
        numbered = [*records_in(path)]
    except OSError as error:
        raise ConfigurationError(f"--resume: {path}: {error.strerror}; leave it out to start again") from error
    if not numbered or any(numbered[0][1].get(name) != header[name] for name in SAME):
        raise ConfigurationError(f"--resume: {path}: belongs to another matrix; leave it out to start again")
    cells = [(number, record) for number, record in numbered[1:] if record.get("record") == "cell"]
    judge = validator(SCHEMA, "cell")
    for number, record in cells:
        if judge and (wrong := complaint(judge, record, "")):
            raise ConfigurationError(f"--resume: {path}:{number}: {wrong}; leave it out to start again")
    return tuple(result_from(record) for _, record in cells)


def result_from(record: Json) -> Result:
    """Return the result that a record tells of which fits the schema."""
    judged = record["outcome"] in {verdict.word for verdict in Verdict}
    return Result(
        cell=Cell(record["kind"], tuple(record["sides"].items())),
        scenarios=tuple(
            Played(**scenario | {"verdict": Verdict.of(scenario["verdict"])}) for scenario in record["scenarios"]
        ),
        findings=tuple(
            Finding(**finding | {"verdict": Verdict.of(finding["verdict"])}) for finding in record["findings"]
        ),
        evidence=tuple(record["evidence"]),
        excuse="" if judged else record["outcome"],
        reason=record["reason"],
        excused=record["excused"],
    )
