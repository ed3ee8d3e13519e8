"""Steps of queue managers with a directory: public queues, domains, provisioning, its loss (5.1.2, 5.5.4, 6.6).

What stands around queue managers beside that is set up in ``arrangements``.
"""

from typing import Final

from mqconform.harness.iut.interface import Unsupported
from mqconform.harness.judge.mqso.network import IN, from_machine, in_transaction
from mqconform.harness.judge.mqso.queue_manager_checks import answers_text, judge
from mqconform.harness.judge.mqso.queue_manager_steps import AND, LIST, message_of
from mqconform.harness.judge.mqso.scenes import NetworkScene
from mqconform.harness.suite.steps import given, then, when
from mqconform.reference.mqso import events
from mqconform.reference.mqso.directory_contact import DOMAIN, Contact, Roles, contact_before, contact_in
from mqconform.reference.mqso.elements import MachineName, Properties, QueueName
from mqconform.reference.mqso.events import Answer, At, Event, Failed, Found, Objects, Shown, ShownObject
from mqconform.reference.mqso.networked_queue_manager import far, public

_ROOM: Final = r"(?: with room for (?P<room>\d+) messages)?"


@given("queue managers with a directory and the queues")
def with_directory(network: NetworkScene, datatable: list[list[str]]) -> None:
    """Configure machines and create queues: machine, its mode, queue or ``none``, and ``public`` or ``private``."""
    rows = datatable[1:]
    network.begin(
        dict.fromkeys(machine for machine, *_ in rows), {machine for machine, mode, *_ in rows if mode == "integrated"}
    )
    for machine, _, queue, kind in rows:
        if queue != "none" and kind == "public":
            network.publish(machine, queue, machine, Properties())
        elif queue != "none":
            network.at(machine).create(queue, Properties())


@when(rf"(?P<machine>\w+) creates public queue (?P<queue>\w+) at (?P<on>\w+){_ROOM}")
def creates_public(network: NetworkScene, machine: str, queue: str, on: str, room: str | None) -> None:
    network.publish(machine, queue, on, Properties(room=int(room) if room else None))


@when(r"(?P<machine>\w+) gives public queue (?P<queue>\w+) at (?P<on>\w+) room for (?P<room>\d+) messages")
def changes_public(network: NetworkScene, machine: str, queue: str, on: str, room: str) -> None:
    """Change a public queue, of the machine that is asked or of another one."""
    network.manage(machine, events.SetQueue(QueueName(queue), int(room)), on, public=True)


@when(r"(?P<machine>\w+) creates private queue (?P<queue>\w+)")
def creates_private(network: NetworkScene, machine: str, queue: str) -> None:
    network.at(machine).create(queue, Properties())


@when(
    rf"machine (?P<machine>\w+) sends (?P<messages>{LIST}) to public queue (?P<queue>\w+) at (?P<to>\w+){IN}"
    r"(?P<wishes>(?:, .+)?)"
)
def sends_by_name(  # noqa: PLR0913, PLR0917 - the parts of the sentence
    network: NetworkScene, machine: str, messages: str, queue: str, to: str, transaction: str | None, wishes: str
) -> None:
    scene = network.at(machine)
    with in_transaction(scene, transaction, f"for {messages}") as label:
        for key in AND.split(messages):
            scene.send(from_machine(message_of(key, wishes), machine), public(to, queue), label)


@when(r"the directory is (?P<how>lost|back) for (?P<machine>\w+)")
def directory_is_lost(network: NetworkScene, how: str, machine: str) -> None:
    """Put the directory out of the reach of one machine, or of ``all``, or bring it back."""
    network.lose_directory(machine, lost=how == "lost")


@when(r"(?P<machine>\w+) leaves its domain and is restarted")
def leaves_domain(network: NetworkScene, machine: str) -> None:
    network.at(machine).stop(suddenly=False)
    network.perform(events.ChangeDomain(MachineName(machine)))
    network.at(machine).start()


@when(r"the directory has another object for (?P<machine>\w+) and that is restarted")
def gets_another_object(network: NetworkScene, machine: str) -> None:
    network.at(machine).stop(suddenly=False)
    network.perform(events.PutObject(MachineName(machine)))
    network.at(machine).start()


@when(r"(?P<machine>\w+) looks for (?P<queue>\w+) in the directory")
def looks(network: NetworkScene, machine: str, queue: str) -> None:
    network.look_up(machine, queue)


@when(r"an administrator asks (?P<machine>\w+) for its state")
def asks_state(network: NetworkScene, machine: str) -> None:
    """Ask for the state."""
    network.at(machine).perform(events.ShowState())


