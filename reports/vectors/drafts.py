"""Drafts of generated enterprises: queue managers of all kinds, and what real directories hold beyond the plain cases.

Each oddity makes one draft odd in one way. Where the specification defines the outcome, an implementation has to
produce it; the vectors record where it does not.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from mqconform.reference.directory import Enterprise, QueueManager, RoutingLink, Site
from mqconform.reference.directory.elements import ConnectedNetworkId, QueueManagerId, RoutingLinkId, SiteId
from mqconform.reports.vectors.draws import Draws

Gates = dict[SiteId, tuple[QueueManagerId, ...]]

MOST_CLIENTS: Final = 3
"""Clients of a site."""


@dataclass
class Draft:
    """An enterprise under construction."""

    enterprise: Enterprise
    sites: list[Site]
    links: list[RoutingLink]
    machines: list[QueueManager]


def machines_of(draws: Draws, sites: list[SiteId]) -> tuple[list[QueueManager], Gates]:
    """Return the queue managers of all sites and the gates of each, all as MS-MQBR 1.5 wants them."""
    machines: list[QueueManager] = []
    gates: Gates = {}
    for place, site in enumerate(sites):
        routers = _routers(draws, site, place)
        gates[site] = tuple(router.identifier for router in routers[: 1 + draws.below(len(routers))])
        servers = [router.identifier for router in routers]
        machines += [*routers, *(_client(draws, site, servers, place, number) for number in _numbers(draws))]
    return machines, gates


def _routers(draws: Draws, site: SiteId, place: int) -> list[QueueManager]:
    number = 1 + draws.below(3)
    return [
        QueueManager(QueueManagerId(draws.guid()), f"router {place}-{index}", (site,), routing_server=True)
        for index in range(number)
    ]


def _numbers(draws: Draws) -> range:
    return range(1 + draws.below(MOST_CLIENTS))


def _client(draws: Draws, site: SiteId, servers: list[QueueManagerId], place: int, number: int) -> QueueManager:
    return QueueManager(
        QueueManagerId(draws.guid()),
        f"client {place}-{number}",
        (site,),
        in_routing_server_identifier_list=_list(draws, servers),
        out_routing_server_identifier_list=_list(draws, servers),
    )


def _list(draws: Draws, servers: list[QueueManagerId]) -> tuple[QueueManagerId, ...]:
    """Return a list of some of the servers for one client in four, else none."""
    return tuple(draws.some(servers, 1 + draws.below(3))) if draws.chance(25) else ()


def _several_sites(draft: Draft, draws: Draws) -> None:
    for place in _places(draft, draws, 2):
        machine = draft.machines[place]
        both = tuple(dict.fromkeys((*machine.site_identifier_list, draws.one(draft.sites).identifier)))
        draft.machines[place] = replace(machine, site_identifier_list=both)


def _no_site(draft: Draft, draws: Draws) -> None:
    clients = [place for place, machine in enumerate(draft.machines) if not machine.routing_server]
    place = draws.one(clients)
    draft.machines[place] = replace(draft.machines[place], site_identifier_list=())


def _no_gate(draft: Draft, draws: Draws) -> None:
    place = draws.below(len(draft.sites))
    draft.sites[place] = replace(draft.sites[place], site_gate_collection=())


def _gate_that_cannot_route(draft: Draft, draws: Draws) -> None:
    place = draws.below(len(draft.sites))
    site, stranger = draft.sites[place], draws.one(draft.machines).identifier
    gates = tuple(dict.fromkeys((*site.site_gate_collection, stranger)))
    draft.sites[place] = replace(site, site_gate_collection=gates)


def _strange_servers(draft: Draft, draws: Draws) -> None:
    """Lists name a machine of anywhere, or one that does not exist."""
    for place in _places(draft, draws, 3):
        machine = draft.machines[place]
        stranger = QueueManagerId(draws.guid()) if draws.below(3) == 0 else draws.one(draft.machines).identifier
        key = draws.one(("in_routing_server_identifier_list", "out_routing_server_identifier_list"))
        draft.machines[place] = _with_server(machine, key, stranger)


def _with_server(machine: QueueManager, key: str, server: QueueManagerId) -> QueueManager:
    listed = tuple(dict.fromkeys((*getattr(machine, key), server)))
    if key == "in_routing_server_identifier_list":
        return replace(machine, in_routing_server_identifier_list=listed)
    return replace(machine, out_routing_server_identifier_list=listed)


def _itself_in_lists(draft: Draft, draws: Draws) -> None:
    for place in _places(draft, draws, 2):
        machine = draft.machines[place]
        draft.machines[place] = _with_server(machine, "out_routing_server_identifier_list", machine.identifier)


def _parallel_links(draft: Draft, draws: Draws) -> None:
    if draft.links:
        link = draws.one(draft.links)
        draft.links.append(replace(link, identifier=RoutingLinkId(draws.guid()), actual_cost=draws.between(1, 9)))


def _strange_links(draft: Draft, draws: Draws) -> None:
    """Add a link to a site that does not exist, or from a site to itself."""
    here = draws.one(draft.sites).identifier
    there = here if draws.below(2) else SiteId(draws.guid())
    draft.links.append(RoutingLink(RoutingLinkId(draws.guid()), here, there, draws.between(1, 9)))


def _costs_out_of_range(draft: Draft, draws: Draws) -> None:
    if draft.links:
        place = draws.below(len(draft.links))
        draft.links[place] = replace(draft.links[place], actual_cost=draws.one((0, 1_000_000)))


def _foreign_site(draft: Draft, draws: Draws) -> None:
    place = draws.below(len(draft.sites))
    draft.sites[place] = replace(draft.sites[place], foreign_site=True)


def _connected_networks(draft: Draft, draws: Draws) -> None:
    networks = [ConnectedNetworkId(draws.guid()) for _ in range(2)]
    draft.machines = [
        replace(machine, connected_network_identifier_list=(draws.one(networks),)) for machine in draft.machines
    ]


def _places(draft: Draft, draws: Draws, number: int) -> list[int]:
    return draws.some(range(len(draft.machines)), number)


ODDITIES: Final[dict[str, Callable[[Draft, Draws], None]]] = {
    "several-sites": _several_sites,
    "no-site": _no_site,
    "no-gate": _no_gate,
    "gate-that-cannot-route": _gate_that_cannot_route,
    "strange-servers": _strange_servers,
    "itself-in-lists": _itself_in_lists,
    "parallel-links": _parallel_links,
    "strange-links": _strange_links,
    "costs-out-of-range": _costs_out_of_range,
    "foreign-site": _foreign_site,
    "connected-networks": _connected_networks,
}
