"""The enterprise document as sets and relations, for the second routing oracle (MS-MQBR 3.1.1.1).

GUIDs are lower-case text from here on; array order is dropped, for no rule of MS-MQBR gives it a meaning.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


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
    """Index an enterprise document in the form of the IUT protocol, whose reader has judged its shape."""
    machines: defaultdict[str, list[Machine]] = defaultdict(list)
    routers: defaultdict[str, set[str]] = defaultdict(set)
    for row in document.get("queue_managers", ()):
        machine = _machine(row)
        machines[machine.guid].append(machine)
        for site in machine.sites if machine.routes else ():
            routers[site].add(machine.guid)
    gates: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for row in document.get("sites", ()):
        gates[row["id"].lower()] |= _guids(row, "site_gates")
    links: defaultdict[frozenset[str], frozenset[int]] = defaultdict(frozenset)
    for row in document.get("routing_links", ()):
        links[frozenset({row["site1"].lower(), row["site2"].lower()})] |= {row["cost"]}
    return Enterprise(
        {guid: tuple(records) for guid, records in machines.items()},
        dict(gates),
        dict(links),
        {site: frozenset(members) for site, members in routers.items()},
        frozenset(row["id"].lower() for row in document.get("sites", ()) if row.get("foreign_site")),
    )


def _machine(row: Mapping[str, Any]) -> Machine:
    return Machine(
        row["id"].lower(),
        _guids(row, "sites"),
        row.get("routing_server", False),
        _guids(row, "in_routing_servers"),
        _guids(row, "out_routing_servers"),
        _guids(row, "connected_networks"),
    )


def _guids(row: Mapping[str, Any], name: str) -> frozenset[str]:
    return frozenset(value.lower() for value in row.get(name) or ())
