"""Queue managers and their domains: provisioning, another domain, and what the directory has of them (6.6)."""

import pytest

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.contact import Contact, Roles, contact_before, contact_in
from mqconform.reference.mqso.elements import MachineName, QueueName
from mqconform.reference.mqso.events import (
    Answer,
    At,
    ChangeDomain,
    CreateQueue,
    DirectoryBecomes,
    Done,
    Event,
    Failed,
    Objects,
    Provision,
    PutObject,
    ShownObject,
    ShowObjects,
    ShowState,
    Start,
    Stop,
)
from mqconform.reference.mqso.explanation import Explanation, Seen, explain
from mqconform.reference.mqso.faults.domains import DOMAIN_FAULTS
from mqconform.reference.mqso.faults.fault_together import FaultTogether
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.readings import ObjectOfOldDomain
from mqconform.reference.mqso.system import System, system_of

HOST, OTHER = MachineName("host"), MachineName("other")
Step = tuple[Event, Answer]
LOOK = ShowObjects(frozenset({HOST, OTHER}), frozenset())


def shown(*objects: tuple[MachineName, str, int, bool]) -> Step:
    """Return a look at the objects: each with machine, domain, number of its identifier, whether that is its own."""
    return LOOK, Objects(frozenset(ShownObject(*one) for one in objects))


def moved_to(domain: str, machine: MachineName = HOST) -> list[Step]:
    """Return how a machine gets into another domain."""
    return [(At(machine, Stop()), Done()), (ChangeDomain(machine, domain), Done()), (At(machine, Start()), Done())]


def explained(*history: Step, contact: Contact | None = None, rules: Network | None = None) -> Explanation:
    """Return what explains a history of ``host`` and ``other`` in domain ``north``."""
    contacts = {HOST: contact or contact_in("north"), OTHER: contact_in("north")}
    return explain((Seen(*step) for step in history), rules or Network(), system_of(contacts, contacts=contacts))


def allowed(*history: Step, contact: Contact | None = None) -> bool:
    """Return whether the text allows a history."""
    return explained(*history, contact=contact).standing is Standing.TEXT


REPLACED: Step = (PutObject(HOST, "north"), Done())
OF_OTHER = (OTHER, "north", 1, True)


def test_its_own_object_is_moved_or_waits() -> None:
    assert allowed(*moved_to("south"), shown((HOST, "south", 0, True), OF_OTHER))
    assert allowed(*moved_to("south"), shown((HOST, "north", 0, True), OF_OTHER))
    assert not allowed(*moved_to("south"), shown((*OF_OTHER[:2], 0, True)))


def test_another_object_beside_its_own_is_refused() -> None:
    both = shown((HOST, "north", 0, False), (HOST, "south", 1, True), (OTHER, "north", 2, True))
    explanation = explained(*moved_to("south"), both)
    assert explanation.standing is Standing.REFUSED
    assert ObjectOfOldDomain.CREATED.reading in explanation.readings


def test_the_new_domain_gets_an_object_where_that_of_the_old_one_is_anothers() -> None:
    made = shown((HOST, "north", 0, False), (HOST, "south", 1, True), (OTHER, "north", 2, True))
    assert allowed(REPLACED, *moved_to("south"), made)
    assert not allowed(REPLACED, *moved_to("south"), shown((HOST, "south", 0, True), OF_OTHER))


@pytest.mark.parametrize("own", [True, False])
def test_an_object_of_the_new_domain_is_left_as_it_is(*, own: bool) -> None:
    put = (PutObject(HOST, "south", own), Done())
    north, south = (HOST, "north", 0, True), (HOST, "south", 0 if own else 1, own)
    other = (OTHER, "north", 1 if own else 2, True)
    looks = shown(north, south, other)
    assert allowed(put, looks, *moved_to("south"), looks)


def test_provisioning_without_directory_fails_and_works_later() -> None:
    new = contact_before("north", Roles(routing=True))
    lost, back = (DirectoryBecomes(frozenset({HOST}), lost) for lost in (True, False))
    tries: list[Step] = [(lost, Done()), (At(HOST, Provision()), Failed()), (back, Done())]
    there = shown((HOST, "north", 0, True), OF_OTHER)
    assert allowed(shown((OTHER, "north", 0, True)), *tries, (At(HOST, Provision()), Done()), contact=new)
    assert allowed(*tries, (At(HOST, Provision()), Done()), there, contact=new)
    assert not allowed(*tries, (At(HOST, Provision()), Failed()), contact=new)


