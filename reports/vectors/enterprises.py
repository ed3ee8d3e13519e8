"""Generated enterprises: shapes that administrators build, some with what the specification leaves open."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from mqconform.reference.directory import Directory, Enterprise, QueueManager, RoutingLink, Site
from mqconform.reference.directory.elements import (
    ConnectedNetworkId,
    EnterpriseId,
    QueueManagerId,
    RoutingLinkId,
    SiteId,
)
from mqconform.reports.vectors.draws import Draws, Stream

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


Pairs = list[tuple[int, int]]

LEAST_SITES: Final = 2
PLAIN_PERCENT: Final = 70
"""Share of enterprises without anything that the specification leaves open."""
GREATEST_COST: Final = 9
"""Small, so that paths of equal cost are common."""


class VectorEnterprise(NamedTuple):
    """One generated enterprise.

    Attributes:
        number: its place, from 0.
        shape: a key of ``SHAPES``.
        oddities: keys of ``ODDITIES``; none in most enterprises.
    """

    number: int
    shape: str
    oddities: tuple[str, ...]
    directory: Directory


def enterprise(seed: int, number: int, most_sites: int) -> VectorEnterprise:
    """Return the enterprise of a number from 0; the same for the same seed and greatest number of sites, 2 at least."""
    draws = Draws(seed, Stream.ENTERPRISE, number)
    shape = draws.one([*SHAPES])
    sites = draws.between(LEAST_SITES, most_sites)
    draft = _draft(draws, number, sites, SHAPES[shape](draws, sites))
    oddities = () if draws.chance(PLAIN_PERCENT) else tuple(sorted(draws.some([*ODDITIES], draws.between(1, 3))))
    for oddity in oddities:
        ODDITIES[oddity](draft, draws)
    return VectorEnterprise(number, shape, oddities, _directory(draft, draws))


def _draft(draws: Draws, number: int, sites: int, pairs: Pairs) -> Draft:
    identifiers = [SiteId(draws.guid()) for _ in range(sites)]
    links = [
        RoutingLink(RoutingLinkId(draws.guid()), *_ends(draws, identifiers, pair), draws.between(1, GREATEST_COST))
        for pair in pairs
    ]
    machines, gates = machines_of(draws, identifiers)
    named = [
        Site(identifier, f"site {place}", gates[identifier], foreign_site=False)
        for place, identifier in enumerate(identifiers)
    ]
    return Draft(Enterprise(EnterpriseId(draws.guid()), f"enterprise {number}"), named, links, machines)


def _ends(draws: Draws, sites: list[SiteId], pair: tuple[int, int]) -> tuple[SiteId, SiteId]:
    """Return the ends of a link in either order."""
    first, other = pair if draws.below(2) else pair[::-1]
    return sites[first], sites[other]


def _directory(draft: Draft, draws: Draws) -> Directory:
    """Return the draft in a drawn order of enumeration, which some answers depend on."""
    machines: list[QueueManager] = draws.some(draft.machines, len(draft.machines))
    sites: list[Site] = draws.some(draft.sites, len(draft.sites))
    links: list[RoutingLink] = draws.some(draft.links, len(draft.links))
    return Directory(draft.enterprise, tuple(sites), tuple(links), tuple(machines))


def machine_ids(directory: Directory) -> list[QueueManagerId]:
    """Return the identifiers of all queue managers, in the order of enumeration."""
    return [queue_manager.identifier for queue_manager in directory.queue_managers]


def _chain(_draws: Draws, sites: int) -> Pairs:
    return [(site, site + 1) for site in range(sites - 1)]


def _ring(draws: Draws, sites: int) -> Pairs:
    return _chain(draws, sites) + ([(sites - 1, 0)] if sites > 2 else [])


def _hub_and_spoke(_draws: Draws, sites: int) -> Pairs:
    return [(0, site) for site in range(1, sites)]


def _tree(draws: Draws, sites: int) -> Pairs:
    return [(draws.below(site), site) for site in range(1, sites)]


def _mesh(draws: Draws, sites: int) -> Pairs:
    tree = _tree(draws, sites)
    return (
        tree
        + [(draws.below(sites - 1), sites - 1) for _ in range(2)]
        + [(site, other) for site in range(sites) for other in range(site + 1, sites) if draws.chance(35)]
    )


def _two_islands(draws: Draws, sites: int) -> Pairs:
    """Two parts without a way between them."""
    half = (sites + 1) // 2
    return _ring(draws, half) * (half > 1) + [
        (half + draws.below(site), half + site) for site in range(1, sites - half)
    ]


SHAPES: Final[dict[str, Callable[[Draws, int], Pairs]]] = {
    "chain": _chain,
    "ring": _ring,
    "hub-and-spoke": _hub_and_spoke,
    "tree": _tree,
    "mesh": _mesh,
    "two-islands": _two_islands,
}
"""How the sites of each shape are linked: pairs of places."""
