"""Mutants of exactly-once delivery: the faults of the reference, and ends of streams unlike it.

Most of those here violate nothing, the last of each table follow readings that a sentence forbids.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from mqconform.harness.iut.mutants.mutant import playing
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod import readings_of_receivers as receivers
from mqconform.reference.eod import readings_of_senders as senders
from mqconform.reference.eod import sender
from mqconform.reference.eod.elements import ORDER_ACK_TIMEOUT, SECOND, Answer, Numbers, Stream, resend_interval
from mqconform.reference.eod.faults import receivers as receiver_faults
from mqconform.reference.eod.faults import senders as sender_faults
from mqconform.reference.eod.faults import transactions
from mqconform.reference.eod.faults.receivers import with_deadline
from mqconform.reference.eod.faults.senders import with_waits
from mqconform.reference.eod.receiver import IncomingStream, Judgement, OrderedReceiver
from mqconform.reference.eod.sender import Message, OrderedSender, OutgoingStream, Sent
from mqconform.reference.eod.transaction import Network, Send, TransactionalSends, commit, targets
from mqconform.reference.fault import altered, row, variant, with_answers, with_arguments

fault = partial(row, "EOD")


_TICK = 2 * SECOND // 5
_OFF = 3 * SECOND // 10
_LONGER = 13 * SECOND
_APART = SECOND // 50


def _receiving(**readings: Any) -> Callable[[], OrderedReceiver]:
    return partial(OrderedReceiver, replace(receivers.UNDISPUTED, **readings))


def _sending(**readings: Any) -> Callable[[], OrderedSender]:
    return partial(OrderedSender, replace(senders.UNDISPUTED, **readings))


def _knows_whole_seconds(stream: IncomingStream, message: Numbers) -> tuple[IncomingStream, Numbers]:
    timer = stream.order_ack_timer
    whole = replace(timer, last_sent=timer.last_sent // SECOND * SECOND)
    return replace(stream, order_ack_timer=whole), message


class _LeavesOneByOne(OrderedSender):
    """A sender whose messages leave 20 ms apart when it sends them again."""

    leaving: tuple[tuple[int, Answer], ...] = ()

    def advance_clock(self, seconds: float) -> Answer:
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


def _now_early_now_late(
    self: OrderedReceiver, right: tuple[IncomingStream, Judgement], stream: IncomingStream, message: Numbers
) -> tuple[IncomingStream, Judgement]:
    timer = right[0].order_ack_timer
    if timer.deadline is None or timer.deadline == stream.order_ack_timer.deadline:
        return right
    shifted = replace(timer, deadline=timer.deadline + (_OFF if self.memory["sent"] % 2 else -_OFF))
    return replace(right[0], order_ack_timer=shifted), right[1]


def _counts_acknowledgments(self: OrderedReceiver, right: Answer, seconds: float) -> Answer:
    self.memory["sent"] += len(right["order_acks"])
    return right


def _has_one_timer(self: OrderedReceiver, right: Answer, stream: Stream, *numbers: int, **named: int) -> Answer:
    due = self.streams[stream].order_ack_timer.deadline
    for key, other in self.streams.items():
        if other.order_ack_timer.deadline is not None:
            self.streams[key] = replace(other, order_ack_timer=replace(other.order_ack_timer, deadline=due))
    return right


def _waits_with_the_others(
    self: OrderedSender, right: tuple[OutgoingStream, Sequence[Sent]], stream: OutgoingStream
) -> tuple[OutgoingStream, Sequence[Sent]]:
    after, sent = right
    others = [other.wait_until for other in self.streams.values() if other.wait_until is not None]
    return replace(after, wait_until=min([after.wait_until or 0, *others])) if after.queue else after, sent


def _closes_gap_of_unsent(self: OrderedSender, stream: OutgoingStream, message: Message) -> OutgoingStream:
    gone = next((queued for queued in stream.queue if queued.message == message), None)
    if gone is None or gone.transmitted:
        return OrderedSender.drop(self, stream, message)
    before = tuple(queued for queued in stream.queue if queued.numbers.sequence < gone.numbers.sequence)
    last = before[-1].numbers.sequence if before else gone.numbers.sequence - 1
    after = replace(stream, queue=before, last_number=last)
    for queued in stream.queue[len(before) + 1 :]:
        after, _ = sender.enqueue(after, queued.message, self.readings)
    return after


def _within_window(window: int) -> type[OrderedSender]:
    """Return a sender that has a limited number of messages under way, and sends the others when there is room."""

    def send(self: OrderedSender, stream: OutgoingStream) -> tuple[OutgoingStream, Sequence[Sent]]:
        after, sent = OrderedSender.send(self, replace(stream, queue=stream.queue[:window]))
        return replace(after, queue=after.queue + stream.queue[window:]), sent

    def send_again(self: OrderedSender, stream: OutgoingStream, until: int) -> tuple[OutgoingStream, Sequence[Sent]]:
        under_way = replace(stream, queue=stream.queue[:window])
        after, sent = OrderedSender.send_again(self, under_way, until)
        return replace(after, queue=after.queue + stream.queue[window:]), sent

    return altered(OrderedSender, send=send, send_again=send_again)


def _shows_empty_places(self: TransactionalSends, state: Answer) -> Answer:
    queues: dict[str, list[str]] = {name: [] for name in self.network.queues}
    machines: dict[str, list[str]] = {queue.machine: [] for queue in self.network.queues.values()}
    return state | {
        "outgoing": queues | state["outgoing"],
        "queues": queues | state["queues"],
        "dead_letters": machines | state["dead_letters"],
    }


def _last_dead_letter_first(self: TransactionalSends, state: Answer) -> Answer:
    return state | {"dead_letters": {machine: letters[::-1] for machine, letters in state["dead_letters"].items()}}


def _begins_elsewhere(self: TransactionalSends) -> None:
    TransactionalSends.reset(self)
    self._begun = 4_711


def _takes_a_free_number(self: TransactionalSends) -> Answer:
    self._begun = next(number for number in range(len(self.open) + 1) if number + 1 not in self.open)
    return TransactionalSends.begin(self)


def _copies_for_mentions(self: TransactionalSends, network: Network, sends: Iterable[Send]) -> tuple[Network, bool]:
    del self
    return commit(network, [replace(send, destination=(name,)) for send in sends for name in send.destination])


def _dooms(
    self: TransactionalSends,
    right: Answer,
    transaction: int,
    message: Message,
    destination: list[str],
    *more: Any,
    **named: Any,
) -> Answer:
    if not self.network.failing.isdisjoint(targets(self.network, destination)):
        self.memory.add(transaction)
    return right


def _aborts_what_is_doomed(self: TransactionalSends, transaction: int) -> Answer:
    if transaction not in self.memory:
        return TransactionalSends.commit(self, transaction)
    self.abort(transaction)
    return {"committed": False}


def _commits(self: TransactionalSends, transaction: int) -> Answer:
    self.commit(transaction)
    return {}


# Laid out as a table: name, what it breaks, what it does, the changed rule.
RECEIVERS = (
    variant("receiver-silent-before-acceptance", "Nothing is acknowledged before the first acceptance.",
        _receiving(nothing_accepted=receivers.NothingAccepted.SILENCE)),
    variant("receiver-ten-seconds-since-oldest", "The ten seconds count from the oldest arrival.",
        _receiving(ten_seconds=receivers.TenSeconds.SINCE_OLDEST_ARRIVAL)),
    variant("receiver-whole-seconds", "It knows whole seconds only.",
        with_arguments(OrderedReceiver, react=_knows_whole_seconds)),
    variant("receiver-ticks", "Its timers end with a tick of 0.4 seconds only.",
        with_deadline(lambda it: -(-(it.deadline or 0) // _TICK) * _TICK)),
    variant("receiver-now-early-now-late", "Its timers end 0.3 seconds early or late, in turn.",
        with_answers(OrderedReceiver, react=_now_early_now_late, advance_clock=_counts_acknowledgments)),
    variant("receiver-puts-off-for-longer", "Steady arrivals put an acknowledgment off for 13 seconds.",
        with_deadline(lambda it: it.now + ORDER_ACK_TIMEOUT
            if it.now - it.right.order_ack_timer.last_sent < _LONGER else it.deadline)),
    fault("receiver-acknowledges-accepted-only", "4-10", "Rejected arrivals ask for nothing.",
        _receiving(arrivals=receivers.Arrivals.ACCEPTED_ONLY)),
    variant("receiver-keeps-what-is-early", "What comes too early is kept and delivered in its turn.",
        _receiving(too_early=receivers.TooEarly.KEPT)),
    variant("receiver-one-timer", "All streams have one timer, as in a session of the binary protocol.",
        with_answers(OrderedReceiver, receive_in_sequence=_has_one_timer)),
    variant("receiver-awaits-older-sequence", "A newer sequence waits for the gaps of the older one.",
        _receiving(newer_sequence=receivers.NewerSequence.AWAITS_OLDER)),
)  # fmt: skip

SENDERS = (
    variant("sender-relinks-on-resends", "Only resends bridge expired messages.",
        _sending(relinking=senders.Relinking.ON_RESENDS)),
    variant("sender-zero-on-resends", "A first transmission names the acknowledged message before it.",
        _sending(first_of_queue=senders.FirstOfQueue.ZERO_ON_RESENDS)),
    variant("sender-a-little-late", "Resends come a quarter of a second late.",
        with_waits(lambda wait: wait + SECOND // 4)),
    variant("sender-leaves-one-by-one", "The messages of a resend leave 20 ms apart.", _LeavesOneByOne),
    variant("sender-a-third-late", "Waits are a third longer.", with_waits(lambda wait: wait * 4 // 3)),
    variant("sender-waits-anew-at-restart", "A restart begins the wait anew.",
        with_answers(OrderedSender, recover=lambda self, right, stream: replace(
            right, wait_until=self.now + resend_interval(right.waits)) if right.queue else right)),
    variant("sender-schedule-anew-at-restart", "A restart begins with the first interval again.",
        _sending(schedule_over_sessions=senders.ScheduleOverSessions.BEGINS_ANEW)),
    variant("sender-old-wait-goes-on-at-restart", "A restart leaves the wait as it is.",
        altered(OrderedSender, recover=lambda self, stream: stream)),
    variant("sender-numbers-with-the-transmission",
        "What expires before it was ever sent leaves no gap: numbers are given with the first transmission.",
        altered(OrderedSender, drop=_closes_gap_of_unsent)),
    variant("sender-intervals-anew-with-progress", "Progress begins with the first interval again.",
        _sending(intervals=senders.Intervals.ANEW_WITH_PROGRESS)),
    variant("sender-as-the-binary-protocol", "First transmissions are linked by the numbers alone.",
        _sending(relinking=senders.Relinking.ON_RESENDS, first_of_queue=senders.FirstOfQueue.ZERO_ON_RESENDS)),
    variant("sender-window-of-five", "Five messages are under way at most.", _within_window(5)),
    variant("sender-window-of-sixty-four", "64 messages are under way at most, as in a session of the binary protocol.",
        _within_window(64)),
    variant("sender-window-of-one", "One message is under way at most: what expires behind it shows no link.",
        _within_window(1)),
    variant("sender-one-timer", "All streams have one timer, as in a session of the binary protocol.",
        with_answers(OrderedSender, send=_waits_with_the_others)),
    variant("sender-begins-anew", "Once everything is acknowledged numbers begin with 1 again.",
        _sending(next_sequence=senders.NextSequence.FROM_ONE)),
    fault("sender-resends-once", "3-06 3.1.6.5-02", "What is not acknowledged is sent again once.",
        _sending(resends=senders.Resends.ONCE)),
    variant("sender-intervals-with-acknowledgments", "Intervals grow with acknowledgments.",
        _sending(intervals=senders.Intervals.WITH_ACKNOWLEDGMENTS)),
)  # fmt: skip

TRANSACTIONS = (
    variant("transaction-shows-what-is-empty", "Empty places are shown.",
        with_answers(TransactionalSends, state=_shows_empty_places)),
    variant("transaction-dead-letters-last-first", "The last dead letter lies first.",
        with_answers(TransactionalSends, state=_last_dead_letter_first)),
    variant("transaction-other-numbers", "Transactions have other numbers.",
        altered(TransactionalSends, reset=_begins_elsewhere)),
    variant("transaction-free-numbers", "The number of a transaction that is over is given again.",
        altered(TransactionalSends, begin=_takes_a_free_number)),
    variant("transaction-one-copy-per-mention", "A queue that is named twice gets two copies.",
        altered(TransactionalSends, put=_copies_for_mentions)),
    variant("transaction-fails-with-the-send", "It aborts if a queue took no copies when a message was sent.",
        altered(with_answers(TransactionalSends, send=_dooms), commit=_aborts_what_is_doomed)),
    fault("transaction-abort-sends", "1-03", "A transaction that its user aborts sends its messages all the same.",
        altered(TransactionalSends, abort=_commits)),
)  # fmt: skip


MUTANTS = (
    *playing(RoleName.ORDERED_RECEIVER, (*receiver_faults.FAULTS, *RECEIVERS), lambda row: row.rule),
    *playing(RoleName.ORDERED_SENDER, (*sender_faults.FAULTS, *SENDERS), lambda row: row.rule),
    *playing(RoleName.TRANSACTION, (*transactions.FAULTS, *TRANSACTIONS), lambda row: row.rule),
)
