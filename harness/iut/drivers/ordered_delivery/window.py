"""How many messages a sender has under way at most before it waits for an order acknowledgment."""

from typing import Final

from mqconform.harness.iut.drivers.ordered_delivery.ends import SenderEnd

NO_WINDOW: Final = 1_000_000
"""The window of a sender that sends everything at once: more messages than any scenario has."""
STREAM: Final = "window"
"""In which the window is looked for."""
MESSAGES: Final = 150
"""Queued there: more than any scenario lets wait."""


def window_of(sender: SenderEnd) -> int:
    """Return the window of a sender, as a stream of its own shows it; everything is acknowledged there in the end.

    The page sets no limit and forbids none, as long as an acknowledgment makes room for the messages behind
    (section 3). A sender that sends fewer messages than wait, and not a steady number of them, has no window: it
    loses messages.
    """
    left = [f"w{number}" for number in range(1, MESSAGES + 1)]
    for message in left:
        sender.enqueue(STREAM, message)
    window = 0
    while left:
        sent = sender.transmit(STREAM)
        window = window or len(sent)
        if not window or [message for message, _ in sent] != left[:window]:
            return NO_WINDOW
        sender.order_ack(STREAM, sent[-1][1].sequence)
        left = left[window:]
    return window
