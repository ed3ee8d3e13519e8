"""A directory as arrays of numbers, for loops that judge millions of rows (MS-MQBR 3.1.1.1).

Queue managers are numbered in the order of enumeration; identifiers that only lists name, and no queue manager has,
follow. Sites are numbered in the order of enumeration. What the arrays cannot say plainly is marked, and left to the
readable model: machines of no or of unknown sites, lists with servers that cannot serve, sites whose gates are not
routers of the site, links whose costs are open.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from mqconform.reference.directory.elements import Directory, QueueManager, QueueManagerId, Site
from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Int64s
from mqconform.reference.mqbr.bulk_tables import SiteGraph, site_graph
from mqconform.reference.mqbr.graph import EnterpriseGraphs

ROUTER: Final = 1
GATE: Final = 2
"""A router that one of its own sites lists as gate."""
OPEN: Final = 4
"""No site, or one that the directory does not hold."""
SEVERAL: Final = 8
"""Several sites."""
IN_LIST: Final = 16
OUT_LIST: Final = 32
IN_LIST_OPEN: Final = 64
"""The In list has an entry that is repeated or cannot serve."""
OUT_LIST_OPEN: Final = 128
NETWORKS: Final = 256
"""Connected networks are named."""

NO_GATE: Final = -1
GATE_OF_SEVERAL: Final = -2
"""Gate of several sites, or of one whose gates are open."""

SITE_BITS: Final = 0xFFFFFF
"""What is left of a packed word, shifted by 16, to give the first site."""


class Lists(NamedTuple):
    """A list of numbers for each of many things, one behind the other."""

    offsets: Int64s
    """Where each list begins, and, last, where all end."""
    values: Int32s


class Machines(NamedTuple):
    """Everything that a decision reads of queue managers and sites."""

    packed: Int64s
    """For each machine: flags in bits 0 to 15, its first site from bit 16, 24 bits, ``gate_of`` + 2 from bit 40."""
    first_server: Int32s
    """For each machine: the first routing server in the order of enumeration that shares a site, -1 without any."""
    sites: Lists
    """For each machine: its known sites in rising order, each once."""
    in_servers: Lists
    out_servers: Lists
    gates: Lists
    """For each identifier: the sites that list it as a gate, in rising order."""
    site_open: Flags
    """For each site: whether it has no gate, or one that is no routing server of the site."""


class EnterpriseArrays(NamedTuple):
    """One directory, compiled."""

    identifiers: tuple[str, ...]
    """By number: queue managers, then what lists name beyond them."""
    machines: Machines
    graph: SiteGraph
    graph_open: bool
    """Whether the register leaves open what some link costs, or whether it counts."""
    ambiguous: bool
    """Whether several queue managers or several sites have one identifier (BR-25): nothing is plain then."""


def enterprise_arrays(directory: Directory) -> EnterpriseArrays:
    """Compile a directory."""
    numbers = {queue_manager.identifier: number for number, queue_manager in enumerate(directory.queue_managers)}
    ambiguous = len(numbers) < len(directory.queue_managers) or len(directory.sites_by_identifier) < len(
        directory.sites
    )
    lists = (
        (machine.in_routing_server_identifier_list, machine.out_routing_server_identifier_list)
        for machine in directory.queue_managers
    )
    named = chain.from_iterable(chain.from_iterable(lists))
    gates = (gate for site in directory.sites for gate in site.site_gate_collection)
    machine_count = len(directory.queue_managers)
    for identifier in (*named, *gates):
        numbers.setdefault(identifier, machine_count + len(numbers) - len(directory.queue_managers_by_identifier))
    identifiers = [queue_manager.identifier for queue_manager in directory.queue_managers]
    identifiers += [identifier for identifier, number in numbers.items() if number >= machine_count]
    graph, graph_open = _graph(directory)
    return EnterpriseArrays(tuple(identifiers), _machines(directory, numbers), graph, graph_open, ambiguous)


def _machines(directory: Directory, numbers: dict[QueueManagerId, int]) -> Machines:
    machines = directory.queue_managers
    places = {site.identifier: place for place, site in enumerate(directory.sites)}
    sites = [sorted({places[site] for site in machine.site_identifier_list if site in places}) for machine in machines]
    site_open = np.array([_is_open(directory, site) for site in directory.sites], dtype=np.bool_)
    gated: dict[int, list[int]] = {}
    for place, site in enumerate(directory.sites):
        for gate in dict.fromkeys(site.site_gate_collection):
            gated.setdefault(numbers[gate], []).append(place)
    gates = [gated.get(number, []) for number in range(max(numbers.values(), default=-1) + 1)]
    packed = [
        _flags(directory, machine, own, gates[number])
        | (own[0] if own else 0) << 16
        | _gate_of(gates[number], site_open) + 2 << 40
        for number, (machine, own) in enumerate(zip(machines, sites, strict=True))
    ]
    packed += [_gate_of(gates[number], site_open) + 2 << 40 for number in range(len(machines), len(gates))]
    return Machines(
        np.array(packed, dtype=np.int64),
        np.array(list(_first_servers(directory, sites)), dtype=np.int32),
        _lists(sites),
        _lists([numbers[server] for server in machine.in_routing_server_identifier_list] for machine in machines),
        _lists([numbers[server] for server in machine.out_routing_server_identifier_list] for machine in machines),
        _lists(gates),
        site_open,
    )


def _is_open(directory: Directory, site: Site) -> bool:
    """Return whether a site lacks a gate or lists one that is no routing server of it (1.5; BR-31, BR-32, BR-69)."""
    machines_by_id, gates = directory.queue_managers_by_identifier, site.site_gate_collection
    return not gates or not all(
        any(
            machine.routing_server and site.identifier in machine.site_identifier_list
            for machine in machines_by_id.get(gate, ())
        )
        for gate in gates
    )


def _gate_of(gated: list[int], site_open: Flags) -> int:
    if not gated:
        return NO_GATE
    return gated[0] if len(gated) == 1 and not site_open[gated[0]] else GATE_OF_SEVERAL


def _flags(directory: Directory, machine: QueueManager, own: list[int], gated: list[int]) -> int:
    in_list, out_list = machine.in_routing_server_identifier_list, machine.out_routing_server_identifier_list
    flags = NETWORKS if machine.connected_network_identifier_list else 0
    if machine.routing_server:
        flags |= ROUTER if set(own).isdisjoint(gated) else ROUTER | GATE
    if not own or len(set(machine.site_identifier_list)) > len(own):
        flags |= OPEN
    if len(own) > 1:
        flags |= SEVERAL
    if in_list:
        flags |= IN_LIST if _serve(directory, machine, in_list) else IN_LIST | IN_LIST_OPEN
    if out_list:
        serve = machine.identifier not in out_list and _serve(directory, machine, out_list)
        flags |= OUT_LIST if serve else OUT_LIST | OUT_LIST_OPEN
    return flags


def _serve(directory: Directory, beside: QueueManager, servers: tuple[QueueManagerId, ...]) -> bool:
    """Return whether each entry is there once and is a routing server of a site of the machine (BR-13, 56, 58)."""
    machines_by_id = directory.queue_managers_by_identifier
    return len(set(servers)) == len(servers) and all(
        any(machine.routing_server and machine.shares_a_site_with(beside) for machine in machines_by_id.get(server, ()))
        for server in servers
    )


def _first_servers(directory: Directory, sites: list[list[int]]) -> Iterator[int]:
    first: dict[int, int] = {}
    for number, (queue_manager, own) in enumerate(zip(directory.queue_managers, sites, strict=True)):
        if queue_manager.routing_server:
            for site in own:
                first.setdefault(site, number)
    for own in sites:
        yield min((first[site] for site in own if site in first), default=-1)


def _lists(lists: Iterable[list[int]]) -> Lists:
    rows = list(lists)
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)), out=offsets[1:])
    return Lists(offsets, np.fromiter(chain.from_iterable(rows), np.int32, offsets[-1]))


def _graph(directory: Directory) -> tuple[SiteGraph, bool]:
    """Return the graph of the literal reading, and whether another reading gives another one."""
    graphs = EnterpriseGraphs(directory.sites, directory.routing_links)
    literal = tuple(dimension[0] for dimension in graphs.dimensions)
    weightings = graphs.weightings(literal)
    places = {site.identifier: place for place, site in enumerate(directory.sites)}
    edges = [
        (places[here], places[there], cost)
        for here, around in weightings[0].items()
        for there, cost in around.items()
        if here < there
    ]
    edge_array = np.array(edges, dtype=np.int64).reshape(-1, 3)
    costs = np.minimum(edge_array[:, 2], np.iinfo(np.int32).max)  # beyond the range of costs the graph is open anyway
    graph = site_graph(len(directory.sites), edge_array[:, :2].astype(np.int32), costs.astype(np.int32))
    return graph, len(graphs.dimensions) > 0 or len(weightings) > 1
