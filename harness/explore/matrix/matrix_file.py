"""What a user asks of a matrix: its file (TOML) with implementations and known deviations, and the settings.

A known deviation is what goes wrong between two implementations, with who answers for it and until when.
"""

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from shutil import which
from typing import Any, Final, NamedTuple

from msgspec import convert, to_builtins

from mqconform.harness.explore.matrix.matrix_cell import NOT_APPLICABLE, TOGETHER, UNSUPPORTED, Finding, Result
from mqconform.harness.iut.connect import commands_of, connect
from mqconform.harness.iut.facts import MAX_FACTS
from mqconform.harness.iut.interface import AdapterOptions, ClientFacts, ConfigurationError, IutFault, IutProblem
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.records.pattern import Pattern
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.records.text_file import read_toml
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.run.gate.baseline import pattern_and_expiry
from mqconform.harness.tools.enterprise.source import EXPORT, SourceOptions, is_source

WRONG = (Verdict.INCONCLUSIVE, Verdict.FAIL)
HERE: Final = "{here}"
"""Stands for the folder of the matrix file wherever a file or program is named."""
SCENARIOS: Final = ("own-site", "other-site", "second-network")
SHAPES: Final = ("hub and spoke", "ring", "mesh", "branch offices", "several gates")
"""Those in which every allowed hop comes closer to the destination, for any choice of hops (BR-50)."""
CLIENT, SERVER = "discovery_client", "discovery_server"
REPEATED: Final = (
    (CLIENT, "networks", "network", "each network"),
    (SERVER, "connected_networks", "connected_network", "each of {connected_networks}"),
    (SERVER, "directory_servers", "directory_server", "each of {directory_servers}"),
)
"""Role, placeholder of a list in its command, the table of arguments that stand for one of it, and what that is."""


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """How a discovery server is started that takes its configuration from its command line: program and arguments.

    The other attributes are arguments that stand for each of a list; see ``REPEATED``.
    """

    start: tuple[str, ...]
    connected_network: tuple[str, ...] = ()
    directory_server: tuple[str, ...] = ()


@dataclass(slots=True)
class Implementation:
    """What the file says of one implementation, and what that said of itself when it was introduced.

    Attributes:
        target: ``KIND:ID``, empty where it has programs alone.
        roles: those that it plays here; empty for all that it declares.
        optional: whether its cells may be left out where it cannot be started.
        problem: why it cannot be reached, empty where it can; ``at_fault`` where that is its own fault.
    """

    name: str
    target: str = ""
    roles: frozenset[str] = frozenset()
    optional: bool = False
    discovery_client: ClientFacts | None = None
    discovery_server: ServerCommand | None = None
    title: str = ""
    version: str = ""
    declared: frozenset[str] = frozenset()
    problem: str = ""
    at_fault: bool = False

    def connect(self, deadline: float) -> CheckedIut:
        """Open a connection of its own to the implementation; see ``connect``."""
        return connect(self.target, AdapterOptions(deadline=deadline))

    def commands(self) -> Iterator[str]:
        """Yield what it starts."""
        yield from commands_of(self.target, self.discovery_client)
        if self.discovery_server:
            yield shlex.join(self.discovery_server.start)

    def introduce(self, deadline: float) -> None:
        """Ask it who it is, before anything is tried."""
        self.title = self.name
        if not self.target:
            return
        try:
            with closing(self.connect(deadline)) as iut:
                said = iut.description
        except IutProblem as problem:
            self.at_fault = isinstance(problem, IutFault)
            self.problem = f"{problem.kind}: {problem}" if isinstance(problem, IutFault) else str(problem)
            return
        self.title = " ".join(part for part in (said.vendor, said.name) if part)
        self.version, self.declared = said.version, said.roles

    def record(self) -> dict[str, object]:
        """Return it as the header of the results has it."""
        roles = {*self.declared, *filter(self.command, (CLIENT, SERVER))}
        own = {name: getattr(self, name) for name in ("name", "target", "title", "version", "problem")}
        return own | {"roles": sorted(roles)}

    def command(self, role: str) -> tuple[str, ...]:
        """Return the program of its own that plays a role, with its arguments; empty without one."""
        own = {CLIENT: self.discovery_client, SERVER: self.discovery_server}.get(role)
        return own.start if own else ()

    def meets(self, role: str) -> bool:
        """Whether it plays a role, or might if it could be reached."""
        may = bool(self.command(role) or self.problem) or role in self.declared
        return may and (not self.roles or role in self.roles)

    def obstacle(self, role: str) -> tuple[str, str, bool] | None:
        """Return why it does not play a role: excuse, reason, whether nothing is lost by that."""
        if self.roles and role not in self.roles:
            return UNSUPPORTED, f"{self.name} does not play {role} here", True
        words = self.command(role)
        missing = f"{words[0]}: no such program" if words and which(words[0]) is None else ""
        if problem := missing if words else self.problem:
            return NOT_APPLICABLE, f"{self.name}: {problem}", self.optional
        return None if words or role in self.declared else (UNSUPPORTED, f"{self.name} does not declare {role}", True)


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
    verdict: str
    error: Pattern
    reason: str
    issue: str
    owner: str
    expires: date
    scenario: str = ""

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
        here = fnmatchcase(finding.scenario, self.scenario or "*")
        return here and finding.verdict.word == self.verdict and self.error.occurs_in(finding.text)

    def record(self, results: Sequence[Result]) -> dict[str, object]:
        """Return it as the schema has it, with whether it occurred."""
        fields = ("number", "kind", "pair", "scenario", "reason", "issue", "owner", "expires")
        occurred = any(self.number in result.known_deviations for result in results)
        return {**to_builtins({name: getattr(self, name) for name in fields}), "occurred": occurred}


