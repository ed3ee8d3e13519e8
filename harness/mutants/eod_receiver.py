"""Receivers that accept, reject or remember the wrong thing (page, sections 2 and 4; MS-MQQB 3.1.5.8.6)."""

from dataclasses import replace

from mqconform.harness.builtin.ordered_receiver import ReferenceOrderedReceiver, Stream
from mqconform.harness.iut import Json
from mqconform.harness.mutants.eod_mutant import receiving
from mqconform.reference.eod import receiver
from mqconform.reference.eod.elements import Numbers, OrderAcknowledgment
from mqconform.reference.eod.receiver import IncomingStream, Judgement

Reaction = tuple[IncomingStream, Judgement]


class Filtering(ReferenceOrderedReceiver):
    """A receiver with a filter of its own; a judgement that differs is carried out like the right one."""

    def react(self, stream: IncomingStream, message: Numbers) -> Reaction:
        """Judge otherwise, and go on from there."""
        after, judgement = super().react(stream, message)
        accepted = self.accepts(stream, message, judgement)
        if accepted == judgement.accepted:
            return after, judgement
        if not accepted:
            return replace(stream, order_ack_timer=after.order_ack_timer), Judgement.DUPLICATE
        moved = replace(after, last_accepted=message.sequence, sequence_id=message.sequence_id)
        return moved, Judgement.IN_ORDER

    def accepts(self, stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
        """Return whether a message is accepted."""
        del stream, message
        return right.accepted


class AcceptsDuplicates(Filtering):
    """The last accepted message is accepted again."""

    def accepts(self, stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
        """Compare with "below" instead of "not above"."""
        return right.accepted or (right is Judgement.DUPLICATE and message.sequence == stream.last_accepted)


class AcceptsEverything(Filtering):
    """Whatever arrives is accepted."""

    def accepts(self, stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
        """Accept."""
        return True


class RejectsGaps(Filtering):
    """A number has to be the next one, though the messages between have expired."""

    def accepts(self, stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
        """Want the next number, but for the first."""
        return right.accepted and (not stream.last_accepted or message.sequence == stream.last_accepted + 1)


class ComparesForEquality(Filtering):
    """The previous number has to be the last accepted one."""

    def accepts(self, stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
        """Compare for equality within a sequence."""
        same = message.sequence_id == stream.sequence_id
        return right.accepted and (not same or message.previous == stream.last_accepted)


class AcceptsGaps(Filtering):
    """The previous number is not looked at."""

    def accepts(self, stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
        """Accept what comes too early."""
        return right.accepted or right is Judgement.GAP


class SharesState(ReferenceOrderedReceiver):
    """All streams have one last accepted number."""

    def key(self, stream: Stream) -> Stream | None:
        """Tell no streams apart."""
        return None


class RemembersOneStream(ReferenceOrderedReceiver):
    """Only the stream of the last arrival is remembered."""

    def receive_in_sequence(self, stream: Stream, sequence_id: int, sequence: int, previous: int) -> Json:
        """Forget the others."""
        self.streams = {key: one for key, one in self.streams.items() if key == stream}
        return super().receive_in_sequence(stream, sequence_id, sequence, previous)


class MovesOnArrival(ReferenceOrderedReceiver):
    """A rejected message moves the last accepted number, too."""

    def react(self, stream: IncomingStream, message: Numbers) -> Reaction:
        """Take over the number in any case."""
        after, judgement = super().react(stream, message)
        return replace(after, last_accepted=message.sequence), judgement


class NeverMoves(ReferenceOrderedReceiver):
    """The last accepted number stays that of the first message."""

    def react(self, stream: IncomingStream, message: Numbers) -> Reaction:
        """Keep it."""
        after, judgement = super().react(stream, message)
        return (replace(after, last_accepted=stream.last_accepted) if stream.last_accepted else after), judgement


class BeginsWithOne(ReferenceOrderedReceiver):
    """The last accepted number of a new stream is 1."""

    def receive_in_sequence(self, stream: Stream, sequence_id: int, sequence: int, previous: int) -> Json:
        """Begin beyond the first message."""
        self.streams.setdefault(stream, replace(receiver.NEW, last_accepted=1))
        return super().receive_in_sequence(stream, sequence_id, sequence, previous)


class RejectsAfterLostState(Filtering):
    """A stream that is not known begins with number 1 and no other."""

    def accepts(self, stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
        """Want the very first message."""
        return right.accepted and (stream.last_accepted > 0 or message.sequence == 1 or message.sequence_id > 0)


class FiltersBySeen(ReferenceOrderedReceiver):
    """Every number is remembered by itself, so that a late one is delivered behind later ones."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[tuple[Stream, int, int]] = set()

    def receive_in_sequence(self, stream: Stream, sequence_id: int, sequence: int, previous: int) -> Json:
        """Accept what was not seen yet, if nothing before it is missing."""
        known = self.streams.get(stream, receiver.NEW)
        late = sequence_id == known.sequence_id and sequence < known.last_accepted
        if late and (stream, sequence_id, sequence) not in self.seen:
            self.seen.add((stream, sequence_id, sequence))
            return {"accepted": True}
        answer = super().receive_in_sequence(stream, sequence_id, sequence, previous)
        if answer["accepted"]:
            self.seen.add((stream, sequence_id, sequence))
        return answer

    def lose_state(self) -> Json:
        """Forget what was seen as well."""
        self.seen.clear()
        return super().lose_state()

    def reset(self) -> None:
        """Become as freshly started."""
        self.seen.clear()
        super().reset()


class LosesPatience(ReferenceOrderedReceiver):
    """After three rejections in a row whatever comes next is rejected."""

    def __init__(self) -> None:
        super().__init__()
        self.rejections = 0

    def react(self, stream: IncomingStream, message: Numbers) -> Reaction:
        """Count rejections."""
        after, judgement = super().react(stream, message)
        if judgement.accepted and self.rejections >= 3:
            self.rejections = 0
            return replace(stream, order_ack_timer=after.order_ack_timer), Judgement.GAP
        self.rejections = 0 if judgement.accepted else self.rejections + 1
        return after, judgement

    def reset(self) -> None:
        """Become as freshly started."""
        self.rejections = 0
        super().reset()


class ForgetsAtRestart(ReferenceOrderedReceiver):
    """The last accepted numbers do not outlive a restart."""

    def restart(self) -> Json:
        """Forget."""
        return self.lose_state()


class AcknowledgesNext(ReferenceOrderedReceiver):
    """An acknowledgment carries the number that is awaited next."""

    def acknowledgment(self, stream: IncomingStream) -> OrderAcknowledgment | None:
        """Add one."""
        return OrderAcknowledgment(stream.last_accepted + 1, stream.sequence_id)


class AcknowledgesOneBefore(ReferenceOrderedReceiver):
    """An acknowledgment carries the number before the last accepted one."""

    def acknowledgment(self, stream: IncomingStream) -> OrderAcknowledgment | None:
        """Take one away."""
        return OrderAcknowledgment(max(stream.last_accepted - 1, 0), stream.sequence_id)


class AcknowledgesHighestSeen(ReferenceOrderedReceiver):
    """An acknowledgment carries the highest number that ever arrived."""

    def __init__(self) -> None:
        super().__init__()
        self.highest: dict[Stream, int] = {}

    def receive_in_sequence(self, stream: Stream, sequence_id: int, sequence: int, previous: int) -> Json:
        """Note the number."""
        self.highest[stream] = max(sequence, self.highest.get(stream, 0))
        return super().receive_in_sequence(stream, sequence_id, sequence, previous)

    def order_ack(self, stream: Stream) -> Json:
        """Tell it."""
        return {"sequence": self.highest.get(stream, 0)}

    def lose_state(self) -> Json:
        """Forget it as well."""
        self.highest.clear()
        return super().lose_state()

    def reset(self) -> None:
        """Become as freshly started."""
        self.highest.clear()
        super().reset()


class IgnoresNewerSequence(Filtering):
    """A newer sequence is rejected like a message of a stranger."""

    def accepts(self, stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
        """Stay with the first sequence."""
        return right.accepted and (message.sequence_id == stream.sequence_id or not stream.sequence_id)


class NewerSequenceAmid(Filtering):
    """A newer sequence is accepted whatever its previous number."""

    def accepts(self, stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
        """Let it begin anywhere."""
        return right.accepted or right is Judgement.NOT_FIRST_OF_SEQUENCE


class OlderSequenceAccepted(Filtering):
    """An older sequence is accepted like a newer one."""

    def accepts(self, stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
        """Compare for inequality."""
        return right.accepted or right is Judgement.OLDER_SEQUENCE


MUTANTS = (
    receiving("receiver-accepts-duplicates", AcceptsDuplicates, "EOD-4-04", "EOD-2-01"),
    receiving("receiver-accepts-everything", AcceptsEverything, "EOD-2-08", "EOD-4-02", "EOD-2-02", "EOD-2-01"),
    receiving("receiver-rejects-gaps", RejectsGaps, "EOD-4-06", "EOD-2-08", "EOD-2-03"),
    receiving("receiver-compares-for-equality", ComparesForEquality, "EOD-4-06", "EOD-2-03"),
    receiving("receiver-accepts-gaps", AcceptsGaps, "EOD-4-05", "EOD-2-02"),
    receiving("receiver-shares-state", SharesState, "EOD-2-05", "EOD-2-03", "EOD-4-06"),
    receiving("receiver-remembers-one-stream", RemembersOneStream, "EOD-4-01", "EOD-2-05"),
    receiving("receiver-moves-on-arrival", MovesOnArrival, "EOD-4-08", "EOD-2-03"),
    receiving("receiver-never-moves", NeverMoves, "EOD-4-07", "EOD-2-03"),
    receiving("receiver-begins-with-one", BeginsWithOne, "EOD-4-03"),
    receiving("receiver-rejects-after-lost-state", RejectsAfterLostState, "EOD-4-03", "EOD-4-06", "EOD-2-03"),
    receiving("receiver-filters-by-seen", FiltersBySeen, "EOD-4-02", "EOD-2-02", "EOD-2-09", "EOD-4-04"),
    receiving("receiver-loses-patience", LosesPatience, "EOD-2-09"),
    receiving("receiver-forgets-at-restart", ForgetsAtRestart, "EOD-3.1.1.3.1-05"),
    receiving("receiver-acknowledges-next", AcknowledgesNext, "EOD-2-11", "EOD-2-10"),
    receiving("receiver-acknowledges-one-before", AcknowledgesOneBefore, "EOD-2-10"),
    receiving("receiver-acknowledges-highest-seen", AcknowledgesHighestSeen, "EOD-2-11"),
    receiving("receiver-ignores-newer-sequence", IgnoresNewerSequence, "EOD-3.1.5.8.6-01"),
    receiving("receiver-newer-sequence-amid", NewerSequenceAmid, "EOD-3.1.5.8.6-02"),
    receiving("receiver-older-sequence-accepted", OlderSequenceAccepted, "EOD-3.1.5.8.6-03"),
)
