"""Checks of queue managers (MS-MQDMPR 3.1.1.1; MS-MQBR 3.1.5.1 to 3.1.5.3)."""

from collections.abc import Iterator

from mqconform.reference.directory.elements import Directory, QueueManager, QueueManagerId
from mqconform.reference.directory.findings import Finding, Severity, error, warning
from mqconform.reference.directory.repeats import repeated_entries, repeated_keys


def machine_findings(directory: Directory) -> Iterator[Finding]:
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


def _membership_findings(directory: Directory, path: str, machine: QueueManager) -> Iterator[Finding]:
    sites = machine.site_identifier_list
    if not sites:
        yield warning(f"{path}.sites", "is empty: nothing is routed from or to the machine", "BR-65")
    for place, site in enumerate(sites):
        if site not in directory.sites_by_identifier:
            yield error(f"{path}.sites[{place}]", f"names {site}, an unknown site")
    yield from repeated_entries(f"{path}.sites", sites, "BR-13")
    if machine.routing_server and _gate_of_several_sites(directory, machine):
        yield warning(path, "is a gate and belongs to several sites: the root of its routing table is open", "BR-38")
    if sites and not machine.routing_server and len(directory.sites) > 1:
        bound = machine.out_routing_server_identifier_list
        if not bound and not directory.routing_servers_sharing_a_site(machine):
            yield warning(path, "shares no site with a routing server, so it reaches no other site")


def _gate_of_several_sites(directory: Directory, machine: QueueManager) -> bool:
    own = directory.sites_of(machine)
    return len(own) > 1 and any(machine.identifier in site.site_gate_collection for site in own)


def _server_findings(directory: Directory, path: str, machine: QueueManager) -> Iterator[Finding]:
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
    directory: Directory, path: str, machine: QueueManager, server: QueueManagerId, register: str
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
