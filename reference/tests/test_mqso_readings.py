"""Open places in what a queue manager does: each reading is allowed, told by what was seen, and registered."""

import re
import tomllib
from importlib.resources import files
from typing import Any

import pytest
from mqso_histories import (
    ACKS,
    DONE,
    FAILED,
    NONE_ENDED,
    ORDERS,
    PENDING,
    PLAIN,
    START,
    T1,
    T2,
    allowed,
    got,
    opened,
    receive,
    send,
    told,
)

from mqconform.reference import mqso
from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice
from mqconform.reference.mqso import readings
from mqconform.reference.mqso.elements import (
    DEAD_LETTERS,
    JOURNAL,
    SECOND,
    TRANSACTIONAL_DEAD_LETTERS,
    Access,
    Asked,
    Assurance,
    Handle,
    Key,
    Kind,
    Message,
    Operation,
    QueueName,
    TransactionId,
)
from mqconform.reference.mqso.events import (
    Answer,
    Begin,
    Committed,
    CoordinatorBecomes,
    CreateQueue,
    DeleteQueue,
    End,
    Ended,
    Event,
    NoCoordinator,
    Open,
    Outcomes,
    Purge,
    Send,
    Start,
    Stop,
    StoreBecomes,
    Throttle,
    TimePassed,
)
from mqconform.reference.mqso.explanation import Seen
from mqconform.reference.mqso_history.check import check_history


def test_internal_transactions_may_fail_where_a_coordinator_was_lost_and_not_where_none_ever_was() -> None:
    tried = [(Begin(T1), DONE), (send("a", ORDERS, 1), FAILED)]
    failing = told((CoordinatorBecomes(lost=True), DONE), *tried)
    assert {str(one) for one in failing.readings} == {"QM-25/internal-fail"}
    assert not allowed((NoCoordinator(), DONE), *tried)
    assert allowed((NoCoordinator(), DONE), tried[0], (send("a", ORDERS, 1), DONE))
    assert allowed((NoCoordinator(), DONE), (Begin(T1, Kind.EXTERNAL), FAILED))
    assert not allowed((NoCoordinator(), DONE), (Begin(T1, Kind.EXTERNAL), DONE))


def test_the_loss_of_the_coordinator_may_abort_internal_transactions() -> None:
    lost = [(Begin(T1), DONE), (send("a", ORDERS, 1), DONE), (CoordinatorBecomes(lost=True), DONE)]
    lost.append((CoordinatorBecomes(lost=False), DONE))
    assert allowed(*lost, (End(T1, commit=True), Committed(committed=True)))
    aborted = told(*lost, (End(T1, commit=True), FAILED))
    assert {str(one) for one in aborted.readings} == {"QM-26/internal-aborted"}


def test_who_waits_gets_what_the_loss_of_the_coordinator_gives_back() -> None:
    sent = [(Begin(T1), DONE), (send("a", ORDERS, 1), DONE), (End(T1, commit=True), Committed(committed=True))]
    sent += [(Begin(T2, Kind.EXTERNAL), DONE), (receive(1, ORDERS, 2), got("a"))]
    sent += [(receive(2, ORDERS, takes=False, wait=5 * SECOND), PENDING), (CoordinatorBecomes(lost=True), DONE)]
    assert allowed(*sent, (Outcomes(), Ended(frozenset({(Operation(2), got("a"))}))))
    assert not allowed(*sent, (Outcomes(), NONE_ENDED))


