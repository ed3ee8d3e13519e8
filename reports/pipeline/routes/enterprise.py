"""The enterprise that decisions are judged against, in the versions that were in force."""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from mqconform.reference import directory
from mqconform.reference.directory import Directory, QueueManager, RoutingLink, Site
from mqconform.reference.mqbr.bulk import BulkOracle
from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.routes.machine_columns import MachineNumbers

ALWAYS: Final = -(2**63)
"""Start of a version that was in force from the beginning, in microseconds since 1970."""

SETTLING_SECONDS: Final = 3600
"""How long a router may go on with the table it has: the period of its query timer (MS-MQBR 3.1.2, 3.1.6)."""


class DirectoryVersion(NamedTuple):
    """A directory and when it came into force; None is from the beginning."""

    valid_from: datetime | None
    directory: Directory


@dataclass(frozen=True)
class Enterprise:
    """Versions of one directory, in the order in which they came into force.

    Attributes:
        settling_seconds: how long after a change an answer that fails may rest on the version before.
        windows_octets: whether GUIDs of 16 octets lie as Windows keeps them in memory.
    """

    versions: tuple[DirectoryVersion, ...]
    settling_seconds: float = SETTLING_SECONDS
    windows_octets: bool = False

    @property
    def dated(self) -> bool:
        """Whether a decision can be judged only if its time is known."""
        return len(self.versions) > 1 or self.versions[0].valid_from is not None

    @property
    def starts(self) -> Int64s:
        """When each version came into force, in microseconds since 1970."""
        return np.array([ALWAYS if one.valid_from is None else _microseconds(one.valid_from) for one in self.versions])


def enterprise_of(
    versions: Sequence[DirectoryVersion], settling_seconds: float = SETTLING_SECONDS, *, windows_octets: bool = False
) -> Enterprise:
    """Return the versions in order.

    Raises:
        UnusableInput: there is none, or two came into force at the same time.
    """
    ordered = sorted(versions, key=lambda one: ALWAYS if one.valid_from is None else _microseconds(one.valid_from))
    if not ordered:
        raise UnusableInput("no directory; give --directory FILE")
    starts = [one.valid_from for one in ordered]
    for before, after in pairwise(starts):
        if before == after:
            when = "from the beginning" if after is None else f"from {after.isoformat()} on"
            raise UnusableInput(f"two directories are in force {when}; give FILE@TIME with a time of its own for each")
    return Enterprise(tuple(ordered), settling_seconds, windows_octets)


class CompiledVersion(NamedTuple):
    """One version, ready for judging."""

    oracle: BulkOracle
    machines: MachineNumbers
    sites: tuple[str, ...]
    """Identifiers of the sites by number."""
    site_of: Int32s
    """For each machine the first of its sites; the number after the last site for those of none, and for ``ABSENT``."""


class CompiledEnterprise(NamedTuple):
    """All versions, ready for judging; built once in each process."""

    versions: tuple[CompiledVersion, ...]
    starts: Int64s
    dated: bool
    settling_microseconds: int


def compiled(enterprise: Enterprise) -> CompiledEnterprise:
    """Compile an enterprise."""
    versions = [_compiled_version(one.directory, enterprise.windows_octets) for one in enterprise.versions]
    settling = int(enterprise.settling_seconds * 1_000_000)
    return CompiledEnterprise(tuple(versions), enterprise.starts, enterprise.dated, settling)


def _compiled_version(directory: Directory, windows_octets: bool) -> CompiledVersion:  # noqa: FBT001 - handed through
    oracle = BulkOracle(directory)
    sites = tuple(site.identifier for site in directory.sites)
    places = {identifier: place for place, identifier in enumerate(sites)}
    site_of = np.full(len(oracle.identifiers) + 2, len(sites), dtype=np.int32)  # so that ABSENT has the last but one
    for number, machine in enumerate(directory.queue_managers):
        if machine.site_identifier_list:
            site_of[number] = places.get(machine.site_identifier_list[0], len(sites))
    return CompiledVersion(oracle, MachineNumbers(oracle, windows_octets=windows_octets), sites, site_of)


def packed(enterprise: Enterprise) -> bytes:
    """Return an enterprise as octets to broadcast."""
    versions = [(one.valid_from, _columns(one.directory)) for one in enterprise.versions]
    held = versions, enterprise.settling_seconds, enterprise.windows_octets
    return pickle.dumps(held, protocol=pickle.HIGHEST_PROTOCOL)


def unpacked(octets: bytes) -> Enterprise:
    """Return the enterprise in the octets that ``packed`` gave."""
    versions, settling_seconds, windows_octets = pickle.loads(octets)  # noqa: S301 - what this driver has broadcast
    held = tuple(DirectoryVersion(valid_from, _directory(columns)) for valid_from, columns in versions)
    return Enterprise(held, settling_seconds, windows_octets)


_ELEMENTS: Final = (("sites", Site), ("routing_links", RoutingLink), ("queue_managers", QueueManager))


def _columns(held: Directory) -> tuple[Any, ...]:
    """Return a directory as columns, which are pickled many times faster than its elements."""
    columns = [
        [tuple(getattr(one, field.name) for one in getattr(held, name)) for field in fields(kind)]
        for name, kind in _ELEMENTS
    ]
    return held.enterprise.identifier, held.enterprise.name, *columns


def _directory(columns: tuple[Any, ...]) -> Directory:
    identifier, name, *elements = columns
    built = [tuple(map(kind, *held)) for (_, kind), held in zip(_ELEMENTS, elements, strict=True)]
    return Directory(directory.Enterprise(identifier, name), *built)


@lru_cache(maxsize=2)
def compiled_once(octets: bytes) -> CompiledEnterprise:
    """Return the compiled form of a broadcast enterprise; a worker that lives on does not build it again."""
    return compiled(unpacked(octets))


def _microseconds(when: datetime) -> int:
    return int(when.timestamp() * 1_000_000)