def test_the_roles_are_those_that_were_asked_for() -> None:
    look = ShowObjects(frozenset(), frozenset({HOST}))
    contact = contact_in("north", Roles(routing=True, directory_type="PSC"))
    host = ShownObject(HOST, "north", 0, routing=True, directory=False)
    objects = Objects(frozenset({host, ShownObject(OTHER, "north", 1)}))
    assert allowed((look, objects), contact=contact)
    assert not allowed((look, objects))


HISTORIES: list[tuple[Contact | None, list[Step]]] = [
    (None, [REPLACED, *moved_to("south"), *moved_to("south")]),
    (None, [*moved_to("south")]),
    (None, [(PutObject(HOST, "south", own=True), Done()), *moved_to("south")]),
    (None, [(PutObject(HOST, "south"), Done()), *moved_to("south")]),
    (
        None,
        [
            (PutObject(HOST, "south", own=True), Done()),
            (DirectoryBecomes(frozenset({HOST}), lost=True), Done()),
            *moved_to("south"),
            (DirectoryBecomes(frozenset({HOST}), lost=False), Done()),
            *moved_to("south"),
        ],
    ),
    (contact_in("north", Roles(routing=True)), []),
    (contact_in("north", Roles(directory_type="PSC")), []),
    (
        contact_before("north"),
        [
            (DirectoryBecomes(frozenset({HOST}), lost=True), Done()),
            (At(HOST, Provision()), Failed()),
            (DirectoryBecomes(frozenset({HOST}), lost=False), Done()),
            (At(HOST, Provision()), Done()),
        ],
    ),
]
"""What shows one fault or the other, each before a last look at the objects."""


@pytest.mark.parametrize("fault", DOMAIN_FAULTS, ids=lambda fault: fault.name)
def test_each_fault_shows(fault: FaultTogether) -> None:
    assert any(shows(fault, contact, history) for contact, history in HISTORIES)


def shows(fault: FaultTogether, contact: Contact | None, history: list[Step]) -> bool:
    """Return whether something that a fault may answer in a history, or to a last look, is not allowed."""
    contacts = {HOST: contact or contact_in("north"), OTHER: contact_in("north")}
    start = system_of(contacts, contacts=contacts)
    lives: list[tuple[System, list[Seen]]] = [(start, [])]
    looks: list[Event] = [ShowObjects(frozenset(contacts), frozenset(contacts)), At(HOST, ShowState())]
    for event in (*(event for event, _ in history), *looks):
        lives = [
            (after, [*seen, Seen(event, answer)])
            for system, seen in lives
            for after, answer in fault.model.happens(event, system)
            if after.standing is Standing.TEXT
        ]
    standings = (explain(seen, Network(), start).standing for _, seen in lives)
    return any(standing is None or standing > Standing.PERMITTED for standing in standings)


def test_an_object_that_is_replaced_right_after_a_start_hinders_nothing_until_the_next() -> None:
    restarted: list[Step] = [(At(HOST, Stop()), Done()), (At(HOST, Start()), Done()), REPLACED]
    assert allowed(*restarted, (At(HOST, CreateQueue(QueueName("stock"), public=True)), Done()))


@pytest.mark.parametrize(
    ("integrated", "standing"), [(True, Standing.REFUSED), (False, Standing.PERMITTED)], ids=["skipped", "as-left"]
)
def test_who_gets_no_object_in_another_domain_skips_a_should_or_takes_the_change_for_leaving(
    integrated: bool,  # noqa: FBT001 - a parameter of pytest
    standing: Standing,
) -> None:
    created = (At(HOST, CreateQueue(QueueName("stock"), public=True)), Done() if integrated else Failed())
    history = [REPLACED, *moved_to("south"), created, shown((HOST, "north", 0, False), OF_OTHER)]
    assert explained(*history).standing is standing


@pytest.mark.parametrize("answer", [Done(), Failed()])
def test_a_queue_manager_that_runs_may_refuse_to_be_provisioned_again(answer: Answer) -> None:
    lost, back = ((DirectoryBecomes(frozenset({HOST}), lost=lost), Done()) for lost in (True, False))
    first, again = (At(HOST, Provision()), Done()), (At(HOST, Provision()), answer)
    assert allowed(lost, first, back, again, contact=contact_before("north"))