@pytest.mark.parametrize(
    ("after", "followed"),
    [
        ((send("b"), (JOURNAL, "a"), (PLAIN, "a")), {"QM-18/before-the-receive"}),
        (((JOURNAL, None), (PLAIN, "a"), (JOURNAL, "a")), {"QM-18/on-receive"}),
    ],
    ids=["with the send or the arrival", "with the receive"],
)
def test_a_copy_is_in_the_journal_from_some_occasion_on(after: tuple[object, ...], followed: set[str]) -> None:
    seen: list[tuple[Event, Answer]] = [(send("a", journal=True), DONE)]
    for place, one in enumerate(after):
        if isinstance(one, tuple):
            seen.append((receive(place, one[0]), FAILED if one[1] is None else got(one[1])))
        else:
            seen.append((one, DONE))  # type: ignore[arg-type]
    explanation = told(*seen)
    assert explanation.standing is Standing.TEXT
    assert {str(one) for one in explanation.readings if one.register == "QM-18"} == followed


def test_no_copy_is_in_the_journal_twice() -> None:
    once = [(send("a", journal=True), DONE), (receive(1), got("a")), (receive(2, JOURNAL), got("a"))]
    assert allowed(*once, (receive(3, JOURNAL), FAILED))
    assert not allowed(*once, (receive(3, JOURNAL), got("a")))


def test_the_time_of_a_transactional_message_runs_from_its_send_or_from_the_commit() -> None:
    sent = [(Begin(T1), DONE), (send("a", ORDERS, 1, receive_within=5 * SECOND), DONE), (TimePassed(4 * SECOND), DONE)]
    sent += [(End(T1, commit=True), Committed(committed=True)), (TimePassed(3 * SECOND), DONE)]
    looks = receive(9, ORDERS, takes=False)
    assert {str(one) for one in told(*sent, (looks, got("a"))).readings} >= {"QM-15/from-the-commit"}
    assert {str(one) for one in told(*sent, (looks, FAILED)).readings} >= {"QM-15/from-the-send"}
    assert not allowed(*sent, (TimePassed(3 * SECOND), DONE), (looks, got("a")))


def test_a_dead_letter_of_what_was_refused_is_there_or_not() -> None:
    refused = [(send("a", ORDERS, dead_letter=True), DONE), (receive(1, ORDERS, takes=False), FAILED)]
    kept = told(*refused, (receive(2, DEAD_LETTERS), got("a")))
    assert "QM-13/any-cause" in {str(one) for one in kept.readings}
    lost = told(*refused, (receive(2, DEAD_LETTERS), FAILED))
    assert "QM-13/timers-only" in {str(one) for one in lost.readings}


def test_the_transactional_dead_letter_queue_hands_out_in_a_transaction_and_perhaps_without() -> None:
    sent = [(Begin(T1), DONE), (send("a", ORDERS, 1, receive_within=5 * SECOND, dead_letter=True), DONE)]
    sent += [(End(T1, commit=True), Committed(committed=True)), (TimePassed(9 * SECOND), DONE)]
    sent.append((receive(1, ORDERS, takes=False), FAILED))
    for answer in (got("a"), FAILED):
        assert told(*sent, (receive(2, TRANSACTIONAL_DEAD_LETTERS), answer)).standing is Standing.TEXT
    inside = [*sent, (Begin(T2), DONE)]
    assert allowed(*inside, (receive(2, TRANSACTIONAL_DEAD_LETTERS, 2), got("a")))
    assert not allowed(*inside, (receive(2, TRANSACTIONAL_DEAD_LETTERS, 2), FAILED))


@pytest.mark.parametrize("answer", [got("a"), FAILED], ids=["received", "refused"])
def test_a_receive_in_a_transaction_from_an_ordinary_queue_is_not_decided(answer: Answer) -> None:
    assert told((send("a"), DONE), (Begin(T1), DONE), (receive(1, PLAIN, 1), answer)).standing is Standing.PERMITTED