class Problem(NamedTuple):
    """What is wrong with an entry: its number, ``passed``, ``differs``, ``unmatched`` or ``expired``, and in words."""

    deviation: int
    kind: str
    says: str


def deviations_of(path: Path, tables: Sequence[Mapping[str, Any]]) -> tuple[Deviation, ...]:
    """Return the entries of a file that has passed its schema.

    Raises:
        ConfigurationError: naming file, field and remedy.
    """
    deviations = []
    for number, table in enumerate(tables):
        error, expires = pattern_and_expiry(f"{path}: deviations[{number}].", table)
        read = {"pair": tuple(table["pair"]), "error": error, "expires": expires}
        own = {name: value for name, value in table.items() if name != "since"}
        deviations.append(Deviation(number, **own | read))
    return tuple(deviations)


def with_known(result: Result, deviations: Sequence[Deviation]) -> Result:
    """Return a result that says which of its findings were known; tolerated if all of them were."""
    about = [deviation for deviation in deviations if deviation.is_about(result)]
    wrong = [finding for finding in result.findings if finding.verdict in WRONG]
    numbers = tuple(deviation.number for deviation in about if any(map(deviation.covers, wrong)))
    all_known = all(any(deviation.covers(finding) for deviation in about) for finding in wrong)
    return replace(result, known_deviations=numbers, tolerated=bool(wrong) and all_known and result.verdict in WRONG)


def problems(
    deviations: Sequence[Deviation], results: Sequence[Result], today: date, *, whole: bool = False
) -> Iterator[Problem]:
    """Yield what is wrong with the entries, held against cells that were to be played.

    A cell that could not be played says nothing about an entry, and in a part of a matrix an entry may have no cell.
    """
    for deviation in deviations:
        wrong: dict[str, str] = {}
        if whole and not any(map(deviation.is_about, results)):
            wrong["unmatched"] = "is about no cell of this matrix; correct kind and pair"
        if deviation.expires < today:
            wrong["expired"] = f"expired on {deviation.expires}; correct it, or give a new date and a reason"
        played = [result for result in results if deviation.is_about(result) and not result.excuse]
        if played and not any(deviation.number in result.known_deviations for result in played):
            passed = max(result.verdict for result in played) <= Verdict.PASS
            text = "no longer occurs; remove it" if passed else "is not what goes wrong there; correct it"
            wrong["passed" if passed else "differs"] = text
        yield from (Problem(deviation.number, kind, f"{deviation.name}: {says}") for kind, says in wrong.items())


