"""Senders and access to queues in histories: what the text and the register allow, and what no reading does."""

from mqso_histories import ANN, BOB, DONE, EVE, START, allowed, receive, send, told

from mqconform.reference.allowed import Standing
from mqconform.reference.history.queue_manager import check_history
from mqconform.reference.mqso.elements import Key, Seal
from mqconform.reference.mqso.events import Answer, Event, Got, JoinDomain
from mqconform.reference.mqso.explanation import Seen

JOINED: tuple[Event, Answer] = (JoinDomain(frozenset({ANN, BOB})), DONE)


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
