"""What a sender sends: numbers, links, and what acknowledgments and expiry end.

Page, sections 2 and 3; MS-MQQB 3.1.7.1.3.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from mqconform.harness.iut.interface import NotApplicable
from mqconform.harness.judge.eod.sending import (
    NAMES,
    NumberedMessage,
    OutgoingScene,
    Transmission,
    names_in,
    numbers_text,
)
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_scene import then_judged
from mqconform.harness.judge.marks import bears_on
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then
from mqconform.reference.eod.readings_of_senders import FirstOfQueue, NextSequence, Relinking
from mqconform.reference.eod.sender import Message


@then(r"the numbers given in stream (?P<stream>\w+) rise")
def numbers_of_stream_rise(outgoing: OutgoingScene, stream: str) -> None:
    outgoing.witness(given_numbers_rise(outgoing.judge, outgoing.numbered[stream]))


def given_numbers_rise(judge: Judge, messages: Sequence[NumberedMessage]) -> Judgement:
    """Judge that numbers rise from message to message (EOD-3-01; register EOD-30)."""
    return _judge_given(judge, messages, "rising numbers", lambda before, after: before < after)


@then_judged(r"the numbers given in stream (?P<stream>\w+) follow one another")
def numbers_of_stream_follow_one_another(outgoing: OutgoingScene, stream: str) -> Judgement:
    """Judge that numbers follow one another (EOD-3.1.7.1.3-01; register EOD-30)."""
    return _judge_given(
        outgoing.judge,
        outgoing.numbered[stream],
        "numbers that follow one another",
        lambda before, after: before + 1 == after,
    )


def _judge_given(
    judge: Judge, messages: Sequence[NumberedMessage], expected: str, fits: Callable[[int, int], bool]
) -> Judgement:
    """Judge the numbers of neighbours, but for those between which a new sequence begins."""
    # Once all is acknowledged a sequence with numbers from 1 may begin (MS-MQQB 3.1.7.1.3).
    pairs = [(before, after) for before, after in pairwise(messages) if not after.begins]
    right = all(fits(before.numbers.sequence, after.numbers.sequence) for before, after in pairs)
    if right and len(pairs) < len(messages) - 1:
        return judge.reading(*_register_entry(NextSequence.FROM_ONE), expected, numbers_text(messages))
    return judge.says(right, expected, numbers_text(messages))


@then_judged(r"the first message of stream (?P<stream>\w+) gets number 1")
def first_message_gets_number_1(outgoing: OutgoingScene, stream: str) -> Judgement:
    """Judge the number of the first message of a stream (EOD-3.1.1.3.1-01)."""
    messages = outgoing.numbered[stream]
    return outgoing.judge.says(messages[0].numbers.sequence == 1, f"{messages[0].message}: 1", numbers_text(messages))


@then("numbers rise from message to message")
def sent_numbers_rise(outgoing: OutgoingScene) -> None:
    outgoing.witness(numbers_rise(outgoing.judge, outgoing.transmission))


def numbers_rise(judge: Judge, transmission: Transmission) -> Judgement:
    """Judge that numbers rise from message to message (EOD-3-01)."""
    right = all(before.numbers.sequence < after.numbers.sequence for before, after in pairwise(transmission.sent))
    return judge_unless_empty(judge, transmission, right, "rising numbers")


@then(r"each message goes out under the number that it was given in stream (?P<stream>\w+)")
def no_number_changed(outgoing: OutgoingScene, stream: str) -> None:
    outgoing.witness(numbers_are_those_given(outgoing.judge, outgoing.numbered[stream], outgoing.transmission))


@bears_on("EOD-3-10")
def numbers_are_those_given(judge: Judge, messages: Sequence[NumberedMessage], transmission: Transmission) -> Judgement:
    """Judge that each message goes out under the number that it got (EOD-3-10)."""
    numbers = {numbered.message: numbered.numbers.sequence for numbered in messages}
    right = all(numbers.get(sent.message) == sent.numbers.sequence for sent in transmission.sent)
    return judge_unless_empty(judge, transmission, right, f"the numbers given: {numbers_text(messages)}")


@then("each message is linked to the one before it")
def each_message_is_linked(outgoing: OutgoingScene) -> None:
    outgoing.witness(links_lead_to_the_one_before(outgoing.judge, outgoing.transmission))


@bears_on("EOD-3-02", "EOD-3-05")
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


@then_judged(r"(?P<name>m\d+) is linked to (?P<before>m\d+) in stream (?P<stream>\w+)")
def message_is_linked_to(outgoing: OutgoingScene, name: str, before: str, stream: str) -> Judgement:
    """Judge that a message that is sent again is linked to a certain one before it (EOD-3-05)."""
    messages = outgoing.numbered[stream]
    _stop_at_a_full_window([name], outgoing.transmission)
    judge, message, transmission = outgoing.judge, name, outgoing.transmission
    number = next(numbered.numbers.sequence for numbered in messages if numbered.message == before)
    sent = next((sent for sent in transmission.sent if sent.message == message), None)
    expected = f"{message} linked to {before}, number {number}"
    if sent is None:
        return judge.undecided(expected, f"{transmission}")
    return judge.says(sent.numbers.previous == number, expected, f"{transmission}")


@then("the first message has previous number zero")
def first_message_has_previous_zero(outgoing: OutgoingScene) -> None:
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


def _register_entry(choice: FirstOfQueue | NextSequence | Relinking) -> tuple[str, str]:
    return choice.reading.register, choice.reading.name


@then(rf"(?P<names>{NAMES}) (?:goes|go) out, and nothing else")
def these_go_out(outgoing: OutgoingScene, names: str) -> None:
    messages, waiting = names_in(names), _waiting(outgoing.transmission)
    assert messages[: len(waiting)] == waiting, f"the feature disagrees with the model: {messages} against {waiting}"
    outgoing.witness(holds(outgoing.judge, waiting, outgoing.transmission))


def holds(judge: Judge, messages: Sequence[Message], transmission: Transmission) -> Judgement:
    """Judge that these messages were sent, in this order, and nothing else."""
    expected = ", ".join(map(str, messages)) or "nothing"
    return judge.says([sent.message for sent in transmission.sent] == [*messages], expected, f"{transmission}")


@then("everything that waits went out as it should, and nothing else")
def all_goes_out_as_it_should(outgoing: OutgoingScene) -> None:
    """Judge messages, order, numbers and links of one transmission, or of one resend of the sender's own accord."""
    transmission = outgoing.transmission
    (messages,) = outgoing.numbered.values()
    for check in (nothing_is_left_out, nothing_else_is_sent, the_order_is_that_of_the_queue):
        outgoing.witness(check(outgoing.judge, transmission), check)
    outgoing.witness(numbers_are_those_given(outgoing.judge, messages, transmission), numbers_are_those_given)
    outgoing.witness(links_lead_to_the_one_before(outgoing.judge, transmission), links_lead_to_the_one_before)


