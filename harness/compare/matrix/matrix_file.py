"""What a user asks of a matrix: its file (TOML) with implementations and known deviations, and the settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from mqconform.harness.compare.matrix.deviations import Deviation, deviations_of
from mqconform.harness.compare.matrix.matrix_cell import TOGETHER
from mqconform.harness.compare.matrix.matrix_plan import Implementation, ServerCommand
from mqconform.harness.iut.facts import parsed
from mqconform.harness.iut.interface import ClientFacts, ConfigurationError
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.schema_text import complaint, validator

SCHEMA: Final = "matrix"
HERE: Final = "{here}"
"""Stands for the folder of the matrix file wherever a file or program is named."""
SCENARIOS: Final = ("own-site", "other-site", "second-network")
TOLERANCE, PATIENCE = 2.5, 30.0
SHAPES: Final = ("hub and spoke", "ring", "mesh", "branch offices", "several gates")
"""Those in which allowed hops come closer to the destination one by one, whoever chooses them (BR-50)."""
GENERATED, QUESTIONS = 10, 120
SCHEDULES, STEPS = 100, 16


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
    """

    out: Path
    tried: Tried
    seed: int = 0
    workers: int = 2
    deadline: float = 5.0
    profile: Profile = Profile.DEFAULT


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
    document = parsed(path, "a matrix file")
    judge = validator(SCHEMA)
    if judge and (wrong := complaint(judge, document, "")):
        raise ConfigurationError(f"{path}: {wrong}")
    here = str(path.resolve().parent)
    named = {name: _implementation(path, name, table, here) for name, table in document["implementations"].items()}
    deviations = deviations_of(path, document.get("deviations", []))
    return MatrixFile(path, sha256(path.read_bytes()).hexdigest(), named, _tried(document, here), deviations)


def _tried(document: Mapping[str, Any], here: str) -> Tried:
    discovery, routing, delivery = (document.get(kind, {}) for kind in ("discovery", "routing", "delivery"))
    given = {**discovery, **routing, **delivery}
    given |= {name: tuple(given[name]) for name in ("scenarios", "enterprises", "shapes") if name in given}
    if "enterprises" in given:
        given["enterprises"] = tuple(_placed(one, here) for one in given["enterprises"])
    return Tried(**given)


def _placed(name: str, here: str) -> str:
    """Return a file's name: beside the matrix file where it is relative."""
    return str(Path(here) / name.replace(HERE, here))


def _implementation(path: Path, name: str, table: Mapping[str, Any], here: str) -> Implementation:
    where = f"{path}: implementations.{name}"
    if name == TOGETHER:
        raise ConfigurationError(f"{where}: is what the walk of all routers is called; give another name")
    if not {"target", "discovery_client", "discovery_server"} & table.keys():
        raise ConfigurationError(f"{where}.target: is missing; expected KIND:ID, or a program of a discovery role")
    if table.get("target", "").startswith("udp:"):
        raise ConfigurationError(f"{where}.target: takes no orders over udp:; name its programs, see discovery_server")
    client = _words(table.get("discovery_client", {}), here)
    server = _words(table.get("discovery_server", {}), here)
    if client and "{networks}" in client["start"] and not client.get("network"):
        raise ConfigurationError(f"{where}.discovery_client.network: is missing; say what stands for each network")
    for list_name, arguments in (
        ("connected_networks", "connected_network"),
        ("directory_servers", "directory_server"),
    ):
        if server and f"{{{list_name}}}" in server["start"] and not server.get(arguments):
            told = f"is missing; say what stands for each of {{{list_name}}}"
            raise ConfigurationError(f"{where}.discovery_server.{arguments}: {told}")
    return Implementation(
        name=name,
        target=table.get("target", "").replace(HERE, here),
        wanted=frozenset(table.get("roles", ())),
        optional=table.get("optional", False),
        client=ClientFacts(**client) if client else None,
        server=ServerCommand(**server) if server else None,
    )


def _words(table: Mapping[str, Any], here: str) -> dict[str, Any]:
    """Return a table with its lists as tuples, ``{here}`` filled in and GUIDs in lower case."""
    lists = {
        name: tuple(one.replace(HERE, here) for one in value) for name, value in table.items() if type(value) is list
    }
    guids = {name: table[name].lower() for name in ("enterprise", "site") if name in table}
    return {**table, **lists, **guids}
