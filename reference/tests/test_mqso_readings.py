"""Open places in what a queue manager does: each reading is allowed, told by what was seen, and registered."""

import tomllib
from importlib.resources import files
from typing import Any

from mqso_histories import DONE, FAILED, PENDING, PLAIN, START, T1, allowed, got, opened, receive, send, told

from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice
from mqconform.reference.history.queue_manager import check_history
from mqconform.reference.mqso import events, readings
from mqconform.reference.mqso.elements import SECOND, Access, Assurance, Handle, Operation, QueueName
from mqconform.reference.mqso.explanation import Seen


def test_a_receive_in_a_transaction_from_an_ordinary_queue_is_not_decided() -> None:
    for answer in (got("a"), FAILED):
        history = [(send("a"), DONE), (events.Begin(T1), DONE), (receive(1, PLAIN, 1), answer)]
        assert told(*history).standing is Standing.PERMITTED, answer


def test_with_a_full_store_what_has_to_be_stored_may_fail_and_does_so_as_a_whole() -> None:
    full = [(send("a", assurance=Assurance.RECOVERABLE), DONE), (events.StoreBecomes(full=True), DONE)]
    for answer, left in ((FAILED, got("a")), (got("a"), FAILED)):
        assert allowed(*full, (receive(1), answer), (events.StoreBecomes(full=False), DONE), (receive(2), left))
    fresh, handle = QueueName("fresh"), Handle(50)
    for answer in (DONE, FAILED):
        made = [*full, (events.CreateQueue(fresh), answer), (events.StoreBecomes(full=False), DONE)]
        assert allowed(*made, (events.Open(handle, fresh, Access.SEND), answer))


# Places where every answer is allowed each time, so that nothing is noted.


def test_a_receive_without_time_may_have_ended_when_its_outcome_is_asked_for() -> None:
    ended = events.Ended(frozenset({(Operation(1), FAILED)}))
    assert allowed((receive(1), PENDING), (events.Outcomes(), ended))
    assert not allowed((receive(1, wait=5 * SECOND), PENDING), (events.Outcomes(), ended))


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
    "QM-65": "what a commit brings has no order before it is looked at",
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


def test_a_send_while_throttled_may_wait_and_is_done_when_throttling_ends() -> None:
    throttled, waits, ended = (events.Throttle(on=True), DONE), (send("a"), PENDING), (events.Throttle(on=False), DONE)
    seen = (throttled, waits, (events.Purge(PLAIN), DONE), (receive(1), FAILED), ended, (receive(2), got("a")))
    assert allowed(*seen)
    assert check_history([Seen(*one) for one in (*((one, DONE) for one in START), *seen)]) == ()
    assert {one.name for one in told(*seen).readings} >= {"send-blocks"}
    assert not allowed(throttled, waits, (receive(1), got("a")))
    assert not allowed(waits)
    assert not allowed(throttled, waits, (send("b"), FAILED))  # it does the one or the other
    restarted = (
        (events.Stop(), DONE),
        (events.Start(), DONE),
        *((one, DONE) for one in opened()),
        ended,
        (receive(1), FAILED),
    )
    assert allowed(throttled, waits, *restarted)
