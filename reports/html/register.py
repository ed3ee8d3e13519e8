"""What is known of a requirement beside its runs: specification, register, and the kill matrix of mutants."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from mqconform.reports.html.documents import read_document

PUBLISHED: Final = {"MQSD": "ms-mqsd", "MQBR": "ms-mqbr", "MQSO": "ms-mqso"}


class RegisterEntry(NamedTuple):
    """An ambiguity that bears on a requirement.

    Attributes:
        readings: (id, summary) of each.
    """

    id: str
    problem: str
    readings: tuple[tuple[str, str], ...]


@cache
def entries_by_requirement() -> Mapping[str, tuple[RegisterEntry, ...]]:
    """Return the register's entries by the requirements they bear on."""
    by_requirement: dict[str, list[RegisterEntry]] = {}
    folder = files("mqconform.features").joinpath("requirements", "ambiguities")
    for file in sorted(folder.iterdir(), key=lambda path: path.name):
        if not file.name.endswith(".toml"):
            continue
        for entry in tomllib.loads(file.read_text("utf-8")).get("ambiguity", ()):
            readings = tuple((reading["id"], reading["summary"]) for reading in entry.get("reading", ()))
            made = RegisterEntry(entry["id"], entry["problem"], readings)
            for requirement in entry.get("requirements", ()):
                by_requirement.setdefault(requirement, []).append(made)
    return {requirement: tuple(entries) for requirement, entries in by_requirement.items()}


def published(requirement: str) -> str:
    """Return where the specification of a requirement is published, empty where we do not know."""
    name = PUBLISHED.get(requirement.partition("-")[0])
    return f"https://learn.microsoft.com/openspecs/windows_protocols/{name}" if name else ""


@cache
def titles() -> Mapping[str, str]:
    """Return the title of each specification by its id."""
    by_specification = {}
    for file in files("mqconform.features").joinpath("requirements").iterdir():
        if file.name.endswith(".toml"):
            spec = tomllib.loads(file.read_text("utf-8")).get("spec", {})
            if "id" in spec:
                by_specification[spec["id"]] = f"{spec['title']}, revision {spec.get('revision', 'unknown')}"
    return by_specification


MATRIX: Final = "write it with `mqconform mutants`"


class Killer(NamedTuple):
    """A wrong implementation that the scenarios of a requirement convict."""

    name: str
    says: str
    aimed: bool
    """Whether it is there to break this requirement."""


def killers(file: Path) -> Mapping[str, tuple[Killer, ...]]:
    """Return, by requirement, the mutants that are convicted of violating it.

    Raises:
        DocumentFault: the file holds no kill matrix.
    """
    matrix = read_document(file, "kill_matrix", MATRIX)
    says = {name: mutant["says"] for name, mutant in matrix["mutants"].items()}
    return {
        requirement: tuple(
            Killer(name, says.get(name, ""), name in row["aimed"])
            for name in sorted({*row["aimed"], *(name for names in row["killed_by"].values() for name in names)})
        )
        for requirement, row in matrix["requirements"].items()
    }
