"""Senders that give wrong numbers (page, section 3; MS-MQQB 3.1.1.3.1, 3.1.7.1.3)."""

from collections.abc import Sequence
from dataclasses import replace

from mqconform.harness.builtin.ordered_sender import ReferenceOrderedSender
from mqconform.harness.mutants.eod_mutant import sending
from mqconform.reference.eod import sender
from mqconform.reference.eod.elements import Numbers
from mqconform.reference.eod.sender import Message, OutgoingStream, QueuedMessage, Sent

Transmitted = tuple[OutgoingStream, Sequence[Sent]]
Numbered = tuple[OutgoingStream, Numbers]


class Numbering(ReferenceOrderedSender):
    """A sender that gives other numbers."""

    def number(self, stream: OutgoingStream, message: Message) -> Numbered:
        """Queue a message under other numbers."""
        _, right = super().number(stream, message)
        numbers = self.other(stream, right)
        return sender.queued_as(stream, message, numbers), numbers

    def other(self, stream: OutgoingStream, right: Numbers) -> Numbers:
        """Return the numbers in place of the right ones."""
        del stream
        return right


class BeginsWithTen(Numbering):
    """The first number of a stream is 10."""

    def other(self, stream: OutgoingStream, right: Numbers) -> Numbers:
        """Begin further on."""
        return right if stream.last_number else replace(right, sequence=10)


class CountsByTwo(Numbering):
    """Every other number is left out."""

    def other(self, stream: OutgoingStream, right: Numbers) -> Numbers:
        """Leave one out, but for the first."""
        return replace(right, sequence=stream.last_number + 2) if stream.last_number else right


class FirstPreviousNotZero(Numbering):
    """The first message of a stream names itself as the one before it."""

    def other(self, stream: OutgoingStream, right: Numbers) -> Numbers:
        """Link it to itself."""
        return right if stream.last_number else replace(right, previous=right.sequence)


class BeginsAnew(Numbering):
    """Once everything is acknowledged numbers begin with 1 again, in the same sequence."""

    def other(self, stream: OutgoingStream, right: Numbers) -> Numbers:
        """Begin anew."""
        return right if stream.queue else replace(right, sequence=1, previous=0)


class GivesNumberAgain(ReferenceOrderedSender):
    """The number of an expired message is given to the next one."""

    def drop(self, stream: OutgoingStream, message: Message) -> OutgoingStream:
        """Take the number back if it was the last."""
        after = super().drop(stream, message)
        last = max((one.numbers.sequence for one in after.queue), default=0)
        return replace(after, last_number=max(last, stream.last_acknowledged))


class OneCounter(Numbering):
    """All streams share one counter."""

    def __init__(self) -> None:
        super().__init__()
        self.counter = 0

    def other(self, stream: OutgoingStream, right: Numbers) -> Numbers:
        """Count for all streams."""
        self.counter += 1
        return replace(right, sequence=self.counter)

    def reset(self) -> None:
        """Become as freshly started."""
        self.counter = 0
        super().reset()


class FirstNamesItself(ReferenceOrderedSender):
    """The first message that is sent goes out with its own number as that of the one before it."""

    def send(self, stream: OutgoingStream) -> Transmitted:
        """Link it to itself."""
        after, sent = super().send(stream)
        return after, [replace(one, numbers=_to_itself(one.numbers)) for one in sent[:1]] + [*sent[1:]]


class NumbersResendsAnew(ReferenceOrderedSender):
    """Each resend gives its messages new numbers."""

    def send(self, stream: OutgoingStream) -> Transmitted:
        """Number what was transmitted anew."""
        return super().send(_anew(stream) if any(one.transmitted for one in stream.queue) else stream)


class RenumbersOnDiscard(ReferenceOrderedSender):
    """The messages behind an expired one take over the numbers before them."""

    def drop(self, stream: OutgoingStream, message: Message) -> OutgoingStream:
        """Close the gap."""
        gone = [one for one in stream.queue if one.message == message]
        after = super().drop(stream, message)
        if not gone:
            return after
        number = gone[0].numbers.sequence
        queue = tuple(_one_down(one) if one.numbers.sequence > number else one for one in after.queue)
        return replace(after, queue=queue, last_number=after.last_number - 1)


class NumbersAnewAtRestart(ReferenceOrderedSender):
    """A restart gives unacknowledged messages new numbers."""

    def recover(self, stream: OutgoingStream) -> OutgoingStream:
        """Number them anew."""
        return super().recover(_anew(stream))


def _anew(stream: OutgoingStream) -> OutgoingStream:
    """Return the stream with each message queued again."""
    fresh = replace(stream, queue=())
    for one in stream.queue:
        fresh, _ = sender.enqueue(fresh, one.message)
    return fresh


def _to_itself(numbers: Numbers) -> Numbers:
    return replace(numbers, previous=numbers.sequence)


def _one_down(one: QueuedMessage) -> QueuedMessage:
    return replace(one, numbers=replace(one.numbers, sequence=one.numbers.sequence - 1))


MUTANTS = (
    sending("sender-begins-with-ten", BeginsWithTen, "EOD-3.1.1.3.1-01"),
    sending("sender-counts-by-two", CountsByTwo, "EOD-3.1.7.1.3-01"),
    sending("sender-first-previous-not-zero", FirstPreviousNotZero, "EOD-2-07", "EOD-3-03"),
    sending("sender-first-names-itself", FirstNamesItself, "EOD-3-09"),
    sending("sender-begins-anew", BeginsAnew, "EOD-3-01"),
    sending("sender-gives-number-again", GivesNumberAgain, "EOD-3-01", "EOD-3.1.7.1.3-01"),
    sending("sender-one-counter", OneCounter, "EOD-2-05", "EOD-3.1.1.3.1-01"),
    sending("sender-numbers-resends-anew", NumbersResendsAnew, "EOD-3-10", "EOD-3.1.7.1.3-02", "EOD-2-01"),
    sending("sender-renumbers-on-discard", RenumbersOnDiscard, "EOD-3-10", "EOD-3.1.7.1.3-02"),
    sending("sender-numbers-anew-at-restart", NumbersAnewAtRestart, "EOD-3-10"),
)
