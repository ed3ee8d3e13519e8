"""The records of a result file, one class for each kind of line, for writers and readers alike.

The published ``features/schemas/results.schema.json`` is made from them by ``results_schema``.
Octets are lower-case hexadecimal text; what is absent from a line is empty, zero or None here.
"""

import json
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import excerpt, shortened, visible
from mqconform.harness.records.requirement import RoleName, covers
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.records.shard import Ordinal, Shard
from mqconform.harness.records.verdict import Standing

SCHEMA_VERSION: Final = 1
MOST_ERROR_TEXT: Final = 120
"""Characters of a complaint that a message repeats."""
END: Final = r"$(?![\s\S])"
"""The end of a text: a dollar alone would leave room for a line feed."""

Name = Annotated[str, Meta(title="text that is not empty", min_length=1)]
Count = Annotated[int, Meta(title="a number of 0 or more", ge=0)]
Clipped = Annotated[str, Meta(title="text of 2,100 characters at most", max_length=2100)]
Cell = Annotated[str, Meta(title="text of 300 characters at most", max_length=300)]
Words = Annotated[tuple[str, ...], Meta(title="a sorted list of words", extra_json_schema={"uniqueItems": True})]
Fingerprint = Annotated[str, Meta(title="16 lower-case hexadecimal digits", pattern=f"^[0-9a-f]{{16}}{END}")]
Octets = Annotated[str, Meta(title="octets as lower-case hexadecimal text", pattern=f"^(?:[0-9a-f]{{2}})+{END}")]
CaseId = Annotated[
    str, Meta(title="FOLDER/FEATURE/SCENARIO or FOLDER/FEATURE/SCENARIO/ROW", pattern=f"^[^/]*(?:/[^/]*){{2,3}}{END}")
]
RequirementId = Annotated[
    str,
    Meta(
        title="the id of a requirement, such as MQSD-3.2.5.1-07",
        pattern=rf"^[A-Z]+-[0-9]+(?:\.[0-9]+)*-B?[0-9]{{2,}}{END}",
    ),
]
ReadingId = Annotated[
    str, Meta(title="AMBIGUITY/reading", pattern=f"^[A-Z]{{2,3}}-[0-9]{{2,}}/[a-z0-9]+(?:-[a-z0-9]+)*{END}")
]
Section = Annotated[str, Meta(title="a section number", pattern=rf"^[0-9]+(?:\.[0-9]+)*{END}")]
SpecificationId = Annotated[str, Meta(title="the id of a specification", pattern=f"^[A-Z]+{END}")]
Excuse = Literal["unsupported", "not-applicable"]
Clock = Literal["real", "virtual", ""]
CaseVerdict = Literal["none", "pass", "inconclusive", "fail", "error"]
WitnessVerdict = Literal["pass", "inconclusive", "fail"]
Network = Literal["ip", "ipx", ""]
Seconds = Annotated[float, Meta(title="seconds, 0 or more", ge=0)]


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a record."""


class Record(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="record"):
    """A line of a result file."""


class Asked(Part, frozen=True):
    """Which requirements and cases were asked for: ids or prefixes of ids, none for all, and the -k expression."""

    requirements: tuple[str, ...]
    expression: str


class Probe(StrEnum):
    """Result of a probe of a role or capability."""

    ANSWERS = "answers"
    REFUSED = "refused"
    """Error -32601, as the protocol wants it for what is not offered."""
    BROKEN = "broken"
    """An answer that is none: another error, the wrong shape, silence, the end of the process."""
    NOT_PROBED = "not-probed"


class Feature(Part, frozen=True):
    """A role or capability: whether it is declared, the result of its probe, the number of its requirements.

    On a role hang those that bind it, on a capability those of the declared roles each of whose scenarios needs it.
    """

    kind: Literal["role", "capability"]
    name: Name
    declared: bool
    probe: Probe
    requirements: Count


class Remark(Part, frozen=True):
    """Something about a declaration that its author should know: what it is about, what is so, and what to do."""

    kind: Literal["unknown", "contradiction", "declined", "undeclared", "probe"]
    subject: Clipped
    text: Clipped


class Declaration(Part, frozen=True):
    """What the implementation declares, reviewed and probed before the run: roles first, then capabilities."""

    features: tuple[Feature, ...]
    remarks: tuple[Remark, ...]


class Implementation(Part, frozen=True):
    """How the implementation was reached and what it says of itself."""

    kind: Name
    target: Annotated[str, Meta(title="KIND:ID")]
    name: str
    version: str
    vendor: str
    roles: Words
    capabilities: Words
    declined: Words = ()
    build: Annotated[
        str, Meta(title="which build it is: what the user says, of the reference a fingerprint", min_length=1)
    ] = ""
    facts: Fingerprint = ""


class Header(Record, frozen=True, tag="header"):
    """What is judged, by what, and how."""

    schema: Annotated[Literal[1], Meta(title="1, the number of this schema")]
    harness: Name
    specifications: Annotated[dict[SpecificationId, str], Meta(title="an object from specification ids to revisions")]
    profile: Literal["must", "default", "strict", "windows"]
    seed: int
    selection: Asked
    iut: Implementation
    judging: Annotated[
        dict[str, Fingerprint],
        Meta(title="an object from folders of features to fingerprints of the code that judges them"),
    ] = {}
    shard: Shard | None = None
    features: Annotated[
        dict[str, Fingerprint],
        Meta(title="an object from features that the user added to fingerprints of their files", min_length=1),
    ] = {}
    clock: Annotated[Clock, Meta(title="real or virtual, where the user asked for either")] = ""
    thorough: Annotated[int, Meta(title="how many times as many generated inputs were tried as by default", ge=1)] = 1
    declaration: Declaration | None = None

    def asks_for(self, requirement: str) -> bool:
        """Tell whether the run was asked to judge a requirement."""
        asked = self.selection.requirements
        return not asked or any(covers(selector, requirement) for selector in asked)


class Span(Part, frozen=True):
    """The octets of the reply that decided."""

    offset: Count
    length: Count
    field: str


class Timing(Part, frozen=True):
    """What times are worth that were taken with a real clock, in seconds.

    The tolerance is by how much the end of a wait may be early or late; the lag, by how much the harness itself was
    woken late at most; the pressure, the share of the time in which a process waited for a processor.
    """

    tolerance: Seconds
    lag: Seconds
    pressure: Annotated[float, Meta(ge=0, le=1)] | None = None
    capture: Annotated[str, Meta(title="file in the results' directory with all that passed", min_length=1)] = ""


class Witness(Record, frozen=True, tag="witness"):
    """One executed assertion: a requirement, what was allowed, what was seen."""

    case: CaseId
    requirement: RequirementId
    verdict: WitnessVerdict
    step: str
    expected: Clipped
    observed: Clipped
    span: Span | None = None
    reading: ReadingId = ""
    timing: Timing | None = None
    network: Annotated[Network, Meta(title="ip or ipx, where there is a request")] = ""
    request: Octets = ""
    reply: Octets = ""
    source: Annotated[str, Meta(title="host:port that the reply came from", min_length=1)] = ""
    check: Annotated[str, Meta(title="the name of the assertion, whatever its words", min_length=1)] = ""
    seconds: Annotated[float, Meta(title="seconds since its case began", ge=0)] = 0

    def __post_init__(self) -> None:
        """Refuse a network without a request, and a request without its network."""
        if bool(self.network) is not bool(self.request):
            raise ValueError("network and request come together")

    @property
    def request_octets(self) -> bytes:
        """The datagram that was sent, empty where there was none."""
        return bytes.fromhex(self.request)

    @property
    def reply_octets(self) -> bytes:
        """The datagram that came back, empty where there was none."""
        return bytes.fromhex(self.reply)


class FollowedReading(Part, frozen=True):
    """A reading that was followed in a case, and on which occasion."""

    reading: ReadingId
    situation: Annotated[str, Meta(title="on which occasion", min_length=1)] = ""


class Patience(Part, frozen=True):
    """What the case cost of the run's patience with the implementation.

    Silences are requests that were waited for in vain; floods, exchanges that ended because too much came; restarts,
    how often it had to be started again where that was more than once; waited, seconds of waits for answers that did
    not come; given_up, that nothing was asked after it.
    """

    silences: Ordinal = 0
    floods: Ordinal = 0
    restarts: Annotated[int, Meta(title="a number of 2 or more", ge=2)] = 0
    waited: Annotated[float, Meta(title="seconds", ge=0)] = 0.0
    given_up: bool = False


class Moment(Part, frozen=True):
    """A row of a time line: who did what at which second, what was answered, and what was allowed if that was not.

    Rules are the requirements that the answer breaks.
    """

    at: Seconds
    who: Cell
    what: Cell
    answer: Cell = ""
    allowed: Annotated[tuple[Cell, ...], Meta(title="a list of the answers that were allowed, each in words")] = ()
    rules: tuple[RequirementId, ...] = ()


class Case(Record, frozen=True, tag="case"):
    """One scenario, or one row of a scenario outline, that is over."""

    id: CaseId
    feature: Name
    scenario: str
    requirements: tuple[RequirementId, ...]
    verdict: CaseVerdict
    row: Name = ""
    excused: Annotated[Literal["unsupported", "not-applicable", ""], Meta(title="unsupported or not-applicable")] = ""
    reason: Clipped = ""
    error: Clipped = ""
    trace: Clipped = ""
    text: Fingerprint = ""
    generated: bool = False
    patience: Patience | None = None
    crashed: bool = False
    readings: Annotated[tuple[FollowedReading, ...], Meta(title="a list of the readings followed in it")] = ()
    position: Annotated[int, Meta(title="its place in the whole run, in a part of one", ge=1)] = 0
    timeline: Annotated[tuple[Moment, ...], Meta(title="a list of what happened in it, in order", max_length=100)] = ()
    refused: Annotated[tuple[Name, ...], Meta(title="operations in it that are not offered")] = ()
    began: Annotated[str, Meta(title="when it began: a time of ISO 8601, in UTC", min_length=1)] = ""
    seconds: Annotated[float, Meta(title="seconds that it took", ge=0)] = 0

    def __post_init__(self) -> None:
        """Refuse a trace of no error."""
        if self.trace and not self.error:
            raise ValueError("a trace comes with its error")

    def without_part(self) -> "Case":
        """Return it as a whole run has it, without its place."""
        return msgspec.structs.replace(self, position=0)


class Finding(Record, frozen=True, tag="requirement"):
    """What the run established about one requirement that binds a role of the implementation.

    The cause of an affected requirement is the violated one that explains its failures.
    """

    id: RequirementId
    section: Section
    level: Literal["must", "must-not", "should", "should-not", "may", "informative"]
    kind: Literal[
        "prose", "field", "abnf", "branch", "procedure", "timer", "initialisation", "product-note", "precondition"
    ]
    roles: Words
    summary: Name
    judged: Literal["wire", "api", "no", "unseen"]
    standing: Standing
    witnesses: Count
    source: Fingerprint = ""
    reason: Annotated[str, Meta(title="why it was not judged, or is reported unasked", min_length=1)] = ""
    cause: RequirementId = ""


class Baseline(Part, frozen=True):
    """Comparison of the run with the baseline of expected failures, if there was one."""

    expected: tuple[CaseId, ...]
    flaked: tuple[CaseId, ...]
    problems: tuple[str, ...]


class AlikeFault(Part, frozen=True):
    """A known fault that no failed case distinguishes from another."""

    fault: Name
    says: Name


class Diagnosed(Part, frozen=True):
    """A known fault that behaves like the implementation, in which of its failed cases.

    Breaks are the requirements that the fault breaks, the one that it is about first.
    """

    fault: Name
    role: RoleName
    says: Name
    breaks: tuple[RequirementId, ...]
    cases: tuple[CaseId, ...]
    others: tuple[AlikeFault, ...] = ()


class Footer(Record, frozen=True, tag="footer"):
    """Result of the run."""

    exit_code: ExitCode
    cases: Annotated[
        dict[CaseVerdict | Excuse, Count],
        Meta(title="an object from verdicts and excuses to numbers of cases"),
    ]
    requirements: Annotated[dict[Standing, Count], Meta(title="an object from standings to numbers of requirements")]
    readings: Annotated[tuple[ReadingId, ...], Meta(extra_json_schema={"uniqueItems": True})]
    mixed_readings: Annotated[
        tuple[Name, ...],
        Meta(title="a list of mixtures: readings of one ambiguity, each with its number of cases"),
    ]
    inconstant_readings: Annotated[
        tuple[Name, ...], Meta(title="those mixed readings for which the run is inconclusive")
    ] = ()
    problem: Annotated[str, Meta(title="why nothing, or not all, could be judged", min_length=1)] = ""
    planned: Annotated[int, Meta(title="how many cases the whole run has, in a part of one", ge=0)] = 0
    lost: Annotated[tuple[Name, ...], Meta(title="what should have been judged and was not, in words")] = ()
    baseline: Baseline | None = None
    diagnosis: Annotated[tuple[Diagnosed, ...], Meta(title="a list of known faults that explain failed cases")] = ()
    broken: Annotated[tuple[RequirementId, ...], Meta(title="what is likely broken, the likeliest first")] = ()
    selected_from: Annotated[
        int, Meta(title="how many requirements of its roles a whole run judges, where only some were asked for", ge=0)
    ] = 0
    not_tried: Annotated[
        tuple[Name, ...], Meta(title="capabilities and kinds of operations that no case tried, for want of an offer")
    ] = ()
    seconds: Annotated[float, Meta(title="seconds that its cases took", ge=0)] = 0


AnyRecord: TypeAlias = Header | Witness | Case | Finding | Footer
KINDS: Final = {"header": Header, "witness": Witness, "case": Case, "requirement": Finding, "footer": Footer}


class NoRecord(ValueError):
    """A line is not a record; the message names the field and says what is expected there."""


def read_record(line: bytes) -> AnyRecord:
    """Return the record in a line.

    Raises:
        NoRecord: it is none.
    """
    try:
        document = json.loads(line)  # msgspec.json takes no halves of characters: an implementation may have sent some
    except (ValueError, RecursionError) as error:
        # ValueError: also of octets that are no UTF-8 and of numbers with thousands of digits
        raise NoRecord(f"is not JSON ({shortened(visible(str(error)), MOST_ERROR_TEXT)})") from error
    try:
        return msgspec.convert(document, AnyRecord)  # type: ignore[no-any-return, call-overload, unused-ignore]
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # half of a character where a word is expected
        raise NoRecord(_what_is_wrong(document) or shortened(visible(str(error)), MOST_ERROR_TEXT)) from error


def _what_is_wrong(document: object) -> str:
    kind = document.get("record") if isinstance(document, dict) else None
    judge = validator("results", kind) if isinstance(kind, str) and kind in KINDS else None
    return complaint(judge, document, "") if judge else f"record: is {excerpt(kind)}; expected {', '.join(KINDS)}"


def document_of(part: Struct) -> dict[str, Any]:
    """Return a record, or a part of one, as the JSON object that stands in the file."""
    document: dict[str, Any] = json.loads(_json(part))
    return document


def line_of(record: Struct) -> str:
    """Return the line that a record is written as, its end included: ASCII, keys sorted."""
    return _json(record) + "\n"


def _json(part: Struct) -> str:
    return json.dumps(msgspec.to_builtins(part), sort_keys=True, separators=(",", ":"))
