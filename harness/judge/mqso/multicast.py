"""Steps of multicast addresses: queues that have one, and messages that each of these gets (6.1.8)."""

from pytest_bdd import parsers

from mqconform.harness.judge.mqso.network_scene import NetworkScene
from mqconform.harness.judge.mqso.queue_manager_steps import AND, LIST, message_of
from mqconform.harness.suite.steps import given, when
from mqconform.reference.mqso.elements import Properties
from mqconform.reference.mqso.networked_queue_manager import multicast

ADDRESS = r"the multicast address (?P<address>[\d.]+:\d+)"


@given(parsers.re(rf"queues of {ADDRESS}: (?P<queues>.+)"))
def with_multicast_queues(network: NetworkScene, address: str, queues: str) -> None:
    """Create queues of a multicast address, ``prices at lobby`` for one."""
    for queue in queues.split(", "):
        name, _, machine = queue.split()
        network.at(machine).create(name, Properties(multicast=address))


@when(parsers.re(rf"(?P<machine>\w+) sets up a queue (?P<queue>\w+) of {ADDRESS}"))
def sets_up(network: NetworkScene, machine: str, queue: str, address: str) -> None:
    """Create a queue of a multicast address."""
    network.at(machine).create(queue, Properties(multicast=address))


@when(parsers.re(rf"machine (?P<machine>\w+) sends (?P<messages>{LIST}) to {ADDRESS}"))
def sends_to_many(network: NetworkScene, machine: str, messages: str, address: str) -> None:
    """Send express messages to a multicast address."""
    for key in AND.split(messages):
        network.at(machine).send(message_of(key, ""), multicast(address))
