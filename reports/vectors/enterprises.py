"""Generated enterprises: shapes that administrators build, some with what the specification leaves open."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, NamedTuple, TypeVar
from uuid import UUID

from mqconform.reference.directory import Directory, Enterprise, QueueManager, RoutingLink, Site
from mqconform.reference.directory.elements import (
    ConnectedNetworkId,
    EnterpriseId,
    QueueManagerId,
    RoutingLinkId,
    SiteId,
)

T = TypeVar("T")
Gates = dict[SiteId, tuple[QueueManagerId, ...]]

MOST_CLIENTS: Final = 3
"""Clients of a site."""


def some(draws: Random, options: Sequence[T], number: int) -> list[T]:
    """Return a number of different ones, in drawn order; all where there are no more."""
    return draws.sample(options, min(number, len(options)))


def guid(draws: Random) -> str:
    """Return a GUID as text."""
    return str(UUID(bytes=draws.randbytes(16), version=4))


@dataclass
class Draft:
    """An enterprise under construction."""

    enterprise: Enterprise
    sites: list[Site]
    links: list[RoutingLink]
    machines: list[QueueManager]


def machines_of(draws: Random, sites: list[SiteId]) -> tuple[list[QueueManager], Gates]:
    """Return the queue managers of all sites and the gates of each, all as MS-MQBR 1.5 wants them."""
    machines: list[QueueManager] = []
    gates: Gates = {}
    for place, site in enumerate(sites):
        routers = _routers(draws, site, place)
        gates[site] = tuple(router.identifier for router in routers[: 1 + draws.randrange(len(routers))])
        servers = [router.identifier for router in routers]
        machines += [*routers, *(_client(draws, site, servers, place, number) for number in _numbers(draws))]
    return machines, gates


def _routers(draws: Random, site: SiteId, place: int) -> list[QueueManager]:
    number = 1 + draws.randrange(3)
    return [
        QueueManager(QueueManagerId(guid(draws)), f"router {place}-{index}", (site,), routing_server=True)
        for index in range(number)
    ]


def _numbers(draws: Random) -> range:
    return range(1 + draws.randrange(MOST_CLIENTS))


def _client(draws: Random, site: SiteId, servers: list[QueueManagerId], place: int, number: int) -> QueueManager:
    return QueueManager(
        QueueManagerId(guid(draws)),
        f"client {place}-{number}",
        (site,),
        in_routing_server_identifier_list=_list(draws, servers),
        out_routing_server_identifier_list=_list(draws, servers),
    )


def _list(draws: Random, servers: list[QueueManagerId]) -> tuple[QueueManagerId, ...]:
    """Return a list of some of the servers for one client in four, else none."""
    return tuple(some(draws, servers, 1 + draws.randrange(3))) if draws.random() < 0.25 else ()


def _several_sites(draft: Draft, draws: Random) -> None:
    for place in _places(draft, draws, 2):
        machine = draft.machines[place]
        both = tuple(dict.fromkeys((*machine.site_identifier_list, draws.choice(draft.sites).identifier)))
        draft.machines[place] = replace(machine, site_identifier_list=both)


def _no_site(draft: Draft, draws: Random) -> None:
    clients = [place for place, machine in enumerate(draft.machines) if not machine.routing_server]
    place = draws.choice(clients)
    draft.machines[place] = replace(draft.machines[place], site_identifier_list=())


def _no_gate(draft: Draft, draws: Random) -> None:
    place = draws.randrange(len(draft.sites))
    draft.sites[place] = replace(draft.sites[place], site_gate_collection=())


def _gate_that_cannot_route(draft: Draft, draws: Random) -> None:
    place = draws.randrange(len(draft.sites))
    site, stranger = draft.sites[place], draws.choice(draft.machines).identifier
    gates = tuple(dict.fromkeys((*site.site_gate_collection, stranger)))
    draft.sites[place] = replace(site, site_gate_collection=gates)


def _strange_servers(draft: Draft, draws: Random) -> None:
    """Lists name a machine of anywhere, or one that does not exist."""
    for place in _places(draft, draws, 3):
        machine = draft.machines[place]
        stranger = QueueManagerId(guid(draws)) if draws.randrange(3) == 0 else draws.choice(draft.machines).identifier
        key = draws.choice(("in_routing_server_identifier_list", "out_routing_server_identifier_list"))
        draft.machines[place] = _with_server(machine, key, stranger)


def _with_server(machine: QueueManager, key: str, server: QueueManagerId) -> QueueManager:
    listed = tuple(dict.fromkeys((*getattr(machine, key), server)))
    if key == "in_routing_server_identifier_list":
        return replace(machine, in_routing_server_identifier_list=listed)
    return replace(machine, out_routing_server_identifier_list=listed)


def _itself_in_lists(draft: Draft, draws: Random) -> None:
    for place in _places(draft, draws, 2):
        machine = draft.machines[place]
        draft.machines[place] = _with_server(machine, "out_routing_server_identifier_list", machine.identifier)


def _parallel_links(draft: Draft, draws: Random) -> None:
    if draft.links:
        link = draws.choice(draft.links)
        draft.links.append(replace(link, identifier=RoutingLinkId(guid(draws)), actual_cost=draws.randint(1, 9)))


def _strange_links(draft: Draft, draws: Random) -> None:
    """Add a link to a site that does not exist, or from a site to itself."""
    here = draws.choice(draft.sites).identifier
    there = here if draws.randrange(2) else SiteId(guid(draws))
    draft.links.append(RoutingLink(RoutingLinkId(guid(draws)), here, there, draws.randint(1, 9)))


def _costs_out_of_range(draft: Draft, draws: Random) -> None:
    if draft.links:
        place = draws.randrange(len(draft.links))
        draft.links[place] = replace(draft.links[place], actual_cost=draws.choice((0, 1_000_000)))


def _foreign_site(draft: Draft, draws: Random) -> None:
    place = draws.randrange(len(draft.sites))
    draft.sites[place] = replace(draft.sites[place], foreign_site=True)


def _connected_networks(draft: Draft, draws: Random) -> None:
    networks = [ConnectedNetworkId(guid(draws)) for _ in range(2)]
    draft.machines = [
        replace(machine, connected_network_identifier_list=(draws.choice(networks),)) for machine in draft.machines
    ]


def _places(draft: Draft, draws: Random, number: int) -> list[int]:
    return some(draws, range(len(draft.machines)), number)


ODDITIES: Final[dict[str, Callable[[Draft, Random], None]]] = {
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
PLAIN: Final = 0.70
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
    draws = Random(f"enterprise {seed} {number}")
    shape = draws.choice([*SHAPES])
    sites = draws.randint(LEAST_SITES, most_sites)
    draft = _draft(draws, number, sites, SHAPES[shape](draws, sites))
    oddities = () if draws.random() < PLAIN else tuple(sorted(some(draws, [*ODDITIES], draws.randint(1, 3))))
    for oddity in oddities:
        ODDITIES[oddity](draft, draws)
    return VectorEnterprise(number, shape, oddities, _directory(draft, draws))


def _draft(draws: Random, number: int, sites: int, pairs: Pairs) -> Draft:
    identifiers = [SiteId(guid(draws)) for _ in range(sites)]
    links = [
        RoutingLink(RoutingLinkId(guid(draws)), *_ends(draws, identifiers, pair), draws.randint(1, GREATEST_COST))
        for pair in pairs
    ]
    machines, gates = machines_of(draws, identifiers)
    named = [
        Site(identifier, f"site {place}", gates[identifier], foreign_site=False)
        for place, identifier in enumerate(identifiers)
    ]
    return Draft(Enterprise(EnterpriseId(guid(draws)), f"enterprise {number}"), named, links, machines)


def _ends(draws: Random, sites: list[SiteId], pair: tuple[int, int]) -> tuple[SiteId, SiteId]:
    """Return the ends of a link in either order."""
    first, other = pair if draws.randrange(2) else pair[::-1]
    return sites[first], sites[other]


def _directory(draft: Draft, draws: Random) -> Directory:
    """Return the draft in a drawn order of enumeration, which some answers depend on."""
    machines: list[QueueManager] = some(draws, draft.machines, len(draft.machines))
    sites: list[Site] = some(draws, draft.sites, len(draft.sites))
    links: list[RoutingLink] = some(draws, draft.links, len(draft.links))
    return Directory(draft.enterprise, tuple(sites), tuple(links), tuple(machines))


def machine_ids(directory: Directory) -> list[QueueManagerId]:
    """Return the identifiers of all queue managers, in the order of enumeration."""
    return [queue_manager.identifier for queue_manager in directory.queue_managers]


def _chain(_draws: Random, sites: int) -> Pairs:
    return [(site, site + 1) for site in range(sites - 1)]


def _ring(draws: Random, sites: int) -> Pairs:
    return _chain(draws, sites) + ([(sites - 1, 0)] if sites > 2 else [])


def _hub_and_spoke(_draws: Random, sites: int) -> Pairs:
    return [(0, site) for site in range(1, sites)]


def _tree(draws: Random, sites: int) -> Pairs:
    return [(draws.randrange(site), site) for site in range(1, sites)]


def _mesh(draws: Random, sites: int) -> Pairs:
    tree = _tree(draws, sites)
    return (
        tree
        + [(draws.randrange(sites - 1), sites - 1) for _ in range(2)]
        + [(site, other) for site in range(sites) for other in range(site + 1, sites) if draws.random() < 0.35]
    )


def _two_islands(draws: Random, sites: int) -> Pairs:
    """Two parts without a way between them."""
    half = (sites + 1) // 2
    return _ring(draws, half) * (half > 1) + [
        (half + draws.randrange(site), half + site) for site in range(1, sites - half)
    ]


SHAPES: Final[dict[str, Callable[[Random, int], Pairs]]] = {
    "chain": _chain,
    "ring": _ring,
    "hub-and-spoke": _hub_and_spoke,
    "tree": _tree,
    "mesh": _mesh,
    "two-islands": _two_islands,
}
"""How the sites of each shape are linked: pairs of places."""
