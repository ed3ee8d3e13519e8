"""Steps of a domain with sites: messages for public queues go from machine to machine (4.3.1.3, 6.1.5)."""

import re
from typing import Any, Final

from pytest_bdd import parsers

from mqconform.harness.judge.mqso.network_scene import NetworkScene
from mqconform.harness.suite.steps import given
from mqconform.reference.mqso.elements import Properties
from mqconform.reference.mqso.routes import Topology, topology_of

_AND: Final = re.compile(r",\s*|\s+and\s+")
_LINK: Final = re.compile(r"(\w+)-(\w+) (\d+)")


@given(parsers.re(r"a domain with the routing links (?P<links>.+) and the machines"))
def with_sites(network: NetworkScene, links: str, datatable: list[list[str]]) -> None:
    """Configure the machines of a domain: machine, its site, and whether it is that site's gate, ``A-B 3`` for a link.

    A gate is a routing server. A network joins the machines of a site, and the gates of linked sites.
    """
    topology = _topology(links, datatable[1:])
    names = [machine for machine, *_ in datatable[1:]]
    network.begin(names, names, topology)


@given(parsers.re(r"public queues (?P<queues>.+)"))
def with_public_queues(network: NetworkScene, queues: str) -> None:
    """Create public queues, ``sales at head`` for one; ``transactional sales at head`` for one of that kind."""
    for queue in _AND.split(queues):
        *transactional, name, _, machine = queue.split()
        network.publish(machine, name, machine, Properties(transactional=bool(transactional)))


def _topology(links: str, machines: list[list[str]]) -> Topology:
    sites = dict.fromkeys(site for _, site, _ in machines)
    ends = [match.groups() for match in _LINK.finditer(links)]
    document: dict[str, Any] = {
        "enterprise": {"name": "domain"},
        "sites": [
            {"name": site, "site_gates": [name for name, of, gate in machines if of == site and gate == "yes"]}
            for site in sites
        ],
        "routing_links": [
            {"id": f"{site}-{far}", "site1": site, "site2": far, "cost": int(cost)} for site, far, cost in ends
        ],
        "queue_managers": [
            {"name": name, "sites": [site], "routing_server": gate == "yes"} for name, site, gate in machines
        ],
    }
    return topology_of(document)
