"""Steps of applications on computers without a queue manager, each with a supporting server (6.1.7)."""

from pytest_bdd import parsers

from mqconform.harness.judge.mqso.network import machine_sends
from mqconform.harness.judge.mqso.network_scene import NetworkScene
from mqconform.harness.judge.mqso.queue_manager_steps import LIST
from mqconform.harness.suite.steps import given
from mqconform.reference.mqso.elements import Properties


@given(parsers.re(r"the supporting server (?P<server>\w+) of (?P<clients>.+), and the transactional queues"))
def with_clients(network: NetworkScene, server: str, clients: str, datatable: list[list[str]]) -> None:
    """Configure queue managers with transactional queues, and computers that one of them works for."""
    rows = datatable[1:]
    names = clients.replace(" and ", ", ").split(", ")
    network.begin(dict.fromkeys(machine for machine, _ in rows), clients=dict.fromkeys(names, server))
    for machine, queue in rows:
        network.at(machine).create(queue, Properties(transactional=True))


@given(parsers.re(rf"(?P<messages>{LIST}) wait in (?P<queue>\w+) at (?P<machine>\w+)"))
def with_messages(network: NetworkScene, messages: str, queue: str, machine: str) -> None:
    """Send messages to a transactional queue on its own machine."""
    machine_sends(network, machine, messages, queue, None, "a transaction", "")
