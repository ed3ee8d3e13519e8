"""Ends of streams unlike the reference: most violate nothing, the last follow readings that a sentence forbids."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.eod.resend_schedule import with_waits
from mqconform.harness.iut.reference_iut.ordered_receiver import ReferenceOrderedReceiver, Stream
from mqconform.harness.iut.reference_iut.ordered_sender import ReferenceOrderedSender
from mqconform.harness.iut.reference_iut.transaction import ReferenceTransaction
from mqconform.reference.eod import sender
from mqconform.reference.eod.elements import ORDER_ACK_TIMEOUT, SECOND, Numbers
from mqconform.reference.eod.readings_of_receivers import (
    Arrivals,
    NewerSequence,
    NothingAccepted,
    ReceiverReadings,
    TenSeconds,
    TooEarly,
)
from mqconform.reference.eod.readings_of_senders import (
    FirstOfQueue,
    Intervals,
    NextSequence,
    Relinking,
    Resends,
    ScheduleOverSessions,
    SenderReadings,
)
from mqconform.reference.eod.receiver import IncomingStream, Judgement
from mqconform.reference.eod.resend_schedule import resend_interval
from mqconform.reference.eod.sender import Message, OutgoingStream, Sent
from mqconform.reference.eod.transaction import Network, Send, commit, targets
from mqconform.reference.fault import altered, row, variant

fault = partial(row, "EOD")


_TICK = 2 * SECOND // 5
_OFF = 3 * SECOND // 10
_LONGER = 13 * SECOND
_APART = SECOND // 50
_AS_THE_BINARY_PROTOCOL = SenderReadings(relinking=Relinking.ON_RESENDS, first_of_queue=FirstOfQueue.ZERO_ON_RESENDS)


def _knows_whole_seconds(
    self: ReferenceOrderedReceiver, stream: IncomingStream, message: Numbers
) -> tuple[IncomingStream, Judgement]:
    timer = stream.order_ack_timer
    whole = replace(timer, last_sent=timer.last_sent // SECOND * SECOND)
    return ReferenceOrderedReceiver.react(self, replace(stream, order_ack_timer=whole), message)


class _LeavesOneByOne(ReferenceOrderedSender):
    """A sender whose messages leave 20 ms apart when it sends them again."""

    leaving: tuple[tuple[int, Json], ...] = ()

    def advance_clock(self, seconds: float) -> Json:
        until = self.now + round(seconds * SECOND)
        while due := [at for stream in self.streams.values() if (at := stream.wait_until) is not None and at <= until]:
            sent = super().advance_clock((min(due) - self.now) / SECOND)["messages"]
            self.leaving += tuple((self.now + place * _APART, entry) for place, entry in enumerate(sent))
        super().advance_clock((until - self.now) / SECOND)
        messages = [entry for at, entry in self.leaving if at <= until]
        self.leaving = tuple((at, entry) for at, entry in self.leaving if at > until)
        return {"messages": messages}

    def reset(self) -> None:
        super().reset()
        self.leaving = ()


class _NowEarlyNowLate(ReferenceOrderedReceiver):
    """A receiver whose timers end three tenths of a second early or late, in turn."""

    sent = 0

    def react(self, stream: IncomingStream, message: Numbers) -> tuple[IncomingStream, Judgement]:
        after, judgement = super().react(stream, message)
        timer = after.order_ack_timer
        if timer.deadline is None or timer.deadline == stream.order_ack_timer.deadline:
            return after, judgement
        shifted = replace(timer, deadline=timer.deadline + (_OFF if self.sent % 2 else -_OFF))
        return replace(after, order_ack_timer=shifted), judgement

    def advance_clock(self, seconds: float) -> Json:
        answer = super().advance_clock(seconds)
        self.sent += len(answer["order_acks"])
        return answer


def _ticks(
    self: ReferenceOrderedReceiver, stream: IncomingStream, message: Numbers
) -> tuple[IncomingStream, Judgement]:
    after, judgement = ReferenceOrderedReceiver.react(self, stream, message)
    due = -(-(after.order_ack_timer.deadline or 0) // _TICK) * _TICK
    return replace(after, order_ack_timer=replace(after.order_ack_timer, deadline=due)), judgement


def _puts_off_for_longer(
    self: ReferenceOrderedReceiver, stream: IncomingStream, message: Numbers
) -> tuple[IncomingStream, Judgement]:
    after, judgement = ReferenceOrderedReceiver.react(self, stream, message)
    timer = after.order_ack_timer
    if self.now - timer.last_sent < _LONGER:
        timer = replace(timer, deadline=self.now + ORDER_ACK_TIMEOUT)
    return replace(after, order_ack_timer=timer), judgement


def _has_one_timer(
    self: ReferenceOrderedReceiver, stream: Stream, sequence_id: int, sequence: int, previous: int
) -> Json:
    answer = ReferenceOrderedReceiver.receive_in_sequence(self, stream, sequence_id, sequence, previous)
    due = self.streams[stream].order_ack_timer.deadline
    for key, other in self.streams.items():
        if other.order_ack_timer.deadline is not None:
            self.streams[key] = replace(other, order_ack_timer=replace(other.order_ack_timer, deadline=due))
    return answer


def _waits_anew(self: ReferenceOrderedSender, stream: OutgoingStream) -> OutgoingStream:
    after = ReferenceOrderedSender.recover(self, stream)
    return replace(after, wait_until=self.now + resend_interval(after.waits)) if after.queue else after


def _waits_with_the_others(
    self: ReferenceOrderedSender, stream: OutgoingStream
) -> tuple[OutgoingStream, Sequence[Sent]]:
    after, sent = ReferenceOrderedSender.send(self, stream)
    others = [other.wait_until for other in self.streams.values() if other.wait_until is not None]
    return replace(after, wait_until=min([after.wait_until or 0, *others])) if after.queue else after, sent


def _closes_gap_of_unsent(self: ReferenceOrderedSender, stream: OutgoingStream, message: Message) -> OutgoingStream:
    gone = next((queued for queued in stream.queue if queued.message == message), None)
    if gone is None or gone.transmitted:
        return ReferenceOrderedSender.drop(self, stream, message)
    before = tuple(queued for queued in stream.queue if queued.numbers.sequence < gone.numbers.sequence)
    last = before[-1].numbers.sequence if before else gone.numbers.sequence - 1
    after = replace(stream, queue=before, last_number=last)
    for queued in stream.queue[len(before) + 1 :]:
        after, _ = sender.enqueue(after, queued.message, self.readings)
    return after


def _within_window(window: int) -> type[ReferenceOrderedSender]:
    """Return a sender that has a limited number of messages under way, and sends the others when there is room."""

    def send(self: ReferenceOrderedSender, stream: OutgoingStream) -> tuple[OutgoingStream, Sequence[Sent]]:
        after, sent = ReferenceOrderedSender.send(self, replace(stream, queue=stream.queue[:window]))
        return replace(after, queue=after.queue + stream.queue[window:]), sent

    def send_again(
        self: ReferenceOrderedSender, stream: OutgoingStream, until: int
    ) -> tuple[OutgoingStream, Sequence[Sent]]:
        under_way = replace(stream, queue=stream.queue[:window])
        after, sent = ReferenceOrderedSender.send_again(self, under_way, until)
        return replace(after, queue=after.queue + stream.queue[window:]), sent

    return altered(ReferenceOrderedSender, send=send, send_again=send_again)


def _shows_empty_places(self: ReferenceTransaction) -> Json:
    state = ReferenceTransaction.state(self)
    queues: dict[str, list[str]] = {name: [] for name in self.network.queues}
    machines: dict[str, list[str]] = {queue.machine: [] for queue in self.network.queues.values()}
    return state | {
        "outgoing": queues | state["outgoing"],
        "queues": queues | state["queues"],
        "dead_letters": machines | state["dead_letters"],
    }


def _last_dead_letter_first(self: ReferenceTransaction) -> Json:
    state = ReferenceTransaction.state(self)
    return state | {"dead_letters": {machine: letters[::-1] for machine, letters in state["dead_letters"].items()}}


def _begins_elsewhere(self: ReferenceTransaction) -> None:
    ReferenceTransaction.reset(self)
    self._begun = 4_711


def _takes_a_free_number(self: ReferenceTransaction) -> Json:
    self._begun = next(number for number in range(len(self.open) + 1) if number + 1 not in self.open)
    return ReferenceTransaction.begin(self)


def _copies_for_mentions(self: ReferenceTransaction, network: Network, sends: Iterable[Send]) -> tuple[Network, bool]:
    del self
    return commit(network, [replace(send, destination=(name,)) for send in sends for name in send.destination])


class _FailsWithTheSend(ReferenceTransaction):
    def send(
        self, transaction: int, message: str | int, destination: list[str], administration_queue: str | None = None
    ) -> Json:
        if not self.network.failing.isdisjoint(targets(self.network, destination)):
            self.doomed.add(transaction)
        return super().send(transaction, message, destination, administration_queue)

    def commit(self, transaction: int) -> Json:
        if transaction in self.doomed:
            self.abort(transaction)
            return {"committed": False}
        return super().commit(transaction)

    def reset(self) -> None:
        super().reset()
        self.doomed: set[int] = set()


def _commits(self: ReferenceTransaction, transaction: int) -> Json:
    self.commit(transaction)
    return {}


# Laid out as a table: name, what it breaks, what it does, the changed rule.
RECEIVERS = (
    variant("receiver-silent-before-acceptance", "Nothing is acknowledged before the first acceptance.",
        partial(ReferenceOrderedReceiver, ReceiverReadings(nothing_accepted=NothingAccepted.SILENCE))),
    variant("receiver-ten-seconds-since-oldest", "The ten seconds count from the oldest arrival.",
        partial(ReferenceOrderedReceiver, ReceiverReadings(ten_seconds=TenSeconds.SINCE_OLDEST_ARRIVAL))),
    variant("receiver-whole-seconds", "It knows whole seconds only.",
        altered(ReferenceOrderedReceiver, react=_knows_whole_seconds)),
    variant("receiver-ticks", "Its timers end with a tick of 0.4 seconds only.",
        altered(ReferenceOrderedReceiver, react=_ticks)),
    variant("receiver-now-early-now-late", "Its timers end 0.3 seconds early or late, in turn.", _NowEarlyNowLate),
    variant("receiver-puts-off-for-longer", "Steady arrivals put an acknowledgment off for 13 seconds.",
        altered(ReferenceOrderedReceiver, react=_puts_off_for_longer)),
    fault("receiver-acknowledges-accepted-only", "4-10", "Rejected arrivals ask for nothing.",
        partial(ReferenceOrderedReceiver, ReceiverReadings(arrivals=Arrivals.ACCEPTED_ONLY))),
    variant("receiver-keeps-what-is-early", "What comes too early is kept and delivered in its turn.",
        partial(ReferenceOrderedReceiver, ReceiverReadings(too_early=TooEarly.KEPT))),
    variant("receiver-one-timer", "All streams have one timer, as in a session of the binary protocol.",
        altered(ReferenceOrderedReceiver, receive_in_sequence=_has_one_timer)),
    variant("receiver-awaits-older-sequence", "A newer sequence waits for the gaps of the older one.",
        partial(ReferenceOrderedReceiver, ReceiverReadings(newer_sequence=NewerSequence.AWAITS_OLDER))),
)  # fmt: skip

SENDERS = (
    variant("sender-relinks-on-resends", "Only resends bridge expired messages.",
        partial(ReferenceOrderedSender, SenderReadings(relinking=Relinking.ON_RESENDS))),
    variant("sender-zero-on-resends", "A first transmission names the acknowledged message before it.",
        partial(ReferenceOrderedSender, SenderReadings(first_of_queue=FirstOfQueue.ZERO_ON_RESENDS))),
    variant("sender-a-little-late", "Resends come a quarter of a second late.",
        with_waits(lambda wait: wait + SECOND // 4)),
    variant("sender-leaves-one-by-one", "The messages of a resend leave 20 ms apart.", _LeavesOneByOne),
    variant("sender-a-third-late", "Waits are a third longer.", with_waits(lambda wait: wait * 4 // 3)),
    variant("sender-waits-anew-at-restart", "A restart begins the wait anew.",
        altered(ReferenceOrderedSender, recover=_waits_anew)),
    variant("sender-schedule-anew-at-restart", "A restart begins with the first interval again.",
        partial(ReferenceOrderedSender, SenderReadings(schedule_over_sessions=ScheduleOverSessions.BEGINS_ANEW))),
    variant("sender-old-wait-goes-on-at-restart", "A restart leaves the wait as it is.",
        altered(ReferenceOrderedSender, recover=lambda self, stream: stream)),
    variant("sender-numbers-with-the-transmission",
        "What expires before it was ever sent leaves no gap: numbers are given with the first transmission.",
        altered(ReferenceOrderedSender, drop=_closes_gap_of_unsent)),
    variant("sender-intervals-anew-with-progress", "Progress begins with the first interval again.",
        partial(ReferenceOrderedSender, SenderReadings(intervals=Intervals.ANEW_WITH_PROGRESS))),
    variant("sender-as-the-binary-protocol", "First transmissions are linked by the numbers alone.",
        partial(ReferenceOrderedSender, _AS_THE_BINARY_PROTOCOL)),
    variant("sender-window-of-five", "Five messages are under way at most.", _within_window(5)),
    variant("sender-window-of-sixty-four", "64 messages are under way at most, as in a session of the binary protocol.",
        _within_window(64)),
    variant("sender-window-of-one", "One message is under way at most: what expires behind it shows no link.",
        _within_window(1)),
    variant("sender-one-timer", "All streams have one timer, as in a session of the binary protocol.",
        altered(ReferenceOrderedSender, send=_waits_with_the_others)),
    variant("sender-begins-anew", "Once everything is acknowledged numbers begin with 1 again.",
        partial(ReferenceOrderedSender, SenderReadings(next_sequence=NextSequence.FROM_ONE))),
    fault("sender-resends-once", "3-06", "What is not acknowledged is sent again once.",
        partial(ReferenceOrderedSender, SenderReadings(resends=Resends.ONCE))),
    variant("sender-intervals-with-acknowledgments", "Intervals grow with acknowledgments.",
        partial(ReferenceOrderedSender, SenderReadings(intervals=Intervals.WITH_ACKNOWLEDGMENTS))),
)  # fmt: skip

TRANSACTIONS = (
    variant("transaction-shows-what-is-empty", "Empty places are shown.",
        altered(ReferenceTransaction, state=_shows_empty_places)),
    variant("transaction-dead-letters-last-first", "The last dead letter lies first.",
        altered(ReferenceTransaction, state=_last_dead_letter_first)),
    variant("transaction-other-numbers", "Transactions have other numbers.",
        altered(ReferenceTransaction, reset=_begins_elsewhere)),
    variant("transaction-free-numbers", "The number of a transaction that is over is given again.",
        altered(ReferenceTransaction, begin=_takes_a_free_number)),
    variant("transaction-one-copy-per-mention", "A queue that is named twice gets two copies.",
        altered(ReferenceTransaction, put=_copies_for_mentions)),
    variant("transaction-fails-with-the-send", "It aborts if a queue took no copies when a message was sent.",
        _FailsWithTheSend),
    fault("transaction-abort-sends", "1-03", "A transaction that its user aborts sends its messages all the same.",
        altered(ReferenceTransaction, abort=_commits)),
)  # fmt: skip
