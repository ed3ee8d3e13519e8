"""Checking an enterprise: what keeps routing from being decided, and what makes its outcome depend on readings.

``check_document`` takes a document that may not even be readable, ``check_directory`` a directory. Paths are those of
the enterprise document, such as ``routing_links[3].cost``.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from mqconform.reference.directory import elements
from mqconform.reference.directory.document import directory_from_document
from mqconform.reference.directory.fields import UnreadableDocument
from mqconform.reference.directory.findings import Finding, Severity, error, warning

__all__ = ["Finding", "check_directory", "check_document"]


def check_document(document: object) -> tuple[Finding, ...]:
    """Return everything worth saying about an enterprise document, errors first.

    An unreadable one gives its problems as errors; nothing more is looked at then.
    """
    try:
        directory = directory_from_document(document)
    except UnreadableDocument as unreadable:
        return tuple(error(problem.path, problem.text) for problem in unreadable.problems)
    return _errors_first([*_empty_server_lists(document), *_all_findings(directory)])


def check_directory(directory: elements.Directory) -> tuple[Finding, ...]:
    """Return everything worth saying about a directory, errors first; paths as in its enterprise document."""
    return _errors_first(list(_all_findings(directory)))


def _all_findings(directory: elements.Directory) -> Iterator[Finding]:
    yield from topology_findings(directory)
    yield from machine_findings(directory)


def _empty_server_lists(document: object) -> Iterator[Finding]:
    """Yield a warning for each list of routing servers that is given and empty, which a directory cannot tell apart."""
    machines = document.get("queue_managers", ()) if isinstance(document, Mapping) else ()
    for place, machine in enumerate(machines):
        for key in ("in_routing_servers", "out_routing_servers"):
            if not machine.get(key, True):
                yield warning(f"queue_managers[{place}].{key}", "is empty, which is the same as omitting it")


def _errors_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR))


def topology_findings(directory: elements.Directory) -> Iterator[Finding]:
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


def _site_findings(directory: elements.Directory, path: str, site: elements.Site) -> Iterator[Finding]:
    if not site.site_gate_collection and len(directory.sites) > 1:
        yield error(f"{path}.site_gates", "is empty; with several sites, each has a gate (1.5)", "BR-69")
    for place, gate in enumerate(site.site_gate_collection):
        yield from _gate_findings(directory, f"{path}.site_gates[{place}]", site, gate)
    yield from repeated_entries(f"{path}.site_gates", site.site_gate_collection, "BR-28")


def _gate_findings(
    directory: elements.Directory, path: str, site: elements.Site, gate: elements.QueueManagerId
) -> Iterator[Finding]:
    machine: elements.QueueManager | None = directory.queue_managers_by_identifier.get(gate, (None,))[0]
    if machine is None:
        yield error(path, f"names {gate}, an unknown queue manager", "BR-32")
        return
    if site.identifier not in machine.site_identifier_list:
        yield error(path, f"{_called(machine)} is a gate but no member of this site (1.5)", "BR-32")
    if not machine.routing_server:
        yield error(path, f"{_called(machine)} is not a routing server, so it does not act as a gate", "BR-31")


def _link_findings(directory: elements.Directory, path: str, link: elements.RoutingLink) -> Iterator[Finding]:
    for key, end in (("site1", link.site1_identifier), ("site2", link.site2_identifier)):
        if end not in directory.sites_by_identifier:
            yield error(f"{path}.{key}", f"names {end}, an unknown site", "BR-42")
    if link.site1_identifier == link.site2_identifier:
        yield warning(path, "joins a site to itself, which has no effect", "BR-42")
    if not link.cost_in_range:
        yield error(
            f"{path}.cost", f"{link.actual_cost} is outside {elements.LEAST_COST} to {elements.GREATEST_COST}", "BR-40"
        )


def _parallel_links(directory: elements.Directory) -> Iterator[Finding]:
    between: dict[tuple[elements.SiteId, elements.SiteId], tuple[int, int]] = {}
    for place, link in enumerate(directory.routing_links):
        lesser, greater = sorted((link.site1_identifier, link.site2_identifier))
        earlier, cost = between.setdefault((lesser, greater), (place, link.actual_cost))
        if earlier == place or lesser == greater:
            continue
        differs = "" if cost == link.actual_cost else f" at another cost ({cost}); either cost may count"
        yield warning(f"routing_links[{place}]", f"joins the same sites as routing_links[{earlier}]{differs}", "BR-41")


def _unreachable_sites(directory: elements.Directory) -> Iterator[Finding]:
    """Yield one finding for each group of sites that the largest group cannot reach."""
    groups = sorted(_connected_groups(directory), key=len, reverse=True)
    for group in groups[1:]:
        others = f" (with {len(group) - 1} more)" if len(group) > 1 else ""
        text = f"cannot be reached from {len(groups[0])} of the sites{others}; add a routing link"
        yield warning(f"sites[{group[0]}]", text, "BR-36")


def _foreign_transit(directory: elements.Directory) -> Iterator[Finding]:
    """Yield a warning for each foreign site that may lie on a path between others."""
    neighbours = _neighbours(directory)
    for place, site in enumerate(directory.sites):
        if site.foreign_site and len(set(neighbours[site.identifier]) - {site.identifier}) > 1:
            text = "is foreign and between other sites; a penalty of such paths is open"
            yield warning(f"sites[{place}]", text, "BR-43")


def _neighbours(directory: elements.Directory) -> defaultdict[elements.SiteId, list[elements.SiteId]]:
    neighbours: defaultdict[elements.SiteId, list[elements.SiteId]] = defaultdict(list)
    for link in directory.routing_links:
        neighbours[link.site1_identifier].append(link.site2_identifier)
        neighbours[link.site2_identifier].append(link.site1_identifier)
    return neighbours


def _connected_groups(directory: elements.Directory) -> Iterator[list[int]]:
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


def _called(machine: elements.QueueManager) -> str:
    return machine.name or machine.identifier


def machine_findings(directory: elements.Directory) -> Iterator[Finding]:
    """Yield what is worth saying about queue managers, their sites and their routing servers."""
    machines = directory.queue_managers
    identities = [(machine.identifier, machine.name) for machine in machines]
    names = ((name, identifier) for identifier, name in identities)
    yield from repeated_keys("queue_managers", "id", identities, "BR-25")
    yield from repeated_keys("queue_managers", "name", names, severity=Severity.WARNING)
    for place, machine in enumerate(machines):
        path = f"queue_managers[{place}]"
        yield from _membership_findings(directory, path, machine)
        yield from _server_findings(directory, path, machine)


def _membership_findings(directory: elements.Directory, path: str, machine: elements.QueueManager) -> Iterator[Finding]:
    sites = machine.site_identifier_list
    if not sites:
        yield warning(f"{path}.sites", "is empty: nothing is routed from or to the machine", "BR-65")
    for place, site in enumerate(sites):
        if site not in directory.sites_by_identifier:
            yield error(f"{path}.sites[{place}]", f"names {site}, an unknown site")
    yield from repeated_entries(f"{path}.sites", sites, "BR-13")
    own = directory.sites_of(machine)
    is_gate = any(machine.identifier in site.site_gate_collection for site in own)
    if machine.routing_server and is_gate and len(own) > 1:
        yield warning(path, "is a gate and belongs to several sites: the root of its routing table is open", "BR-38")
    if sites and not machine.routing_server and len(directory.sites) > 1:
        bound = machine.out_routing_server_identifier_list
        if not bound and not directory.routing_servers_sharing_a_site(machine):
            yield warning(path, "shares no site with a routing server, so it reaches no other site")


def _server_findings(directory: elements.Directory, path: str, machine: elements.QueueManager) -> Iterator[Finding]:
    out_servers = machine.out_routing_server_identifier_list
    if machine.routing_server and out_servers:
        yield warning(f"{path}.out_routing_servers", "has no effect, because the machine is a routing server", "BR-54")
    for key, servers, register in (
        ("in_routing_servers", machine.in_routing_server_identifier_list, "BR-58"),
        ("out_routing_servers", out_servers, "BR-56"),
    ):
        yield from repeated_entries(f"{path}.{key}", servers, "BR-13")
        for place, server in enumerate(servers):
            yield from _one_server(directory, f"{path}.{key}[{place}]", machine, server, register)


def _one_server(
    directory: elements.Directory,
    path: str,
    machine: elements.QueueManager,
    server: elements.QueueManagerId,
    register: str,
) -> Iterator[Finding]:
    candidates = directory.queue_managers_by_identifier.get(server, ())
    if not candidates:
        yield error(path, f"names {server}, an unknown queue manager", register)
        return
    if server == machine.identifier:
        yield warning(path, "names the machine itself", register)
    if not any(candidate.routing_server for candidate in candidates):
        yield warning(path, f"{candidates[0].name or server} is not a routing server", register)
    if not any(candidate.shares_a_site_with(machine) for candidate in candidates):
        yield warning(path, f"{candidates[0].name or server} shares no site with the machine", register)


def repeated_keys(
    array: str, key: str, values: Iterable[tuple[str, str]], register: str = "", severity: Severity = Severity.ERROR
) -> Iterator[Finding]:
    """Yield a finding for each object of an array whose ``key`` repeats an earlier one's; empty values do not count.

    Args:
        array: the name of the array.
        key: what must not repeat.
        values: of each object the value of ``key``, and what else the object is known by.
        register: entry of the ambiguity register.
        severity: of each finding.
    """
    first_places: dict[str, tuple[int, str]] = {}
    for place, (value, known_by) in enumerate(values):
        earlier, other = first_places.setdefault(value, (place, known_by))
        if value and earlier != place:
            both = f": {other} and {known_by}" if other and known_by else ""
            text = f"{value} duplicates that of {array}[{earlier}]{both}"
            yield Finding(severity, f"{array}[{place}].{key}", text, register)


def repeated_entries(path: str, values: Iterable[str], register: str) -> Iterator[Finding]:
    """Yield a warning for each entry of a list that repeats an earlier one."""
    earlier_values: set[str] = set()
    for place, value in enumerate(values):
        if value in earlier_values:
            yield warning(f"{path}[{place}]", f"repeats {value}", register)
        earlier_values.add(value)
