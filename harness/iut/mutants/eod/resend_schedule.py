"""Senders that send again at the wrong time (MS-MQQB 3.1.5.6, 3.1.6.5)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mutant import Mutant, altered
from mqconform.harness.iut.reference_iut.ordered_sender import ReferenceOrderedSender
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod.elements import SECOND, Numbers
from mqconform.reference.eod.resend_schedule import RESEND_INTERVALS, resend_interval
from mqconform.reference.eod.sender import Message, OutgoingStream, Sent

Transmitted = tuple[OutgoingStream, Sequence[Sent]]

_sender = partial(Mutant, role=RoleName.ORDERED_SENDER)


def with_waits(wait: Callable[[int], int]) -> type[ReferenceOrderedSender]:
    """Return the sender that makes other waits of the right ones, in nanoseconds."""

    def other(before: OutgoingStream, after: OutgoingStream) -> OutgoingStream:
        if after.wait_until in {None, before.wait_until}:
            return after
        right = resend_interval(after.waits)
        return replace(after, wait_until=(after.wait_until or 0) - right + wait(right))

    def send(self: ReferenceOrderedSender, stream: OutgoingStream) -> Transmitted:
        after, sent = ReferenceOrderedSender.send(self, stream)
        return other(stream, after), sent

    def send_again(self: ReferenceOrderedSender, stream: OutgoingStream, until: int) -> Transmitted:
        after, sent = ReferenceOrderedSender.send_again(self, stream, until)
        return other(stream, after), sent

    def release(self: ReferenceOrderedSender, stream: OutgoingStream, number: int) -> OutgoingStream:
        return other(stream, ReferenceOrderedSender.release(self, stream, number))

    return altered(ReferenceOrderedSender, send=send, send_again=send_again, release=release)


def _runs_twice_as_fast(self: ReferenceOrderedSender, seconds: float) -> Json:
    return ReferenceOrderedSender.advance_clock(self, seconds * 2)


def _forgets_waits(self: ReferenceOrderedSender, seconds: float) -> Json:
    resends = ReferenceOrderedSender.advance_clock(self, seconds)
    self.streams = {key: replace(stream, waits=0) for key, stream in self.streams.items()}
    return resends


def _resends_first(self: ReferenceOrderedSender, seconds: float) -> Json:
    resends = ReferenceOrderedSender.advance_clock(self, seconds)["messages"]
    firsts = {key: stream.queue[0].message for key, stream in self.streams.items() if stream.queue}
    return {"messages": [resend for resend in resends if resend["message"] == firsts.get(resend["stream"])]}


def _resends_backwards(self: ReferenceOrderedSender, seconds: float) -> Json:
    return {"messages": ReferenceOrderedSender.advance_clock(self, seconds)["messages"][::-1]}


def _resends_with_an_octet(self: ReferenceOrderedSender, seconds: float) -> Json:
    resends = ReferenceOrderedSender.advance_clock(self, seconds)["messages"]
    return {"messages": [resend | {"sequence": resend["sequence"] % 256} for resend in resends]}


def _resends_sixteen(self: ReferenceOrderedSender, seconds: float) -> Json:
    return {"messages": ReferenceOrderedSender.advance_clock(self, seconds)["messages"][:16]}


def _loses_parts_of_seconds(self: ReferenceOrderedSender, seconds: float) -> Json:
    return ReferenceOrderedSender.advance_clock(self, int(seconds))


def _keeps_waits(self: ReferenceOrderedSender, stream: OutgoingStream, number: int) -> OutgoingStream:
    return replace(ReferenceOrderedSender.release(self, stream, number), waits=stream.waits)


def _waits_anew_with_each_message(
    self: ReferenceOrderedSender, stream: OutgoingStream, message: Message
) -> tuple[OutgoingStream, Numbers]:
    after, numbers = ReferenceOrderedSender.number(self, stream, message)
    if after.wait_until is None:
        return after, numbers
    return replace(after, wait_until=self.now + resend_interval(after.waits)), numbers


def _last_interval_after_restart(self: ReferenceOrderedSender, stream: OutgoingStream) -> OutgoingStream:
    return replace(ReferenceOrderedSender.recover(self, stream), waits=len(RESEND_INTERVALS))


def _waits_for_nothing_after_restart(self: ReferenceOrderedSender, stream: OutgoingStream) -> OutgoingStream:
    return replace(ReferenceOrderedSender.recover(self, stream), wait_until=None)


def _stops_waiting_at_expiry(self: ReferenceOrderedSender, stream: OutgoingStream, message: Message) -> OutgoingStream:
    return replace(ReferenceOrderedSender.drop(self, stream, message), wait_until=None)


def _stops_waiting_at_older(self: ReferenceOrderedSender, stream: OutgoingStream, number: int) -> OutgoingStream:
    after = ReferenceOrderedSender.release(self, stream, number)
    return replace(after, wait_until=None) if number <= stream.last_acknowledged else after


def _recovers_last_stream(self: ReferenceOrderedSender) -> Json:
    last = [*self.streams][-1:]
    ReferenceOrderedSender.restart(self)
    self.streams = {
        key: stream if key in last else replace(stream, wait_until=None) for key, stream in self.streams.items()
    }
    return {}


def _resends_as_numbered(self: ReferenceOrderedSender, stream: OutgoingStream, until: int) -> Transmitted:
    after, sent = ReferenceOrderedSender.send_again(self, stream, until)
    numbers = {queued.message: queued.numbers for queued in stream.queue}
    return after, [replace(message, numbers=numbers[message.message]) for message in sent]


# Laid out by hand, as a table: name and sentence, what is different, what it violates.
MUTANTS = (
    _sender("sender-resends-too-soon", "The waits are half as long.",
        make=altered(ReferenceOrderedSender, advance_clock=_runs_twice_as_fast),
        breaks=("EOD-3.1.6.5-02",)),
    _sender("sender-resends-every-minute", "Every wait is a minute.",
        make=with_waits(lambda wait: 60 * SECOND),
        breaks=("EOD-3.1.6.5-02",)),
    _sender("sender-resends-every-thirty-seconds", "Every wait is 30 seconds.",
        make=altered(ReferenceOrderedSender, advance_clock=_forgets_waits),
        breaks=("EOD-3.1.6.5-02",)),
    _sender("sender-never-resends", "Nothing is sent again of itself.",
        make=altered(ReferenceOrderedSender, advance_clock=lambda self, seconds: {"messages": []}),
        breaks=("EOD-3.1.6.5-01",)),
    _sender("sender-never-resends-after-restart", "A restart ends the wait for an acknowledgment.",
        make=altered(ReferenceOrderedSender, recover=_waits_for_nothing_after_restart),
        breaks=("EOD-3.1.6.5-01", "EOD-3-06")),
    _sender("sender-last-interval-after-restart", "After a restart every wait is as long as the last of the schedule.",
        make=altered(ReferenceOrderedSender, recover=_last_interval_after_restart),
        breaks=("EOD-3.1.6.5-02",)),
    _sender("sender-waits-anew-with-each-message", "Each message that is queued begins the wait anew.",
        make=altered(ReferenceOrderedSender, number=_waits_anew_with_each_message),
        breaks=("EOD-3.1.6.5-01", "EOD-3-06")),
    _sender("sender-resends-first", "Only the first unacknowledged message of a stream is sent again.",
        make=altered(ReferenceOrderedSender, advance_clock=_resends_first),
        breaks=("EOD-3.1.6.5-01",)),
    _sender("sender-resends-backwards", "Messages are sent again with the last one first.",
        make=altered(ReferenceOrderedSender, advance_clock=_resends_backwards),
        breaks=("EOD-3.1.6.5-01",)),
    _sender("sender-resends-with-an-octet", "What is sent again of itself has the lowest octet of its number alone.",
        make=altered(ReferenceOrderedSender, advance_clock=_resends_with_an_octet),
        breaks=("EOD-3-10",)),
    _sender("sender-resends-sixteen", "At most sixteen messages are sent again of themselves.",
        make=altered(ReferenceOrderedSender, advance_clock=_resends_sixteen),
        breaks=("EOD-3-06",)),
    _sender("sender-loses-parts-of-seconds", "Its clock leaves out what is less than a second each time.",
        make=altered(ReferenceOrderedSender, advance_clock=_loses_parts_of_seconds),
        breaks=("EOD-3.1.6.5-01",)),
    _sender("sender-stops-waiting-at-expiry", "A message that expires ends the wait for all the others.",
        make=altered(ReferenceOrderedSender, drop=_stops_waiting_at_expiry),
        breaks=("EOD-3.1.6.5-01", "EOD-3-06")),
    _sender("sender-stops-waiting-at-older", "An older acknowledgment than the one before ends the wait.",
        make=altered(ReferenceOrderedSender, release=_stops_waiting_at_older),
        breaks=("EOD-3.1.5.6-01", "EOD-3-06")),
    _sender("sender-recovers-last-stream", "After a restart nothing is sent again but what the last stream holds.",
        make=altered(ReferenceOrderedSender, restart=_recovers_last_stream),
        breaks=("EOD-3.1.6.5-01", "EOD-3-06")),
    _sender("sender-resends-as-numbered", "What is sent again of itself keeps the link that it got when it was queued.",
        make=altered(ReferenceOrderedSender, send_again=_resends_as_numbered),
        breaks=("EOD-3-05", "EOD-3-09")),
    _sender("sender-intervals-stay",
        "Once everything is acknowledged the next interval is as long as the last one was.",
        make=altered(ReferenceOrderedSender, release=_keeps_waits),
        breaks=("EOD-3.1.5.6-02",)),
)  # fmt: skip
