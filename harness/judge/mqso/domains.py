"""Steps of queue managers and their domains: provisioning, other domains, and what the directory has (6.6, 5.1.2)."""

from typing import Final

from pytest_bdd import parsers

from mqconform.harness.iut.interface import Unsupported
from mqconform.harness.judge.mqso.network_scene import NetworkScene
from mqconform.harness.judge.mqso.queue_manager_checks import judge, said
from mqconform.harness.suite.steps import given, then, when
from mqconform.reference.mqso import events
from mqconform.reference.mqso.directory_contact import DOMAIN, Contact, Roles, contact_before, contact_in
from mqconform.reference.mqso.elements import MachineName
from mqconform.reference.mqso.events import Answer, At, Failed, Objects, ShownObject

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


@when(parsers.re(r"(?P<machine>\w+) is moved to domain (?P<domain>\w+) and restarted"))
def is_moved(network: NetworkScene, machine: str, domain: str) -> None:
    """Take a machine into another domain while its queue manager is stopped."""
    network.at(machine).stop(suddenly=False)
    network.perform(events.ChangeDomain(MachineName(machine), domain))
    network.at(machine).start()


@when(parsers.re(r"the directory gets (?P<which>an|another's) object of (?P<machine>\w+) in (?P<domain>\w+)"))
def gets_object(network: NetworkScene, which: str, machine: str, domain: str) -> None:
    """Put an object of a queue manager into a domain: with its identifier, or with another one."""
    network.perform(events.PutObject(MachineName(machine), domain, which == "an"))


@when(parsers.re(r"(?P<machine>\w+) is provisioned"))
def is_provisioned(network: NetworkScene, machine: str) -> None:
    """Have the queue manager of a machine provisioned."""
    network.at(machine).perform(events.Provision())


@when(parsers.re(r"(?P<machine>\w+) is provisioned again, or restarted where it runs"))
def is_provisioned_again(network: NetworkScene, machine: str) -> None:
    """Have a queue manager provisioned where that failed; what it does to one that runs is not said."""
    if isinstance(_provisionings(network, machine)[-1], Failed):
        is_provisioned(network, machine)
    else:
        network.at(machine).stop(suddenly=False)
        network.at(machine).start()


@when("an administrator looks at the objects of queue managers")
def looks_at_objects(network: NetworkScene) -> None:
    """Look at what the directory has of queue managers."""
    network.show_objects()


@then(parsers.re(r"the directory has (?P<what>an|no) object of (?P<machine>\w+) in (?P<domain>\w+)(?:, or .+)?"))
def has_object(network: NetworkScene, what: str, machine: str, domain: str) -> None:
    """Judge whether the directory has an object of a queue manager in a domain."""
    there = bool(_objects(network, machine, domain))
    judge(network, f"{what} object of {machine} in {domain}", _seen(network), holds=there == (what == "an"))


@then(parsers.re(r"(?P<machine>\w+) has the identifier of its object in (?P<domain>\w+)(?:, or .+)?"))
def is_named_by(network: NetworkScene, machine: str, domain: str) -> None:
    """Judge whether a queue manager's identifier is that of its object.

    Raises:
        Unsupported: the implementation does not show its identifier.
    """
    objects = _objects(network, machine, domain)
    if objects and objects[-1].own is None:
        raise Unsupported("queue_manager.state: does not show the id")
    holds = bool(objects) and bool(objects[-1].own)
    judge(network, f"{machine} has the identifier of its object in {domain}", _seen(network), holds=holds)


@then(
    parsers.re(
        r"the object of (?P<machine>\w+) in (?P<domain>\w+) is (?:unchanged|its object in (?P<before>\w+))(?:, or .+)?"
    )
)
def is_the_same(network: NetworkScene, machine: str, domain: str, before: str | None) -> None:
    """Judge whether an object has the identifier that it had in the first look at the objects."""
    first, last = _objects(network, machine, before or domain, first=True), _objects(network, machine, domain)
    holds = bool(first) and bool(last) and first[0].number == last[0].number
    judge(network, f"the object of {machine} in {domain} unchanged", _seen(network), holds=holds)


@then(parsers.re(r"the directory has (?P<machine>\w+) as (?P<roles>\w[\w ]+)"))
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
    judge(network, f"{machine} as {roles}", _seen(network), holds=observed == (expected.routing, expected.directory))


@then("all objects of queue managers have identifiers of their own")
def are_told_apart(network: NetworkScene) -> None:
    """Judge whether the objects that were looked at last have different identifiers."""
    objects = _looks(network)[-1].objects
    distinct = {entry.number for entry in objects}
    judge(network, "identifiers that differ", _seen(network), holds=len(distinct) == len(objects))


@then(parsers.re(r"the provisioning of (?P<machine>\w+) (?P<how>succeeded|failed)(?:, or .+)?"))
def provisioning_ended(network: NetworkScene, machine: str, how: str) -> None:
    """Judge what the last provisioning of a machine was answered."""
    answers = _provisionings(network, machine)
    holds = bool(answers) and isinstance(answers[-1], Failed) == (how == "failed")
    judge(network, f"the provisioning {how}", said(answers[-1:]) if answers else "no provisioning", holds=holds)


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


def _seen(network: NetworkScene) -> str:
    """Return the last look at the objects in words."""
    return said(_looks(network)[-1:])
