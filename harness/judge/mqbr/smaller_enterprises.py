"""Reduce a counterexample: take out of the enterprise what is not needed to show the mistake."""

from collections.abc import Iterator
from dataclasses import replace

from mqconform.harness.judge.mqbr.named_enterprise import Link, Machine, NamedEnterprise


def smaller_enterprises(enterprise: NamedEnterprise) -> Iterator[NamedEnterprise]:
    """Yield enterprises with one thing less, whole sites first."""
    for site in enterprise.sites:
        yield without_site(enterprise, site)
    for site in enterprise.sites:
        yield from _bypassing(enterprise, site)
    for machine in enterprise.machines:
        yield without_machine(enterprise, machine.name)
    for place in range(len(enterprise.links)):
        yield replace(enterprise, links=enterprise.links[:place] + enterprise.links[place + 1 :])
    for place, machine in enumerate(enterprise.machines):
        for plainer in _plainer(machine):
            machines = (*enterprise.machines[:place], plainer, *enterprise.machines[place + 1 :])
            yield replace(enterprise, machines=machines)
    for place, link in enumerate(enterprise.links):
        for cost in (1, link.cost // 2):
            if 0 < cost < link.cost:
                links = (*enterprise.links[:place], replace(link, cost=cost), *enterprise.links[place + 1 :])
                yield replace(enterprise, links=links)


def _plainer(machine: Machine) -> Iterator[Machine]:
    if machine.out_servers:
        yield replace(machine, out_servers=())
    if machine.in_servers:
        yield replace(machine, in_servers=())
    if len(machine.sites) > 1:
        yield replace(machine, sites=machine.sites[:1])
        yield replace(machine, sites=machine.sites[1:])


def _bypassing(enterprise: NamedEnterprise, site: str) -> Iterator[NamedEnterprise]:
    """Yield the enterprise without a site that has two links, its neighbours joined at the cost of the way through."""
    links = [link for link in enterprise.links if site in (link.one, link.other)]
    if len(links) != 2:
        return
    first, second = (link.other if link.one == site else link.one for link in links)
    rest = without_site(enterprise, site)
    if first != second and not any({first, second} == {link.one, link.other} for link in rest.links):
        yield replace(rest, links=(*rest.links, Link(first, second, links[0].cost + links[1].cost)))


def without_site(enterprise: NamedEnterprise, site: str) -> NamedEnterprise:
    """Return the enterprise without a site, its links, and the queue managers that belong to no other."""
    rest = replace(
        enterprise,
        sites=tuple(name for name in enterprise.sites if name != site),
        links=tuple(link for link in enterprise.links if site not in (link.one, link.other)),
        gates=tuple(gate for gate in enterprise.gates if gate[0] != site),
    )
    for machine in enterprise.machines:
        if set(machine.sites) == {site}:
            rest = without_machine(rest, machine.name)
    left = (replace(machine, sites=tuple(name for name in machine.sites if name != site)) for machine in rest.machines)
    return replace(rest, machines=tuple(left))


def without_machine(enterprise: NamedEnterprise, name: str) -> NamedEnterprise:
    """Return the enterprise without a queue manager and all that refers to it."""
    machines = tuple(
        replace(
            machine,
            in_servers=tuple(each for each in machine.in_servers if each != name),
            out_servers=tuple(each for each in machine.out_servers if each != name),
        )
        for machine in enterprise.machines
        if machine.name != name
    )
    gates = tuple((site, tuple(gate for gate in names if gate != name)) for site, names in enterprise.gates)
    return replace(enterprise, machines=machines, gates=gates)


def has_gates(enterprise: NamedEnterprise) -> bool:
    """Return whether each site has a gate, which MS-MQBR 1.5 takes for granted where there are several sites."""
    gates = dict(enterprise.gates)
    return len(enterprise.sites) == 1 or all(gates.get(site) for site in enterprise.sites)
