"""The reference receiver as an implementation under test: role ``ordered_receiver`` of the IUT protocol."""

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.role import Capability, Role
from mqconform.harness.iut.smoke_calls import FIRST, STREAM, Call, calls_of
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod import receiver
from mqconform.reference.eod.elements import SECOND, Numbers, OrderAcknowledgment
from mqconform.reference.eod.readings_of_receivers import UNDISPUTED, KeptFor, ReceiverReadings
from mqconform.reference.eod.receiver import IncomingStream, Judgement

Stream = str | int


class ReferenceOrderedReceiver:
    """Role ``ordered_receiver`` over the pure receiver of streams, with a virtual clock.

    Args of the constructor:
        readings: what it follows where the text is ambiguous.
    """

    def __init__(self, readings: ReceiverReadings = UNDISPUTED) -> None:
        self.readings = readings
        self.streams: dict[Stream, IncomingStream] = {}
        self.now = 0
        """Nanoseconds since it was made."""

    def receive(self, stream: Stream, sequence: int, previous: int) -> Json:
        """Accept or reject a message (page, section 4)."""
        return self.receive_in_sequence(stream, 0, sequence, previous)

    def receive_in_sequence(self, stream: Stream, sequence_id: int, sequence: int, previous: int) -> Json:
        """Accept or reject a message of a sequence with an id (MS-MQQB 3.1.5.8.6)."""
        key = self.key(stream)
        incoming = self.streams.get(key, receiver.NEW)
        self.streams[key], judgement = self.react(incoming, Numbers(sequence, previous, sequence_id))
        return {"accepted": judgement.accepted}

    def order_ack(self, stream: Stream) -> Json:
        """Tell what an order acknowledgment would carry now."""
        acknowledgment = self.acknowledgment(self.streams.get(self.key(stream), receiver.NEW))
        return {"sequence": acknowledgment.number if acknowledgment else 0}

    def lose_state(self) -> Json:
        """Crash and forget every number."""
        self.streams.clear()
        return {}

    def restart(self) -> Json:
        """Crash and find the numbers in the store again."""
        self.streams = {key: receiver.restarted(stream, self.now) for key, stream in self.streams.items()}
        return {}

    def advance_clock(self, seconds: float) -> Json:
        """Let virtual time pass, and tell which order acknowledgments go out (MS-MQQB 3.1.1.6.2)."""
        self.now += round(seconds * SECOND)
        due = sorted(
            (stream.order_ack_timer.deadline, index, key)
            for index, (key, stream) in enumerate(self.streams.items())
            if stream.order_ack_timer.deadline is not None and stream.order_ack_timer.deadline <= self.now
        )
        sent = []
        for _, _, key in due:
            self.streams[key], due_now = receiver.acknowledge(self.streams[key], self.now, self.readings)
            acknowledgment = due_now and self.acknowledgment(self.streams[key])
            if acknowledgment:
                sent.append({"stream": key, "sequence": acknowledgment.number})
        return {"order_acks": sent}

    def reset(self) -> None:
        """Reset to the initial state."""
        self.streams.clear()
        self.now = 0

    # What follows is what mutants change.

    def key(self, stream: Stream) -> Stream:
        """Return whose numbers count: those of the stream, or by one reading those of the first of all."""
        return stream if self.readings.kept_for is KeptFor.STREAM else next(iter(self.streams), stream)

    def react(self, stream: IncomingStream, message: Numbers) -> tuple[IncomingStream, Judgement]:
        """Return the stream after a message, and what was made of the message."""
        return receiver.receive(stream, message, self.now, self.readings)

    def acknowledgment(self, stream: IncomingStream) -> OrderAcknowledgment | None:
        """Return what an order acknowledgment says."""
        return receiver.order_acknowledgment(stream, self.readings)


ROLE = Role(
    RoleName.ORDERED_RECEIVER,
    "EOD",
    "Windows Server 2003",
    folder="eod",
    reference=ReferenceOrderedReceiver,
    capabilities=(Capability.VIRTUAL_CLOCK, Capability.RESTART, Capability.SEQUENCES),
    smoke_calls=calls_of(
        RoleName.ORDERED_RECEIVER,
        Call("receive", {"stream": STREAM, **FIRST}),
        Call("order_ack", {"stream": STREAM}),
        Call("receive_in_sequence", {"stream": STREAM, "sequence_id": 1, **FIRST}, capability="sequences"),
        Call("advance_clock", {"seconds": 1}, capability="virtual-clock"),
        Call("restart", capability="restart"),
        Call("lose_state"),
    ),
    inputs="ordered_receiver:OrderedReceiverInputs",
)
