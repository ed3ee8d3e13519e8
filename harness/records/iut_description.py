"""What an implementation says of itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mqconform.harness.records.results import Implementation


@dataclass(frozen=True, slots=True)
class IutDescription:
    """What an IUT says of itself in answer to ``initialize``."""

    name: str
    version: str
    vendor: str = ""
    roles: frozenset[str] = frozenset()
    capabilities: frozenset[str] = frozenset()
    specs: Mapping[str, str] = field(default_factory=dict)
    declined: frozenset[str] = frozenset()
    """Ids of requirements that the IUT declares it does not implement."""


def description_of(record: Implementation) -> IutDescription:
    """Return what the ``iut`` object of a header says of an implementation."""
    return IutDescription(
        name=record.name,
        version=record.version,
        vendor=record.vendor,
        roles=frozenset(record.roles),
        capabilities=frozenset(record.capabilities),
        declined=frozenset(record.declined),
    )
