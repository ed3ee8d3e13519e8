"""Generated enterprises: shapes that administrators build, some with what the specification leaves open."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, NamedTuple, TypeVar
from uuid import UUID

from mqconform.reference.directory import Directory
from mqconform.reference.directory.document import directory_from_document
from mqconform.reference.directory.elements import QueueManagerId

T = TypeVar("T")
Document = dict[str, Any]
"""An enterprise document; drawn objects refer to each other by their ids."""
Pairs = list[tuple[int, int]]

MOST_CLIENTS: Final = 3
"""Clients of a site."""
LEAST_SITES: Final = 2
PLAIN: Final = 0.70
"""Share of enterprises without anything that the specification leaves open."""
GREATEST_COST: Final = 9
"""Small, so that paths of equal cost are common."""
LISTS: Final = ("in_routing_servers", "out_routing_servers")


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
    document: Document
    directory: Directory


def enterprise(seed: int, number: int, most_sites: int) -> VectorEnterprise:
    """Return the enterprise of a number from 0; the same for the same seed and greatest number of sites, 2 at least."""
    draws = Random(f"enterprise {seed} {number}")
    shape = draws.choice([*SHAPES])
    sites = draws.randint(LEAST_SITES, most_sites)
    document = _document(draws, number, sites, SHAPES[shape](draws, sites))
    plain = draws.random() < PLAIN
    oddities = () if plain else tuple(sorted(draws.sample([*ODDITIES], draws.randint(1, 3))))
    for oddity in oddities:
        ODDITIES[oddity](document, draws)
    for name in ("sites", "routing_links", "queue_managers"):  # some answers depend on the order of enumeration
        draws.shuffle(document[name])
    return VectorEnterprise(number, shape, oddities, document, directory_from_document(document))


def some(draws: Random, options: Sequence[T], number: int) -> list[T]:
    """Return a number of different ones, in drawn order; all where there are no more."""
    return draws.sample(options, min(number, len(options)))


def guid(draws: Random) -> str:
    """Return a GUID as text."""
    return str(UUID(bytes=draws.randbytes(16), version=4))


def machine_ids(directory: Directory) -> list[QueueManagerId]:
    """Return the identifiers of all queue managers, in the order of enumeration."""
    return [queue_manager.identifier for queue_manager in directory.queue_managers]


def _document(draws: Random, number: int, sites: int, pairs: Pairs) -> Document:
    """Return an enterprise in which all is as MS-MQBR 1.5 wants it."""
    document: Document = {"enterprise": {"id": guid(draws), "name": f"enterprise {number}"}}
    document |= {name: [] for name in ("sites", "routing_links", "queue_managers")}
    for place in range(sites):
        site = guid(draws)
        routers = [_machine(draws, f"router {place}-{one}", site, server=True) for one in range(draws.randint(1, 3))]
        servers = [router["id"] for router in routers]
        clients = [
            _client(draws, f"client {place}-{one}", site, servers) for one in range(draws.randint(1, MOST_CLIENTS))
        ]
        gates = servers[: draws.randint(1, len(servers))]
        document["sites"].append({"id": site, "name": f"site {place}", "site_gates": gates})
        document["queue_managers"] += [*routers, *clients]
    for pair in pairs:
        here, there = (document["sites"][place]["id"] for place in draws.sample(pair, 2))
        document["routing_links"].append(_link(draws, here, there))
    return document


def _machine(draws: Random, name: str, site: str, *, server: bool) -> Document:
    return {"id": guid(draws), "name": name, "sites": [site], "routing_server": server}


def _client(draws: Random, name: str, site: str, servers: list[str]) -> Document:
    """Return a client, one in four with a list of some of the servers, In or Out each."""
    lists = {key: some(draws, servers, draws.randint(1, 3)) for key in LISTS if draws.random() < 0.25}
    return _machine(draws, name, site, server=False) | lists


def _link(draws: Random, here: str, there: str) -> Document:
    return {"id": guid(draws), "site1": here, "site2": there, "cost": draws.randint(1, GREATEST_COST)}


def _several_sites(document: Document, draws: Random) -> None:
    for machine in some(draws, document["queue_managers"], 2):
        _include(machine, "sites", draws.choice(document["sites"])["id"])


def _include(of: Document, name: str, identifier: str) -> None:
    of[name] = [*dict.fromkeys([*of.get(name, ()), identifier])]


def _strange_servers(document: Document, draws: Random) -> None:
    """Lists name a machine of anywhere, or one that does not exist."""
    for machine in some(draws, document["queue_managers"], 3):
        anyone = draws.choice(document["queue_managers"])["id"]
        _include(machine, draws.choice(LISTS), guid(draws) if draws.random() < 1 / 3 else anyone)


def _itself_in_lists(document: Document, draws: Random) -> None:
    for machine in some(draws, document["queue_managers"], 2):
        _include(machine, "out_routing_servers", machine["id"])


def _parallel_links(document: Document, draws: Random) -> None:
    for link in some(draws, document["routing_links"], 1):
        document["routing_links"].append(_link(draws, link["site1"], link["site2"]))


def _strange_links(document: Document, draws: Random) -> None:
    """Add a link to a site that does not exist, or from a site to itself."""
    here = draws.choice(document["sites"])["id"]
    document["routing_links"].append(_link(draws, here, draws.choice((here, guid(draws)))))


def _costs_out_of_range(document: Document, draws: Random) -> None:
    for link in some(draws, document["routing_links"], 1):
        link["cost"] = draws.choice((0, 1_000_000))


def _connected_networks(document: Document, draws: Random) -> None:
    networks = [guid(draws), guid(draws)]
    for machine in document["queue_managers"]:
        machine["connected_networks"] = [draws.choice(networks)]


ODDITIES: Final[dict[str, Callable[[Document, Random], None]]] = {
    "several-sites": _several_sites,
    "no-site": lambda document, draws: draws.choice(
        [one for one in document["queue_managers"] if not one["routing_server"]]
    )["sites"].clear(),
    "no-gate": lambda document, draws: draws.choice(document["sites"])["site_gates"].clear(),
    "gate-that-cannot-route": lambda document, draws: _include(
        draws.choice(document["sites"]), "site_gates", draws.choice(document["queue_managers"])["id"]
    ),
    "strange-servers": _strange_servers,
    "itself-in-lists": _itself_in_lists,
    "parallel-links": _parallel_links,
    "strange-links": _strange_links,
    "costs-out-of-range": _costs_out_of_range,
    "foreign-site": lambda document, draws: draws.choice(document["sites"]).update(foreign_site=True),
    "connected-networks": _connected_networks,
}


def _chain(_draws: Random, sites: int) -> Pairs:
    return [(site, site + 1) for site in range(sites - 1)]


def _ring(draws: Random, sites: int) -> Pairs:
    return _chain(draws, sites) + ([(sites - 1, 0)] if sites > 2 else [])


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
    "hub-and-spoke": lambda _draws, sites: [(0, site) for site in range(1, sites)],
    "tree": _tree,
    "mesh": _mesh,
    "two-islands": _two_islands,
}
"""How the sites of each shape are linked: pairs of places."""
