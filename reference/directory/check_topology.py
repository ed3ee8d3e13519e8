"""Checks of sites and routing links (MS-MQBR 1.5, 3.1.3.1; MS-MQDMPR 3.1.1.7, 3.1.1.8)."""

from collections import defaultdict
from collections.abc import Iterator

from mqconform.reference.directory.elements import (
    GREATEST_COST,
    LEAST_COST,
    Directory,
    QueueManager,
    QueueManagerId,
    RoutingLink,
    Site,
    SiteId,
)
from mqconform.reference.directory.findings import Finding, error, warning
from mqconform.reference.directory.repeats import repeated_entries, repeated_keys


def topology_findings(directory: Directory) -> Iterator[Finding]:
    """Yield what is worth saying about sites, their gates, and the links between them."""
    yield from repeated_keys("sites", "id", ((site.identifier, site.name) for site in directory.sites), "BR-25")
    yield from repeated_keys("sites", "name", ((site.name, site.identifier) for site in directory.sites))
    links = directory.routing_links
    yield from repeated_keys("routing_links", "id", ((link.identifier, "") for link in links), "BR-25")
    for place, site in enumerate(directory.sites):
        yield from _site_findings(directory, f"sites[{place}]", site)
    for place, link in enumerate(directory.routing_links):
        yield from _link_findings(directory, f"routing_links[{place}]", link)
    yield from _parallel_links(directory)
    yield from _unreachable_sites(directory)
    yield from _foreign_transit(directory)


def _site_findings(directory: Directory, path: str, site: Site) -> Iterator[Finding]:
    if not site.site_gate_collection and len(directory.sites) > 1:
        yield error(f"{path}.site_gates", "is empty; with several sites, each has a gate (1.5)", "BR-69")
    for place, gate in enumerate(site.site_gate_collection):
        yield from _gate_findings(directory, f"{path}.site_gates[{place}]", site, gate)
    yield from repeated_entries(f"{path}.site_gates", site.site_gate_collection, "BR-28")


def _gate_findings(directory: Directory, path: str, site: Site, gate: QueueManagerId) -> Iterator[Finding]:
    machine: QueueManager | None = directory.queue_managers_by_identifier.get(gate, (None,))[0]
    if machine is None:
        yield error(path, f"names {gate}, an unknown queue manager", "BR-32")
        return
    if site.identifier not in machine.site_identifier_list:
        yield error(path, f"{_called(machine)} is a gate but no member of this site (1.5)", "BR-32")
    if not machine.routing_server:
        yield error(path, f"{_called(machine)} is not a routing server, so it does not act as a gate", "BR-31")


def _link_findings(directory: Directory, path: str, link: RoutingLink) -> Iterator[Finding]:
    for key, end in (("site1", link.site1_identifier), ("site2", link.site2_identifier)):
        if end not in directory.sites_by_identifier:
            yield error(f"{path}.{key}", f"names {end}, an unknown site", "BR-42")
    if link.site1_identifier == link.site2_identifier:
        yield warning(path, "joins a site to itself, which has no effect", "BR-42")
    if not link.cost_in_range:
        yield error(f"{path}.cost", f"{link.actual_cost} is outside {LEAST_COST} to {GREATEST_COST}", "BR-40")


def _parallel_links(directory: Directory) -> Iterator[Finding]:
    between: dict[tuple[SiteId, SiteId], tuple[int, int]] = {}
    for place, link in enumerate(directory.routing_links):
        lesser, greater = sorted((link.site1_identifier, link.site2_identifier))
        earlier, cost = between.setdefault((lesser, greater), (place, link.actual_cost))
        if earlier == place or lesser == greater:
            continue
        differs = "" if cost == link.actual_cost else f" at another cost ({cost}); either cost may count"
        yield warning(f"routing_links[{place}]", f"joins the same sites as routing_links[{earlier}]{differs}", "BR-41")


def _unreachable_sites(directory: Directory) -> Iterator[Finding]:
    """Yield one finding for each group of sites that the largest group cannot reach."""
    groups = sorted(_connected_groups(directory), key=len, reverse=True)
    for group in groups[1:]:
        others = f" (with {len(group) - 1} more)" if len(group) > 1 else ""
        text = f"cannot be reached from {len(groups[0])} of the sites{others}; add a routing link"
        yield warning(f"sites[{group[0]}]", text, "BR-36")


def _foreign_transit(directory: Directory) -> Iterator[Finding]:
    """Yield a warning for each foreign site that may lie on a path between others."""
    neighbours = _neighbours(directory)
    for place, site in enumerate(directory.sites):
        if site.foreign_site and len(set(neighbours[site.identifier]) - {site.identifier}) > 1:
            text = "is foreign and between other sites; a penalty of such paths is open"
            yield warning(f"sites[{place}]", text, "BR-43")


def _neighbours(directory: Directory) -> defaultdict[SiteId, list[SiteId]]:
    neighbours: defaultdict[SiteId, list[SiteId]] = defaultdict(list)
    for link in directory.routing_links:
        neighbours[link.site1_identifier].append(link.site2_identifier)
        neighbours[link.site2_identifier].append(link.site1_identifier)
    return neighbours


def _connected_groups(directory: Directory) -> Iterator[list[int]]:
    """Yield the places of sites that links hold together, each group in the order of the document."""
    neighbours = _neighbours(directory)
    places = {site.identifier: place for place, site in enumerate(directory.sites)}
    left = dict.fromkeys(places)
    while left:
        start = next(iter(left))
        del left[start]
        group = [start]
        for site in group:
            fresh = [neighbour for neighbour in dict.fromkeys(neighbours[site]) if neighbour in left]
            for neighbour in fresh:
                del left[neighbour]
            group += fresh
        yield sorted(places[site] for site in group)


def _called(machine: QueueManager) -> str:
    return machine.name or machine.identifier
