"""Queue managers of generated enterprises: gates, other routing servers, clients with and without server lists."""

from dataclasses import dataclass
from typing import Final

from mqconform.reference.directory import Enterprise, QueueManager, RoutingLink, Site
from mqconform.reference.directory.elements import QueueManagerId, SiteId
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
