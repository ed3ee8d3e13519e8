"""The times of exactly-once delivery, by revision of MS-MQQB; each stands here and nowhere else."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What one revision fixes, in seconds."""

    resend_intervals: tuple[int, ...]
    """How long a sender waits before it sends again, one wait after the other; the last one holds for every further
    wait (3.1.6.5 and its notes)."""
    order_ack_timeout: float
    """From the arrival that asks for an order acknowledgment to the acknowledgment (3.1.1.3.1)."""
    maximum_order_ack_delay: int
    """How long further arrivals may put an order acknowledgment off (3.1.1.3.1)."""


REVISION: Final = "33.0"
"""Of MS-MQQB, as the catalogue cites it."""
FACTS: Final = Facts(
    resend_intervals=(30, 30, 30, 300, 300, 300, 1_800, 1_800, 1_800, 21_600),
    order_ack_timeout=0.5,
    maximum_order_ack_delay=10,
)
