"""How many messages a sender has under way at most before it waits for an order acknowledgment."""

from typing import Final

from mqconform.harness.iut.drivers.ordered_delivery.ends import SenderEnd
from mqconform.harness.iut.interface import NotApplicable

NO_WINDOW: Final = 1_000_000
"""The window of a sender that sends everything at once: more messages than any scenario has."""
STREAM: Final = "window"
"""In which the window is looked for."""
MESSAGES: Final = 150
"""Queued there: more than any scenario lets wait."""


def window_of(sender: SenderEnd) -> int:
    """Return the window of a sender, as a stream of its own shows it; everything is acknowledged there in the end.

    The page sets no limit and forbids none, as long as an acknowledgment makes room for the messages behind
    (section 3). A sender that does not get everything out in this order has no window: it loses messages.

    Raises:
        NotApplicable: everything goes out, now more and now less at once: what should have gone out in a scenario is
            not known.
    """
    left = [f"w{number}" for number in range(1, MESSAGES + 1)]
    for message in left:
        sender.enqueue(STREAM, message)
    sizes: list[int] = []
    while left:
        sent = sender.transmit(STREAM)
        if not sent or [message for message, _ in sent] != left[: len(sent)]:
            return NO_WINDOW
        sender.order_ack(STREAM, sent[-1][1].sequence)
        left = left[len(sent) :]
        sizes.append(len(sent))
    if len(set(sizes[:-1])) > 1 or sizes[-1] > sizes[0]:
        raise NotApplicable("the sender's window changes, which the page leaves open: what is to go out is not known")
    return sizes[0]
