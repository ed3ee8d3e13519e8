"""Queue managers with a directory: what its loss and its return leave open, and what provisioning does."""

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.directory_contact import contact_before
from mqconform.reference.mqso.elements import (
    Access,
    Assurance,
    Handle,
    Key,
    MachineName,
    Message,
    Operation,
    QueueName,
    State,
)
from mqconform.reference.mqso.events import (
    Answer,
    At,
    ChangeDomain,
    CreateQueue,
    DirectoryBecomes,
    Done,
    Event,
    Failed,
    FindQueues,
    Found,
    Got,
    Open,
    Provision,
    Receive,
    Send,
    Shown,
    ShowState,
    Start,
    Stop,
    TimePassed,
)
from mqconform.reference.mqso.explanation import Explanation, Seen, explain
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import far, public
from mqconform.reference.mqso.system import System, system_of
from mqconform.reference.mqso.transfers import SETTLED

ADMIN, HOST, SHOP = MachineName("admin"), MachineName("host"), MachineName("shop")
STOCK, NOTES = QueueName("stock"), QueueName("notes")
Step = tuple[Event, Answer]
M1 = Message(Key("m1"), Assurance.RECOVERABLE)
SETTLES: Step = (TimePassed(SETTLED), Done())
LOST, BACK = ((DirectoryBecomes(frozenset({ADMIN}), lost), Done()) for lost in (True, False))


MET: Step = (At(ADMIN, FindQueues(STOCK)), Failed())
FOUND: Step = (At(ADMIN, FindQueues(STOCK)), Found(frozenset({(far(HOST, STOCK), None)})))
ABSENT: list[Step] = [(At(ADMIN, Stop()), Done()), LOST, (At(ADMIN, Start()), Done())]
LEFT: list[Step] = [(At(ADMIN, Stop()), Done()), (ChangeDomain(ADMIN), Done()), (At(ADMIN, Start()), Done())]
RESTARTED: list[Step] = [(At(ADMIN, Stop()), Done()), (At(ADMIN, Start()), Done())]
QUEUES: list[Step] = [
    (At(HOST, CreateQueue(STOCK, public=True)), Done()),
    (At(HOST, CreateQueue(NOTES)), Done()),
    (At(HOST, Open(Handle(2), STOCK, Access.RECEIVE)), Done()),
    (At(HOST, Open(Handle(3), NOTES, Access.RECEIVE)), Done()),
    (At(ADMIN, Open(Handle(1), public(HOST, STOCK), Access.SEND)), Done()),
    (At(ADMIN, Open(Handle(4), far(HOST, NOTES), Access.SEND)), Done()),
    (At(SHOP, Open(Handle(5), far(HOST, NOTES), Access.SEND)), Done()),
]


def start() -> System:
    return system_of((ADMIN, HOST, SHOP), {ADMIN, HOST})


def explanation(*history: Step) -> Explanation:
    return explain([Seen(*step) for step in (*QUEUES, *history)], Network(), start())


def explained(*history: Step) -> bool:
    best = explanation(*history).standing
    return best is not None and best <= Standing.PERMITTED


def sends(message: Message, handle: int = 1, at: MachineName = ADMIN, answer: Answer | None = None) -> Step:
    return At(at, Send(Handle(handle), message)), answer or Done()


def receives(*keys: str, handle: int = 2) -> list[Step]:
    answers: list[Answer] = [*(Got(Key(key)) for key in keys), Failed()]
    return [(At(HOST, Receive(Operation(place), Handle(handle))), answer) for place, answer in enumerate(answers)]


def shows(mode: str, *, offline: bool) -> Step:
    return At(ADMIN, ShowState()), Shown(State.RUNNING, mode, offline)


def test_direct_names_may_wait_or_go_without_directory() -> None:
    for keys in ((), ("m1",)):
        assert explained(LOST, MET, sends(M1, 4), SETTLES, *receives(*keys, handle=3))
    assert not explained(LOST, MET, sends(M1, 4, answer=Failed()))


def test_that_the_directory_is_back_is_met_at_once_or_later_and_in_the_end() -> None:
    assert explained(LOST, MET, BACK, FOUND)
    assert explained(LOST, MET, BACK, MET)
    assert explained(LOST, MET, BACK, SETTLES, FOUND, shows("integrated", offline=False))
    assert not explained(LOST, MET, BACK, SETTLES, MET)


def test_out_of_its_domain_a_queue_manager_is_in_workgroup_mode_and_its_queues_stay_in_the_directory() -> None:
    assert explained(*LEFT, shows("workgroup", offline=False), MET, *RESTARTED, MET)
    assert explained(*LEFT, (FOUND[0], Found(frozenset())))
    assert not explained(*LEFT, FOUND)
    assert not explained(*ABSENT, (FOUND[0], Found(frozenset())))
    host_leaves = [(At(HOST, Stop()), Done()), (ChangeDomain(HOST), Done()), (At(HOST, Start()), Done())]
    assert explained(*host_leaves, SETTLES, FOUND)
    assert not explained(*host_leaves, SETTLES, (FOUND[0], Found(frozenset())))


def test_a_start_may_fail_without_directory_and_is_tried_again_as_the_register_permits() -> None:
    fails: list[Step] = [(At(ADMIN, Stop()), Done()), LOST, (At(ADMIN, Start()), Failed())]
    permitted = explanation(*fails, BACK, SETTLES, FOUND)
    assert permitted.standing is Standing.PERMITTED
    assert not explanation(*fails, SETTLES, FOUND).worlds
    assert explanation(*fails, BACK, SETTLES, MET).standing is Standing.REFUSED


def test_a_queue_manager_that_runs_may_refuse_to_be_provisioned_again() -> None:
    lost, back = ((DirectoryBecomes(frozenset({HOST}), lost), Done()) for lost in (True, False))
    first: Step = (At(HOST, Provision()), Done())
    contacts = {HOST: contact_before("north")}
    for answer in (Done(), Failed()):
        history = (lost, first, back, (At(HOST, Provision()), answer))
        best = explain((Seen(*step) for step in history), Network(), system_of(contacts, contacts=contacts)).standing
        assert best is Standing.TEXT, answer