@dataclass(frozen=True, slots=True)
class Tried:
    """What is tried with the implementations.

    Attributes:
        scenarios: of discovery.
        tolerance: seconds by which the end of a client's wait may be early or late, and its answers be told late.
        patience: seconds for a server to open its port, and for a client to send its first request.
        enterprises: files that messages are walked through.
        shapes: of generated enterprises, ``generated`` how many of them.
        questions: how many messages walk through each enterprise, at most.
        schedules: how many fault schedules a sender and a receiver go through, each of at most ``steps`` steps.
    """

    scenarios: tuple[str, ...] = SCENARIOS
    tolerance: float = 2.5
    patience: float = 30.0
    enterprises: tuple[str, ...] = ()
    shapes: tuple[str, ...] = SHAPES
    generated: int = 10
    questions: int = 120
    schedules: int = 100
    steps: int = 16


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
    """A matrix file as it was read; results of the same file are known by the digest of its octets."""

    path: Path
    digest: str
    implementations: Mapping[str, Implementation]
    tried: Tried
    deviations: tuple[Deviation, ...]

    def commands(self, names: Collection[str] = ()) -> Iterator[str]:
        """Yield what implementations of some names start; those of all where none is given."""
        for name, implementation in self.implementations.items():
            yield from implementation.commands() if not names or name in names else ()


def read_matrix(path: Path) -> MatrixFile:
    """Return what a matrix file says.

    Raises:
        ConfigurationError: naming file, field and remedy.
    """
    document = read_toml(path, MAX_FACTS, "a matrix file")
    judge = validator("matrix")
    if judge and (wrong := complaint(judge, document, "")):
        raise ConfigurationError(f"{path}: {wrong}")
    here = str(path.resolve().parent)
    named = {
        name: _implementation(f"{path}: implementations.{name}", name, table, here)
        for name, table in document["implementations"].items()
    }
    deviations = deviations_of(path, document.get("deviations", []))
    kinds = (document.get(kind, {}) for kind in ("discovery", "routing", "delivery"))
    tried = convert({name: value for kind in kinds for name, value in kind.items()}, Tried)
    tried = replace(tried, enterprises=tuple(_placed(source, here) for source in tried.enterprises))
    return MatrixFile(path, sha256(path.read_bytes()).hexdigest(), named, tried, deviations)


def _placed(name: str, here: str) -> str:
    """Return a file's name: beside the matrix file where it is relative. A server is where it is."""
    if name.startswith(EXPORT):
        return EXPORT + _placed(name.removeprefix(EXPORT), here)
    return name if is_source(name) else str(Path(here) / name.replace(HERE, here))


def _implementation(where: str, name: str, table: Mapping[str, Any], here: str) -> Implementation:
    if name == TOGETHER:
        raise ConfigurationError(f"{where}: is the reserved name of the walk of all routers; give another name")
    if not {"target", CLIENT, SERVER} & table.keys():
        raise ConfigurationError(f"{where}.target: is missing; expected KIND:ID, or a program of a discovery role")
    if table.get("target", "").startswith("udp:"):
        raise ConfigurationError(f"{where}.target: takes no orders over udp:; name its programs, see discovery_server")
    for role, listed, arguments, each in REPEATED:
        own = table.get(role, {})
        if f"{{{listed}}}" in own.get("start", ()) and not own.get(arguments):
            raise ConfigurationError(f"{where}.{role}.{arguments}: is missing; give the arguments for {each}")
    return convert({"name": name} | {key: _filled(value, here) for key, value in table.items()}, Implementation)


def _filled(value: Any, here: str) -> Any:
    """Return a field with ``{here}`` filled in, and GUIDs in lower case."""
    match value:
        case str():
            return value.replace(HERE, here)
        case list():
            return [_filled(each, here) for each in value]
        case dict():
            ids = {name: value[name].lower() for name in ("enterprise", "site") if name in value}
            return {name: _filled(each, here) for name, each in {**value, **ids}.items()}
    return value
