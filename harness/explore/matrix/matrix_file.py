"""What a user asks of a matrix: its file (TOML) with implementations and known deviations, and the settings.

A known deviation is what goes wrong between two implementations, with who answers for it and until when.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from mqconform.harness.explore.matrix.matrix_cell import TOGETHER, Finding, Result
from mqconform.harness.explore.matrix.matrix_plan import Implementation, ServerCommand
from mqconform.harness.iut.facts import MAX_FACTS
from mqconform.harness.iut.interface import ClientFacts, ConfigurationError
from mqconform.harness.records.pattern import Pattern
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.records.text_file import read_toml
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.tools.enterprise.source import EXPORT, SourceOptions, is_source

WRONG = (Verdict.INCONCLUSIVE, Verdict.FAIL)
SCHEMA: Final = "matrix"
HERE: Final = "{here}"
"""Stands for the folder of the matrix file wherever a file or program is named."""
SCENARIOS: Final = ("own-site", "other-site", "second-network")
TOLERANCE, PATIENCE = 2.5, 30.0
SHAPES: Final = ("hub and spoke", "ring", "mesh", "branch offices", "several gates")
"""Those in which every allowed hop comes closer to the destination, for any choice of hops (BR-50)."""
GENERATED, QUESTIONS = 10, 120
SCHEDULES, STEPS = 100, 16


@dataclass(frozen=True, slots=True)
class Deviation:
    """One entry of the file.

    Attributes:
        number: its place in the file, counted from 0.
        pair: names of both sides, ``*`` for any part of one.
        verdict: ``fail`` or ``inconclusive``.
        error: what the text of a finding has to match.
    """

    number: int
    kind: str
    pair: tuple[str, str]
    scenario: str
    verdict: str
    error: Pattern
    reason: str
    issue: str
    owner: str
    since: date
    expires: date

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"deviations[{self.number}] ({self.kind} of {' and '.join(self.pair)})"

    def is_about(self, result: Result) -> bool:
        """Whether it speaks of a cell."""
        both = zip(result.cell.pair, self.pair, strict=True)
        return result.cell.kind == self.kind and all(fnmatchcase(name, pattern) for name, pattern in both)

    def covers(self, finding: Finding) -> bool:
        """Whether a finding of a cell that it speaks of is the known one."""
        here = fnmatchcase(finding.scenario, self.scenario) if self.scenario else True
        return here and finding.verdict.word == self.verdict and self.error.occurs_in(finding.text)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with an entry: ``passed``, ``differs``, ``unmatched`` or ``expired``."""

    deviation: Deviation
    kind: str
    says: str

    def record(self) -> dict[str, object]:
        """Return it as the schema has it."""
        return {"deviation": self.deviation.number, "kind": self.kind, "says": f"{self.deviation.name}: {self.says}"}


def deviations_of(path: Path, tables: Sequence[Mapping[str, Any]]) -> tuple[Deviation, ...]:
    """Return the entries of a file that has passed its schema.

    Raises:
        ConfigurationError: naming file, field and remedy.
    """
    return tuple(_deviation(f"{path}: deviations[{number}]", number, table) for number, table in enumerate(tables))


def _deviation(where: str, number: int, table: Mapping[str, Any]) -> Deviation:
    try:
        pattern = Pattern(table["error"])
    except ConfigurationError as error:
        raise ConfigurationError(f"{where}.error: {error}") from error
    days = {}
    for name in ("since", "expires"):
        try:
            days[name] = date.fromisoformat(table[name])
        except ValueError as error:
            raise ConfigurationError(f"{where}.{name}: is {table[name]}: {error}; write an existing date") from error
    if days["expires"] < days["since"]:
        raise ConfigurationError(f"{where}.expires: is before since; change one of them")
    first, second = table["pair"]
    fields = {name: table[name] for name in ("kind", "verdict", "reason", "issue", "owner")}
    return Deviation(
        number,
        pair=(first, second),
        scenario=table.get("scenario", ""),
        error=pattern,
        since=days["since"],
        expires=days["expires"],
        **fields,
    )


def with_known(result: Result, deviations: Sequence[Deviation]) -> Result:
    """Return a result that says which of its findings were known; tolerated if all of them were."""
    about = [deviation for deviation in deviations if deviation.is_about(result)]
    wrong = [finding for finding in result.findings if finding.verdict in WRONG]
    covering = {deviation.number: [finding for finding in wrong if deviation.covers(finding)] for deviation in about}
    left = [finding for finding in wrong if not any(finding in covered for covered in covering.values())]
    numbers = tuple(number for number, covered in covering.items() if covered)
    return replace(result, known_deviations=numbers, tolerated=bool(wrong) and not left and result.verdict in WRONG)


def problems(deviations: Sequence[Deviation], results: Sequence[Result], today: date) -> Iterator[Problem]:
    """Yield what is wrong with the entries, held against cells that were to be played.

    A cell that was left out on purpose, or that could not be played, says nothing about an entry.
    """
    for deviation in deviations:
        if deviation.expires < today:
            yield Problem(
                deviation, "expired", f"expired on {deviation.expires}; correct it, or give a new date and a reason"
            )
        played = [result for result in results if deviation.is_about(result) and not result.excuse]
        if played and not any(deviation.number in result.known_deviations for result in played):
            passed = max(result.verdict for result in played) <= Verdict.PASS
            text = "no longer occurs; remove it" if passed else "is not what goes wrong there; correct it"
            yield Problem(deviation, "passed" if passed else "differs", text)


