"""The reference sender as an implementation under test: role ``ordered_sender`` of the IUT protocol."""

from collections.abc import Sequence

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.role import Capability, Role
from mqconform.harness.iut.smoke_calls import STREAM, Call, calls_of
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod import sender
from mqconform.reference.eod.elements import SECOND, Numbers, OrderAcknowledgment
from mqconform.reference.eod.readings_of_senders import UNDISPUTED, SenderReadings
from mqconform.reference.eod.sender import Message, OutgoingStream, Sent
from mqconform.reference.eod.specification import FACTS

Stream = str | int


class ReferenceOrderedSender:
    """Role ``ordered_sender`` over the pure sender of streams, with a virtual clock.

    Args of the constructor:
        readings: what it follows where the text is ambiguous.
    """

    def __init__(self, readings: SenderReadings = UNDISPUTED) -> None:
        self.readings = readings
        self.streams: dict[Stream, OutgoingStream] = {}
        self.now = 0
        """Nanoseconds since it was made."""

    def enqueue(self, stream: Stream, message: Message) -> Json:
        """Give a message its numbers (page, section 3)."""
        self.streams[stream], numbers = self.number(self._known(stream), message)
        return {"sequence": numbers.sequence, "previous": numbers.previous}

    def transmit(self, stream: Stream) -> Json:
        """Send everything that is not acknowledged, in order."""
        self.streams[stream], sent = self.send(self._known(stream))
        return {"messages": [_shown(message) for message in sent]}

    def order_ack(self, stream: Stream, sequence: int) -> Json:
        """Release what an order acknowledgment covers."""
        self.streams[stream] = self.release(self._known(stream), sequence)
        return {}

    def discard(self, stream: Stream, message: Message) -> Json:
        """Take an expired message out of its stream."""
        self.streams[stream] = self.drop(self._known(stream), message)
        return {}

    def receiver_lost_state(self, stream: Stream) -> Json:
        """Make the next transmission suit a receiver that starts from zero."""
        self.streams[stream] = self.begin_from_zero(self._known(stream))
        return {}

    def restart(self) -> Json:
        """Crash and find queue and numbers in the store again."""
        self.streams = {key: self.recover(stream) for key, stream in self.streams.items()}
        return {}

    def advance_clock(self, seconds: float) -> Json:
        """Let virtual time pass, and tell what is sent again meanwhile (MS-MQQB 3.1.6.5)."""
        until = self.now + round(seconds * SECOND)
        messages: list[Json] = []
        while due := [(stream.wait_until, key) for key, stream in self.streams.items() if _ends_by(stream, until)]:
            _, key = min(due, key=lambda timer: timer[0] or 0)
            self.streams[key], sent = self.send_again(self.streams[key], until)
            messages += [{"stream": key, **_shown(message)} for message in sent]
        self.now = until
        return {"messages": messages}

    def reset(self) -> None:
        """Reset to the initial state."""
        self.streams.clear()
        self.now = 0

    # What follows is what mutants change.

    def number(self, stream: OutgoingStream, message: Message) -> tuple[OutgoingStream, Numbers]:
        """Return the stream with a further message, and the numbers of the message."""
        return sender.enqueue(stream, message, self.readings)

    def send(self, stream: OutgoingStream) -> tuple[OutgoingStream, Sequence[Sent]]:
        """Return the stream after a transmission, and what goes out."""
        return sender.transmit(stream, self.now, self.readings)

    def send_again(self, stream: OutgoingStream, until: int) -> tuple[OutgoingStream, Sequence[Sent]]:
        """Return the stream after a wait that ends by a time, in nanoseconds, and what goes out again."""
        return sender.resend(stream, until, self.readings)

    def release(self, stream: OutgoingStream, number: int) -> OutgoingStream:
        """Return the stream after an order acknowledgment."""
        acknowledgment = OrderAcknowledgment(number, stream.sequence_id)
        return sender.order_acknowledged(stream, acknowledgment, self.now, self.readings)

    def drop(self, stream: OutgoingStream, message: Message) -> OutgoingStream:
        """Return the stream without an expired message."""
        return sender.discard(stream, message)

    def begin_from_zero(self, stream: OutgoingStream) -> OutgoingStream:
        """Return the stream for a receiver that lost its numbers."""
        return sender.receiver_lost_state(stream)

    def recover(self, stream: OutgoingStream) -> OutgoingStream:
        """Return the stream after a crash that the store outlived."""
        return sender.restarted(stream, self.now, self.readings)

    def _known(self, stream: Stream) -> OutgoingStream:
        return self.streams.get(stream, sender.NEW)


def _ends_by(stream: OutgoingStream, until: int) -> bool:
    return stream.wait_until is not None and stream.wait_until <= until


def _shown(sent: Sent) -> Json:
    return {"message": sent.message, "sequence": sent.numbers.sequence, "previous": sent.numbers.previous}


ROLE = Role(
    RoleName.ORDERED_SENDER,
    "EOD",
    "Windows Server 2003",
    folder="eod",
    reference=ReferenceOrderedSender,
    capabilities=(Capability.VIRTUAL_CLOCK, Capability.RESTART),
    smoke_calls=calls_of(
        RoleName.ORDERED_SENDER,
        Call("enqueue", {"stream": STREAM, "message": "m1"}),
        Call("transmit", {"stream": STREAM}),
        Call("order_ack", {"stream": STREAM, "sequence": 1}),
        Call("enqueue", {"stream": STREAM, "message": "m2"}),
        Call("discard", {"stream": STREAM, "message": "m2"}),
        Call("receiver_lost_state", {"stream": STREAM}),
        Call("advance_clock", {"seconds": FACTS.resend_intervals[0]}, capability="virtual-clock"),
        Call("restart", capability="restart"),
    ),
    inputs="ordered_sender:OrderedSenderInputs",
)
