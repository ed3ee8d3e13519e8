"""The numbers that a sender gives its messages and sends them under (page, section 3; MS-MQQB 3.1.7.1.3)."""

from collections.abc import Sequence
from itertools import pairwise

from pytest_bdd import parsers, then

from mqconform.harness.judge.eod.sending import NumberedMessage, OutgoingScene, Transmission, numbers_text
from mqconform.harness.judge.eod.transmission import judge_unless_empty
from mqconform.harness.judge.judge import Judge
from mqconform.harness.records.witness import Judgement


@then(parsers.re(r"the numbers given in stream (?P<stream>\w+) rise"))
def numbers_of_stream_rise(outgoing: OutgoingScene, stream: str) -> None:
    """Judge the numbers that messages got."""
    outgoing.witness(given_numbers_rise(outgoing.judge, outgoing.given[stream]))


def given_numbers_rise(judge: Judge, given: Sequence[NumberedMessage]) -> Judgement:
    """Judge that numbers rise from message to message (EOD-3-01)."""
    right = all(before.numbers.sequence < after.numbers.sequence for before, after in pairwise(given))
    return judge.says(right, "rising numbers", numbers_text(given))


@then(parsers.re(r"the numbers given in stream (?P<stream>\w+) follow one another"))
def numbers_of_stream_follow_one_another(outgoing: OutgoingScene, stream: str) -> None:
    """Judge that no number is left out."""
    outgoing.witness(given_numbers_have_no_gap(outgoing.judge, outgoing.given[stream]))


def given_numbers_have_no_gap(judge: Judge, given: Sequence[NumberedMessage]) -> Judgement:
    """Judge that numbers follow one another (EOD-3.1.7.1.3-01)."""
    right = all(before.numbers.sequence + 1 == after.numbers.sequence for before, after in pairwise(given))
    return judge.says(right, "numbers that follow one another", numbers_text(given))


@then(parsers.re(r"the first message of stream (?P<stream>\w+) gets number 1"))
def first_message_gets_number_1(outgoing: OutgoingScene, stream: str) -> None:
    """Judge the number of the first message."""
    outgoing.witness(first_given_is_1(outgoing.judge, outgoing.given[stream]))


def first_given_is_1(judge: Judge, given: Sequence[NumberedMessage]) -> Judgement:
    """Judge the number of the first message of a stream (EOD-3.1.1.3.1-01)."""
    return judge.says(given[0].numbers.sequence == 1, f"{given[0].message}: 1", numbers_text(given))


@then("numbers rise from message to message")
def sent_numbers_rise(outgoing: OutgoingScene) -> None:
    """Judge the numbers of what was sent."""
    outgoing.witness(numbers_rise(outgoing.judge, outgoing.transmission))


def numbers_rise(judge: Judge, transmission: Transmission) -> Judgement:
    """Judge that numbers rise from message to message (EOD-3-01)."""
    right = all(before.numbers.sequence < after.numbers.sequence for before, after in pairwise(transmission.sent))
    return judge_unless_empty(judge, transmission, right, "rising numbers")


@then(parsers.re(r"each message goes out under the number that it was given in stream (?P<stream>\w+)"))
def no_number_changed(outgoing: OutgoingScene, stream: str) -> None:
    """Judge that no number changed."""
    outgoing.witness(numbers_are_those_given(outgoing.judge, outgoing.given[stream], outgoing.transmission))


def numbers_are_those_given(judge: Judge, given: Sequence[NumberedMessage], transmission: Transmission) -> Judgement:
    """Judge that each message goes out under the number that it got (EOD-3-10)."""
    numbers = {numbered.message: numbered.numbers.sequence for numbered in given}
    right = all(numbers.get(sent.message) == sent.numbers.sequence for sent in transmission.sent)
    return judge_unless_empty(judge, transmission, right, f"the numbers given: {numbers_text(given)}")
