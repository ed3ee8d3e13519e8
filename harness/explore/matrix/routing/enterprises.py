"""The enterprises that messages walk through: given files, and generated ones that are the same for one seed."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import shake_256
from pathlib import Path
from typing import Final

from mqconform.harness.explore.matrix.matrix_file import Tried
from mqconform.harness.iut.interface import ConfigurationError, Json
from mqconform.harness.judge.mqbr.enterprise_shapes import OCTETS, SHAPES, Choices
from mqconform.harness.judge.mqbr.named_enterprise import NamedEnterprise
from mqconform.harness.tools.enterprise.source import SourceOptions, open_enterprise
from mqconform.reference.directory import Directory, directory_from_document, document_from_directory

FOLDER: Final = "enterprises"
MOST_ANSWERS: Final = 4_000
"""Of each implementation in one enterprise."""


@dataclass(frozen=True)
class Enterprise:
    """One enterprise.

    Attributes:
        name: for people, and for the file that is kept of it.
        directory: as the reference model reads it.
        machines: identifiers of its queue managers, in the directory's order.
        labels: what people call sites and queue managers, by identifier.
        named_enterprise: what it was generated as, None for a file.
    """

    name: str
    directory: Directory
    machines: tuple[str, ...]
    labels: dict[str, str]
    named_enterprise: NamedEnterprise | None = None

    @cached_property
    def document(self) -> Json:
        """The enterprise document of the IUT protocol."""
        return _as_asked(self.directory)

    def named(self, identifier: str) -> str:
        """Return what people call something."""
        return self.labels.get(identifier, identifier)

    @cached_property
    def destinations(self) -> tuple[str, ...]:
        """Destinations of messages: all queue managers, or an evenly spaced selection of a large enterprise."""
        count = len(self.machines)
        number = min(count, max(1, MOST_ANSWERS // count))
        return tuple(self.machines[place * count // number] for place in range(number))

    def questions(self, most: int) -> Iterator[tuple[str, str]]:
        """Yield pairs of source and destination, spread over all that there are."""
        pairs = [(machine, other) for machine in self.machines for other in self.destinations if machine != other]
        number = min(most, len(pairs))
        return (pairs[place * len(pairs) // number] for place in range(number))

    def keep(self, out: Path) -> str:
        """Write the document below a folder, and return the file's name there."""
        (out / FOLDER).mkdir(parents=True, exist_ok=True)
        name = f"{FOLDER}/{self.name}.json"
        (out / name).write_text(json.dumps(self.document, indent=1) + "\n", encoding="utf-8")
        return name


def enterprises_of(tried: Tried, seed: int, source: SourceOptions | None = None) -> tuple[Enterprise, ...]:
    """Return all enterprises of a matrix.

    Args:
        tried: which they are.
        seed: of those that are generated.
        source: how those are read that are given.

    Raises:
        ConfigurationError: a file cannot be used; the message says why.
    """
    from_files = [_given(number, path, source) for number, path in enumerate(tried.enterprises, start=1)]
    return (*from_files, *(_generated(number, seed, tried.shapes) for number in range(tried.generated)))


def _given(number: int, path: str, source: SourceOptions | None) -> Enterprise:
    try:
        directory = open_enterprise(path, source).directory
    except ConfigurationError as wrong:
        raise ConfigurationError(f"routing.enterprises: {wrong}") from wrong
    stem = "".join(letter if letter.isalnum() else "-" for letter in Path(path).stem)[:40]
    return _enterprise(f"given-{number}-{stem}", directory_from_document(_as_asked(directory)))


def _generated(number: int, seed: int, shapes: Sequence[str]) -> Enterprise:
    shape = shapes[number % len(shapes)]
    octets = shake_256(f"{seed} {number} {shape}".encode()).digest(OCTETS)
    return as_enterprise(f"generated-{number:03}-{shape.replace(' ', '-')}", SHAPES[shape](Choices(octets)))


def as_enterprise(name: str, generated: NamedEnterprise) -> Enterprise:
    """Return a generated enterprise under a name."""
    return replace(_enterprise(name, generated.directory), named_enterprise=generated)


def _enterprise(name: str, directory: Directory) -> Enterprise:
    machines = tuple(dict.fromkeys(str(queue_manager.identifier) for queue_manager in directory.queue_managers))
    if len(machines) < 2:
        raise ConfigurationError(f"routing.enterprises: {name}: has {len(machines)} queue managers; two are needed")
    labels = {str(site.identifier): site.name for site in directory.sites if site.name}
    labels |= {
        str(queue_manager.identifier): queue_manager.name
        for queue_manager in directory.queue_managers
        if queue_manager.name
    }
    return Enterprise(name, directory, machines, labels)


def _as_asked(directory: Directory) -> Json:
    """Return the document of a directory without what the IUT protocol has no word for."""
    document: Json = document_from_directory(directory)
    sites = [{key: value for key, value in site.items() if key != "foreign_site"} for site in document["sites"]]
    return {**document, "sites": sites}
