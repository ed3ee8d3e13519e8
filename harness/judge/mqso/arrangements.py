"""Givens of what is around queue managers: sites, multicast addresses, foreign queues, clients (6.1.5 to 6.1.9)."""

import re
from typing import Any, Final

from mqconform.harness.iut.operations.queue_managers import call_of
from mqconform.harness.judge.mqbr.named_enterprise import MACHINE, SITE, guid_of
from mqconform.harness.judge.mqso.network import from_machine, machine_sends
from mqconform.harness.judge.mqso.queue_manager_steps import AND, LIST, message_of
from mqconform.harness.judge.mqso.scenes import NetworkScene
from mqconform.harness.suite.steps import given, when
from mqconform.reference.mqso.elements import MachineName, Properties, QueueName
from mqconform.reference.mqso.events import Done, EnterForeignQueue
from mqconform.reference.mqso.networked_queue_manager import multicast, public
from mqconform.reference.mqso.routes import Topology, topology_of

_AND: Final = re.compile(r",\s*|\s+and\s+")
_LINK: Final = re.compile(r"(\w+)-(\w+) (\d+)")


@given(r"a domain with the routing links (?P<links>.+) and the machines")
def with_sites(network: NetworkScene, links: str, datatable: list[list[str]]) -> None:
    """Configure the machines of a domain: machine, its site, and whether it is that site's gate, ``A-B 3`` for a link.

    A gate is a routing server. A network joins the machines of a site, and the gates of linked sites.
    """
    topology = _topology(links, datatable[1:])
    names = [machine for machine, *_ in datatable[1:]]
    network.begin(names, names, topology)


@given(r"public queues (?P<queues>.+)")
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
            {
                "id": guid_of(SITE, site),
                "name": site,
                "site_gates": [name for name, of, gate in machines if of == site and gate == "yes"],
            }
            for site in sites
        ],
        "routing_links": [
            {"id": f"{site}-{far}", "site1": site, "site2": far, "cost": int(cost)} for site, far, cost in ends
        ],
        "queue_managers": [
            {"id": guid_of(MACHINE, name), "name": name, "sites": [site], "routing_server": gate == "yes"}
            for name, site, gate in machines
        ],
    }
    return topology_of(document)


ADDRESS = r"the multicast address (?P<address>[\d.]+:\d+)"


@given(rf"queues of {ADDRESS}: (?P<queues>.+)")
def with_multicast_queues(network: NetworkScene, address: str, queues: str) -> None:
    """Create queues of a multicast address, ``prices at lobby`` for one."""
    for queue in queues.split(", "):
        name, _, machine = queue.split()
        network.at(machine).create(name, Properties(multicast=address))


@when(rf"(?P<machine>\w+) sets up a queue (?P<queue>\w+) of {ADDRESS}(?:, with room for (?P<room>\d+) messages?)?")
def sets_up(network: NetworkScene, machine: str, queue: str, address: str, room: str | None) -> None:
    network.at(machine).create(queue, Properties(room=int(room) if room else None, multicast=address))


@when(rf"machine (?P<machine>\w+) sends (?P<messages>{LIST}) to {ADDRESS}(?P<wishes>(?:, .+)?)")
def sends_to_many(network: NetworkScene, machine: str, messages: str, address: str, wishes: str) -> None:
    for key in AND.split(messages):
        network.at(machine).send(from_machine(message_of(key, wishes), machine), multicast(address))


@given(r"a foreign queue (?P<queue>\w+) whose connector server is (?P<machine>\w+)")
def with_foreign_queue(network: NetworkScene, queue: str, machine: str) -> None:
    event = EnterForeignQueue(MachineName(machine), QueueName(queue))
    network.identifiers[public(machine, queue)] = network.ask(*call_of(event, {}, machine))["queue"]
    network.add(event, Done())


@given(r"the supporting server (?P<server>\w+) of (?P<clients>.+), and the transactional queues")
def with_clients(network: NetworkScene, server: str, clients: str, datatable: list[list[str]]) -> None:
    rows = datatable[1:]
    names = clients.replace(" and ", ", ").split(", ")
    network.begin(dict.fromkeys(machine for machine, _ in rows), clients=dict.fromkeys(names, server))
    for machine, queue in rows:
        network.at(machine).create(queue, Properties(transactional=True))


@given(rf"(?P<messages>{LIST}) wait in (?P<queue>\w+) at (?P<machine>\w+)")
def with_messages(network: NetworkScene, messages: str, queue: str, machine: str) -> None:
    machine_sends(network, machine, messages, queue, None, "a transaction", "")
