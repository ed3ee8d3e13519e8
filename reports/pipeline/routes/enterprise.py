"""The enterprise that decisions are judged against, in the versions that were in force."""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache, partial
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from mqconform.reference.directory import Directory
from mqconform.reference.mqbr.bulk import BulkOracle
from mqconform.reference.mqbr.bulk_arrays import EnterpriseArrays, enterprise_arrays
from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s
from mqconform.reference.mqbr.specification import FACTS
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.routes.machine_columns import MachineNumbers

ALWAYS: Final = -(2**63)
"""Start of a version that was in force from the beginning, in microseconds since 1970."""

SETTLING_SECONDS: Final = FACTS.query_timer + FACTS.timer_tolerance
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
        return np.array(
            [ALWAYS if version.valid_from is None else _microseconds(version.valid_from) for version in self.versions]
        )

    @cached_property
    def identifiers(self) -> tuple[Sequence[str], ...]:
        """For each version the identifiers of its machines by their numbers."""
        return tuple(version.arrays.identifiers for version in self._packed_versions)

    @cached_property
    def _packed_versions(self) -> "list[PackedVersion]":
        return [_packed_version(version.directory) for version in self.versions]

    @cached_property
    def packed(self) -> bytes:
        """The compiled arrays of all versions, as octets for tasks; computed once, however many audits follow."""
        contents = self._packed_versions, self.starts, self.dated, self.settling_seconds, self.windows_octets
        return pickle.dumps(contents, protocol=pickle.HIGHEST_PROTOCOL)


def enterprise_of(
    versions: Sequence[DirectoryVersion], settling_seconds: float = SETTLING_SECONDS, *, windows_octets: bool = False
) -> Enterprise:
    """Return the versions in order.

    Raises:
        UnusableInput: there is none, or two came into force at the same time.
    """
    ordered = sorted(
        versions, key=lambda version: ALWAYS if version.valid_from is None else _microseconds(version.valid_from)
    )
    if not ordered:
        raise UnusableInput("no directory; give --directory FILE")
    starts = [version.valid_from for version in ordered]
    for before, after in pairwise(starts):
        if before == after:
            when = "from the beginning" if after is None else f"from {after.isoformat()} on"
            raise UnusableInput(f"two directories are in force {when}; give FILE@TIME with a time of its own for each")
    return Enterprise(tuple(ordered), settling_seconds, windows_octets)


class PackedVersion(NamedTuple):
    """One version as it travels: what costs time is done, and only rows that are not plain need the directory."""

    arrays: EnterpriseArrays
    site_of: Int32s
    """As in ``CompiledVersion``."""
    sites: int
    directory: bytes


class CompiledVersion(NamedTuple):
    """One version, ready for judging."""

    oracle: BulkOracle
    machines: MachineNumbers
    sites: int
    """How many there are."""
    site_of: Int32s
    """For each machine the first of its sites; the number after the last site for those of none, and for ``ABSENT``."""


class CompiledEnterprise(NamedTuple):
    """All versions, ready for judging; built once in each process."""

    versions: tuple[CompiledVersion, ...]
    starts: Int64s
    dated: bool
    settling_microseconds: int


@lru_cache(maxsize=1)
def compiled_octets(octets: bytes) -> CompiledEnterprise:
    """Return the enterprise in the octets of ``Enterprise.packed``; a worker that lives on does not build it again."""
    versions, starts, dated, settling_seconds, windows_octets = pickle.loads(octets)  # noqa: S301 - of this very job
    compiled_versions = []
    for version in versions:
        oracle = BulkOracle(partial(pickle.loads, version.directory), version.arrays)
        machines = MachineNumbers(oracle.identifiers, windows_octets=windows_octets)
        compiled_versions.append(CompiledVersion(oracle, machines, version.sites, version.site_of))
    return CompiledEnterprise(tuple(compiled_versions), starts, dated, int(settling_seconds * 1_000_000))


def _packed_version(directory: Directory) -> PackedVersion:
    arrays = enterprise_arrays(directory)
    places = {site.identifier: place for place, site in enumerate(directory.sites)}
    site_of = np.full(len(arrays.identifiers) + 2, len(places), dtype=np.int32)  # so that ABSENT has the last but one
    first = [machine.site_identifier_list[:1] for machine in directory.queue_managers]
    site_of[: len(first)] = [places.get(ids[0], len(places)) if ids else len(places) for ids in first]
    return PackedVersion(arrays, site_of, len(directory.sites), pickle.dumps(directory))


def _microseconds(when: datetime) -> int:
    return int(when.timestamp() * 1_000_000)
