"""Senders and access to queues in histories: what the text and the register allow, and what no reading does."""

from mqso_histories import ANN, BOB, DONE, EVE, FAILED, MODEL, PLAIN, START, allowed, receive, send, told

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.elements import (
    Access,
    Asked,
    Handle,
    Key,
    Message,
    Operation,
    Properties,
    QueueName,
    Seal,
)
from mqconform.reference.mqso.events import (
    Answer,
    CreateQueue,
    Event,
    Got,
    JoinDomain,
    Open,
    Receive,
    Send,
    ShowState,
    Stop,
)
from mqconform.reference.mqso.explanation import Seen
from mqconform.reference.mqso.world import World
from mqconform.reference.mqso_history.check import check_history

JOINED: tuple[Event, Answer] = (JoinDomain(frozenset({ANN, BOB})), DONE)
OWN = QueueName("own")
ANNS = (CreateQueue(OWN, Properties(writers=frozenset({ANN}), readers=frozenset({ANN}))), DONE)


def got(*, authenticated: bool | None) -> Got:
    return Got(Key("a"), authenticated=authenticated)


def ends(seal: Seal | None, answer: Answer, sent: Answer = DONE) -> Standing | None:
    """Return what it is worth that a message with a seal is sent and then received so."""
    return told(JOINED, (send("a", seal=seal), sent), (receive(1), answer)).standing


def test_what_a_seal_proves() -> None:
    for seal, authenticated, standing in (
        (Seal(ANN, ANN), True, Standing.TEXT),
        (Seal(ANN, ANN), False, None),
        (Seal(EVE, EVE), False, Standing.TEXT),
        (Seal(EVE, EVE), True, None),
        (Seal(EVE, ANN), True, None),
        (Seal(None, ANN), False, Standing.TEXT),
        (Seal(None, ANN), True, None),
        (Seal(ANN, None), True, None),
        (Seal(ANN, ANN, altered=True), False, Standing.TEXT),
        (Seal(ANN, ANN, altered=True), True, None),
        (Seal(ANN, BOB), True, None),
        (Seal(ANN, BOB), False, None),
    ):
        assert ends(seal, got(authenticated=authenticated)) == standing, (seal, authenticated)


def test_whose_send_may_fail() -> None:
    for seal, standing in (
        (Seal(ANN, BOB), Standing.TEXT),
        (Seal(ANN, ANN, altered=True), Standing.TEXT),
        (Seal(EVE, EVE), Standing.PERMITTED),
        (Seal(None, ANN), Standing.PERMITTED),
        (Seal(ANN, ANN), None),
    ):
        assert ends(seal, FAILED, sent=FAILED) == standing, (seal, standing)


def test_who_is_rejected_after_the_send_is_told_as_asked_for() -> None:
    asked = {"asked": frozenset({Asked.NEGATIVE}), "administration": PLAIN}
    sent = (send("a", seal=Seal(ANN, BOB), **asked), DONE)
    assert allowed(JOINED, sent, (receive(1), Got(Key("negative acknowledgment of a"))))
    assert not allowed(JOINED, sent, (receive(1), FAILED))


def test_without_a_domain_nothing_is_said_of_senders() -> None:
    seen = [(send("a", seal=Seal(ANN, BOB)), DONE), (receive(1), got(authenticated=None))]
    assert allowed(*seen)
    assert check_history([*(Seen(event, DONE) for event in START), *(Seen(*one) for one in seen)]) == ()


def used(user: str, access: Access, opens: Answer, *more: tuple[Event, Answer]) -> bool:
    opening = Open(Handle(50), OWN, access, {"ann": ANN, "bob": BOB}[user])
    return allowed(JOINED, ANNS, (opening, opens), *more)


def test_a_list_lets_in_those_who_are_on_it() -> None:
    mine, bobs = (Send(Handle(50), Message(Key("a"), seal=Seal(user, user))) for user in (ANN, BOB))
    assert used("ann", Access.SEND, DONE, (mine, DONE))
    assert not used("ann", Access.SEND, FAILED)
    assert not used("ann", Access.SEND, DONE, (mine, FAILED))
    assert used("bob", Access.SEND, FAILED)
    assert used("bob", Access.SEND, DONE, (bobs, FAILED))
    unsigned = Send(Handle(50), Message(Key("a"), seal=Seal(ANN)))
    assert used("ann", Access.SEND, DONE, (unsigned, DONE))
    assert used("ann", Access.SEND, DONE, (unsigned, FAILED))


def test_who_may_not_receive_is_told_when_opening_or_receiving() -> None:
    for access in (Access.RECEIVE, Access.PEEK):
        looks = Receive(Operation(1), Handle(51), takes=access is Access.RECEIVE)
        there = [
            (Open(Handle(50), OWN, Access.SEND, ANN), DONE),
            (Send(Handle(50), Message(Key("a"), seal=Seal(ANN, ANN))), DONE),
        ]
        for user, answer, right in (
            (ANN, got(authenticated=True), True),
            (BOB, got(authenticated=True), False),
            (BOB, FAILED, True),
        ):
            assert allowed(JOINED, ANNS, *there, (Open(Handle(51), OWN, access, user), DONE), (looks, answer)) is right
        assert allowed(JOINED, ANNS, *there, (Open(Handle(51), OWN, access, BOB), FAILED))


def test_a_domain_outlives_a_restart() -> None:
    (joined, _), *_ = MODEL.step(World(), JOINED[0])
    stopped = {world for world, _ in MODEL.step(joined, Stop())}
    assert {world.registered for world in stopped} == {frozenset({ANN, BOB})}
    modes = {answer.mode for world in stopped for _, answer in MODEL.step(world, ShowState())}
    assert modes == {None, "integrated"}
