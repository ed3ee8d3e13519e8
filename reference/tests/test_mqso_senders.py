"""Senders and access to queues in histories: what the text and the register allow, and what no reading does."""

from mqso_histories import ANN, BOB, DONE, EVE, FAILED, START, allowed, receive, send, told

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.elements import (
    Access,
    Handle,
    Key,
    Message,
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
    Send,
)
from mqconform.reference.mqso.explanation import Seen
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