@then(r"(?P<machine>\w+) (?P<what>found|did not find) (?P<queue>\w+) at (?P<at>\w+)" + _ROOM)
def found(  # noqa: PLR0913, PLR0917 - the parts of the sentence
    network: NetworkScene, machine: str, what: str, queue: str, at: str, room: str | None
) -> None:
    """Judge the last look of a machine into the directory; one that failed found nothing."""
    answer = _last(network, machine, events.FindQueues)
    entry = (far(at, queue), int(room) if room else None)
    entries = answer.queues if isinstance(answer, Found) else frozenset()
    as_said = answer is not None and (entry in entries) == (what == "found")
    judge(network, f"{machine} {what} {queue} at {at}", answers_text([answer]) if answer else "no look", holds=as_said)


_CALLS: Final[dict[str, type[Event]]] = {
    "look": events.FindQueues, "creation": events.CreateQueue, "change": events.SetQueue, "send": events.Send,
}  # fmt: skip


@then(r"the (?P<what>look|creation|change|send) of (?P<machine>\w+) (?P<how>failed|succeeded)(?:, or .+)?")
def call_ended(network: NetworkScene, what: str, machine: str, how: str) -> None:
    """Judge the answer to the last call of a kind; a send of which nothing was asked could not be begun."""
    answer = _last(network, machine, _CALLS[what])
    if answer is None and what == "send":
        answer = _last(network, machine, events.Open)
    as_said = answer is not None and isinstance(answer, Failed) == (how == "failed")
    judge(network, f"the {what} {how}", answers_text([answer]) if answer else "no call", holds=as_said)


@then(r"(?P<machine>\w+) is shown (?P<what>in workgroup mode|integrated|without directory|with directory)")
def shown_so(network: NetworkScene, machine: str, what: str) -> None:
    """Judge the mode and DirectoryOffline that were shown last.

    Raises:
        Unsupported: the implementation does not show what the step is about.
    """
    answer = _last(network, machine, events.ShowState)
    assert isinstance(answer, Shown)
    of_mode = what in {"in workgroup mode", "integrated"}
    value = answer.mode if of_mode else answer.directory_offline
    if value is None:
        raise Unsupported(f"queue_manager.state: does not show {'the mode' if of_mode else 'directory_offline'}")
    expected = {
        "in workgroup mode": "workgroup", "integrated": "integrated", "without directory": True,
        "with directory": False,
    }  # fmt: skip
    judge(network, f"{machine} is {what}", answers_text([answer]), holds=value == expected[what])


def _last(network: NetworkScene, machine: str, kind: type[Event]) -> Answer | None:
    """Return the last answer to a kind of call at a machine, None without one."""
    for exchange in reversed(network.history):
        event = exchange.event
        if isinstance(event, At) and event.machine == machine and isinstance(event.event, kind):
            return exchange.answer
    return None


_ROLES: Final = {
    "plain": Roles(),
    "routing server": Roles(routing=True),
    "directory server": Roles(directory=True, directory_type="PSC"),
    "server of both kinds": Roles(routing=True, directory=True, directory_type="PSC"),
    "plain, of directory type PSC": Roles(directory_type="PSC"),
}


@given("queue managers of domains")
def of_domains(network: NetworkScene, datatable: list[list[str]]) -> None:
    """Configure machines: machine, its domain, what it is provisioned as, and whether that was done already."""
    contacts: dict[str, Contact] = {}
    for machine, domain, roles, provisioned in datatable[1:]:
        contacts[machine] = (contact_in if provisioned == "yes" else contact_before)(domain, _ROLES[roles])
    network.begin(contacts, contacts=contacts)


@when(r"(?P<machine>\w+) is moved to domain (?P<domain>\w+) and restarted")
def is_moved(network: NetworkScene, machine: str, domain: str) -> None:
    network.at(machine).stop(suddenly=False)
    network.perform(events.ChangeDomain(MachineName(machine), domain))
    network.at(machine).start()


@when(r"the directory gets (?P<which>an|another's) object of (?P<machine>\w+) in (?P<domain>\w+)")
def gets_object(network: NetworkScene, which: str, machine: str, domain: str) -> None:
    """Put an object of a queue manager into a domain: with its identifier, or with another one."""
    network.perform(events.PutObject(MachineName(machine), domain, which == "an"))


@when(r"(?P<machine>\w+) is provisioned")
def is_provisioned(network: NetworkScene, machine: str) -> None:
    network.at(machine).perform(events.Provision())


