"""What counts as due, as judged and as a repetition, and how sure a share is: the same with Spark and without."""

from collections.abc import Callable
from typing import Any, Final

Z: Final = 1.959963984540054
"""Standard deviations on either side that hold 95 of a hundred."""

JUDGED: Final = ("verified", "violated", "inconclusive")
DUE: Final = (*JUDGED, "unverified", "error")
"""Standings of what should have been judged."""

MOST_AGAIN: Final = 5
"""Repetitions of a run that are looked at for flakes."""


def wilson(hits: Any, tries: Any, sqrt: Callable[[Any], Any], z: float = Z) -> tuple[Any, Any]:
    """Return the lower and upper end of Wilson's interval for a share, of numbers or of columns of them.

    Rounding may carry them beyond 0 and 1 by a little.
    """
    share = hits / tries
    spread = z * sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries))
    centre, whole = share + z * z / (2 * tries), 1 + z * z / tries
    return (centre - spread) / whole, (centre + spread) / whole
