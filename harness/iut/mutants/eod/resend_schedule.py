"""Senders that send again at the wrong time (MS-MQQB 3.1.5.6, 3.1.6.5)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.ordered_sender import ReferenceOrderedSender
from mqconform.reference.eod.elements import SECOND, Numbers
from mqconform.reference.eod.resend_schedule import RESEND_INTERVALS, resend_interval
from mqconform.reference.eod.sender import Message, OutgoingStream, Sent
from mqconform.reference.fault import altered, row

fault = partial(row, "EOD")
replaced = partial(altered, ReferenceOrderedSender)

Transmitted = tuple[OutgoingStream, Sequence[Sent]]


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


# Laid out as a table: name, what it breaks, what it does, the changed rule.
FAULTS = (
    fault("sender-resends-too-soon", "3.1.6.5-02", "The waits are half as long.",
        replaced(advance_clock=_runs_twice_as_fast)),
    fault("sender-resends-every-minute", "3.1.6.5-02", "Every wait is a minute.", with_waits(lambda wait: 60 * SECOND)),
    fault("sender-resends-every-thirty-seconds", "3.1.6.5-02", "Every wait is 30 seconds.",
        replaced(advance_clock=_forgets_waits)),
    fault("sender-never-resends", "3.1.6.5-01", "Nothing is sent again of itself.",
        replaced(advance_clock=lambda self, seconds: {"messages": []})),
    fault("sender-never-resends-after-restart", "3.1.6.5-01 3-06", "A restart ends the wait for an acknowledgment.",
        replaced(recover=_waits_for_nothing_after_restart)),
    fault("sender-last-interval-after-restart", "3.1.6.5-02",
        "After a restart every wait is as long as the last of the schedule.",
        replaced(recover=_last_interval_after_restart)),
    fault("sender-waits-anew-with-each-message", "3.1.6.5-01 3-06", "Each message that is queued begins the wait anew.",
        replaced(number=_waits_anew_with_each_message)),
    fault("sender-resends-first", "3.1.6.5-01", "Only the first unacknowledged message of a stream is sent again.",
        replaced(advance_clock=_resends_first)),
    fault("sender-resends-backwards", "3.1.6.5-01", "Messages are sent again with the last one first.",
        replaced(advance_clock=_resends_backwards)),
    fault("sender-resends-with-an-octet", "3-10",
        "What is sent again of itself has the lowest octet of its number alone.",
        replaced(advance_clock=_resends_with_an_octet)),
    fault("sender-resends-sixteen", "3-06", "At most sixteen messages are sent again of themselves.",
        replaced(advance_clock=_resends_sixteen)),
    fault("sender-loses-parts-of-seconds", "3.1.6.5-01", "Its clock leaves out what is less than a second each time.",
        replaced(advance_clock=_loses_parts_of_seconds)),
    fault("sender-stops-waiting-at-expiry", "3.1.6.5-01 3-06",
        "A message that expires ends the wait for all the others.", replaced(drop=_stops_waiting_at_expiry)),
    fault("sender-stops-waiting-at-older", "3.1.5.6-01 3-06",
        "An older acknowledgment than the one before ends the wait.", replaced(release=_stops_waiting_at_older)),
    fault("sender-recovers-last-stream", "3.1.6.5-01 3-06",
        "After a restart nothing is sent again but what the last stream holds.",
        replaced(restart=_recovers_last_stream)),
    fault("sender-resends-as-numbered", "3-05 3-09",
        "What is sent again of itself keeps the link that it got when it was queued.",
        replaced(send_again=_resends_as_numbered)),
    fault("sender-intervals-stay", "3.1.5.6-02",
        "Once everything is acknowledged the next interval is as long as the last one was.",
        replaced(release=_keeps_waits)),
)  # fmt: skip
