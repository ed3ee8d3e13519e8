"""The enterprise document as sets and relations, for the second routing oracle (MS-MQBR 3.1.1.1).

GUIDs are lower-case text from here on; array order is dropped, for no rule of MS-MQBR gives it a meaning.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

HIGHEST_COST = 2**32 - 1
"""ActualCost is a 32-bit number; so bounded, sums over any number of sites stay exact in a float."""


class UnreadableEnterprise(ValueError):
    """The enterprise document does not have the shape that a routing question needs."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A QueueManager, as far as MS-MQBR looks at it."""

    guid: str
    sites: frozenset[str]
    routes: bool
    in_servers: frozenset[str]
    out_servers: frozenset[str]
    networks: frozenset[str]


@dataclass(frozen=True)
class Enterprise:
    """Machines, gates and links; a machine's GUID names several records only in a faulty directory."""

    machines: Mapping[str, tuple[Machine, ...]]
    gates: Mapping[str, frozenset[str]]
    """Site -> its SiteGateCollection; its keys are all the sites there are."""
    links: Mapping[frozenset[str], frozenset[int]]
    """The two linked sites -> the costs of the links between them, known sites or not."""
    routers_of: Mapping[str, frozenset[str]]
    """Site -> machines there that are routing servers."""
    foreign: frozenset[str]
    """Sites marked with ``foreign_site``, which documents may do beyond the form of the protocol."""

    def routers_near(self, machine: Machine) -> frozenset[str]:
        """Return the routing servers that share a site with a machine."""
        return frozenset().union(*(self.routers_of.get(site, frozenset()) for site in machine.sites))


def read_enterprise(document: Mapping[str, Any]) -> Enterprise:
    """Index an enterprise document; UnreadableEnterprise names the field that is wrong."""
    if not isinstance(document, Mapping):
        raise UnreadableEnterprise("enterprise document: expected an object with sites and queue_managers")
    machines: defaultdict[str, list[Machine]] = defaultdict(list)
    routers: defaultdict[str, set[str]] = defaultdict(set)
    for where, row in _rows(document, "queue_managers"):
        machine = _machine(row, where)
        machines[machine.guid].append(machine)
        for site in machine.sites if machine.routes else ():
            routers[site].add(machine.guid)
    return Enterprise(
        {guid: tuple(records) for guid, records in machines.items()},
        _gates(document),
        _links(document),
        {site: frozenset(members) for site, members in routers.items()},
        frozenset(
            _guid(row, "id", where) for where, row in _rows(document, "sites") if row.get("foreign_site") is True
        ),
    )


def _gates(document: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    gates: dict[str, frozenset[str]] = {}
    for where, row in _rows(document, "sites"):
        site = _guid(row, "id", where)
        gates[site] = gates.get(site, frozenset()) | _guids(row, "site_gates", where)
    return gates


def _links(document: Mapping[str, Any]) -> dict[frozenset[str], frozenset[int]]:
    links: dict[frozenset[str], frozenset[int]] = {}
    for where, row in _rows(document, "routing_links"):
        ends = frozenset({_guid(row, "site1", where), _guid(row, "site2", where)})
        links[ends] = links.get(ends, frozenset()) | {_cost(row, where)}
    return links


def _machine(row: Mapping[str, Any], where: str) -> Machine:
    routes = row.get("routing_server", False)
    if not isinstance(routes, bool):
        raise UnreadableEnterprise(f"{where}.routing_server: expected true or false, got {routes!r:.60}")
    return Machine(
        _guid(row, "id", where),
        _guids(row, "sites", where),
        routes,
        _guids(row, "in_routing_servers", where),
        _guids(row, "out_routing_servers", where),
        _guids(row, "connected_networks", where),
    )


def _cost(row: Mapping[str, Any], where: str) -> int:
    cost = row.get("cost")
    if not isinstance(cost, int) or isinstance(cost, bool) or not 0 <= cost <= HIGHEST_COST:
        raise UnreadableEnterprise(f"{where}.cost: expected an integer from 0 to {HIGHEST_COST}, got {cost!r:.60}")
    return cost


def _rows(document: Mapping[str, Any], name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    rows = document.get(name, ())
    if not isinstance(rows, list | tuple):
        raise UnreadableEnterprise(f"{name}: expected an array of objects, got {type(rows).__name__}")
    for index, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise UnreadableEnterprise(f"{name}[{index}]: expected an object, got {row!r:.60}")
        yield f"{name}[{index}]", row


def _guid(row: Mapping[str, Any], name: str, where: str) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        raise UnreadableEnterprise(f"{where}.{name}: expected a GUID as text, got {value!r:.60}")
    return value.lower()


def _guids(row: Mapping[str, Any], name: str, where: str) -> frozenset[str]:
    values = row.get(name) or ()
    if not isinstance(values, list | tuple) or not all(isinstance(value, str) for value in values):
        raise UnreadableEnterprise(f"{where}.{name}: expected an array of GUIDs as text, got {values!r:.60}")
    return frozenset(value.lower() for value in values)
