"""Judgements on what a sender gives its messages and sends (page, section 3; MS-MQQB 3.1.7.1.3).

What is sent is held against the numbers that the sender was seen to give: which number a message has is its own affair
as far as a rule does not say otherwise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from mqconform.harness.oracle.judge import Judge
from mqconform.harness.witness import Judgement
from mqconform.reference.eod.elements import Numbers
from mqconform.reference.eod.readings_of_senders import FirstOfQueue, Relinking
from mqconform.reference.eod.sender import Message, OutgoingStream, QueuedMessage, Sent


@dataclass(frozen=True, slots=True)
class Given:
    """A message and the numbers that it got when it was queued."""

    message: Message
    numbers: Numbers


@dataclass(frozen=True, slots=True)
class Transmission:
    """What a sender sent, and the stream as it was before, with the numbers that the sender gave."""

    stream: OutgoingStream
    sent: tuple[Sent, ...]

    @property
    def told(self) -> str:
        """What was sent, in words."""
        return "; ".join(map(str, self.sent)) or "nothing"

    def queued(self, message: Message) -> QueuedMessage | None:
        """Return a message that waits, None where none of that name does."""
        return next((one for one in self.stream.queue if one.message == message), None)


def holds(judge: Judge, wanted: Sequence[Message], seen: Transmission) -> Judgement:
    """Judge that these messages were sent, in this order, and nothing else."""
    expected = ", ".join(map(str, wanted)) or "nothing"
    return judge.says([one.message for one in seen.sent] == [*wanted], expected, seen.told)


def sends(judge: Judge, wanted: Sequence[Message], seen: Transmission) -> Judgement:
    """Judge that these messages were among what was sent."""
    missing = {*wanted} - {one.message for one in seen.sent}
    return judge.says(not missing, f"{', '.join(map(str, wanted))} among them", seen.told)


def does_not_send(judge: Judge, unwanted: Sequence[Message], seen: Transmission) -> Judgement:
    """Judge that none of these messages was sent."""
    right = {*unwanted}.isdisjoint(one.message for one in seen.sent)
    return judge.says(right, f"without {', '.join(map(str, unwanted))}", seen.told)


def numbers_are_those_given(judge: Judge, given: Sequence[Given], seen: Transmission) -> Judgement:
    """Judge that each message goes out under the number that it got (EOD-3-10)."""
    numbers = {one.message: one.numbers.sequence for one in given}
    right = all(numbers.get(one.message) == one.numbers.sequence for one in seen.sent)
    return _unless_empty(judge, seen, right, f"the numbers given: {_told(given)}")


def numbers_rise(judge: Judge, seen: Transmission) -> Judgement:
    """Judge that numbers rise from message to message (EOD-3-01)."""
    right = all(one.numbers.sequence < other.numbers.sequence for one, other in pairwise(seen.sent))
    return _unless_empty(judge, seen, right, "rising numbers")


def links_lead_to_the_one_before(judge: Judge, seen: Transmission) -> Judgement:
    """Judge that each message but the first is linked to the one before it (EOD-3-02, EOD-3-05; register EOD-15)."""
    expected = "each message linked to the one before it"
    for before, one in pairwise(seen.sent):
        if one.numbers.previous == before.numbers.sequence:
            continue
        queued = seen.queued(one.message)
        first = queued is not None and not queued.transmitted and not seen.stream.bridging
        if first and queued is not None and before.numbers.sequence < one.numbers.previous < one.numbers.sequence:
            return judge.reading(*_named(Relinking.ON_RESENDS), expected, seen.told)
        return judge.says(False, expected, seen.told)
    return _unless_empty(judge, seen, True, expected)


def first_has_previous_zero(judge: Judge, seen: Transmission) -> Judgement:
    """Judge the previous number of the first message of the queue (EOD-3-09; registers EOD-14, EOD-15, EOD-27)."""
    expected = "previous number zero on the first message"
    if not seen.sent:
        return judge.undecided(expected, seen.told)
    reading = _reading_of_first(seen)
    if reading is not None:
        return judge.reading(*reading, expected, seen.told)
    return judge.says(seen.sent[0].numbers.previous == 0, expected, seen.told)


def _reading_of_first(seen: Transmission) -> tuple[str, str] | None:
    """Return the reading that the previous number of the first message follows, None where none is needed."""
    numbers, queued = seen.sent[0].numbers, seen.queued(seen.sent[0].message)
    if queued is None:
        return None
    first = not (queued.transmitted or seen.stream.bridging)
    acknowledged = seen.stream.last_acknowledged
    match numbers.previous:
        case 0:
            return _named(FirstOfQueue.ZERO) if first and acknowledged else None
        case previous if previous == acknowledged:
            return _named(FirstOfQueue.ZERO_ON_RESENDS if first else FirstOfQueue.NEVER_ZERO)
        case previous if first and acknowledged < previous < numbers.sequence:
            return _named(Relinking.ON_RESENDS)  # what had that number has expired: it is not in the queue any more
        case previous if not first and previous == queued.numbers.previous:
            return "EOD-14", "as-first-sent"
    return None


def _named(choice: FirstOfQueue | Relinking) -> tuple[str, str]:
    return choice.reading.register, choice.reading.name


def is_linked_to(
    judge: Judge, message: Message, before: Message, given: Sequence[Given], seen: Transmission
) -> Judgement:
    """Judge that a message that is sent again is linked to a certain one before it (EOD-3-05)."""
    number = next(one.numbers.sequence for one in given if one.message == before)
    sent = next((one for one in seen.sent if one.message == message), None)
    expected = f"{message} linked to {before}, number {number}"
    if sent is None:
        return judge.undecided(expected, seen.told)
    return judge.says(sent.numbers.previous == number, expected, seen.told)


def carries_its_numbers(judge: Judge, given: Sequence[Given]) -> Judgement:
    """Judge that each message got a number of its own and the number of the one before it (EOD-2-04, EOD-2-06)."""
    right = all(
        other.numbers.previous == one.numbers.sequence != other.numbers.sequence for one, other in pairwise(given)
    )
    return judge.says(right, "a number for each message, and with it that of the one before it", _told(given))


def given_numbers_rise(judge: Judge, given: Sequence[Given]) -> Judgement:
    """Judge that numbers rise from message to message (EOD-3-01)."""
    right = all(one.numbers.sequence < other.numbers.sequence for one, other in pairwise(given))
    return judge.says(right, "rising numbers", _told(given))


def given_numbers_have_no_gap(judge: Judge, given: Sequence[Given]) -> Judgement:
    """Judge that numbers follow one another (EOD-3.1.7.1.3-01)."""
    right = all(one.numbers.sequence + 1 == other.numbers.sequence for one, other in pairwise(given))
    return judge.says(right, "numbers that follow one another", _told(given))


def first_given_is_1(judge: Judge, given: Sequence[Given]) -> Judgement:
    """Judge the number of the first message of a stream (EOD-3.1.1.3.1-01)."""
    return judge.says(given[0].numbers.sequence == 1, f"{given[0].message}: 1", _told(given))


def first_given_has_previous_zero(judge: Judge, given: Sequence[Given]) -> Judgement:
    """Judge the previous number of the first message of a stream (EOD-2-07, EOD-3-03)."""
    return judge.says(given[0].numbers.previous == 0, f"{given[0].message} after 0", _told(given))


def _told(given: Sequence[Given]) -> str:
    return "; ".join(f"{one.message}: {one.numbers}" for one in given)


def _unless_empty(judge: Judge, seen: Transmission, right: bool, expected: str) -> Judgement:  # noqa: FBT001 - the one thing it is about
    """Judge, unless nothing was sent that could show it."""
    return judge.says(right, expected, seen.told) if seen.sent else judge.undecided(expected, seen.told)
