"""Who takes part in a matrix, which cells there are, and which of them cannot be played and why."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from shutil import which

from mqconform.harness.explore.matrix.matrix_cell import (
    DISCOVERY,
    NOT_APPLICABLE,
    ROLES,
    ROUTING,
    SIDES,
    Cell,
    Finding,
    Played,
    Result,
)
from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import AdapterOptions, ClientFacts, ConfigurationError, IutFault, IutProblem
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.records.verdict import Verdict

CLIENT, SERVER = "discovery_client", "discovery_server"
CONTRACT = "introduction"
"""What the scenario is called in which an implementation says who it is."""


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """How a discovery server is started that takes its configuration from its command line.

    Attributes:
        start: program and arguments, placeholders included.
        connected_network: arguments that stand for each network where ``start`` has ``{connected_networks}``.
        directory_server: likewise for ``{directory_servers}``.
    """

    start: tuple[str, ...]
    connected_network: tuple[str, ...] = ()
    directory_server: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Implementation:
    """What the file says of one implementation.

    Attributes:
        target: ``KIND:ID``, empty where it has programs alone.
        roles: those that it plays here; empty for all that it declares.
        optional: whether its cells may be left out where it cannot be started.
    """

    name: str
    target: str = ""
    roles: frozenset[str] = frozenset()
    optional: bool = False
    client: ClientFacts | None = None
    server: ServerCommand | None = None

    @property
    def kind(self) -> str:
        """How its target is reached."""
        return self.target.partition(":")[0]

    def connect(self, deadline: float) -> CheckedIut:
        """Open a connection of its own to the implementation; see ``connect``."""
        if not self.target:
            raise ConfigurationError(f"implementations.{self.name}.target: is missing; expected KIND:ID")
        return connect(self.target, AdapterOptions(deadline=deadline))

    def has_command(self, role: str) -> bool:
        """Whether a role is played by a program of its own."""
        return (role == CLIENT and self.client is not None) or (role == SERVER and self.server is not None)

    def missing_program(self, role: str) -> str:
        """Return the program of a role that is not there, empty where it is."""
        command = self.client if role == CLIENT else self.server
        first = command.start[0] if command else ""
        return first if first and which(first) is None else ""


@dataclass(frozen=True, slots=True)
class Introduction:
    """What an implementation said of itself before anything was tried.

    Attributes:
        roles: those that it declares.
        problem: why it cannot be reached, empty where it can.
        fault: whether that is the implementation's own fault.
    """

    name: str
    version: str = ""
    roles: frozenset[str] = frozenset()
    problem: str = ""
    fault: bool = False


@dataclass(frozen=True, slots=True)
class Participants:
    """All implementations of a matrix with what they said of themselves."""

    by_name: Mapping[str, Implementation] = field(default_factory=dict)
    introductions: Mapping[str, Introduction] = field(default_factory=dict)

    def obstacle(self, name: str, role: str) -> tuple[str, str, bool] | None:
        """Return why an implementation does not play a role: excuse, reason, whether nothing is lost by that."""
        implementation, introduction = self.by_name[name], self.introductions[name]
        if implementation.roles and role not in implementation.roles:
            return "unsupported", f"{name} does not play {role} here", True
        if implementation.has_command(role):
            missing = implementation.missing_program(role)
            return (
                ("not-applicable", f"{name}: {missing}: no such program", implementation.optional) if missing else None
            )
        if introduction.problem:
            return "not-applicable", f"{name}: {introduction.problem}", implementation.optional
        if role not in introduction.roles:
            return "unsupported", f"{name} does not declare {role}", True
        return None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a user wants of a matrix.

    Attributes:
        kinds: of cells.
        names: of implementations; empty for all.
    """

    kinds: Sequence[str]
    names: Collection[str] = field(default=())


