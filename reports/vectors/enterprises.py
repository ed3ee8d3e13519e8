"""Generated enterprises: shapes that administrators build, some with what the specification leaves open."""

from collections.abc import Callable
from typing import Final, NamedTuple

from mqconform.reference.directory import Directory, Enterprise, QueueManager, RoutingLink, Site
from mqconform.reference.directory.elements import EnterpriseId, QueueManagerId, RoutingLinkId, SiteId
from mqconform.reports.vectors.drafts import ODDITIES, Draft, machines_of
from mqconform.reports.vectors.draws import Draws, Stream

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
    """Return the enterprise of a number; the same for the same seed and greatest size.

    Args:
        seed: any whole number.
        number: from 0.
        most_sites: sites of the largest enterprises, 2 at least.
    """
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
