"""Senders that link, send or release wrongly (page, section 3; MS-MQQB 3.1.5.6, 3.1.7.1.3)."""

from collections.abc import Sequence
from dataclasses import replace

from mqconform.harness.builtin.ordered_sender import ReferenceOrderedSender, Stream
from mqconform.harness.iut import Json
from mqconform.harness.mutants.eod_mutant import sending
from mqconform.reference.eod import sender
from mqconform.reference.eod.elements import Numbers
from mqconform.reference.eod.sender import Message, OutgoingStream, QueuedMessage, Sent

Transmitted = tuple[OutgoingStream, Sequence[Sent]]
Numbered = tuple[OutgoingStream, Numbers]


class Spoiling(ReferenceOrderedSender):
    """A sender that sends its messages otherwise."""

    def send(self, stream: OutgoingStream) -> Transmitted:
        """Spoil a transmission."""
        after, sent = super().send(stream)
        return after, self.spoilt(stream, sent)

    def spoilt(self, stream: OutgoingStream, sent: Sequence[Sent]) -> Sequence[Sent]:
        """Return what goes out in place of what should."""
        del stream
        return sent


class Unlinked(Spoiling):
    """Every message has previous number zero."""

    def number(self, stream: OutgoingStream, message: Message) -> Numbered:
        """Give no link."""
        _, right = super().number(stream, message)
        numbers = replace(right, previous=0)
        return sender.queued_as(stream, message, numbers), numbers

    def spoilt(self, stream: OutgoingStream, sent: Sequence[Sent]) -> Sequence[Sent]:
        """Send no link."""
        return [replace(one, numbers=replace(one.numbers, previous=0)) for one in sent]


class NeverRelinks(Spoiling):
    """A message keeps the link that it got when it was queued."""

    def spoilt(self, stream: OutgoingStream, sent: Sequence[Sent]) -> Sequence[Sent]:
        """Send the numbers of the queue."""
        return [Sent(one.message, one.numbers) for one in stream.queue]


class FirstKeepsLink(Spoiling):
    """The first message of the queue names the acknowledged one before it, however often it is sent."""

    def spoilt(self, stream: OutgoingStream, sent: Sequence[Sent]) -> Sequence[Sent]:
        """Link the first to what is acknowledged."""
        if not sent:
            return sent
        first = replace(sent[0], numbers=replace(sent[0].numbers, previous=stream.last_acknowledged))
        return [first, *sent[1:]]


class Backwards(Spoiling):
    """Messages go out with the last one first."""

    def spoilt(self, stream: OutgoingStream, sent: Sequence[Sent]) -> Sequence[Sent]:
        """Turn them round."""
        return sent[::-1]


class SendsOnce(Spoiling):
    """What was sent once is not sent again."""

    def spoilt(self, stream: OutgoingStream, sent: Sequence[Sent]) -> Sequence[Sent]:
        """Leave out what was transmitted."""
        return [one for one, queued in zip(sent, stream.queue, strict=True) if not queued.transmitted]


class SendsDiscarded(ReferenceOrderedSender):
    """Expired messages go on being sent."""

    def drop(self, stream: OutgoingStream, message: Message) -> OutgoingStream:
        """Keep it."""
        return stream


class DropsTheRest(ReferenceOrderedSender):
    """With an expired message goes all that is queued behind it."""

    def drop(self, stream: OutgoingStream, message: Message) -> OutgoingStream:
        """Cut the queue off."""
        for one in reversed(stream.queue):
            stream = super().drop(stream, one.message)
            if one.message == message:
                break
        return stream


class ReleasesBeyond(ReferenceOrderedSender):
    """An acknowledgment releases the message behind its number as well."""

    def release(self, stream: OutgoingStream, number: int) -> OutgoingStream:
        """Add one."""
        return super().release(stream, number + 1)


class ReleasesBelow(ReferenceOrderedSender):
    """An acknowledgment releases what is below its number only."""

    def release(self, stream: OutgoingStream, number: int) -> OutgoingStream:
        """Take one away."""
        return super().release(stream, number - 1)


class NeverReleases(ReferenceOrderedSender):
    """Acknowledgments release nothing."""

    def release(self, stream: OutgoingStream, number: int) -> OutgoingStream:
        """Keep everything."""
        return stream


class OlderBringsBack(ReferenceOrderedSender):
    """An older acknowledgment than the one before brings messages back."""

    def __init__(self) -> None:
        super().__init__()
        self.released: dict[int, QueuedMessage] = {}

    def order_ack(self, stream: Stream, sequence: int) -> Json:
        """Put back what the acknowledgment does not cover."""
        before = self.streams.get(stream, sender.NEW)
        answer = super().order_ack(stream, sequence)
        self.released |= {one.numbers.sequence: one for one in before.queue if one.numbers.sequence <= sequence}
        if sequence < before.last_acknowledged:
            back = [one for number, one in sorted(self.released.items()) if number > sequence]
            after = self.streams[stream]
            waiting = {one.numbers.sequence for one in after.queue}
            queue = (*(one for one in back if one.numbers.sequence not in waiting), *after.queue)
            self.streams[stream] = replace(after, queue=queue, last_acknowledged=sequence)
        return answer

    def reset(self) -> None:
        """Become as freshly started."""
        self.released.clear()
        super().reset()


class MixesStreams(ReferenceOrderedSender):
    """An acknowledgment releases messages of every stream."""

    def order_ack(self, stream: Stream, sequence: int) -> Json:
        """Release everywhere."""
        for key in [*self.streams]:
            super().order_ack(key, sequence)
        return {}


class IgnoresLostState(ReferenceOrderedSender):
    """A receiver that starts from zero makes it drop the first message of the queue."""

    def begin_from_zero(self, stream: OutgoingStream) -> OutgoingStream:
        """Take the first for delivered."""
        return replace(super().begin_from_zero(stream), queue=stream.queue[1:])


class ForgetsAtRestart(ReferenceOrderedSender):
    """Queue and numbers do not outlive a restart."""

    def restart(self) -> Json:
        """Forget."""
        self.streams.clear()
        return {}


MUTANTS = (
    sending("sender-unlinked", Unlinked, "EOD-2-04", "EOD-2-06", "EOD-3-02"),
    sending("sender-never-relinks", NeverRelinks, "EOD-3-05", "EOD-3-09", "EOD-2-03"),
    sending("sender-first-keeps-link", FirstKeepsLink, "EOD-3-09", "EOD-2-03"),
    sending("sender-backwards", Backwards, "EOD-2-02"),
    sending("sender-sends-once", SendsOnce, "EOD-3-06", "EOD-2-03"),
    sending("sender-sends-discarded", SendsDiscarded, "EOD-3-04"),
    sending("sender-drops-the-rest", DropsTheRest, "EOD-2-03"),
    sending("sender-releases-beyond", ReleasesBeyond, "EOD-3-08", "EOD-2-03"),
    sending("sender-releases-below", ReleasesBelow, "EOD-3-07"),
    sending("sender-never-releases", NeverReleases, "EOD-3-07"),
    sending("sender-older-brings-back", OlderBringsBack, "EOD-3.1.5.6-01"),
    sending("sender-mixes-streams", MixesStreams, "EOD-2-05"),
    sending("sender-drops-on-lost-state", IgnoresLostState, "EOD-2-03"),
    sending("sender-forgets-at-restart", ForgetsAtRestart, "EOD-3.1.1.3.1-05"),
)
