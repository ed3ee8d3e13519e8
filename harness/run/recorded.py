"""Cases as their records have them, so that what one process established another can sum up."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mqconform.harness.records.case import Case
from mqconform.harness.records.followed import Followed
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement, Span, Traffic, Witness
from mqconform.harness.suite.catalogue import Catalogue, load_catalogue
from mqconform.harness.suite.telling import load_telling

Record = Mapping[str, Any]


@dataclass(slots=True)
class Established:
    """What cases that ran elsewhere say of requirements."""

    cases: list[Case]
    roles: frozenset[str]
    profile: Profile
    catalogue: Catalogue = field(default_factory=load_catalogue)
    by_requirement: dict[str, list[Verdict]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for case in self.cases:
            for one in case.witnesses:
                self.by_requirement[one.requirement].append(load_telling().worth(one))


def case_of(record: Record, witnesses: Iterable[Record]) -> Case:
    """Return the case in a record with the witnesses that it had."""
    names = ("id", "feature", "scenario", "row", "reason", "excused", "error", "trace", "text")
    opening = record.get("opening", {})
    case = Case(
        **{name: record.get(name, "") for name in names},
        requirements=tuple(record["requirements"]),
        followed=tuple(map(Followed.of, record.get("readings", ()))),
        crashed=record.get("crashed", False),
        generated=record.get("generated", False),
        patience=dict(record.get("patience", {})),
        position=record.get("position", 0),
        opening=opening.get("step", ""),
        opening_generated=opening.get("generated", False),
    )
    case.witnesses = list(map(witness_of, witnesses))
    case.step = case.witnesses[-1].step if case.witnesses else ""
    return case


def witness_of(record: Record) -> Witness:
    """Return the witness in a record."""
    judged = Judgement(
        Verdict.of(record["verdict"]),
        record["expected"],
        record["observed"],
        Span(**record["span"]) if "span" in record else None,
        record.get("reading", ""),
    )
    octets = {name: bytes.fromhex(record.get(name, "")) for name in ("request", "reply")}
    traffic = Traffic(network=record.get("network", "ip"), source=record.get("source", ""), **octets)
    return Witness(record["case"], record["requirement"], record["step"], judged, traffic)