def test_with_a_full_store_what_has_to_be_stored_may_fail_and_does_so_as_a_whole() -> None:
    full = [(send("a", assurance=Assurance.RECOVERABLE), DONE), (StoreBecomes(full=True), DONE)]
    for answer, left in ((FAILED, got("a")), (got("a"), FAILED)):
        assert allowed(*full, (receive(1), answer), (StoreBecomes(full=False), DONE), (receive(2), left))
    fresh, handle = QueueName("fresh"), Handle(50)
    for answer in (DONE, FAILED):
        made = [*full, (CreateQueue(fresh), answer), (StoreBecomes(full=False), DONE)]
        assert allowed(*made, (Open(handle, fresh, Access.SEND), answer))


def test_a_deletion_may_tell_who_asked_for_negative_acknowledgments() -> None:
    asked = {"asked": frozenset({Asked.NEGATIVE}), "administration": ACKS}
    gone = [(send("a", **asked), DONE), (DeleteQueue(PLAIN), DONE)]
    for answer in (FAILED, got("negative acknowledgment of a")):
        assert allowed(*gone, (receive(1, ACKS), answer))


# Places where every answer is allowed each time, so that nothing is noted.


def test_creating_a_queue_that_is_there_may_be_told_as_success_and_changes_nothing() -> None:
    for answer in (DONE, FAILED):
        assert allowed((send("a"), DONE), (CreateQueue(PLAIN), answer), (receive(1), got("a")))
        assert not allowed((send("a"), DONE), (CreateQueue(PLAIN), answer), (receive(1), FAILED))


@pytest.mark.parametrize("commit", [True, False])
def test_who_waits_in_a_transaction_that_ends_waits_on_or_is_told(*, commit: bool) -> None:
    ended = Committed(committed=True) if commit else DONE
    waits = [(Begin(T1), DONE), (receive(1, ORDERS, 1, wait=9 * SECOND), PENDING), (End(T1, commit=commit), ended)]
    assert {str(one) for one in told(*waits, (Outcomes(), NONE_ENDED)).readings} == {"QM-49/goes-on"}
    failed = Ended(frozenset({(Operation(1), FAILED)}))
    assert {str(one) for one in told(*waits, (Outcomes(), failed)).readings} == {"QM-49/ends-with-it"}
    sent = [(Begin(T2), DONE), (send("a", ORDERS, 2), DONE), (End(T2, commit=True), Committed(committed=True))]
    late = [*waits, *sent, (Outcomes(), Ended(frozenset({(Operation(1), got("a"))}))), (Begin(TransactionId(3)), DONE)]
    assert allowed(*late, (receive(2, ORDERS, 3), FAILED))
    assert not allowed(*late, (receive(2, ORDERS, 3), got("a")))
    free = [*waits, *sent, (Outcomes(), NONE_ENDED), (Begin(TransactionId(3)), DONE)]
    assert allowed(*free, (receive(2, ORDERS, 3), got("a")))


@pytest.mark.parametrize("answer", [FAILED, got("positive acknowledgment of a")])
@pytest.mark.parametrize("assurance", [Assurance.EXPRESS, Assurance.RECOVERABLE])
def test_an_acknowledgment_outlives_a_restart_or_not(answer: Answer, assurance: Assurance) -> None:
    asked = {"asked": frozenset({Asked.REACH}), "administration": ACKS, "assurance": assurance}
    stopped = [(send("a", **asked), DONE), (Stop(), DONE), (Start(), DONE), *((one, DONE) for one in opened())]
    assert allowed(*stopped, (receive(1, ACKS), answer))


def test_a_send_to_a_queue_that_is_not_there_fails_at_some_time() -> None:
    gone, handle = QueueName("gone"), Handle(50)
    sends = Send(handle, Message(Key("a"), dead_letter=True))
    assert allowed((Open(handle, gone, Access.SEND), FAILED))
    assert allowed((Open(handle, gone, Access.SEND), DONE), (sends, FAILED), (receive(1, DEAD_LETTERS), FAILED))
    assert allowed((Open(handle, gone, Access.SEND), DONE), (sends, DONE), (receive(1, DEAD_LETTERS), got("a")))
    assert not allowed((Open(handle, gone, Access.RECEIVE), DONE))


