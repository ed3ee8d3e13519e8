"""The roles `ordered_receiver` and `ordered_sender`."""

from mqsample.ordered_receiver import OrderedReceiver
from mqsample.ordered_sender import Numbered, OrderedSender
from mqsample.protocol.jsonrpc import Method
from mqsample.protocol.parameters import JsonObject, Parameters


class OrderedReceiverOperations:
    """One receiver that takes orders."""

    def __init__(self) -> None:
        self.receiver = OrderedReceiver()
        self.methods: dict[str, Method] = {
            "ordered_receiver.receive": self.receive,
            "ordered_receiver.receive_in_sequence": self.receive_in_sequence,
            "ordered_receiver.order_ack": self.order_ack,
            "ordered_receiver.lose_state": self.lose_state,
            "ordered_receiver.restart": self.restart,
            "ordered_receiver.advance_clock": self.advance_clock,
        }

    def receive(self, params: Parameters) -> JsonObject:
        """A message arrives."""
        accepted = self.receiver.receive(params.key("stream"), params.count("sequence"), params.count("previous"))
        return {"accepted": accepted}

    def receive_in_sequence(self, params: Parameters) -> JsonObject:
        """A message of a sequence arrives."""
        accepted = self.receiver.receive(
            params.key("stream"), params.count("sequence"), params.count("previous"), params.count("sequence_id")
        )
        return {"accepted": accepted}

    def order_ack(self, params: Parameters) -> JsonObject:
        """What an acknowledgment would carry."""
        return {"sequence": self.receiver.order_ack(params.key("stream"))}

    def lose_state(self, _params: Parameters) -> JsonObject:
        """A crash with the store."""
        self.receiver.lose_state()
        return {}

    def restart(self, _params: Parameters) -> JsonObject:
        """A crash without."""
        self.receiver.restart()
        return {}

    def advance_clock(self, params: Parameters) -> JsonObject:
        """Let time pass."""
        acknowledgments = self.receiver.advance_clock(params.microseconds("seconds"))
        return {"order_acks": [{"stream": stream, "sequence": sequence} for stream, sequence in acknowledgments]}


class OrderedSenderOperations:
    """One sender that takes orders."""

    def __init__(self) -> None:
        self.sender = OrderedSender()
        self.methods: dict[str, Method] = {
            "ordered_sender.enqueue": self.enqueue,
            "ordered_sender.transmit": self.transmit,
            "ordered_sender.order_ack": self.order_ack,
            "ordered_sender.discard": self.discard,
            "ordered_sender.receiver_lost_state": self.receiver_lost_state,
            "ordered_sender.restart": self.restart,
            "ordered_sender.advance_clock": self.advance_clock,
        }

    def enqueue(self, params: Parameters) -> JsonObject:
        """Take on a message."""
        numbered = self.sender.enqueue(params.key("stream"), params.key("message"))
        return {"sequence": numbered.sequence, "previous": numbered.previous}

    def transmit(self, params: Parameters) -> JsonObject:
        """Send what is not acknowledged."""
        return {"messages": [_shown(each) for each in self.sender.transmit(params.key("stream"))]}

    def order_ack(self, params: Parameters) -> JsonObject:
        """An acknowledgment arrives."""
        self.sender.order_ack(params.key("stream"), params.count("sequence"))
        return {}

    def discard(self, params: Parameters) -> JsonObject:
        """A message expires."""
        self.sender.discard(params.key("stream"), params.key("message"))
        return {}

    def receiver_lost_state(self, params: Parameters) -> JsonObject:
        """The receiver begins with zero."""
        self.sender.receiver_lost_state(params.key("stream"))
        return {}

    def restart(self, _params: Parameters) -> JsonObject:
        """A crash that the store outlives."""
        self.sender.restart()
        return {}

    def advance_clock(self, params: Parameters) -> JsonObject:
        """Let time pass."""
        resent = self.sender.advance_clock(params.microseconds("seconds"))
        return {"messages": [{"stream": stream, **_shown(each)} for stream, each in resent]}


def _shown(numbered: Numbered) -> JsonObject:
    return {"message": numbered.message, "sequence": numbered.sequence, "previous": numbered.previous}
