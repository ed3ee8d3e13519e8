"""One cell of a matrix: who is tried against whom, and what came of it; and its line in ``cells.ndjson``.

A line is written as soon as it is known, so that a killed matrix keeps what it had.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
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
"""What the two sides of a cell of each kind are called; ``ROLES`` is what they have to be."""
ROLES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        DISCOVERY: ("discovery_client", "discovery_server"),
        ROUTING: ("router", "router"),
        DELIVERY: ("ordered_sender", "ordered_receiver"),
    }
)
TOGETHER: Final = "all"
"""Stands for either side of the cell in which all routers walk together."""
UNSUPPORTED, NOT_APPLICABLE = "unsupported", "not-applicable"
MOST_FINDINGS: Final = 40
"""Kept of one cell; what is wrong is told long before."""
NAME: Final = "cells.ndjson"
SAME: Final = ("record", "schema", "harness", "file_digest", "seed", "profile")
"""What has to be the same of two headers for the cells below to be of the same matrix."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Implementations that meet: the name on each side; in the cell of all routers each is a side of its own name."""

    kind: str
    sides: tuple[tuple[str, str], ...]

    @property
    def pair(self) -> tuple[str, str]:
        """The names of both sides; ``all`` for the cell of all routers."""
        if tuple(side for side, _ in self.sides) != SIDES[self.kind]:
            return TOGETHER, TOGETHER
        (_, first), (_, second) = self.sides
        return first, second


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


@dataclass(frozen=True, slots=True)
class Played:
    """One scenario of a cell: what came of it in a few words, and what happened where a person has to read it."""

    name: str
    verdict: Verdict
    told: str = ""
    timeline: str = ""


def alike(findings: Iterable[Finding]) -> Iterable[list[Finding]]:
    """Return findings in groups: those of one requirement, side and verdict."""
    groups: dict[tuple[str, str, Verdict], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.side, finding.requirement or finding.says, finding.verdict), []).append(finding)
    return groups.values()


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
    known_deviations: tuple[int, ...] = ()
    tolerated: bool = False

    @property
    def verdict(self) -> Verdict:
        """The worst of all."""
        return max(worst(part.verdict for part in parts) for parts in (self.scenarios, self.findings))

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
        if len(self.at_fault) == len(self.cell.sides) == 2:
            return "both"
        return ", ".join(self.at_fault) or "undecided"

    def record(self) -> dict[str, object]:
        """Return it as a line of ``cells.ndjson``."""
        return {
            "record": "cell",
            "id": "/".join((self.cell.kind, *self.cell.pair)),
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
            "scenarios": [_record(scenario) for scenario in self.scenarios],
            "findings": [_record(finding) for finding in self.findings[:MOST_FINDINGS]],
            "evidence": list(self.evidence),
        }


def _record(part: Played | Finding) -> dict[str, str]:
    return {name: part.verdict.word if name == "verdict" else clip(value) for name, value in asdict(part).items()}


def result_from(record: Json) -> Result:
    """Return the result that a record tells of which fits the schema."""
    scenarios, findings = (
        [each | {"verdict": Verdict.of(each["verdict"])} for each in record[name]] for name in ("scenarios", "findings")
    )
    return Result(
        Cell(record["kind"], tuple(record["sides"].items())),
        tuple(Played(**each) for each in scenarios),
        tuple(Finding(**each) for each in findings),
        tuple(record["evidence"]),
        record["outcome"] if record["outcome"] in (UNSUPPORTED, NOT_APPLICABLE) else "",
        record["reason"],
        record["excused"],
    )


@contextmanager
def cells_written(
    out: Path, header: Json, *, resume: bool = False
) -> Iterator[tuple[Callable[[Mapping[str, object]], None], tuple[Result, ...]]]:
    """Give what writes a record below a header, and the results that were there already if a matrix is resumed.

    Raises:
        ConfigurationError: the file cannot be written, or is of another matrix.
    """
    path = out / NAME
    earlier = _earlier(path, header) if resume else ()
    with lines_written(path, [header, *(result.record() for result in earlier)]) as write:
        yield write, earlier


def _earlier(path: Path, header: Json) -> tuple[Result, ...]:
    where, anew = f"--resume: {path}", "leave it out to start again"
    try:
        (_, first), *records = [*records_in(path)] or [(0, {})]
    except OSError as error:
        raise ConfigurationError(f"{where}: {error.strerror}; {anew}") from error
    if any(first.get(name) != header[name] for name in SAME):
        raise ConfigurationError(f"{where}: is of another matrix; {anew}")
    cells = [(number, record) for number, record in records if record.get("record") == "cell"]
    judge = validator("matrix_results", "cell")
    for number, record in cells:
        if judge and (wrong := complaint(judge, record, "")):
            raise ConfigurationError(f"{where}:{number}: {wrong}; {anew}")
    return tuple(result_from(record) for _, record in cells)
