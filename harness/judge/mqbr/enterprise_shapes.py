"""Generated enterprises (Hypothesis), drawn as a few octets and decoded, and enterprises with one thing less.

Every shape is one that administrators build, keeps the preconditions of MS-MQBR 1.5, and offers more than one way
between most sites, at costs that seldom tie. Zero octets give the plainest enterprise of a shape.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from hypothesis import strategies as st

from mqconform.harness.judge.mqbr.named_enterprise import Link, Machine, NamedEnterprise

OCTETS = 40
SITE_NAMES = ("A", "B", "C", "D", "E", "F")
MOST_COST = 9
COST_FACTORS = (111_111, 1, 1_000)
"""What costs are multiplied by; the first makes the greatest cost of all 999,999."""
PARALLEL_LINKS = 2
Pairs = list[tuple[int, int]]


class Choices:
    """Small numbers out of octets; zeros when they are used up."""

    def __init__(self, octets: bytes) -> None:
        self._octets = iter(octets)

    def below(self, limit: int) -> int:
        """Return a number from 0 to ``limit - 1``."""
        return next(self._octets, 0) % limit


def enterprises(shape: str) -> st.SearchStrategy[NamedEnterprise]:
    """Return enterprises of a shape, a key of ``SHAPES``."""
    build = SHAPES[shape]
    return st.binary(min_size=OCTETS, max_size=OCTETS).map(lambda octets: build(Choices(octets)))


def questions(enterprise: NamedEnterprise, sources: int, destinations: int) -> Iterator[tuple[str, str]]:
    """Yield pairs of source and destination, spread over the queue managers, sources together."""
    names = [machine.name for machine in enterprise.machines]
    for start in _spread(len(names), sources):
        others = names[start + 1 :] + names[:start]
        for end in _spread(len(others), destinations):
            yield names[start], others[end]


def _spread(length: int, number: int) -> list[int]:
    """Return places far from each other and from both ends."""
    parts = min(number, length)
    return [(2 * place + 1) * length // (2 * parts) for place in range(parts)]


def _links(choices: Choices, pairs: Pairs) -> tuple[Link, ...]:
    """Return links with drawn costs, their ends in either order."""
    links = []
    for site1, site2 in pairs:
        drawn = choices.below(2 * MOST_COST)
        first, second = (site1, site2) if drawn % 2 == 0 else (site2, site1)
        links.append(Link(SITE_NAMES[first], SITE_NAMES[second], 1 + drawn // 2))
    return tuple(links)


def _enterprise(choices: Choices, sites: int, pairs: Pairs) -> NamedEnterprise:
    """Return sites with a client, a gate and perhaps another routing server each."""
    links = _links(choices, pairs)
    names = SITE_NAMES[:sites]
    machines: list[Machine] = []
    for name in names:
        low = name.lower()
        machines += [Machine(f"c{low}", (name,))]
        if choices.below(2):
            machines += [Machine(f"r{low}", (name,), routing_server=True)]
        machines += [Machine(f"g{low}", (name,), routing_server=True)]
    gates = tuple((name, (f"g{name.lower()}",)) for name in names)
    return NamedEnterprise(names, links, tuple(machines), gates)


def ring(choices: Choices) -> NamedEnterprise:
    """Return sites in a circle."""
    sites = 3 + choices.below(4)
    return _enterprise(choices, sites, [(place, (place + 1) % sites) for place in range(sites)])


def hub_and_spoke(choices: Choices) -> NamedEnterprise:
    """Return a hub to which all sites are linked, with a backup link between two of the spokes."""
    sites = 3 + choices.below(4)
    pairs = [(0, place) for place in range(1, sites)]
    return _enterprise(choices, sites, [*pairs, (1, 2)])


def mesh(choices: Choices) -> NamedEnterprise:
    """Return sites nearly all of which are linked to each other."""
    sites = 3 + choices.below(3)
    pairs = [(first, second) for first in range(sites) for second in range(first + 1, sites)]
    linked = [(first, second) for first, second in pairs if second == first + 1 or choices.below(4)]
    return _enterprise(choices, sites, linked)


def branch_offices(choices: Choices) -> NamedEnterprise:
    """Return two main sites with branch offices below them, one of which has a link to the other main site."""
    sites = 4 + choices.below(3)
    below = [(place % 2, place) for place in range(2, sites)]
    return _enterprise(choices, sites, [(0, 1), *below, (1, 2)])


def several_gates(choices: Choices) -> NamedEnterprise:
    """Return a ring in which sites have two gates."""
    plain = ring(choices)
    machines = list(plain.machines)
    gates: list[tuple[str, tuple[str, ...]]] = []
    for site, (gate,) in plain.gates:
        if choices.below(4) == 3:
            gates.append((site, (gate,)))
            continue
        second = f"h{site.lower()}"
        machines.append(Machine(second, (site,), routing_server=True))
        gates.append((site, (gate, second) if choices.below(2) else (second, gate)))
    return replace(plain, machines=tuple(machines), gates=tuple(gates))


def server_lists(choices: Choices) -> NamedEnterprise:
    """Return a ring whose clients have Out and In lists of routing servers of their site."""
    plain = ring(choices)
    machines: list[Machine] = []
    for site in plain.sites:
        low = site.lower()
        servers = (f"i{low}", f"j{low}")
        lists = choices.below(8)
        outgoing = servers[: lists % 3]
        incoming = servers[::-1][: 1 + lists // 4]
        machines += [Machine(name, (site,), routing_server=True) for name in servers]
        machines.append(Machine(f"d{low}", (site,), out_servers=outgoing, in_servers=incoming))
    return replace(plain, machines=plain.machines + tuple(machines))


def multi_site(choices: Choices) -> NamedEnterprise:
    """Return a ring with queue managers that belong to two sites."""
    plain = ring(choices)
    machines: list[Machine] = []
    for number in range(1 + choices.below(3)):
        first, step = choices.below(len(plain.sites)), 1 + choices.below(len(plain.sites) - 1)
        both = (plain.sites[first], plain.sites[(first + step) % len(plain.sites)])
        machines.append(Machine(f"m{number}", both, routing_server=choices.below(3) == 0))
    return replace(plain, machines=plain.machines + tuple(machines))


def crossed(choices: Choices) -> NamedEnterprise:
    """Return a mesh with great costs, parallel links, lists that name gates, and references in upper case."""
    plain = mesh(choices)
    upper_case, factor = choices.below(2) == 0, COST_FACTORS[choices.below(3)]
    links = [replace(link, cost=link.cost * factor) for link in plain.links]
    for _ in range(PARALLEL_LINKS):
        link = links[choices.below(len(plain.links))]
        links.append(replace(link, cost=factor * (1 + choices.below(MOST_COST))))
    machines = list(plain.machines)
    for place, site in enumerate(plain.sites):
        low = site.lower()
        servers = (f"g{low}", f"s{low}", f"g{low}")
        incoming = servers[choices.below(2) :][: 1 + choices.below(2)]
        following = plain.sites[(place + 1) % len(plain.sites)].lower()
        machines.append(Machine(f"d{low}", (site,), in_servers=incoming))
        machines.append(Machine(f"s{low}", (site,), routing_server=True, in_servers=(f"g{following}",)))
    return replace(plain, links=tuple(links), machines=tuple(machines), upper_case_references=upper_case)


SHAPES: dict[str, Callable[[Choices], NamedEnterprise]] = {
    "hub and spoke": hub_and_spoke,
    "ring": ring,
    "mesh": mesh,
    "branch offices": branch_offices,
    "several gates": several_gates,
    "server lists": server_lists,
    "multi-site": multi_site,
    "crossed": crossed,
}
"""How each shape is built, by the name that features use."""


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
