"""Steps of foreign queues, whose messages a connector server hands to another messaging system (6.1.9)."""

from pytest_bdd import parsers

from mqconform.harness.judge.mqso.network_scene import NetworkScene
from mqconform.harness.suite.steps import given
from mqconform.reference.mqso.elements import MachineName, QueueName
from mqconform.reference.mqso.events import Done, EnterForeignQueue
from mqconform.reference.mqso.networked_queue_manager import public


@given(parsers.re(r"a foreign queue (?P<queue>\w+) whose connector server is (?P<machine>\w+)"))
def with_foreign_queue(network: NetworkScene, queue: str, machine: str) -> None:
    """Enter a foreign queue into the directory."""
    answer = network.ask("create_foreign_queue", {"machine": machine, "queue": queue})
    network.identifiers[public(machine, queue)] = answer["queue"]
    network.add(EnterForeignQueue(MachineName(machine), QueueName(queue)), Done())
