"""Steps of scenarios with several queue managers: Whens for what they do, Thens for what was observed."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from msgspec.structs import replace

from mqconform.harness.judge.mqso.driven_network import DrivenMachine
from mqconform.harness.judge.mqso.history_search import is_wrong, judge_explained
from mqconform.harness.judge.mqso.history_text import SYSTEM
from mqconform.harness.judge.mqso.queue_manager_checks import THINGS, answers_text, emptied, judge, keys_of
from mqconform.harness.judge.mqso.queue_manager_steps import AND, LIST, QUEUE, message_of, queue_of
from mqconform.harness.judge.mqso.scenes import NetworkScene
from mqconform.harness.suite.steps import given, then, when
from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import HOUR, SECOND, Access, Kind, MachineName, Message, Properties, QueueName
from mqconform.reference.mqso.events import At, Failed, Got, Outgoing, Receive
from mqconform.reference.mqso.networked_queue_manager import far, is_far

IN: Final = r"(?: in (?P<transaction>a transaction|t\d+))?"
_AT: Final = r"(?: at (?P<to>\w+))?"


@given("queue managers with the queues")
def with_machines(network: NetworkScene, datatable: list[list[str]]) -> None:
    """Configure machines and create queues, ``none`` for no queue.

    Columns are the machine, the queue, whether that is transactional, and if need be for how many messages it has room.
    """
    network.begin(dict.fromkeys(machine for machine, *_ in datatable[1:]))
    for machine, queue, transactional, *room in datatable[1:]:
        if queue != "none":
            messages = next((int(cell) for cell in room if cell != "any"), None)
            network.at(machine).create(queue, Properties(transactional == "yes", room=messages))


@when(rf"machine (?P<machine>\w+) sends (?P<messages>{LIST}) to (?P<queue>\w+){_AT}{IN}(?P<wishes>(?:, .+)?)")
def machine_sends(  # noqa: PLR0913, PLR0917 - the parts of the sentence
    network: NetworkScene, machine: str, messages: str, queue: str, to: str | None, transaction: str | None, wishes: str
) -> None:
    """Send messages to a queue of another machine, or of this one; ``a transaction`` is one that commits."""
    scene = network.at(machine)
    with in_transaction(scene, transaction, f"for {messages}") as label:
        for key in AND.split(messages):
            message = from_machine(message_of(key, wishes), machine)
            scene.send(message, far(to, queue) if to and to != machine else QueueName(queue), label)


@contextmanager
def in_transaction(scene: DrivenMachine, transaction: str | None, what: str) -> Iterator[str | None]:
    """Give the name of the transaction of a step; ``a transaction`` is one of its own, that commits."""
    if transaction != "a transaction":
        yield transaction
        return
    label = f"t {what}"
    scene.begin_transaction(label)
    yield label
    scene.end(label, commit=True)


def from_machine(message: Message, machine: str) -> Message:
    """Return a message with administration and response queues at its own machine, or at the one they name."""
    administration = message.administration
    if administration is not None and not is_far(administration):
        administration = far(machine, administration)
    return replace(message, administration=administration, response=message.response and far(machine, message.response))


@when(r"(?P<machine>\w+) begins (?P<kind>transaction|external transaction) (?P<transaction>t\d+)")
def machine_begins(network: NetworkScene, machine: str, kind: str, transaction: str) -> None:
    network.at(machine).begin_transaction(transaction, Kind.EXTERNAL if kind.startswith("external") else Kind.INTERNAL)


@when(r"(?P<machine>\w+) (?P<how>commits|aborts) (?P<transaction>t\d+)")
def machine_ends(network: NetworkScene, machine: str, how: str, transaction: str) -> None:
    network.at(machine).end(transaction, commit=how == "commits")


@when(rf"machine (?P<machine>\w+) receives (?P<number>a|\d+) messages? from (?P<queue>{QUEUE}){_AT}{IN}")
def receives(  # noqa: PLR0913, PLR0917 - the parts of the sentence
    network: NetworkScene, machine: str, number: str, queue: str, to: str | None, transaction: str | None
) -> None:
    scene = network.at(machine)
    name = far(to, queue_of(queue)) if to and to != machine else queue_of(queue)
    with in_transaction(scene, transaction, f"at {scene.moment()}") as label:
        for _ in range(1 if number == "a" else int(number)):
            scene.receive(name, transaction=label)


@when(
    r"machine (?P<machine>\w+) (?P<how>looks at|waits (?P<seconds>\d+) seconds for) (?P<queue>\w+) at (?P<to>\w+)"
    r"(?: in (?P<transaction>t\d+))?"
)
def reads_from_afar(  # noqa: PLR0913, PLR0917 - the parts of the sentence
    network: NetworkScene, machine: str, how: str, seconds: str | None, queue: str, to: str, transaction: str | None
) -> None:
    scene = network.at(machine)
    takes, wait, label = how != "looks at", int(seconds or 0), f"r{scene.moment()}" if seconds else ""
    scene.receive(far(to, QueueName(queue)), takes=takes, wait=wait, transaction=transaction, label=label)


@when(
    r"machine (?P<machine>\w+) (?P<how>receives|looks at) (?P<message>m\d+) of (?P<queue>\w+) at (?P<to>\w+) "
    r"by its identifier"
)
def reads_identified(  # noqa: PLR0913, PLR0917 - the parts of the sentence
    network: NetworkScene, machine: str, how: str, message: str, queue: str, to: str
) -> None:
    network.at(machine).receive(far(to, QueueName(queue)), takes=how == "receives", message=message)


@when(r"the application of (?P<machine>\w+) that (?P<what>sends to|receives from) (?P<queue>\w+) at (?P<to>\w+) ends")
def application_of_machine_ends(network: NetworkScene, machine: str, what: str, queue: str, to: str) -> None:
    network.at(machine).close(far(to, queue), Access.SEND if what == "sends to" else Access.RECEIVE)


@when(r"(?P<queue>\w+) at (?P<machine>\w+) is deleted")
def queue_of_machine_is_deleted(network: NetworkScene, queue: str, machine: str) -> None:
    network.at(machine).delete(queue)


@when(r"the network between (?P<machine>\w+) and (?P<other>\w+) (?P<how>fails|is back)")
def network_fails(network: NetworkScene, machine: str, other: str, how: str) -> None:
    """Cut or restore the network between two machines."""
    network.perform(events.NetworkBecomes(frozenset(map(MachineName, (machine, other))), how == "fails"))


@when(r"(?P<number>\d+) (?P<unit>seconds|hours) pass everywhere")
def time_passes_for_all(network: NetworkScene, number: str, unit: str) -> None:
    network.advance(int(number) * (HOUR // SECOND if unit == "hours" else 1))


@when(r"queue manager (?P<machine>\w+) (?P<how>stops|crashes|starts|is restarted|is restarted after a crash)")
def machine_stops(network: NetworkScene, machine: str, how: str) -> None:
    if how != "starts":
        network.at(machine).stop(suddenly="crash" in how)
    if how not in {"stops", "crashes"}:
        network.at(machine).start()


@when(r"(?P<machine>\w+) (?P<how>pauses|resumes) what waits for (?P<queue>\w+) at (?P<to>\w+)")
def pauses(network: NetworkScene, machine: str, how: str, queue: str, to: str) -> None:
    """Pause an outgoing queue, or resume it."""
    network.perform(events.Pause(MachineName(machine), far(to, queue), how == "pauses"))


@when(r"(?P<machine>\w+) is (?P<how>taken offline|brought online)")
def offline(network: NetworkScene, machine: str, how: str) -> None:
    """Take a queue manager offline, or online again."""
    network.perform(events.TakeOffline(MachineName(machine), how == "taken offline"))


@when(r"(?P<machine>\w+) (?P<how>begins to throttle|ends throttling)")
def throttles(network: NetworkScene, machine: str, how: str) -> None:
    """Let memory be scarce on a machine, or sufficient again."""
    network.at(machine).perform(events.Throttle(how.startswith("begins")))


@when(r"the store of (?P<machine>\w+) (?P<how>is full|has room again)")
def fills(network: NetworkScene, machine: str, how: str) -> None:
    """Let the store of a machine be full, or have room again."""
    network.at(machine).perform(events.StoreBecomes(how == "is full"))


@when(r"(?P<machine>\w+) loses its coordinator")
def loses_coordinator(network: NetworkScene, machine: str) -> None:
    network.lose_coordinator_of(machine)


@when(
    r"(?P<machine>\w+) creates (?P<kind>transactional )?queue (?P<queue>\w+) at (?P<on>\w+)"
    r"(?:, with room for (?P<room>\d+) messages?)?"
)
def creates(  # noqa: PLR0913, PLR0917 - the parts of the sentence
    network: NetworkScene, machine: str, kind: str | None, queue: str, on: str, room: str | None
) -> None:
    """Create a queue of another machine, or of the machine itself."""
    properties = Properties(kind is not None, None if room is None else int(room))
    network.manage(machine, events.CreateQueue(QueueName(queue), properties), on)


@when(r"(?P<machine>\w+) (?P<how>purges|deletes) (?P<queue>\w+) at (?P<on>\w+)")
def empties(network: NetworkScene, machine: str, how: str, queue: str, on: str) -> None:
    name = QueueName(queue)
    network.manage(machine, events.Purge(name) if how == "purges" else events.DeleteQueue(name), on)


@when(r"(?P<machine>\w+) gives queue (?P<queue>\w+) at (?P<on>\w+) room for (?P<room>\d+) messages?")
def gives_room(network: NetworkScene, machine: str, queue: str, on: str, room: str) -> None:
    network.manage(machine, events.SetQueue(QueueName(queue), int(room)), on)


@when(r"(?P<machine>\w+) counts (?P<queue>\w+) at (?P<on>\w+)")
def machine_counts(network: NetworkScene, machine: str, queue: str, on: str) -> None:
    """Ask how many messages a queue of another machine has."""
    network.manage(machine, events.Count(QueueName(queue)), on)


@when(r"an application counts what waits at (?P<machine>\w+)")
def counts_outgoing(network: NetworkScene, machine: str) -> None:
    """Ask what waits at a machine for others."""
    network.perform(events.CountOutgoing(MachineName(machine)))


@then(
    rf"(?P<queue>{QUEUE}) at (?P<machine>\w+) holds (?P<things>{THINGS}|nothing)(?:, in this order)?"
    rf"(?:, or (?P<others>{THINGS}|nothing) where .+)?"
)
def queue_of_machine_holds(network: NetworkScene, queue: str, machine: str, things: str, others: str | None) -> None:
    """Take all messages out of a queue, and judge what it held; ``where`` tells readers what it depends on."""
    keys = emptied(network.at(machine), queue)
    observed = f"{queue} at {machine} holds {', '.join(keys) or 'nothing'}"
    as_said = keys in [keys_of(names) for names in (things, others) if names]
    judge(network, f"{queue} holds {things}{f' or {others}' if others else ''}", observed, holds=as_said)


def look_at_all_machines(network: NetworkScene) -> None:
    """Ask what became of those who wait, and take all messages out of all queues, until something is wrong."""
    for machine in network.machines:
        scene = network.at(machine)
        if scene.operations:
            scene.outcomes()
        created = dict.fromkeys(creation.queue for creation in scene.creations())
        for queue in (*created, *SYSTEM):
            if is_wrong(network):
                return
            emptied(scene, queue)


@then("the specification explains what all machines hold")
def all_machines_are_explained(network: NetworkScene) -> None:
    look_at_all_machines(network)
    judge_explained(network)


@then(rf"(?P<machine>\w+) received (?P<things>{THINGS}|nothing)(?P<end> and then nothing)?")
def received(network: NetworkScene, machine: str, things: str, end: str | None) -> None:
    ended = [exchange.answer for exchange in network.at(machine).history if isinstance(exchange.event, Receive)]
    got = [answer.key for answer in ended if isinstance(answer, Got)]
    missing = [answer for answer in ended if isinstance(answer, Failed)]
    as_said = got == keys_of(things) and bool(missing) == (end is not None or things == "nothing")
    judge(network, f"{machine} received {things}{end or ''}", answers_text(ended) or "nothing", holds=as_said)


@then(r"(?P<number>\d+|nothing) (?:was said to wait|were said to wait)(?: for (?P<queue>\w+) at (?P<to>\w+))?")
def said_to_wait(network: NetworkScene, number: str, queue: str, to: str) -> None:
    answers = [exchange.answer for exchange in network.history if isinstance(exchange.answer, Outgoing)]
    waiting = dict(answers[-1].messages).get(far(to, queue), 0) if answers else 0
    judge(
        network,
        f"{number} for {queue} at {to}",
        answers_text(answers[-1:]) or "no number",
        holds=waiting == int(number),
    )


@then(r"the calls from afar (?P<answers>(?:succeeded|failed|counted \d+)(?:, (?:succeeded|failed|counted \d+))*)")
def from_afar(network: NetworkScene, answers: str) -> None:
    replies = [exchange.answer for exchange in network.history if isinstance(exchange.event, At) and exchange.event.on]
    texts = [re.sub(r"^(\d+) messages?$", r"counted \1", answers_text([answer])) for answer in replies]
    plain = ["succeeded" if word == "success" else "failed" if word == "failure" else word for word in texts]
    judge(network, answers, ", ".join(plain), holds=plain == answers.split(", "))
