"""How long a sender waits for an order acknowledgment before it sends again (MS-MQQB 3.1.6.5 and its notes)."""

from typing import Final

from mqconform.reference.eod.elements import SECOND
from mqconform.reference.eod.specification import FACTS

RESEND_INTERVALS: Final = tuple(seconds * SECOND for seconds in FACTS.resend_intervals)
"""Nanoseconds; the last one holds for every further wait."""


def resend_interval(index: int) -> int:
    """Return the length of a wait in nanoseconds, given how many waits ended before it."""
    return RESEND_INTERVALS[min(index, len(RESEND_INTERVALS) - 1)]
