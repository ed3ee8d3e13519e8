"""The directory as a queue manager reads it (MS-MQBR 3.1.5.9), with faults for the harness to inject."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar


@dataclass(frozen=True)
class Site:
    """A site and the queue managers that are its gates."""

    id: str
    site_gates: tuple[str, ...]


@dataclass(frozen=True)
class RoutingLink:
    """A link between two sites; `cost` is ActualCost."""

    id: str
    site1: str
    site2: str
    cost: int


@dataclass(frozen=True)
class QueueManager:
    """A queue manager; the lists are in the order of the directory."""

    id: str
    sites: tuple[str, ...]
    routing_server: bool
    in_routing_servers: tuple[str, ...] = ()
    out_routing_servers: tuple[str, ...] = ()


@dataclass
class Directory:
    """All objects, in the order in which they are enumerated. `faults` says where reading a type fails."""

    sites: tuple[Site, ...] = ()
    routing_links: tuple[RoutingLink, ...] = ()
    queue_managers: tuple[QueueManager, ...] = ()
    faults: dict[str, str] = field(default_factory=dict)

    def get_sites(self, identifier: str | None = None) -> Sequence[Site]:
        """GetDirectoryData("Site"): all sites or the one with this identifier."""
        return self._get("Site", self.sites, identifier)

    def get_routing_links(self) -> Sequence[RoutingLink]:
        """GetDirectoryData("RoutingLink")."""
        return self._get("RoutingLink", self.routing_links, None)

    def get_queue_managers(self, identifier: str | None = None) -> Sequence[QueueManager]:
        """GetDirectoryData("QueueManager"): all queue managers or the one with this identifier."""
        return self._get("QueueManager", self.queue_managers, identifier)

    def _get(self, object_type: str, objects: "Sequence[_Object]", identifier: str | None) -> "Sequence[_Object]":
        """GetDirectoryData, section 3.1.5.9.

        Wherever the read fails, at its begin or at one of the objects, there is no result at all; no result and no
        object are the same to everybody who asks.
        """
        if object_type in self.faults:
            return ()
        return [each for each in objects if identifier is None or each.id == identifier]


class _HasIdentifier(Protocol):
    @property
    def id(self) -> str: ...


_Object = TypeVar("_Object", bound=_HasIdentifier)
