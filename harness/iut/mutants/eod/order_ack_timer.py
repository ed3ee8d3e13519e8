"""Receivers that acknowledge at the wrong time (page, section 4; MS-MQQB 3.1.1.3.1, 3.1.1.6.2)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mutant import Mutant, altered
from mqconform.harness.iut.reference_iut.ordered_receiver import ReferenceOrderedReceiver
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod.elements import ORDER_ACK_TIMEOUT, SECOND, Numbers
from mqconform.reference.eod.order_ack import IDLE, OrderAckTimer
from mqconform.reference.eod.receiver import IncomingStream, Judgement

Deadline = Callable[[int, OrderAckTimer, OrderAckTimer, bool], int | None]
"""When the acknowledgment is due, None for never.

Of the time, the timer before an arrival, the right timer after it, and whether the message is accepted.
"""

_receiver = partial(Mutant, role=RoleName.ORDERED_RECEIVER)


def _with_deadline(deadline: Deadline) -> type[ReferenceOrderedReceiver]:
    """Return the receiver that sets its timer to another deadline with each arrival."""

    def react(
        self: ReferenceOrderedReceiver, stream: IncomingStream, message: Numbers
    ) -> tuple[IncomingStream, Judgement]:
        after, judgement = ReferenceOrderedReceiver.react(self, stream, message)
        due = deadline(self.now, stream.order_ack_timer, after.order_ack_timer, judgement.accepted)
        return replace(after, order_ack_timer=replace(after.order_ack_timer, deadline=due)), judgement

    return altered(ReferenceOrderedReceiver, react=react)


def _acknowledges_on_and_on(self: ReferenceOrderedReceiver, seconds: float) -> Json:
    acknowledgments = ReferenceOrderedReceiver.advance_clock(self, seconds)
    for key, stream in self.streams.items():
        timer = stream.order_ack_timer
        if timer.deadline is None and timer != IDLE:
            again = replace(timer, deadline=self.now + ORDER_ACK_TIMEOUT)
            self.streams[key] = replace(stream, order_ack_timer=again)
    return acknowledgments


# Laid out by hand, as a table: name and sentence, what is different, what it violates.
MUTANTS = (
    _receiver("receiver-acknowledges-after-a-second", "The acknowledgment is due a second after an arrival.",
        make=_with_deadline(lambda now, before, after, accepted: now + SECOND),
        breaks=("EOD-3.1.1.3.1-03",),
        also=("EOD-2-05", "EOD-2-11", "EOD-4-09", "EOD-4-10", "EOD-3.1.1.3.1-04", "EOD-3.1.1.6.2")),
    _receiver("receiver-acknowledges-at-once", "The acknowledgment goes out at once.",
        make=_with_deadline(lambda now, before, after, accepted: now),
        breaks=("EOD-3.1.1.3.1-03", "EOD-3.1.1.6.2-02"),
        also=("EOD-2-05", "EOD-2-11", "EOD-4-09", "EOD-4-10", "EOD-3.1.1.3.1-04", "EOD-3.1.1.6.2")),
    _receiver("receiver-never-acknowledges", "No acknowledgment goes out of itself.",
        make=_with_deadline(lambda now, before, after, accepted: None),
        breaks=("EOD-4-09", "EOD-3.1.1.6.2-01"),
        also=("EOD-2-05", "EOD-4-10", "EOD-3.1.1.3.1-03", "EOD-3.1.1.3.1-04", "EOD-3.1.1.6.2")),
    _receiver("receiver-does-not-put-off", "A further arrival leaves a running timer alone.",
        make=_with_deadline(lambda now, before, after, accepted: before.deadline or after.deadline),
        breaks=("EOD-3.1.1.6.2-02",), also=("EOD-3.1.1.3.1-04", "EOD-3.1.1.6.2-03")),
    _receiver("receiver-puts-off-for-ever", "Steady arrivals put the acknowledgment off for ever.",
        make=_with_deadline(lambda now, before, after, accepted: now + ORDER_ACK_TIMEOUT),
        breaks=("EOD-3.1.1.6.2-03", "EOD-3.1.1.3.1-04")),
    _receiver("receiver-rejection-stops-timer", "A rejected message stops the timer.",
        make=_with_deadline(lambda now, before, after, accepted: after.deadline if accepted else None),
        breaks=("EOD-4-10",)),
    _receiver("receiver-rejection-waits-longer", "A rejected message is acknowledged after a second.",
        make=_with_deadline(lambda now, before, after, accepted: after.deadline if accepted else now + SECOND),
        breaks=("EOD-3.1.1.6.2-04",), also=("EOD-4-10", "EOD-2-11", "EOD-4-09")),
    _receiver("receiver-acknowledges-once", "A stream is acknowledged once and never again.",
        make=_with_deadline(lambda now, before, after, accepted: None if after.last_sent else after.deadline),
        breaks=("EOD-4-09",), also=("EOD-3.1.1.3.1-04", "EOD-3.1.1.6.2-01", "EOD-3.1.1.6.2-03")),
    _receiver("receiver-acknowledges-on-and-on",
        "Acknowledgments go out every half second, whether messages arrive or not.",
        make=altered(ReferenceOrderedReceiver, advance_clock=_acknowledges_on_and_on),
        breaks=("EOD-3.1.1.6.2-05",),
        also=("EOD-2-05", "EOD-2-11", "EOD-4-09", "EOD-4-10", "EOD-3.1.1.3.1-03", "EOD-3.1.1.3.1-04", "EOD-3.1.1.6.2")),
)  # fmt: skip