@when(r"(?P<machine>\w+) is provisioned again, or restarted where it runs")
def is_provisioned_again(network: NetworkScene, machine: str) -> None:
    """Have a queue manager provisioned where that failed; what it does to one that runs is not said."""
    if isinstance(_provisionings(network, machine)[-1], Failed):
        is_provisioned(network, machine)
    else:
        network.at(machine).stop(suddenly=False)
        network.at(machine).start()


@when("an administrator looks at the objects of queue managers")
def looks_at_objects(network: NetworkScene) -> None:
    network.show_objects()


@then(r"the directory has (?P<what>an|no) object of (?P<machine>\w+) in (?P<domain>\w+)(?:, or .+)?")
def has_object(network: NetworkScene, what: str, machine: str, domain: str) -> None:
    there = bool(_objects(network, machine, domain))
    judge(network, f"{what} object of {machine} in {domain}", _last_look(network), holds=there == (what == "an"))


@then(r"(?P<machine>\w+) has the identifier of its object in (?P<domain>\w+)(?:, or .+)?")
def is_named_by(network: NetworkScene, machine: str, domain: str) -> None:
    """Judge whether a queue manager's identifier is that of its object.

    Raises:
        Unsupported: the implementation does not show its identifier.
    """
    objects = _objects(network, machine, domain)
    if objects and objects[-1].own is None:
        raise Unsupported("queue_manager.state: does not show the id")
    holds = bool(objects) and bool(objects[-1].own)
    judge(network, f"{machine} has the identifier of its object in {domain}", _last_look(network), holds=holds)


@then(r"the object of (?P<machine>\w+) in (?P<domain>\w+) is (?:unchanged|its object in (?P<before>\w+))(?:, or .+)?")
def is_the_same(network: NetworkScene, machine: str, domain: str, before: str | None) -> None:
    first, last = _objects(network, machine, before or domain, first=True), _objects(network, machine, domain)
    holds = bool(first) and bool(last) and first[0].number == last[0].number
    judge(network, f"the object of {machine} in {domain} unchanged", _last_look(network), holds=holds)


@then(r"the directory has (?P<machine>\w+) as (?P<roles>\w[\w ]+)")
def has_as(network: NetworkScene, machine: str, roles: str) -> None:
    """Judge the roles that the directory says of a queue manager.

    Raises:
        Unsupported: the implementation does not show them.
    """
    objects = _objects(network, machine, DOMAIN)
    if objects and objects[0].routing is None:
        raise Unsupported("queue_manager.directory_objects: does not show routing_server")
    expected = _ROLES[roles.removeprefix("a ")]
    observed = (objects[0].routing, objects[0].directory) if objects else None
    judge(
        network, f"{machine} as {roles}", _last_look(network), holds=observed == (expected.routing, expected.directory)
    )


@then("all objects of queue managers have identifiers of their own")
def are_told_apart(network: NetworkScene) -> None:
    objects = _looks(network)[-1].objects
    distinct = {entry.number for entry in objects}
    judge(network, "identifiers that differ", _last_look(network), holds=len(distinct) == len(objects))


@then(r"the provisioning of (?P<machine>\w+) (?P<how>succeeded|failed)(?:, or .+)?")
def provisioning_ended(network: NetworkScene, machine: str, how: str) -> None:
    answers = _provisionings(network, machine)
    holds = bool(answers) and isinstance(answers[-1], Failed) == (how == "failed")
    judge(network, f"the provisioning {how}", answers_text(answers[-1:]) if answers else "no provisioning", holds=holds)


def _provisionings(network: NetworkScene, machine: str) -> list[Answer]:
    """Return what every provisioning of a machine was answered, in order."""
    return [
        exchange.answer
        for exchange in network.history
        if isinstance(exchange.event, At)
        and exchange.event.machine == machine
        and isinstance(exchange.event.event, events.Provision)
    ]


def _looks(network: NetworkScene) -> list[Objects]:
    """Return what every look at the objects of queue managers has shown, in order."""
    return [exchange.answer for exchange in network.history if isinstance(exchange.answer, Objects)]


def _objects(network: NetworkScene, machine: str, domain: str, *, first: bool = False) -> list[ShownObject]:
    """Return the objects of a queue manager in a domain as the last look has shown them, or the first one."""
    objects = _looks(network)[0 if first else -1].objects
    of_machine = [entry for entry in objects if (entry.machine, entry.domain) == (machine, domain)]
    return sorted(of_machine, key=lambda entry: entry.number)


def _last_look(network: NetworkScene) -> str:
    """Return the last look at the objects in words."""
    return answers_text(_looks(network)[-1:])
