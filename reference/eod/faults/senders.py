"""Senders that number, link, send or release wrongly, or send again at the wrong time.

Page, section 3; MS-MQQB 3.1.1.3.1, 3.1.5.6, 3.1.6.5, 3.1.7.1.3.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from mqconform.reference.eod.elements import RESEND_INTERVALS, SECOND, Answer, Numbers, Stream, resend_interval
from mqconform.reference.eod.readings_of_senders import NumbersOverSessions, SenderReadings
from mqconform.reference.eod.sender import (
    NEW,
    Message,
    OrderedSender,
    OutgoingStream,
    QueuedMessage,
    Sent,
    enqueue,
    queued_as,
)
from mqconform.reference.fault import altered, row, with_answers, with_arguments

fault = partial(row, "EOD")
replaced = partial(altered, OrderedSender)
answering = partial(with_answers, OrderedSender)

Messages = Sequence[Sent]
Transmitted = tuple[OutgoingStream, Messages]
Numbered = tuple[OutgoingStream, Numbers]

_FIVE = 5


def _sending(spoil: Callable[[OutgoingStream, Messages], Messages]) -> type[OrderedSender]:
    """Return the sender that sends what ``spoil`` makes of a right transmission of a stream."""
    return answering(send=lambda self, right, stream: (right[0], spoil(stream, right[1])))


def _resending(spoil: Callable[[list[Answer]], list[Answer]]) -> type[OrderedSender]:
    """Return the sender that sends again of itself what ``spoil`` makes of the right messages."""
    return answering(advance_clock=lambda self, right, seconds: {"messages": spoil(right["messages"])})


def _releasing(number: Callable[[int], int]) -> type[OrderedSender]:
    """Return the sender that takes an acknowledged number for another one."""
    return with_arguments(OrderedSender, release=lambda stream, acknowledged: (stream, number(acknowledged)))


def _counting_from(last_number: Callable[[OrderedSender, OutgoingStream], int]) -> type[OrderedSender]:
    """Return the sender that takes another number for the last one that the stream gave."""
    return replaced(
        number=lambda self, stream, message: OrderedSender.number(
            self, replace(stream, last_number=last_number(self, stream)), message
        )
    )


def with_waits(wait: Callable[[int], int]) -> type[OrderedSender]:
    """Return the sender that makes other waits of the right ones, in nanoseconds."""

    def other(before: OutgoingStream, after: OutgoingStream) -> OutgoingStream:
        if after.wait_until in {None, before.wait_until}:
            return after
        right = resend_interval(after.waits)
        return replace(after, wait_until=(after.wait_until or 0) - right + wait(right))

    return answering(
        send=lambda self, right, stream: (other(stream, right[0]), right[1]),
        send_again=lambda self, right, stream, until: (other(stream, right[0]), right[1]),
        release=lambda self, right, stream, number: other(stream, right),
    )


def _unlinked_number(self: OrderedSender, right: Numbered, stream: OutgoingStream, message: Message) -> Numbered:
    numbers = replace(right[1], previous=0)
    return queued_as(stream, message, numbers), numbers


def _linked_to(message: Sent, previous: int) -> Sent:
    return replace(message, numbers=replace(message.numbers, previous=previous))


def _numbered_by_place(stream: OutgoingStream, messages: Messages) -> Messages:
    return [
        Sent(sent.message, replace(sent.numbers, sequence=stream.last_acknowledged + place))
        for place, sent in enumerate(messages, 1)
    ]


def _linked_to_itself(message: Sent) -> Sent:
    return _linked_to(message, message.numbers.sequence)


def _sends_once(stream: OutgoingStream, messages: Messages) -> Messages:
    return [message for message, queued in zip(messages, stream.queue, strict=True) if not queued.transmitted]


def _links_very_first_to_itself(stream: OutgoingStream, messages: Messages) -> Messages:
    begun = stream.last_acknowledged or any(queued.transmitted for queued in stream.queue)
    return messages if begun else [*map(_linked_to_itself, messages[:1]), *messages[1:]]


def _drops_the_rest(self: OrderedSender, stream: OutgoingStream, message: Message) -> OutgoingStream:
    for queued in reversed(stream.queue):
        stream = OrderedSender.drop(self, stream, queued.message)
        if queued.message == message:
            break
    return stream


class _BringsMessagesBack(OrderedSender):
    def __init__(self) -> None:
        super().__init__()
        self.released: dict[int, QueuedMessage] = {}

    def order_ack(self, stream: Stream, sequence: int) -> Answer:
        before = self.streams.get(stream, NEW)
        answer = super().order_ack(stream, sequence)
        self.released |= {
            queued.numbers.sequence: queued for queued in before.queue if queued.numbers.sequence <= sequence
        }
        if sequence < before.last_acknowledged:
            after = self.streams[stream]
            waiting = {queued.numbers.sequence for queued in after.queue}
            numbers = sorted(number for number in self.released if number > sequence and number not in waiting)
            queue = (*(self.released[number] for number in numbers), *after.queue)
            self.streams[stream] = replace(after, queue=queue, last_acknowledged=sequence)
        return answer

    def reset(self) -> None:
        self.released.clear()
        super().reset()


def _releases_next_at_copy(
    self: OrderedSender, right: OutgoingStream, stream: OutgoingStream, number: int
) -> OutgoingStream:
    return replace(right, queue=right.queue[1:]) if 0 < number == stream.last_acknowledged else right


def _releases_what_waits(
    self: OrderedSender, right: OutgoingStream, stream: OutgoingStream, number: int
) -> OutgoingStream:
    return right if any(queued.numbers.sequence == number for queued in stream.queue) else stream


def _releases_everywhere(self: OrderedSender, stream: Stream, sequence: int) -> Answer:
    for key in [*self.streams]:
        OrderedSender.order_ack(self, key, sequence)
    return {}


def _keeps_ten_streams(self: OrderedSender, right: Answer, stream: Stream, message: Message) -> Answer:
    self.streams = dict([*self.streams.items()][-10:])
    return right


def _half(name: Message) -> Message:
    return name[: max(1, len(name) // 2)] if isinstance(name, str) else name


def _drops_by_half_of_name(self: OrderedSender, stream: OutgoingStream, message: Message) -> OutgoingStream:
    for queued in [entry.message for entry in stream.queue if _half(entry.message) == _half(message)]:
        stream = OrderedSender.drop(self, stream, queued)
    return stream


def _counts_restarts(self: OrderedSender) -> Answer:
    self.memory["restarts"] += 1
    return OrderedSender.restart(self)


def _forgets_at_third(self: OrderedSender, right: OutgoingStream, stream: OutgoingStream) -> OutgoingStream:
    return right if self.memory["restarts"] % 3 else replace(right, last_number=stream.last_acknowledged)


def _forgets(self: OrderedSender) -> Answer:
    self.streams.clear()
    return {}


def _takes_last_number_back(
    self: OrderedSender, right: OutgoingStream, stream: OutgoingStream, message: Message
) -> OutgoingStream:
    last = max((queued.numbers.sequence for queued in right.queue), default=0)
    return replace(right, last_number=max(last, stream.last_acknowledged))


def _closes_gap(self: OrderedSender, right: OutgoingStream, stream: OutgoingStream, message: Message) -> OutgoingStream:
    expired = [queued.numbers.sequence for queued in stream.queue if queued.message == message]
    if not expired:
        return right
    queue = tuple(_one_down(queued) if queued.numbers.sequence > expired[0] else queued for queued in right.queue)
    return replace(right, queue=queue, last_number=right.last_number - 1)


def _one_down(queued: QueuedMessage) -> QueuedMessage:
    return replace(queued, numbers=replace(queued.numbers, sequence=queued.numbers.sequence - 1))


def _numbers_resends_anew(stream: OutgoingStream) -> tuple[OutgoingStream]:
    if any(queued.transmitted for queued in stream.queue):
        anew = replace(stream, queue=())
        for queued in stream.queue:
            anew, _ = enqueue(anew, queued.message)
        stream = anew
    return (stream,)


def _forgets_waits(self: OrderedSender, right: Answer, seconds: float) -> Answer:
    self.streams = {key: replace(stream, waits=0) for key, stream in self.streams.items()}
    return right


def _resends_first(self: OrderedSender, right: Answer, seconds: float) -> Answer:
    firsts = {key: stream.queue[0].message for key, stream in self.streams.items() if stream.queue}
    return {"messages": [resend for resend in right["messages"] if resend["message"] == firsts.get(resend["stream"])]}


def _waits_anew(self: OrderedSender, right: Numbered, stream: OutgoingStream, message: Message) -> Numbered:
    after, numbers = right
    if after.wait_until is None:
        return right
    return replace(after, wait_until=self.now + resend_interval(after.waits)), numbers


def _stops_waiting_at_older(
    self: OrderedSender, right: OutgoingStream, stream: OutgoingStream, number: int
) -> OutgoingStream:
    return replace(right, wait_until=None) if number <= stream.last_acknowledged else right


def _recovers_last_stream(self: OrderedSender) -> Answer:
    last = [*self.streams][-1:]
    OrderedSender.restart(self)
    self.streams = {
        key: stream if key in last else replace(stream, wait_until=None) for key, stream in self.streams.items()
    }
    return {}


def _resends_as_numbered(self: OrderedSender, right: Transmitted, stream: OutgoingStream, until: int) -> Transmitted:
    numbers = {queued.message: queued.numbers for queued in stream.queue}
    return right[0], [replace(message, numbers=numbers[message.message]) for message in right[1]]


# Laid out as a table: name, what it breaks, what it does, the changed rule.
FAULTS = (
    fault("sender-unlinked", "2-04 2-06 3-02", "Every message has previous number zero.",
        answering(number=_unlinked_number,
            send=lambda self, right, stream: (right[0], [_linked_to(message, 0) for message in right[1]]))),
    fault("sender-never-relinks", "3-05 3-09 2-03", "A message keeps the link that it got when it was queued.",
        _sending(lambda stream, messages: [Sent(queued.message, queued.numbers) for queued in stream.queue])),
    fault("sender-first-keeps-link", "3-09 2-03",
        "The first message of the queue names the acknowledged one before it, however often it is sent.",
        _sending(lambda stream, messages: [
            *(_linked_to(first, stream.last_acknowledged) for first in messages[:1]), *messages[1:]])),
    fault("sender-backwards", "2-02", "Messages go out with the last one first.",
        _sending(lambda stream, messages: messages[::-1])),
    fault("sender-sends-once", "3-06 2-03", "What was sent once is not sent again.", _sending(_sends_once)),
    fault("sender-stops-at-its-window", "2-03 3-06",
        "The window of five messages never moves: what is queued behind is not sent.",
        _sending(lambda _, messages: [sent for sent in messages if sent.numbers.sequence <= _FIVE])),
    fault("sender-sends-discarded", "3-04", "Expired messages go on being sent.",
        replaced(drop=lambda self, stream, message: stream)),
    fault("sender-drops-the-rest", "2-03", "With an expired message goes all that is queued behind it.",
        replaced(drop=_drops_the_rest)),
    fault("sender-releases-beyond", "3-08 2-03", "An acknowledgment releases the message behind its number as well.",
        _releasing(lambda number: number + 1)),
    fault("sender-releases-all", "3-08 2-03", "Each acknowledgment releases everything that is queued.",
        _releasing(lambda number: number + 1_000_000)),
    fault("sender-releases-next-at-copy", "3-08", "A copy of an acknowledgment releases the message behind its number.",
        answering(release=_releases_next_at_copy)),
    fault("sender-recovers-what-was-sent", "2-03 3.1.1.3.1-05", "A restart loses what was queued and never sent.",
        answering(recover=lambda self, right, stream: replace(
            right, queue=tuple(queued for queued in right.queue if queued.transmitted)))),
    fault("sender-releases-by-message", "3-07", "An acknowledgment whose message has expired releases nothing.",
        answering(release=_releases_what_waits)),
    fault("sender-releases-below", "3-07", "An acknowledgment releases what is below its number only.",
        _releasing(lambda number: number - 1)),
    fault("sender-never-releases", "3-07", "Acknowledgments release nothing.",
        replaced(release=lambda self, stream, number: stream)),
    fault("sender-older-brings-back", "3.1.5.6-01 3-07",
        "An older acknowledgment than the one before brings messages back.",
        _BringsMessagesBack),
    fault("sender-mixes-streams", "2-05", "An acknowledgment releases messages of every stream.",
        replaced(order_ack=_releases_everywhere)),
    fault("sender-drops-on-lost-state", "2-03",
        "A receiver that starts from zero makes it drop the first message of the queue.",
        answering(begin_from_zero=lambda self, right, stream: replace(right, queue=stream.queue[1:]))),
    fault("sender-one-octet", "3-01 3.1.7.1.3-01", "Numbers begin with 1 again after 255.",
        _counting_from(lambda self, stream: stream.last_number % 255)),
    fault("sender-remembers-ten-streams", "2-05", "The queues of ten streams are kept, and no more.",
        answering(enqueue=_keeps_ten_streams)),
    fault("sender-acknowledged-by-octet", "3-07", "Of an acknowledged number the lowest octet counts.",
        _releasing(lambda number: number % 256)),
    fault("sender-expires-by-half-of-name", "2-03",
        "An expired message removes all others whose names begin like its own.", replaced(drop=_drops_by_half_of_name)),
    fault("sender-third-restart-forgets", "3.1.1.3.1-05", "Every third restart loses the number that was given last.",
        altered(answering(recover=_forgets_at_third), restart=_counts_restarts)),
    fault("sender-forgets-at-restart", "3.1.1.3.1-05", "Queue and numbers do not outlive a restart.",
        replaced(restart=_forgets)),
    fault("sender-begins-with-ten", "3.1.1.3.1-01", "The first number of a stream is 10.",
        _counting_from(lambda self, stream: stream.last_number or 9)),
    fault("sender-counts-by-two", "3.1.7.1.3-01", "Every other number is left out.",
        _counting_from(lambda self, stream: stream.last_number + 1 if stream.last_number else 0)),
    fault("sender-first-previous-not-zero", "2-07 3-03",
        "The first message of a stream names itself as the one before it.", _sending(_links_very_first_to_itself)),
    fault("sender-first-names-itself", "3-09",
        "The first message that is sent goes out with its own number as that of the one before it.",
        _sending(lambda stream, messages: [*map(_linked_to_itself, messages[:1]), *messages[1:]])),
    fault("sender-numbers-by-what-waits", "3-01", "The number of a message is how many are not acknowledged.",
        _counting_from(lambda self, stream: len(stream.queue))),
    fault("sender-gives-number-again", "3-01 3.1.7.1.3-01",
        "The number of an expired message is given to the next one.", answering(drop=_takes_last_number_back)),
    fault("sender-one-counter", "2-05 3.1.1.3.1-01", "All streams share one counter.",
        _counting_from(lambda self, stream: max((state.last_number for state in self.streams.values()), default=0))),
    fault("sender-numbers-resends-anew", "3-10 3.1.7.1.3-02 2-01", "Each resend gives its messages new numbers.",
        with_arguments(OrderedSender, send=_numbers_resends_anew)),
    fault("sender-numbers-by-place", "3-10 3.1.7.1.3-02",
        "What is sent has its place in the queue for its number, counted from the last acknowledged one.",
        _sending(_numbered_by_place)),
    fault("sender-renumbers-on-discard", "3-10 3.1.7.1.3-02",
        "The messages behind an expired one take over the numbers before them.", answering(drop=_closes_gap)),
    fault("sender-numbers-anew-at-restart", "3-10", "A restart gives unacknowledged messages new numbers.",
        partial(OrderedSender, SenderReadings(numbers_over_sessions=NumbersOverSessions.ANEW))),
    fault("sender-resends-too-soon", "3.1.6.5-02", "The waits are half as long.",
        with_arguments(OrderedSender, advance_clock=lambda seconds: (seconds * 2,))),
    fault("sender-resends-every-minute", "3.1.6.5-02", "Every wait is a minute.", with_waits(lambda wait: 60 * SECOND)),
    fault("sender-resends-every-thirty-seconds", "3.1.6.5-02", "Every wait is 30 seconds.",
        answering(advance_clock=_forgets_waits)),
    fault("sender-never-resends", "3.1.6.5-01 3-06", "Nothing is sent again of itself.",
        replaced(advance_clock=lambda self, seconds: {"messages": []})),
    fault("sender-never-resends-after-restart", "3.1.6.5-01 3-06", "A restart ends the wait for an acknowledgment.",
        answering(recover=lambda self, right, stream: replace(right, wait_until=None))),
    fault("sender-last-interval-after-restart", "3.1.6.5-02",
        "After a restart every wait is as long as the last of the schedule.",
        answering(recover=lambda self, right, stream: replace(right, waits=len(RESEND_INTERVALS)))),
    fault("sender-waits-anew-with-each-message", "3.1.6.5-01 3-06", "Each message that is queued begins the wait anew.",
        answering(number=_waits_anew)),
    fault("sender-stops-waiting-when-many-wait", "3.1.6.5-01 3-06", "The eleventh message that waits ends the wait.",
        answering(number=lambda self, right, stream, message: (
            replace(right[0], wait_until=right[0].wait_until if len(right[0].queue) <= 10 else None), right[1]))),
    fault("sender-resends-first", "3.1.6.5-01", "Only the first unacknowledged message of a stream is sent again.",
        answering(advance_clock=_resends_first)),
    fault("sender-resends-backwards", "3.1.6.5-01", "Messages are sent again with the last one first.",
        _resending(lambda messages: messages[::-1])),
    fault("sender-resends-with-an-octet", "3-10",
        "What is sent again of itself has the lowest octet of its number alone.",
        _resending(lambda messages: [resend | {"sequence": resend["sequence"] % 256} for resend in messages])),
    fault("sender-resends-sixteen", "3.1.6.5-01 3-06", "At most sixteen messages are sent again of themselves.",
        _resending(lambda messages: messages[:16])),
    fault("sender-loses-parts-of-seconds", "3.1.6.5-01", "Its clock leaves out what is less than a second each time.",
        with_arguments(OrderedSender, advance_clock=lambda seconds: (int(seconds),))),
    fault("sender-copy-begins-schedule-anew", "3.1.6.5-02",
        "A copy of an acknowledgment begins with the first interval again.",
        answering(release=lambda self, right, stream, number: replace(
            right, waits=0 if number <= stream.last_acknowledged else right.waits))),
    fault("sender-waits-from-the-queue", "3.1.6.5-02", "The wait begins when a message is queued.",
        answering(number=lambda self, right, stream, message: (
            right[0] if right[0].wait_until else replace(
                right[0], wait_until=self.now + resend_interval(right[0].waits)), right[1]))),
    fault("sender-gives-up", "3-06 3.1.6.5-02", "After twenty waits nothing is sent again.",
        answering(send_again=lambda self, right, stream, until: (
            replace(right[0], wait_until=right[0].wait_until if right[0].waits < 20 else None), right[1]))),
    fault("sender-stops-waiting-at-expiry", "3.1.6.5-01 3-06",
        "A message that expires ends the wait for all the others.",
        answering(drop=lambda self, right, stream, message: replace(right, wait_until=None))),
    fault("sender-stops-waiting-at-older", "3.1.5.6-01 3-06",
        "An older acknowledgment than the one before ends the wait.", answering(release=_stops_waiting_at_older)),
    fault("sender-recovers-last-stream", "3.1.6.5-01 3-06",
        "After a restart nothing is sent again but what the last stream holds.",
        replaced(restart=_recovers_last_stream)),
    fault("sender-resends-as-numbered", "3-05 3-09",
        "What is sent again of itself keeps the link that it got when it was queued.",
        answering(send_again=_resends_as_numbered)),
    fault("sender-intervals-stay", "3.1.5.6-02",
        "Once everything is acknowledged the next interval is as long as the last one was.",
        answering(release=lambda self, right, stream, number: replace(right, waits=stream.waits))),
)  # fmt: skip