def matching_nothing(deviations: Sequence[Deviation], results: Sequence[Result]) -> Iterator[Problem]:
    """Yield the entries that speak of no cell of a whole matrix."""
    for deviation in deviations:
        if not any(deviation.is_about(result) for result in results):
            yield Problem(deviation, "unmatched", "is about no cell of this matrix; correct kind and pair")


@dataclass(frozen=True, slots=True)
class Tried:
    """What is tried with the implementations.

    Attributes:
        scenarios: of discovery.
        tolerance: seconds by which the end of a client's wait may be early or late, and its answers be told late.
        patience: seconds for a server to open its port, and for a client to send its first request.
        enterprises: files that messages are walked through.
        shapes: of generated enterprises.
        generated: how many enterprises are generated besides.
        questions: how many messages walk through each enterprise, at most.
        schedules: how many fault schedules a sender and a receiver go through.
        steps: of a schedule, at most.
    """

    scenarios: tuple[str, ...] = SCENARIOS
    tolerance: float = TOLERANCE
    patience: float = PATIENCE
    enterprises: tuple[str, ...] = ()
    shapes: tuple[str, ...] = SHAPES
    generated: int = GENERATED
    questions: int = QUESTIONS
    schedules: int = SCHEDULES
    steps: int = STEPS


@dataclass(frozen=True, slots=True)
class Settings:
    """What all kinds of cells go by.

    Attributes:
        out: folder of the results.
        workers: how many cells are played at once.
        deadline: seconds that one call to an implementation may take.
        source: how enterprises are read that are in a directory.
    """

    out: Path
    tried: Tried
    seed: int = 0
    workers: int = 2
    deadline: float = 5.0
    profile: Profile = Profile.DEFAULT
    source: SourceOptions = field(default_factory=SourceOptions)


@dataclass(frozen=True, slots=True)
class MatrixFile:
    """A matrix file as it was read.

    Attributes:
        digest: of its octets, by which results of the same file are known.
    """

    path: Path
    digest: str
    implementations: Mapping[str, Implementation]
    tried: Tried
    deviations: tuple[Deviation, ...]


def read_matrix(path: Path) -> MatrixFile:
    """Return what a matrix file says.

    Raises:
        ConfigurationError: naming file, field and remedy.
    """
    document = read_toml(path, MAX_FACTS, "a matrix file")
    judge = validator(SCHEMA)
    if judge and (wrong := complaint(judge, document, "")):
        raise ConfigurationError(f"{path}: {wrong}")
    here = str(path.resolve().parent)
    named = {name: _implementation(path, name, table, here) for name, table in document["implementations"].items()}
    deviations = deviations_of(path, document.get("deviations", []))
    return MatrixFile(path, sha256(path.read_bytes()).hexdigest(), named, _tried(document, here), deviations)


def _tried(document: Mapping[str, Any], here: str) -> Tried:
    discovery, routing, delivery = (document.get(kind, {}) for kind in ("discovery", "routing", "delivery"))
    fields = {**discovery, **routing, **delivery}
    fields |= {name: tuple(fields[name]) for name in ("scenarios", "enterprises", "shapes") if name in fields}
    if "enterprises" in fields:
        fields["enterprises"] = tuple(_placed(source, here) for source in fields["enterprises"])
    return Tried(**fields)


def _placed(name: str, here: str) -> str:
    """Return a file's name: beside the matrix file where it is relative. A server is where it is."""
    if name.startswith(EXPORT):
        return EXPORT + _placed(name.removeprefix(EXPORT), here)
    if is_source(name):
        return name
    return str(Path(here) / name.replace(HERE, here))


def _implementation(path: Path, name: str, table: Mapping[str, Any], here: str) -> Implementation:
    where = f"{path}: implementations.{name}"
    if name == TOGETHER:
        raise ConfigurationError(f"{where}: is the reserved name of the walk of all routers; give another name")
    if not {"target", "discovery_client", "discovery_server"} & table.keys():
        raise ConfigurationError(f"{where}.target: is missing; expected KIND:ID, or a program of a discovery role")
    if table.get("target", "").startswith("udp:"):
        raise ConfigurationError(f"{where}.target: takes no orders over udp:; name its programs, see discovery_server")
    client = _words(table.get("discovery_client", {}), here)
    server = _words(table.get("discovery_server", {}), here)
    if client and "{networks}" in client["start"] and not client.get("network"):
        raise ConfigurationError(f"{where}.discovery_client.network: is missing; give the arguments for each network")
    for list_name, arguments in (
        ("connected_networks", "connected_network"),
        ("directory_servers", "directory_server"),
    ):
        if server and f"{{{list_name}}}" in server["start"] and not server.get(arguments):
            problem = f"is missing; give the arguments for each of {{{list_name}}}"
            raise ConfigurationError(f"{where}.discovery_server.{arguments}: {problem}")
    return Implementation(
        name=name,
        target=table.get("target", "").replace(HERE, here),
        roles=frozenset(table.get("roles", ())),
        optional=table.get("optional", False),
        client=ClientFacts(**client) if client else None,
        server=ServerCommand(**server) if server else None,
    )


def _words(table: Mapping[str, Any], here: str) -> dict[str, Any]:
    """Return a table with its lists as tuples, ``{here}`` filled in and GUIDs in lower case."""
    lists = {
        name: tuple(word.replace(HERE, here) for word in value) for name, value in table.items() if type(value) is list
    }
    guids = {name: table[name].lower() for name in ("enterprise", "site") if name in table}
    return {**table, **lists, **guids}
