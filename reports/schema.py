"""The records of a result file as values.

Shapes are those of features/schemas/results.schema.json; ``of`` takes a record that the schema has accepted.
Octets are bytes here, absent text is empty.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from mqconform.harness.records.requirement import covers

SCHEMA_VERSION = 1
"""The number of the schema that these classes follow."""

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Implementation:
    """The implementation under test: how it was reached and what it says of itself.

    Attributes:
        declined: ids of requirements that it says it does not implement.
        build: which build it is, empty where nobody knows.
        facts: fingerprint of the facts file, empty where there was none.
    """

    kind: str
    target: str
    name: str
    version: str
    vendor: str
    roles: tuple[str, ...]
    capabilities: tuple[str, ...]
    declined: tuple[str, ...] = ()
    build: str = ""
    facts: str = ""

    @classmethod
    def of(cls, record: Json) -> Self:
        """Return the ``iut`` object of a header."""
        lists = {name: tuple(record.get(name, ())) for name in ("roles", "capabilities", "declined")}
        return cls(**{**record, **lists})


@dataclass(frozen=True, slots=True)
class Header:
    """The first record: what is judged, by what, and how.

    Attributes:
        harness: name and version of what judged.
        specifications: specification id -> revision.
        requirements: ids or prefixes that were asked for; none means all.
        expression: the ``-k`` expression, may be empty.
        judging: folder of features -> fingerprint of the code that judges them.
        shard: part and number of parts, None where the run was made whole.
        clock: ``real`` or ``virtual`` where the user asked for either, else empty.
        features: feature that the user added -> fingerprint of its files.
        declaration: what the implementation declares, reviewed and probed; empty where nobody looked.
    """

    harness: str
    specifications: Mapping[str, str]
    profile: str
    seed: int
    requirements: tuple[str, ...]
    expression: str
    iut: Implementation
    judging: Mapping[str, str] = field(default_factory=dict)
    shard: tuple[int, int] | None = None
    clock: str = ""
    features: Mapping[str, str] = field(default_factory=dict)
    declaration: Json = field(default_factory=dict)

    def asks_for(self, requirement: str) -> bool:
        """Tell whether the run was asked to judge a requirement."""
        return not self.requirements or any(covers(asked, requirement) for asked in self.requirements)

    @classmethod
    def of(cls, record: Json) -> Self:
        """Return the header in a record."""
        asked, part = record["selection"], record.get("shard")
        return cls(
            harness=record["harness"],
            specifications=dict(record["specifications"]),
            profile=record["profile"],
            seed=record["seed"],
            requirements=tuple(asked["requirements"]),
            expression=asked["expression"],
            iut=Implementation.of(record["iut"]),
            judging=dict(record.get("judging", {})),
            shard=(part["index"], part["of"]) if part else None,
            clock=record.get("clock", ""),
            features=dict(record.get("features", {})),
            declaration=dict(record.get("declaration", {})),
        )


@dataclass(frozen=True, slots=True)
class Span:
    """The octets of a reply that decided."""

    offset: int
    length: int
    field: str


@dataclass(frozen=True, slots=True)
class Witness:
    """One executed assertion.

    Attributes:
        case: id of the case that made it.
        reading: ``AMBIGUITY/reading`` that explains the observation, or empty.
        network: ``ip`` or ``ipx``; empty where no datagram was sent.
        source: ``host:port`` that the reply came from, or empty.
        timing: what its times are worth where the clock was real: ``tolerance`` and ``lag`` in seconds, ``pressure``.
    """

    case: str
    requirement: str
    verdict: str
    step: str
    expected: str
    observed: str
    span: Span | None = None
    reading: str = ""
    network: str = ""
    request: bytes = b""
    reply: bytes = b""
    source: str = ""
    timing: Mapping[str, float | str] = field(default_factory=dict)

    @classmethod
    def of(cls, record: Json) -> Self:
        """Return the witness in a record."""
        octets = {name: bytes.fromhex(record[name]) for name in ("request", "reply") if name in record}
        span = {"span": Span(**record["span"])} if "span" in record else {}
        return cls(**{**_fields(record), **octets, **span})


@dataclass(frozen=True, slots=True)
class Case:
    """One scenario, or one row of a scenario outline.

    Attributes:
        row: slug of the row, empty where the scenario has none.
        excused: ``unsupported`` or ``not-applicable`` where it could not be judged, else empty.
        error: what the harness stumbled over; ``trace`` says where.
        text: fingerprint of its tags and steps, its name left out; empty in files of earlier versions.
        crashed: whether the implementation had to be started again because of it.
        readings: ``(AMBIGUITY/reading, situation)`` of each that was followed in it.
        position: its place in the whole run where the file is of a part, else 0.
        opening: its first step, there too, and whether that one searches.
        generated: whether what it asks derives from the seed.
        patience: how often it was waited in vain, or flooded, in it; ``given_up`` where nothing was asked after it.
    """

    id: str
    feature: str
    scenario: str
    requirements: tuple[str, ...]
    verdict: str
    row: str = ""
    excused: str = ""
    reason: str = ""
    error: str = ""
    trace: str = ""
    text: str = ""
    crashed: bool = False
    readings: tuple[tuple[str, str], ...] = ()
    position: int = 0
    opening: Mapping[str, str | bool] = field(default_factory=dict)
    generated: bool = False
    patience: Mapping[str, int | bool] = field(default_factory=dict)

    @classmethod
    def of(cls, record: Json) -> Self:
        """Return the case in a record."""
        followed = tuple((one["reading"], one.get("situation", "")) for one in record.get("readings", ()))
        lists = {"requirements": tuple(record["requirements"]), "readings": followed}
        return cls(**{**_fields(record), **lists})


@dataclass(frozen=True, slots=True)
class Finding:
    """What a run established about one requirement.

    Attributes:
        witnesses: how many assertions named it.
        source: fingerprint of the text it stands on; empty in files of earlier versions.
        reason: why it was not judged, or why it is told of though nobody asked for it; or empty.
    """

    id: str
    section: str
    level: str
    kind: str
    roles: tuple[str, ...]
    summary: str
    judged: str
    standing: str
    witnesses: int
    source: str = ""
    reason: str = ""

    @classmethod
    def of(cls, record: Json) -> Self:
        """Return the finding in a ``requirement`` record."""
        return cls(**{**_fields(record), "roles": tuple(record["roles"])})


@dataclass(frozen=True, slots=True)
class Footer:
    """The last record: what the run came to.

    Attributes:
        cases: verdict or excuse -> number of cases.
        requirements: standing -> number of requirements.
        readings: ``AMBIGUITY/reading`` of each reading that was followed.
        problem: why nothing, or not all, could be judged, or empty.
        planned: number of cases of the whole run where the file is of a part, else 0.
        lost: what should have been judged and was not, in words.
        baseline: ``expected`` and ``flaked`` cases, and ``problems`` of the baseline; empty where there was none.
    """

    exit_code: int
    cases: Mapping[str, int]
    requirements: Mapping[str, int]
    readings: tuple[str, ...]
    mixed_readings: tuple[str, ...]
    problem: str = ""
    planned: int = 0
    lost: tuple[str, ...] = ()
    baseline: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, record: Json) -> Self:
        """Return the footer in a record."""
        lists = {name: tuple(record.get(name, ())) for name in ("readings", "mixed_readings", "lost")}
        baseline = {name: tuple(told) for name, told in record.get("baseline", {}).items()}
        return cls(**{**_fields(record), **lists, "baseline": baseline})


Record = Header | Witness | Case | Finding | Footer


def _fields(record: Json) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != "record"}
