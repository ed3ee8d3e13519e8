"""The ends of the streams as a simulation calls them: operations of the IUT protocol, over any carrier."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from mqconform.harness.iut.interface import Json, NotApplicable, Unsupported
from mqconform.reference.eod.elements import Numbers
from mqconform.reference.eod.sender import Message

Call = Callable[[str, Json], Json]
"""Performs one operation of the IUT protocol, given the method and its parameters."""
NO_WINDOW: Final = 1_000_000
"""The window of a sender that sends everything at once: more messages than any scenario has."""
WINDOW_MESSAGES: Final = 150
"""Queued where the window is looked for: more than any scenario lets wait."""


def operations_of(iut: Any) -> Call:
    """Return the operations of a reference or a wrong implementation in this process, without JSON or schema."""

    def perform(method: str, params: Json) -> Json:
        role, _, operation = method.partition(".")
        answer: Json = getattr(iut.parts[role], operation)(**params) if operation else iut.call(method, params)
        return answer

    return perform


@dataclass(frozen=True, slots=True)
class SenderEnd:
    """Role ``ordered_sender``."""

    call: Call

    def enqueue(self, stream: str, message: str) -> Numbers:
        """Queue a message, and return the numbers it gets."""
        answer = self.call("ordered_sender.enqueue", {"stream": stream, "message": message})
        return Numbers(answer["sequence"], answer["previous"])

    def transmit(self, stream: str) -> list[tuple[str, Numbers]]:
        """Return what a transmission sends now."""
        messages = self.call("ordered_sender.transmit", {"stream": stream})["messages"]
        return [(message["message"], Numbers(message["sequence"], message["previous"])) for message in messages]

    def order_ack(self, stream: str, number: int) -> None:
        """Hand over an order acknowledgment."""
        self.call("ordered_sender.order_ack", {"stream": stream, "sequence": number})

    def discard(self, stream: str, message: Message) -> None:
        """Let a message expire."""
        self.call("ordered_sender.discard", {"stream": stream, "message": message})

    def receiver_lost_state(self, stream: str) -> None:
        """Tell that the receiver starts from zero."""
        self.call("ordered_sender.receiver_lost_state", {"stream": stream})


def restarted(call: Call, role: str) -> bool:
    """Let an end crash and recover; return whether the implementation can."""
    try:
        call(f"{role}.restart", {})
    except Unsupported:
        return False
    return True


def window_of(sender: SenderEnd) -> int:
    """Return the window of a sender, as a stream of its own shows it; everything is acknowledged there in the end.

    The page sets no limit and forbids none, as long as an acknowledgment makes room for the messages behind
    (section 3). A sender that does not get everything out in this order has no window: it loses messages.

    Raises:
        NotApplicable: everything goes out, now more and now less at once: what should have gone out in a scenario is
            not known.
    """
    left = [f"w{number}" for number in range(1, WINDOW_MESSAGES + 1)]
    for message in left:
        sender.enqueue("window", message)
    sizes: list[int] = []
    while left:
        sent = sender.transmit("window")
        if not sent or [message for message, _ in sent] != left[: len(sent)]:
            return NO_WINDOW
        sender.order_ack("window", sent[-1][1].sequence)
        left = left[len(sent) :]
        sizes.append(len(sent))
    if len(set(sizes[:-1])) > 1 or sizes[-1] > sizes[0]:
        raise NotApplicable("the sender's window changes, which the page leaves open: what is to go out is not known")
    return sizes[0]
