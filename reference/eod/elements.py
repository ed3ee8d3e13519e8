"""What sender and receiver of a stream exchange, and the times of the protocol.

Times are integer nanoseconds on a clock of the caller's choosing, so that tenths of a second are exact.
"""

from dataclasses import dataclass
from typing import Any, Final

from mqconform.reference.eod.specification import FACTS

Stream = str | int
Answer = dict[str, Any]
"""The fields with which an operation is answered."""

SECOND: Final = 1_000_000_000
"""Nanoseconds."""
ORDER_ACK_TIMEOUT: Final = round(FACTS.order_ack_timeout * SECOND)
"""Nanoseconds (EOD-3.1.1.3.1-03)."""
MAXIMUM_ORDER_ACK_DELAY: Final = FACTS.maximum_order_ack_delay * SECOND
"""Nanoseconds (EOD-3.1.1.3.1-04)."""
RESEND_INTERVALS: Final = tuple(seconds * SECOND for seconds in FACTS.resend_intervals)
"""How long a sender waits before it sends again, nanoseconds; the last one holds for every further wait (3.1.6.5)."""


def resend_interval(index: int) -> int:
    """Return the length of a wait in nanoseconds, given how many waits ended before it (MS-MQQB 3.1.6.5)."""
    return RESEND_INTERVALS[min(index, len(RESEND_INTERVALS) - 1)]


@dataclass(frozen=True, slots=True, order=True)
class Numbers:
    """What a message of a stream carries for its receiver (page, section 2; MS-MQMQ 2.2.20.5)."""

    sequence: int
    """Number of the message in its stream, 1 or more."""
    previous: int
    """Number of the message before it, 0 where there is none."""
    sequence_id: int = 0
    """Which sequence of the stream the numbers belong to; 0 throughout where only the page's rules matter."""

    def __str__(self) -> str:
        """Return ``7 after 6``."""
        within = f" in sequence {self.sequence_id}" if self.sequence_id else ""
        return f"{self.sequence} after {self.previous}{within}"


@dataclass(frozen=True, slots=True)
class OrderAcknowledgment:
    """The receiver has accepted everything up to a number (page, section 2)."""

    number: int
    """The last accepted number, 0 where nothing was accepted yet."""
    sequence_id: int = 0
