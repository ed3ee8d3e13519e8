"""Senders that number, link, send or release wrongly.

Page, section 3; MS-MQQB 3.1.1.3.1, 3.1.5.6, 3.1.7.1.3.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.ordered_sender import ReferenceOrderedSender, Stream
from mqconform.reference.eod import sender
from mqconform.reference.eod.elements import Numbers
from mqconform.reference.eod.readings_of_senders import NumbersOverSessions, SenderReadings
from mqconform.reference.eod.sender import Message, OutgoingStream, QueuedMessage, Sent
from mqconform.reference.fault import altered, row

fault = partial(row, "EOD")
replaced = partial(altered, ReferenceOrderedSender)

Messages = Sequence[Sent]

_FIVE = 5


def _with_transmission(
    spoil: Callable[[OutgoingStream, Messages], Messages], **methods: Callable[..., object]
) -> type[ReferenceOrderedSender]:
    """Return the sender that sends what ``spoil`` makes of a right transmission of a stream."""

    def send(self: ReferenceOrderedSender, stream: OutgoingStream) -> tuple[OutgoingStream, Messages]:
        after, messages = ReferenceOrderedSender.send(self, stream)
        return after, spoil(stream, messages)

    return altered(ReferenceOrderedSender, send=send, **methods)


def _with_release(number: Callable[[int], int]) -> type[ReferenceOrderedSender]:
    """Return the sender that takes an acknowledged number for another one."""
    return altered(
        ReferenceOrderedSender,
        release=lambda self, stream, acknowledged: ReferenceOrderedSender.release(self, stream, number(acknowledged)),
    )


def _unlink(stream: OutgoingStream, messages: Messages) -> Messages:
    return [_linked_to(message, 0) for message in messages]


def _unlinked_number(
    self: ReferenceOrderedSender, stream: OutgoingStream, message: Message
) -> tuple[OutgoingStream, Numbers]:
    _, right = ReferenceOrderedSender.number(self, stream, message)
    numbers = replace(right, previous=0)
    return sender.queued_as(stream, message, numbers), numbers


def _linked_to(message: Sent, previous: int) -> Sent:
    return replace(message, numbers=replace(message.numbers, previous=previous))


def _as_queued(stream: OutgoingStream, messages: Messages) -> Messages:
    return [Sent(queued.message, queued.numbers) for queued in stream.queue]


def _first_keeps_link(stream: OutgoingStream, messages: Messages) -> Messages:
    return [_linked_to(first, stream.last_acknowledged) for first in messages[:1]] + [*messages[1:]]


def _sends_once(stream: OutgoingStream, messages: Messages) -> Messages:
    return [message for message, queued in zip(messages, stream.queue, strict=True) if not queued.transmitted]


def _drops_the_rest(self: ReferenceOrderedSender, stream: OutgoingStream, message: Message) -> OutgoingStream:
    for queued in reversed(stream.queue):
        stream = ReferenceOrderedSender.drop(self, stream, queued.message)
        if queued.message == message:
            break
    return stream


class _BringsMessagesBack(ReferenceOrderedSender):
    def __init__(self) -> None:
        super().__init__()
        self.released: dict[int, QueuedMessage] = {}

    def order_ack(self, stream: Stream, sequence: int) -> Json:
        before = self.streams.get(stream, sender.NEW)
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


def _releases_next_at_copy(self: ReferenceOrderedSender, stream: OutgoingStream, number: int) -> OutgoingStream:
    after = ReferenceOrderedSender.release(self, stream, number)
    return replace(after, queue=after.queue[1:]) if 0 < number == stream.last_acknowledged else after


def _recovers_what_was_sent(self: ReferenceOrderedSender, stream: OutgoingStream) -> OutgoingStream:
    after = ReferenceOrderedSender.recover(self, stream)
    return replace(after, queue=tuple(queued for queued in after.queue if queued.transmitted))


def _releases_what_waits(self: ReferenceOrderedSender, stream: OutgoingStream, number: int) -> OutgoingStream:
    waits = any(queued.numbers.sequence == number for queued in stream.queue)
    return ReferenceOrderedSender.release(self, stream, number) if waits else stream


def _releases_everywhere(self: ReferenceOrderedSender, stream: Stream, sequence: int) -> Json:
    for key in [*self.streams]:
        ReferenceOrderedSender.order_ack(self, key, sequence)
    return {}


def _drops_first(self: ReferenceOrderedSender, stream: OutgoingStream) -> OutgoingStream:
    return replace(ReferenceOrderedSender.begin_from_zero(self, stream), queue=stream.queue[1:])


def _keeps_ten_streams(self: ReferenceOrderedSender, stream: Stream, message: Message) -> Json:
    answer = ReferenceOrderedSender.enqueue(self, stream, message)
    self.streams = dict([*self.streams.items()][-10:])
    return answer


def _half(name: Stream | Message) -> Stream | Message:
    return name[: max(1, len(name) // 2)] if isinstance(name, str) else name


def _drops_by_half_of_name(self: ReferenceOrderedSender, stream: OutgoingStream, message: Message) -> OutgoingStream:
    for queued in [entry.message for entry in stream.queue if _half(entry.message) == _half(message)]:
        stream = ReferenceOrderedSender.drop(self, stream, queued)
    return stream


class _ForgetsAtThirdRestart(ReferenceOrderedSender):
    def __init__(self) -> None:
        super().__init__()
        self.restarts = 0

    def restart(self) -> Json:
        self.restarts += 1
        return super().restart()

    def recover(self, stream: OutgoingStream) -> OutgoingStream:
        after = super().recover(stream)
        return after if self.restarts % 3 else replace(after, last_number=stream.last_acknowledged)

    def reset(self) -> None:
        self.restarts = 0
        super().reset()


def _forgets(self: ReferenceOrderedSender) -> Json:
    self.streams.clear()
    return {}


Transmitted = tuple[OutgoingStream, Sequence[Sent]]
Numbered = tuple[OutgoingStream, Numbers]


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


def _links_very_first_to_itself(self: ReferenceOrderedSender, stream: OutgoingStream) -> Transmitted:
    if stream.last_acknowledged or any(queued.transmitted for queued in stream.queue):
        return ReferenceOrderedSender.send(self, stream)
    return _links_first_to_itself(self, stream)


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


# Laid out as a table: name, what it breaks, what it does, the changed rule.
FAULTS = (
    fault("sender-unlinked", "2-04 2-06 3-02", "Every message has previous number zero.",
        _with_transmission(_unlink, number=_unlinked_number)),
    fault("sender-never-relinks", "3-05 3-09 2-03", "A message keeps the link that it got when it was queued.",
        _with_transmission(_as_queued)),
    fault("sender-first-keeps-link", "3-09 2-03",
        "The first message of the queue names the acknowledged one before it, however often it is sent.",
        _with_transmission(_first_keeps_link)),
    fault("sender-backwards", "2-02", "Messages go out with the last one first.",
        _with_transmission(lambda stream, messages: messages[::-1])),
    fault("sender-sends-once", "3-06 2-03", "What was sent once is not sent again.", _with_transmission(_sends_once)),
    fault("sender-stops-at-its-window", "2-03 3-06",
        "The window of five messages never moves: what is queued behind is not sent.",
        _with_transmission(lambda _, messages: [sent for sent in messages if sent.numbers.sequence <= _FIVE])),
    fault("sender-sends-discarded", "3-04", "Expired messages go on being sent.",
        replaced(drop=lambda self, stream, message: stream)),
    fault("sender-drops-the-rest", "2-03", "With an expired message goes all that is queued behind it.",
        replaced(drop=_drops_the_rest)),
    fault("sender-releases-beyond", "3-08 2-03", "An acknowledgment releases the message behind its number as well.",
        _with_release(lambda number: number + 1)),
    fault("sender-releases-next-at-copy", "3-08", "A copy of an acknowledgment releases the message behind its number.",
        replaced(release=_releases_next_at_copy)),
    fault("sender-recovers-what-was-sent", "3.1.1.3.1-05", "A restart loses what was queued and never sent.",
        replaced(recover=_recovers_what_was_sent)),
    fault("sender-releases-by-message", "3-07", "An acknowledgment whose message has expired releases nothing.",
        replaced(release=_releases_what_waits)),
    fault("sender-releases-below", "3-07", "An acknowledgment releases what is below its number only.",
        _with_release(lambda number: number - 1)),
    fault("sender-never-releases", "3-07", "Acknowledgments release nothing.",
        replaced(release=lambda self, stream, number: stream)),
    fault("sender-older-brings-back", "3.1.5.6-01", "An older acknowledgment than the one before brings messages back.",
        _BringsMessagesBack),
    fault("sender-mixes-streams", "2-05", "An acknowledgment releases messages of every stream.",
        replaced(order_ack=_releases_everywhere)),
    fault("sender-drops-on-lost-state", "2-03",
        "A receiver that starts from zero makes it drop the first message of the queue.",
        replaced(begin_from_zero=_drops_first)),
    fault("sender-one-octet", "3-01 3.1.7.1.3-01", "Numbers begin with 1 again after 255.",
        _with_last_number(lambda self, stream: stream.last_number % 255)),
    fault("sender-remembers-ten-streams", "2-05", "The queues of ten streams are kept, and no more.",
        replaced(enqueue=_keeps_ten_streams)),
    fault("sender-acknowledged-by-octet", "3-07", "Of an acknowledged number the lowest octet counts.",
        _with_release(lambda number: number % 256)),
    fault("sender-expires-by-half-of-name", "2-03",
        "An expired message removes all others whose names begin like its own.", replaced(drop=_drops_by_half_of_name)),
    fault("sender-third-restart-forgets", "3.1.1.3.1-05", "Every third restart loses the number that was given last.",
        _ForgetsAtThirdRestart),
    fault("sender-forgets-at-restart", "3.1.1.3.1-05", "Queue and numbers do not outlive a restart.",
        replaced(restart=_forgets)),
    fault("sender-begins-with-ten", "3.1.1.3.1-01", "The first number of a stream is 10.",
        _with_last_number(lambda self, stream: stream.last_number or 9)),
    fault("sender-counts-by-two", "3.1.7.1.3-01", "Every other number is left out.",
        _with_last_number(lambda self, stream: stream.last_number + 1 if stream.last_number else 0)),
    fault("sender-first-previous-not-zero", "2-07 3-03",
        "The first message of a stream names itself as the one before it.", replaced(send=_links_very_first_to_itself)),
    fault("sender-first-names-itself", "3-09",
        "The first message that is sent goes out with its own number as that of the one before it.",
        replaced(send=_links_first_to_itself)),
    fault("sender-numbers-by-what-waits", "3-01", "The number of a message is how many are not acknowledged.",
        _with_last_number(lambda self, stream: len(stream.queue))),
    fault("sender-gives-number-again", "3-01 3.1.7.1.3-01",
        "The number of an expired message is given to the next one.", replaced(drop=_takes_last_number_back)),
    fault("sender-one-counter", "2-05 3.1.1.3.1-01", "All streams share one counter.",
        _with_last_number(_last_of_all_streams)),
    fault("sender-numbers-resends-anew", "3-10 3.1.7.1.3-02 2-01", "Each resend gives its messages new numbers.",
        replaced(send=_numbers_resends_anew)),
    fault("sender-renumbers-on-discard", "3-10 3.1.7.1.3-02",
        "The messages behind an expired one take over the numbers before them.", replaced(drop=_closes_gap)),
    fault("sender-numbers-anew-at-restart", "3-10", "A restart gives unacknowledged messages new numbers.",
        partial(ReferenceOrderedSender, SenderReadings(numbers_over_sessions=NumbersOverSessions.ANEW))),
)  # fmt: skip
