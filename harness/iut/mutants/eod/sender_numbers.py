"""Senders that give wrong numbers (page, section 3; MS-MQQB 3.1.1.3.1, 3.1.7.1.3)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from mqconform.harness.iut.mutants.mutant import Mutant, altered
from mqconform.harness.iut.reference_iut.ordered_sender import ReferenceOrderedSender
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod import sender
from mqconform.reference.eod.elements import Numbers
from mqconform.reference.eod.readings_of_senders import NumbersOverSessions, SenderReadings
from mqconform.reference.eod.sender import Message, OutgoingStream, QueuedMessage, Sent

Transmitted = tuple[OutgoingStream, Sequence[Sent]]
Numbered = tuple[OutgoingStream, Numbers]

_sender = partial(Mutant, role=RoleName.ORDERED_SENDER)


def _with_last_number(
    last_number: Callable[[ReferenceOrderedSender, OutgoingStream], int],
) -> type[ReferenceOrderedSender]:
    """Return the sender that takes another number for the last one that the stream gave."""

    def number(self: ReferenceOrderedSender, stream: OutgoingStream, message: Message) -> Numbered:
        last = last_number(self, stream)
        return ReferenceOrderedSender.number(self, replace(stream, last_number=last), message)

    return altered(ReferenceOrderedSender, number=number)


def _last_of_all_streams(self: ReferenceOrderedSender, stream: OutgoingStream) -> int:
    return max((state.last_number for state in self.streams.values()), default=0)


def _links_very_first_to_itself(self: ReferenceOrderedSender, stream: OutgoingStream, message: Message) -> Numbered:
    after, numbers = ReferenceOrderedSender.number(self, stream, message)
    if stream.last_number:
        return after, numbers
    linked = _to_itself(numbers)
    return sender.queued_as(stream, message, linked), linked


def _links_first_to_itself(self: ReferenceOrderedSender, stream: OutgoingStream) -> Transmitted:
    after, messages = ReferenceOrderedSender.send(self, stream)
    return after, [replace(first, numbers=_to_itself(first.numbers)) for first in messages[:1]] + [*messages[1:]]


def _to_itself(numbers: Numbers) -> Numbers:
    return replace(numbers, previous=numbers.sequence)


def _takes_last_number_back(self: ReferenceOrderedSender, stream: OutgoingStream, message: Message) -> OutgoingStream:
    after = ReferenceOrderedSender.drop(self, stream, message)
    last = max((queued.numbers.sequence for queued in after.queue), default=0)
    return replace(after, last_number=max(last, stream.last_acknowledged))


def _closes_gap(self: ReferenceOrderedSender, stream: OutgoingStream, message: Message) -> OutgoingStream:
    expired = [queued.numbers.sequence for queued in stream.queue if queued.message == message]
    after = ReferenceOrderedSender.drop(self, stream, message)
    if not expired:
        return after
    queue = tuple(_one_down(queued) if queued.numbers.sequence > expired[0] else queued for queued in after.queue)
    return replace(after, queue=queue, last_number=after.last_number - 1)


def _one_down(queued: QueuedMessage) -> QueuedMessage:
    return replace(queued, numbers=replace(queued.numbers, sequence=queued.numbers.sequence - 1))


def _numbers_resends_anew(self: ReferenceOrderedSender, stream: OutgoingStream) -> Transmitted:
    if any(queued.transmitted for queued in stream.queue):
        anew = replace(stream, queue=())
        for queued in stream.queue:
            anew, _ = sender.enqueue(anew, queued.message)
        stream = anew
    return ReferenceOrderedSender.send(self, stream)


# Laid out by hand, as a table: name and sentence, what is different, what it violates.
MUTANTS = (
    _sender("sender-begins-with-ten", "The first number of a stream is 10.",
        make=_with_last_number(lambda self, stream: stream.last_number or 9),
        breaks=("EOD-3.1.1.3.1-01",), also=("EOD-2-05",)),
    _sender("sender-counts-by-two", "Every other number is left out.",
        make=_with_last_number(lambda self, stream: stream.last_number + 1 if stream.last_number else 0),
        breaks=("EOD-3.1.7.1.3-01",), also=("EOD-2-05", "EOD-3-01", "EOD-3.1.1.3.1-01", "EOD-3.1.1.3.1-05")),
    _sender("sender-first-previous-not-zero", "The first message of a stream names itself as the one before it.",
        make=altered(ReferenceOrderedSender, number=_links_very_first_to_itself),
        breaks=("EOD-2-07", "EOD-3-03"), also=("EOD-2-05", "EOD-3.1.1.3.1-01")),
    _sender("sender-first-names-itself",
        "The first message that is sent goes out with its own number as that of the one before it.",
        make=altered(ReferenceOrderedSender, send=_links_first_to_itself),
        breaks=("EOD-3-09",), also=("EOD-2-03", "EOD-2-05", "EOD-2-06", "EOD-3-02")),
    _sender("sender-begins-anew", "Once everything is acknowledged numbers begin with 1 again, in the same sequence.",
        make=_with_last_number(lambda self, stream: stream.last_number if stream.queue else 0),
        breaks=("EOD-3-01",), also=("EOD-2-03", "EOD-3-07")),
    _sender("sender-gives-number-again", "The number of an expired message is given to the next one.",
        make=altered(ReferenceOrderedSender, drop=_takes_last_number_back),
        breaks=("EOD-3-01", "EOD-3.1.7.1.3-01"), also=("EOD-2-03",)),
    _sender("sender-one-counter", "All streams share one counter.",
        make=_with_last_number(_last_of_all_streams),
        breaks=("EOD-2-05", "EOD-3.1.1.3.1-01")),
    _sender("sender-numbers-resends-anew", "Each resend gives its messages new numbers.",
        make=altered(ReferenceOrderedSender, send=_numbers_resends_anew),
        breaks=("EOD-3-10", "EOD-3.1.7.1.3-02", "EOD-2-01"), also=("EOD-3-05", "EOD-3.1.1.3.1-05")),
    _sender("sender-renumbers-on-discard", "The messages behind an expired one take over the numbers before them.",
        make=altered(ReferenceOrderedSender, drop=_closes_gap),
        breaks=("EOD-3-10", "EOD-3.1.7.1.3-02"), also=("EOD-2-03", "EOD-3-01", "EOD-3-07", "EOD-3.1.7.1.3-01")),
    _sender("sender-numbers-anew-at-restart", "A restart gives unacknowledged messages new numbers.",
        make=partial(ReferenceOrderedSender, SenderReadings(numbers_over_sessions=NumbersOverSessions.ANEW)),
        breaks=("EOD-3-10",), also=("EOD-2-01", "EOD-3.1.1.3.1-05")),
)  # fmt: skip