def test_an_abort_of_a_transaction_that_is_gone_harms_nobody() -> None:
    lost = [(Begin(T1, Kind.EXTERNAL), DONE), (CoordinatorBecomes(lost=True), DONE)]
    for answer in (DONE, FAILED):
        assert allowed(*lost, (End(T1, commit=False), answer))


def test_a_receive_without_time_may_have_ended_when_its_outcome_is_asked_for() -> None:
    ended = Ended(frozenset({(Operation(1), FAILED)}))
    assert allowed((receive(1), PENDING), (Outcomes(), ended))
    assert not allowed((receive(1, wait=5 * SECOND), PENDING), (Outcomes(), ended))


def test_a_commit_while_throttled_sends_all_or_nothing() -> None:
    sent = [(Begin(T1), DONE), (send("a", ORDERS, 1), DONE), (send("b", ORDERS, 1), DONE), (Throttle(on=True), DONE)]
    looks = receive(9, ORDERS, takes=False)
    assert allowed(*sent, (End(T1, commit=True), Committed(committed=True)), (looks, got("a")))
    assert allowed(*sent, (End(T1, commit=True), Committed(committed=False)), (looks, FAILED))
    assert not allowed(*sent, (End(T1, commit=True), Committed(committed=False)), (looks, got("a")))


CHOICES = [
    choice
    for place in vars(readings).values()
    if isinstance(place, type) and issubclass(place, Choice)
    for choice in place
]
REQUIREMENTS = files("mqconform.features") / "requirements"
NOT_MODELLED = {
    "QM-04": "a step has an outcome for each reader",
    "QM-09": "the text is followed",
}


def register() -> dict[str, Any]:
    folder = REQUIREMENTS / "ambiguities"
    texts = [file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.startswith("mqso_")]
    return {entry["id"]: entry for text in texts for entry in tomllib.loads(text)["ambiguity"]}


def test_every_reading_that_a_scenario_sees_is_a_choice_here() -> None:
    seen = {
        f"{entry['id']}/{reading['id']}"
        for entry in register().values()
        if entry["testable"] and "unseen" not in entry and entry["id"] not in NOT_MODELLED
        for reading in entry["reading"]
        if "unseen" not in reading and set(reading["verdict"].values()) != {"fail"}  # what no world allows
    }
    assert seen - {str(choice.reading) for choice in CHOICES} == set()


def test_every_requirement_that_the_model_names_is_in_the_catalogue() -> None:
    known = {
        one["id"] for one in tomllib.loads((REQUIREMENTS / "mqso.toml").read_text(encoding="utf-8"))["requirement"]
    }
    named = {
        requirement
        for source in files(mqso.__name__).iterdir()
        if source.name.endswith(".py")
        for requirement in re.findall(r"MQSO-[0-9.]+-[0-9]{2}", source.read_text(encoding="utf-8"))
    }
    assert len(named) > 20
    assert named - known == set()


def test_a_send_while_throttled_may_wait_and_is_done_when_throttling_ends() -> None:
    throttled, waits, ended = (Throttle(on=True), DONE), (send("a"), PENDING), (Throttle(on=False), DONE)
    seen = (throttled, waits, (Purge(PLAIN), DONE), (receive(1), FAILED), ended, (receive(2), got("a")))
    assert allowed(*seen)
    assert check_history([Seen(*one) for one in (*((one, DONE) for one in START), *seen)]) == ()
    assert {one.name for one in told(*seen).readings} >= {"send-blocks"}
    assert not allowed(throttled, waits, (receive(1), got("a")))
    assert not allowed(waits)
    assert not allowed(throttled, waits, (send("b"), FAILED))  # it does the one or the other
    restarted = ((Stop(), DONE), (Start(), DONE), *((one, DONE) for one in opened()), ended, (receive(1), FAILED))
    assert allowed(throttled, waits, *restarted)
