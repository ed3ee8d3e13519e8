"""The times that routing goes by, by revision of MS-MQBR; each stands here and nowhere else.

The range of a link's cost is MS-MQDMPR's and stands in ``directory.elements``.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What one revision fixes, in seconds."""

    query_timer: int
    """Period of the QueueManager Query Timer (3.1.2.1, 3.1.3)."""
    timer_tolerance: int
    """By how much a period may differ, since both timer and period are a SHOULD (register BR-48); also for the time
    that building a table takes, after which the timer may be started again."""
    site_timer: int
    """For which attributes of sites may be stale (3.1.2.1, register BR-49)."""


REVISION: Final = "18.0"
"""That the model implements and the catalogue holds."""
FACTS: Final = Facts(query_timer=3_600, timer_tolerance=60, site_timer=43_200)
