"""What the steps of one scenario for a sender of streams share."""

from dataclasses import dataclass, field

import pytest

from mqconform.harness.iut import Json
from mqconform.harness.oracle.eod_resends import SenderModels
from mqconform.harness.oracle.eod_sender import Given, Transmission
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.running.session import Case, Session
from mqconform.harness.witness import Judgement
from mqconform.reference.eod import sender
from mqconform.reference.eod.elements import Numbers, OrderAcknowledgment
from mqconform.reference.eod.sender import Message, OutgoingStream, Sent


@dataclass(slots=True)
class OutgoingScene:
    """The sender of a scenario, driven together with the models.

    Attributes:
        streams: what a sender that gives these numbers has queued, by stream.
        given: every message with its numbers, by stream.
        seen: the last transmission.
        now: tenths of a second since the start.
    """

    run: Session
    case: Case
    judge: Judge
    models: SenderModels = field(default_factory=SenderModels)
    streams: dict[str, OutgoingStream] = field(default_factory=dict)
    given: dict[str, list[Given]] = field(default_factory=dict)
    seen: Transmission | None = None
    now: int = 0

    @property
    def transmission(self) -> Transmission:
        """The last transmission, which the scenario has to have."""
        assert self.seen is not None, "nothing is transmitted in this scenario"
        return self.seen

    def stream(self, name: str) -> OutgoingStream:
        """Return a stream as it is now."""
        return self.streams.get(name, sender.NEW)

    def queue(self, stream: str, message: str) -> None:
        """Let the sender take on a message."""
        params = {"stream": stream, "message": message}
        shown = self._call("enqueue", params)
        numbers = Numbers(shown["sequence"], shown["previous"])
        self.streams[stream] = sender.queued_as(self.stream(stream), message, numbers)
        self.given.setdefault(stream, []).append(Given(message, numbers))
        self.models.perform("enqueue", params)

    def transmit(self, stream: str) -> None:
        """Let the sender send everything that is not acknowledged."""
        shown = self._call("transmit", {"stream": stream})["messages"]
        sent = tuple(Sent(one["message"], Numbers(one["sequence"], one["previous"])) for one in shown)
        self.seen = Transmission(self.stream(stream), sent)
        self.streams[stream], _ = sender.transmit(self.stream(stream), 0)
        self.models.perform("transmit", {"stream": stream})

    def acknowledge(self, stream: str, message: str) -> None:
        """Hand over the acknowledgment of everything up to a message."""
        number = self.number_of(stream, message)
        self._call("order_ack", {"stream": stream, "sequence": number})
        self.streams[stream] = sender.order_acknowledged(self.stream(stream), OrderAcknowledgment(number), 0)
        place = [one.message for one in self.given[stream]].index(message) + 1
        self.models.perform("order_ack", {"stream": stream, "sequence": place})

    def expire(self, stream: str, message: str) -> None:
        """Let a message expire before it is acknowledged."""
        params = {"stream": stream, "message": message}
        self._call("discard", params)
        self.streams[stream] = sender.discard(self.stream(stream), message)
        self.models.perform("discard", params)

    def receiver_lost_state(self, stream: str) -> None:
        """Tell that the receiver starts from zero."""
        self._call("receiver_lost_state", {"stream": stream})
        self.streams[stream] = sender.receiver_lost_state(self.stream(stream))

    def restart(self) -> None:
        """Crash the sender; the store outlives that."""
        self._call("restart", {})
        self.models.perform("restart", {})

    def wait(self, tenths: int) -> None:
        """Let virtual time pass, and note what is sent again meanwhile."""
        shown = self._call("advance_clock", {"seconds": tenths / 10})["messages"]
        self.models.compare(self.now / 10, tenths / 10, [one["message"] for one in shown])
        self.now += tenths

    def number_of(self, stream: str, message: Message) -> int:
        """Return the number that a message was given."""
        return next(one.numbers.sequence for one in self.given[stream] if one.message == message)

    def witness(self, judgement: Judgement) -> None:
        """Record a judgement for the requirements of the scenario."""
        self.run.witness(self.case, self.case.requirements, judgement)

    def _call(self, operation: str, params: Json) -> Json:
        return self.run.iut.call(f"ordered_sender.{operation}", params)


@pytest.fixture
def outgoing(run: Session, case: Case) -> OutgoingScene:
    """Give a scenario a sender as freshly started."""
    run.check_alive()
    run.iut.call("reset", {})
    return OutgoingScene(run, case, Judge(run.register, run.profile, run.readings))
