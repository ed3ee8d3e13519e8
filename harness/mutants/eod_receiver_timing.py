"""Receivers that acknowledge at the wrong time (page, section 4; MS-MQQB 3.1.1.3.1, 3.1.1.6.2)."""

from dataclasses import replace

from mqconform.harness.builtin.ordered_receiver import ReferenceOrderedReceiver
from mqconform.harness.iut import Json
from mqconform.harness.mutants.eod_mutant import receiving
from mqconform.reference.eod.elements import ORDER_ACK_TIMEOUT, SECOND, Numbers
from mqconform.reference.eod.order_ack import IDLE
from mqconform.reference.eod.receiver import IncomingStream, Judgement

Reaction = tuple[IncomingStream, Judgement]


class Scheduling(ReferenceOrderedReceiver):
    """A receiver whose timer runs otherwise."""

    def react(self, stream: IncomingStream, message: Numbers) -> Reaction:
        """Set another deadline."""
        after, judgement = super().react(stream, message)
        timer = replace(after.order_ack_timer, deadline=self.deadline(stream, after, judgement))
        return replace(after, order_ack_timer=timer), judgement

    def deadline(self, before: IncomingStream, after: IncomingStream, judgement: Judgement) -> int | None:
        """Return when the acknowledgment is due, None for never."""
        del before, judgement
        return after.order_ack_timer.deadline


class AfterASecond(Scheduling):
    """The acknowledgment is due a second after an arrival."""

    def deadline(self, before: IncomingStream, after: IncomingStream, judgement: Judgement) -> int | None:
        """Wait twice as long."""
        return self.now + SECOND


class AtOnce(Scheduling):
    """The acknowledgment goes out at once."""

    def deadline(self, before: IncomingStream, after: IncomingStream, judgement: Judgement) -> int | None:
        """Wait for nothing."""
        return self.now


class Never(Scheduling):
    """No acknowledgment goes out of itself."""

    def deadline(self, before: IncomingStream, after: IncomingStream, judgement: Judgement) -> int | None:
        """Start no timer."""
        return None


class NotPutOff(Scheduling):
    """A further arrival leaves a running timer alone."""

    def deadline(self, before: IncomingStream, after: IncomingStream, judgement: Judgement) -> int | None:
        """Keep the first deadline."""
        return before.order_ack_timer.deadline or after.order_ack_timer.deadline


class PutOffForEver(Scheduling):
    """Steady arrivals put the acknowledgment off for ever."""

    def deadline(self, before: IncomingStream, after: IncomingStream, judgement: Judgement) -> int | None:
        """Begin anew each time."""
        return self.now + ORDER_ACK_TIMEOUT


class RejectionStopsIt(Scheduling):
    """A rejected message stops the timer."""

    def deadline(self, before: IncomingStream, after: IncomingStream, judgement: Judgement) -> int | None:
        """Stop."""
        return after.order_ack_timer.deadline if judgement.accepted else None


class RejectionWaitsLonger(Scheduling):
    """A rejected message is acknowledged after a second."""

    def deadline(self, before: IncomingStream, after: IncomingStream, judgement: Judgement) -> int | None:
        """Take more time."""
        return after.order_ack_timer.deadline if judgement.accepted else self.now + SECOND


class OnlyFirst(Scheduling):
    """A stream is acknowledged once and never again."""

    def deadline(self, before: IncomingStream, after: IncomingStream, judgement: Judgement) -> int | None:
        """Start no timer once an acknowledgment went out."""
        return None if after.order_ack_timer.last_sent else after.order_ack_timer.deadline


class GoesOn(ReferenceOrderedReceiver):
    """Acknowledgments go out every half second, whether messages arrive or not."""

    def advance_clock(self, seconds: float) -> Json:
        """Set the timer again once it has ended."""
        sent = super().advance_clock(seconds)
        self.streams = {
            key: replace(one, order_ack_timer=replace(one.order_ack_timer, deadline=self.now + ORDER_ACK_TIMEOUT))
            if one.order_ack_timer.deadline is None and one.order_ack_timer != IDLE
            else one
            for key, one in self.streams.items()
        }
        return sent


MUTANTS = (
    receiving("receiver-acknowledges-after-a-second", AfterASecond, "EOD-3.1.1.3.1-03"),
    receiving("receiver-acknowledges-at-once", AtOnce, "EOD-3.1.1.3.1-03", "EOD-3.1.1.6.2-02"),
    receiving("receiver-never-acknowledges", Never, "EOD-4-09", "EOD-3.1.1.6.2-01"),
    receiving("receiver-does-not-put-off", NotPutOff, "EOD-3.1.1.6.2-02"),
    receiving("receiver-puts-off-for-ever", PutOffForEver, "EOD-3.1.1.6.2-03", "EOD-3.1.1.3.1-04"),
    receiving("receiver-rejection-stops-timer", RejectionStopsIt, "EOD-4-10"),
    receiving("receiver-rejection-waits-longer", RejectionWaitsLonger, "EOD-3.1.1.6.2-04"),
    receiving("receiver-acknowledges-once", OnlyFirst, "EOD-4-09"),
    receiving("receiver-acknowledges-on-and-on", GoesOn, "EOD-3.1.1.6.2-05"),
)
