"""Queue managers and their domains: provisioning, another domain, and what the directory has of them (6.6)."""

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso import events
from mqconform.reference.mqso.directory_contact import Contact, Roles, contact_before, contact_in
from mqconform.reference.mqso.elements import MachineName
from mqconform.reference.mqso.explanation import Explanation, Seen, explain
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.readings import ObjectOfOldDomain
from mqconform.reference.mqso.system import system_of

HOST, OTHER = MachineName("host"), MachineName("other")
Step = tuple[events.Event, events.Answer]
LOOK = events.ShowObjects(frozenset({HOST, OTHER}), frozenset())


def shown(*objects: tuple[MachineName, str, int, bool]) -> Step:
    """Return a look at the objects: each with machine, domain, number of its identifier, whether that is its own."""
    return LOOK, events.Objects(frozenset(events.ShownObject(*one) for one in objects))


def moved_to(domain: str, machine: MachineName = HOST) -> list[Step]:
    """Return how a machine gets into another domain."""
    return [
        (events.At(machine, events.Stop()), events.Done()),
        (events.ChangeDomain(machine, domain), events.Done()),
        (events.At(machine, events.Start()), events.Done()),
    ]


def explained(*history: Step, contact: Contact | None = None, rules: Network | None = None) -> Explanation:
    """Return what explains a history of ``host`` and ``other`` in domain ``north``."""
    contacts = {HOST: contact or contact_in("north"), OTHER: contact_in("north")}
    return explain((Seen(*step) for step in history), rules or Network(), system_of(contacts, contacts=contacts))


def allowed(*history: Step, contact: Contact | None = None) -> bool:
    """Return whether the text allows a history."""
    return explained(*history, contact=contact).standing is Standing.TEXT


REPLACED: Step = (events.PutObject(HOST, "north"), events.Done())
OF_OTHER = (OTHER, "north", 1, True)


def test_who_makes_another_object_beside_its_own_skips_a_should() -> None:
    both = shown((HOST, "north", 0, False), (HOST, "south", 1, True), (OTHER, "north", 2, True))
    explanation = explained(*moved_to("south"), both)
    assert explanation.standing is Standing.REFUSED
    assert ObjectOfOldDomain.CREATED.reading in explanation.readings


def test_the_new_domain_gets_an_object_where_that_of_the_old_one_is_anothers() -> None:
    made = shown((HOST, "north", 0, False), (HOST, "south", 1, True), (OTHER, "north", 2, True))
    assert allowed(REPLACED, *moved_to("south"), made)
    assert not allowed(REPLACED, *moved_to("south"), shown((HOST, "south", 0, True), OF_OTHER))


def test_the_roles_are_those_that_were_asked_for() -> None:
    look = events.ShowObjects(frozenset(), frozenset({HOST}))
    contact = contact_in("north", Roles(routing=True, directory_type="PSC"))
    host = events.ShownObject(HOST, "north", 0, routing=True, directory=False)
    objects = events.Objects(frozenset({host, events.ShownObject(OTHER, "north", 1)}))
    assert allowed((look, objects), contact=contact)
    assert not allowed((look, objects))


def test_a_queue_manager_that_runs_may_refuse_to_be_provisioned_again() -> None:
    for answer in (events.Done(), events.Failed()):
        lost, back = ((events.DirectoryBecomes(frozenset({HOST}), lost=lost), events.Done()) for lost in (True, False))
        first, again = (
            (events.At(HOST, events.Provision()), events.Done()),
            (events.At(HOST, events.Provision()), answer),
        )
        assert allowed(lost, first, back, again, contact=contact_before("north")), answer
