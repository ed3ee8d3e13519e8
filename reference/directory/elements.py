"""Elements of the abstract data model that routing reads (MS-MQBR 3.1.1.1; MS-MQDMPR 3.1.1.1, 3.1.1.6 to 3.1.1.8).

This file holds frozen data and the indices over it; nothing here decides anything. Identifiers are GUIDs as
lower-case 8-4-4-4-12 text, so that two of them are equal exactly if they are the same text. The order of every tuple
is the directory's order of enumeration. A directory may be as broken as real ones are: dangling references, ids used
twice and links from a site to itself are representable, and ``check`` reports them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NewType, TypeVar

from mqconform.reference.errors import ModelError

EnterpriseId = NewType("EnterpriseId", str)
SiteId = NewType("SiteId", str)
RoutingLinkId = NewType("RoutingLinkId", str)
QueueManagerId = NewType("QueueManagerId", str)
ConnectedNetworkId = NewType("ConnectedNetworkId", str)

LEAST_COST, GREATEST_COST = 1, 999_999
"""Range of RoutingLink.ActualCost (MS-MQDMPR 3.1.1.8)."""


class NegativeCost(ModelError):
    """A routing link has a negative cost, for which no least-cost path exists (MS-MQBR 1.3.3)."""


@dataclass(frozen=True, slots=True)
class Enterprise:
    """The enterprise that all other elements belong to (MS-MQDMPR 3.1.1.6)."""

    identifier: EnterpriseId
    name: str = ""


@dataclass(frozen=True, slots=True)
class Site:
    """A group of well connected queue managers (MS-MQDMPR 3.1.1.7)."""

    identifier: SiteId
    name: str = ""
    site_gate_collection: tuple[QueueManagerId, ...] = ()
    """The gates in effect, as the enterprise document states them (BR-27)."""
    foreign_site: bool = False
    """Whether the site stands for another messaging system; routing does not ask (BR-43)."""


@dataclass(frozen=True, slots=True)
class RoutingLink:
    """Two sites whose gates can talk directly, and what that costs (MS-MQDMPR 3.1.1.8).

    Raises:
        NegativeCost: if ``actual_cost`` is negative. Other costs outside 1 to 999,999 are left to ``check``.
    """

    identifier: RoutingLinkId
    site1_identifier: SiteId
    site2_identifier: SiteId
    actual_cost: int

    def __post_init__(self) -> None:
        """Refuse a cost for which least-cost paths are not defined."""
        if self.actual_cost < 0:
            raise NegativeCost(
                f"routing link {self.identifier}: cost {self.actual_cost} is negative; "
                f"give a cost from {LEAST_COST} to {GREATEST_COST}"
            )

    @property
    def cost_in_range(self) -> bool:
        """Whether the cost is one that MS-MQDMPR 3.1.1.8 permits."""
        return LEAST_COST <= self.actual_cost <= GREATEST_COST


@dataclass(frozen=True, slots=True)
class QueueManager:
    """A machine that queues messages (MS-MQDMPR 3.1.1.1), with the attributes that routing reads."""

    identifier: QueueManagerId
    name: str = ""
    site_identifier_list: tuple[SiteId, ...] = ()
    routing_server: bool = False
    """Unset in the directory counts as false (BR-67)."""
    in_routing_server_identifier_list: tuple[QueueManagerId, ...] = ()
    out_routing_server_identifier_list: tuple[QueueManagerId, ...] = ()
    connected_network_identifier_list: tuple[ConnectedNetworkId, ...] = ()
    """Not consulted by the algorithm (BR-51)."""

    def shares_a_site_with(self, other: "QueueManager") -> bool:
        """Return whether the two SiteIdentifierLists intersect."""
        return not set(self.site_identifier_list).isdisjoint(other.site_identifier_list)


Element = TypeVar("Element", Site, RoutingLink, QueueManager)
_Id = TypeVar("_Id", SiteId, QueueManagerId)
_Thing = TypeVar("_Thing", Site, QueueManager)


@dataclass(frozen=True)
class Directory:
    """All that one enterprise's directory holds, each tuple in the order of enumeration."""

    enterprise: Enterprise
    sites: tuple[Site, ...] = ()
    routing_links: tuple[RoutingLink, ...] = ()
    queue_managers: tuple[QueueManager, ...] = ()

    @cached_property
    def queue_managers_by_identifier(self) -> Mapping[QueueManagerId, tuple[QueueManager, ...]]:
        """Queue managers of each identifier, more than one where the directory is broken (BR-25)."""
        return _grouped((queue_manager.identifier, queue_manager) for queue_manager in self.queue_managers)

    @cached_property
    def sites_by_identifier(self) -> Mapping[SiteId, tuple[Site, ...]]:
        """Sites of each identifier, more than one where the directory is broken (BR-25)."""
        return _grouped((site.identifier, site) for site in self.sites)

    @cached_property
    def routing_servers_by_site(self) -> Mapping[SiteId, tuple[QueueManager, ...]]:
        """Queue managers with RoutingServer true of each site."""
        return _grouped(
            (site, queue_manager)
            for queue_manager in self.queue_managers
            if queue_manager.routing_server
            for site in _once(queue_manager)
        )

    def routing_servers_sharing_a_site(self, machine: QueueManager) -> tuple[QueueManager, ...]:
        """Return the routing servers of all sites of ``machine`` in the order of enumeration, each once."""
        servers = (server for site in _once(machine) for server in self.routing_servers_by_site.get(site, ()))
        by_identifier = {server.identifier: server for server in servers}
        return tuple(sorted(by_identifier.values(), key=lambda server: self._queue_manager_places[server.identifier]))

    def sites_of(self, machine: QueueManager) -> tuple[Site, ...]:
        """Return the sites that ``machine`` belongs to and the directory holds, in the order of enumeration."""
        own = (site for identifier in _once(machine) for site in self.sites_by_identifier.get(identifier, ()))
        return tuple(sorted(own, key=lambda site: self._site_places[site.identifier]))

    @cached_property
    def _queue_manager_places(self) -> Mapping[QueueManagerId, int]:
        return {queue_manager.identifier: place for place, queue_manager in enumerate(self.queue_managers)}

    @cached_property
    def _site_places(self) -> Mapping[SiteId, int]:
        return {site.identifier: place for place, site in enumerate(self.sites)}


def _once(machine: QueueManager) -> Iterable[SiteId]:
    return dict.fromkeys(machine.site_identifier_list)


def _grouped(pairs: Iterable[tuple[_Id, _Thing]]) -> dict[_Id, tuple[_Thing, ...]]:
    groups: defaultdict[_Id, list[_Thing]] = defaultdict(list)
    for identifier, element in pairs:
        groups[identifier].append(element)
    return {identifier: tuple(elements) for identifier, elements in groups.items()}
