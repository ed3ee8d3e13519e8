"""Steps of foreign queues, whose messages a connector server hands to another messaging system (6.1.9)."""

from pytest_bdd import parsers

from mqconform.harness.iut.operations.queue_managers import call_of
from mqconform.harness.judge.mqso.network_scene import NetworkScene
from mqconform.harness.suite.steps import given
from mqconform.reference.mqso.elements import MachineName, QueueName
from mqconform.reference.mqso.events import Done, EnterForeignQueue
from mqconform.reference.mqso.networked_queue_manager import public


@given(parsers.re(r"a foreign queue (?P<queue>\w+) whose connector server is (?P<machine>\w+)"))
def with_foreign_queue(network: NetworkScene, queue: str, machine: str) -> None:
    """Enter a foreign queue into the directory."""
    event = EnterForeignQueue(MachineName(machine), QueueName(queue))
    network.identifiers[public(machine, queue)] = network.ask(*call_of(event, {}, machine))["queue"]
    network.add(event, Done())
