"""Previous numbers: how a sender links each message to the one before it (page, sections 2 and 3)."""

from collections.abc import Sequence
from itertools import pairwise

from pytest_bdd import parsers, then

from mqconform.harness.judge.eod.sending import NumberedMessage, OutgoingScene, Transmission, numbers_text
from mqconform.harness.judge.eod.transmission import judge_unless_empty
from mqconform.harness.judge.judge import Judge
from mqconform.harness.records.witness import Judgement
from mqconform.reference.eod.readings_of_senders import FirstOfQueue, Relinking
from mqconform.reference.eod.sender import Message


@then(parsers.re(r"each message of stream (?P<stream>\w+) gets a number, and that of the one before it"))
def each_message_gets_numbers(outgoing: OutgoingScene, stream: str) -> None:
    """Judge what messages got when they were queued."""
    outgoing.witness(carries_its_numbers(outgoing.judge, outgoing.given[stream]))


def carries_its_numbers(judge: Judge, given: Sequence[NumberedMessage]) -> Judgement:
    """Judge that each message got a number of its own and the number of the one before it (EOD-2-04, EOD-2-06)."""
    right = all(
        after.numbers.previous == before.numbers.sequence != after.numbers.sequence for before, after in pairwise(given)
    )
    return judge.says(right, "a number for each message, and with it that of the one before it", numbers_text(given))


@then(parsers.re(r"the first message of stream (?P<stream>\w+) gets previous number zero"))
def first_message_gets_previous_zero(outgoing: OutgoingScene, stream: str) -> None:
    """Judge the previous number of the first message."""
    outgoing.witness(first_given_has_previous_zero(outgoing.judge, outgoing.given[stream]))


def first_given_has_previous_zero(judge: Judge, given: Sequence[NumberedMessage]) -> Judgement:
    """Judge the previous number of the first message of a stream (EOD-2-07, EOD-3-03)."""
    return judge.says(given[0].numbers.previous == 0, f"{given[0].message} after 0", numbers_text(given))


@then("each message is linked to the one before it")
def each_message_is_linked(outgoing: OutgoingScene) -> None:
    """Judge the previous numbers of what was sent, but for the first."""
    outgoing.witness(links_lead_to_the_one_before(outgoing.judge, outgoing.transmission))


def links_lead_to_the_one_before(judge: Judge, transmission: Transmission) -> Judgement:
    """Judge that each message but the first is linked to the one before it (EOD-3-02, EOD-3-05; register EOD-15)."""
    expected, observed = "each message linked to the one before it", f"{transmission}"
    for before, after in pairwise(transmission.sent):
        if after.numbers.previous == before.numbers.sequence:
            continue
        queued = transmission.queued(after.message)
        first = queued is not None and not queued.transmitted and not transmission.stream.bridging
        if first and queued is not None and before.numbers.sequence < after.numbers.previous < after.numbers.sequence:
            return judge.reading(*_register_entry(Relinking.ON_RESENDS), expected, observed)
        return judge.says(False, expected, observed)
    return judge_unless_empty(judge, transmission, True, expected)


@then(parsers.re(r"(?P<name>m\d+) is linked to (?P<before>m\d+) in stream (?P<stream>\w+)"))
def message_is_linked_to(outgoing: OutgoingScene, name: str, before: str, stream: str) -> None:
    """Judge the previous number of a message by name."""
    given = outgoing.given[stream]
    outgoing.witness(is_linked_to(outgoing.judge, name, before, given, outgoing.transmission))


def is_linked_to(
    judge: Judge, message: Message, before: Message, given: Sequence[NumberedMessage], transmission: Transmission
) -> Judgement:
    """Judge that a message that is sent again is linked to a certain one before it (EOD-3-05)."""
    number = next(numbered.numbers.sequence for numbered in given if numbered.message == before)
    sent = next((sent for sent in transmission.sent if sent.message == message), None)
    expected = f"{message} linked to {before}, number {number}"
    if sent is None:
        return judge.undecided(expected, f"{transmission}")
    return judge.says(sent.numbers.previous == number, expected, f"{transmission}")


@then("the first message has previous number zero")
def first_message_has_previous_zero(outgoing: OutgoingScene) -> None:
    """Judge the previous number of the first message that was sent."""
    outgoing.witness(first_has_previous_zero(outgoing.judge, outgoing.transmission))


def first_has_previous_zero(judge: Judge, transmission: Transmission) -> Judgement:
    """Judge the previous number of the first message of the queue (EOD-3-09; registers EOD-14, EOD-15, EOD-27)."""
    expected, observed = "previous number zero on the first message", f"{transmission}"
    if not transmission.sent:
        return judge.undecided(expected, observed)
    reading = _reading_of_first(transmission)
    if reading is not None:
        return judge.reading(*reading, expected, observed)
    return judge.says(transmission.sent[0].numbers.previous == 0, expected, observed)


def _reading_of_first(transmission: Transmission) -> tuple[str, str] | None:
    """Return the reading that the previous number of the first message follows, None where none is needed."""
    numbers, queued = transmission.sent[0].numbers, transmission.queued(transmission.sent[0].message)
    if queued is None:
        return None
    first = not (queued.transmitted or transmission.stream.bridging)
    acknowledged = transmission.stream.last_acknowledged
    match numbers.previous:
        case 0:
            return _register_entry(FirstOfQueue.ZERO) if first and acknowledged else None
        case previous if previous == acknowledged:
            return _register_entry(FirstOfQueue.ZERO_ON_RESENDS if first else FirstOfQueue.NEVER_ZERO)
        case previous if first and acknowledged < previous < numbers.sequence:
            return _register_entry(Relinking.ON_RESENDS)  # what had that number has expired and left the queue
        case previous if not first and previous == queued.numbers.previous:
            return "EOD-14", "as-first-sent"
    return None


def _register_entry(choice: FirstOfQueue | Relinking) -> tuple[str, str]:
    return choice.reading.register, choice.reading.name