def introduced(by_name: Mapping[str, Implementation], deadline: float, workers: int) -> Participants:
    """Ask every implementation who it is."""
    with ThreadPoolExecutor(max(1, workers)) as pool:
        asked = {name: pool.submit(_introduction, implementation, deadline) for name, implementation in by_name.items()}
    return Participants(by_name, {name: future.result() for name, future in asked.items()})


def planned(
    participants: Participants, selection: Wanted, obstacle: Callable[[], str]
) -> tuple[list[Cell], list[Result]]:
    """Return the cells of a matrix that are to be played, and the results of those that cannot be.

    Args:
        participants: who meets whom.
        selection: a part of it, or all.
        obstacle: returns why discovery cannot be played on this machine, empty where it can.

    Raises:
        ConfigurationError: a name is of no implementation.
    """
    unknown = sorted(set(selection.names) - participants.by_name.keys())
    if unknown:
        there = ", ".join(participants.by_name)
        raise ConfigurationError(f"--only {', '.join(unknown)}: no such implementation; there are {there}")
    names = [name for name in participants.by_name if not selection.names or name in selection.names]
    no_networks = obstacle() if DISCOVERY in selection.kinds else ""
    cells, left_out = list[Cell](), list[Result]()
    for kind in selection.kinds:
        for cell in _cells(participants, kind, names):
            result = _left_out(participants, cell, no_networks if kind == DISCOVERY else "")
            (left_out.append(result) if result else cells.append(cell))
    return cells, left_out


def _cells(participants: Participants, kind: str, names: Sequence[str]) -> Iterator[Cell]:
    """Yield the cells of a kind; implementations that play neither side, and never said that they would, have none."""
    first, second = ROLES[kind]
    first_side, second_side = SIDES[kind]
    rows = [name for name in names if _plays(participants, name, first)]
    columns = [name for name in names if _plays(participants, name, second)]
    for row in rows:
        for column in columns:
            yield Cell(kind, ((first_side, row), (second_side, column)))
    if kind == ROUTING:
        able = [name for name in rows if participants.obstacle(name, first) is None]
        if len(able) > 2:
            yield Cell(kind, tuple((name, name) for name in able))


def _plays(participants: Participants, name: str, role: str) -> bool:
    """Whether an implementation plays a role, or might if it could be reached."""
    if participants.obstacle(name, role) is None:
        return True
    implementation, introduction = participants.by_name[name], participants.introductions[name]
    if implementation.roles and role not in implementation.roles:
        return False
    return implementation.has_command(role) or (bool(introduction.problem) and bool(implementation.target))


def _left_out(participants: Participants, cell: Cell, no_networks: str) -> Result | None:
    if no_networks:
        return Result(cell, excuse=NOT_APPLICABLE, reason=f"no networks can be made here: {no_networks}")
    roles = ROLES[cell.kind]
    for number, (side, name) in enumerate(cell.sides):
        role = roles[min(number, 1)]
        obstacle = participants.obstacle(name, role)
        if obstacle is None:
            continue
        introduction = participants.introductions[name]
        if introduction.fault and not participants.by_name[name].has_command(role):
            finding = Finding(CONTRACT, side, "", Verdict.FAIL, introduction.problem)
            return Result(cell, (Played(CONTRACT, Verdict.FAIL, introduction.problem),), (finding,))
        excuse, reason, excused = obstacle
        return Result(cell, excuse=excuse, reason=reason, excused=excused)
    return None


def _introduction(implementation: Implementation, deadline: float) -> Introduction:
    if not implementation.target:
        return Introduction(implementation.name)
    try:
        with closing(implementation.connect(deadline)) as iut:
            description = iut.description
    except IutFault as fault:
        return Introduction(implementation.name, problem=f"{fault.kind}: {fault}", fault=True)
    except IutProblem as problem:
        return Introduction(implementation.name, problem=str(problem))
    title = " ".join(part for part in (description.vendor, description.name) if part)
    return Introduction(title, description.version, description.roles)