@bears_on("EOD-3-06", "EOD-2-03")
def nothing_is_left_out(judge: Judge, transmission: Transmission) -> Judgement:
    """Judge that everything that waits is sent (page, section 3)."""
    missing = {*_waiting(transmission)} - {sent.message for sent in transmission.sent}
    return judge.says(not missing, f"all of {_names_text(_waiting(transmission))}", f"{transmission}")


@bears_on("EOD-3-07")
def nothing_else_is_sent(judge: Judge, transmission: Transmission) -> Judgement:
    """Judge that nothing is sent that was acknowledged (page, section 3)."""
    more = {sent.message for sent in transmission.sent} - {*_waiting(transmission), *transmission.kept_back}
    return judge_unless_empty(judge, transmission, not more, f"only {_names_text(_waiting(transmission))}")


@bears_on("EOD-2-02")
def the_order_is_that_of_the_queue(judge: Judge, transmission: Transmission) -> Judgement:
    """Judge the order of what is sent, of what there is of it (page, section 2)."""
    sent = [message.message for message in transmission.sent]
    queued = [message for message in _waiting(transmission) if message in sent]
    right = [message for message in sent if message in queued] == queued
    return judge_unless_empty(judge, transmission, right, f"in this order: {_names_text(queued)}")


def _waiting(transmission: Transmission) -> list[Message]:
    return [queued.message for queued in transmission.stream.queue]


def _names_text(messages: Sequence[Message]) -> str:
    return ", ".join(map(str, messages)) or "nothing"


@then("the same goes out as before")
def the_same_goes_out(outgoing: OutgoingScene) -> None:
    """Judge a stream beside others against the same stream alone (EOD-2-05)."""
    assert outgoing.earlier is not None, "nothing was sent before the sender's new start"
    alone, beside = outgoing.earlier, outgoing.transmission
    outgoing.witness(outgoing.judge.says(alone.sent == beside.sent, f"{alone}", f"{beside}"))


@then(rf"(?P<names>{NAMES}) (?:is|are) among what goes out")
def these_are_among_them(outgoing: OutgoingScene, names: str) -> None:
    """Judge that messages were sent; others may be, too."""
    messages, waiting = names_in(names), {*_waiting(outgoing.transmission), *outgoing.transmission.kept_back}
    assert waiting >= {*messages}, f"the feature disagrees with the model: {messages} against {waiting}"
    _stop_at_a_full_window(messages, outgoing.transmission)
    outgoing.witness(sends(outgoing.judge, messages, outgoing.transmission))


def sends(judge: Judge, messages: Sequence[Message], transmission: Transmission) -> Judgement:
    """Judge that these messages were among what was sent."""
    due = [message for message in messages if message not in transmission.kept_back]
    sent = {sent.message for sent in transmission.sent}
    return judge.says({*due} <= sent, f"{_names_text(messages)} among them", f"{transmission}")


def _stop_at_a_full_window(messages: Sequence[Message], transmission: Transmission) -> None:
    """Leave the case where none of some messages may go out yet: what is asked of them is not seen.

    Raises:
        NotApplicable: none may.
    """
    if transmission.kept_back.issuperset(messages):
        raise NotApplicable(f"{_names_text(messages)} waits: the sender has as many messages under way as it may")


@then_judged(rf"(?P<names>{NAMES}) (?:does|do) not go out")
def these_do_not_go_out(outgoing: OutgoingScene, names: str) -> Judgement:
    """Judge that none of these messages was sent."""
    unwanted = names_in(names)
    waiting = {*_waiting(outgoing.transmission), *outgoing.transmission.kept_back}
    assert waiting.isdisjoint(unwanted), f"the feature disagrees with the model: {unwanted} against {waiting}"
    transmission = outgoing.transmission
    right = {*unwanted}.isdisjoint(sent.message for sent in transmission.sent)
    return outgoing.judge.says(right, f"without {', '.join(map(str, unwanted))}", f"{transmission}")


def judge_unless_empty(judge: Judge, transmission: Transmission, right: bool, expected: str) -> Judgement:  # noqa: FBT001 - the one thing it is about
    """Judge a transmission, unless nothing was sent that could show it."""
    observed = f"{transmission}"
    return judge.says(right, expected, observed) if transmission.sent else judge.undecided(expected, observed)
