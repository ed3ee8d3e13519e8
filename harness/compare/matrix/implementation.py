"""One implementation of a matrix: how it is reached, what it plays, and the commands of its own programs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from shutil import which

from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import AdapterOptions, ClientFacts, ConfigurationError
from mqconform.harness.iut.protocol import CheckedIut

CLIENT, SERVER = "discovery_client", "discovery_server"


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
        wanted: roles that it plays here; empty for all that it declares.
        optional: whether its cells may be left out where it cannot be started.
    """

    name: str
    target: str = ""
    wanted: frozenset[str] = frozenset()
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
class Known:
    """What an implementation said of itself before anything was tried.

    Attributes:
        roles: those that it declares.
        problem: why it cannot be reached, empty where it can.
        fault: whether that is the implementation's own fault.
    """

    name: str
    version: str = ""
    roles: frozenset[str] = frozenset()
    capabilities: frozenset[str] = frozenset()
    problem: str = ""
    fault: bool = False


@dataclass(frozen=True, slots=True)
class Participants:
    """All implementations of a matrix with what they said of themselves."""

    by_name: Mapping[str, Implementation] = field(default_factory=dict)
    known: Mapping[str, Known] = field(default_factory=dict)

    def obstacle(self, name: str, role: str) -> tuple[str, str, bool] | None:
        """Return why an implementation does not play a role: excuse, reason, whether nothing is lost by that."""
        one, known = self.by_name[name], self.known[name]
        if one.wanted and role not in one.wanted:
            return "unsupported", f"{name} does not play {role} here", True
        if one.has_command(role):
            missing = one.missing_program(role)
            return ("not-applicable", f"{name}: {missing}: no such program", one.optional) if missing else None
        if known.problem:
            return "not-applicable", f"{name}: {known.problem}", one.optional
        if role not in known.roles:
            return "unsupported", f"{name} does not declare {role}", True
        return None
