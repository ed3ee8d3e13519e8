"""Judgements on the hourly refresh (MS-MQBR 3.1.2, 3.1.3, 3.1.6.1): which content of the directory a router acts on.

The directory's content changes while a router is asked the same question again and again; each content gives another
answer, so that an answer tells how old the table is. What the whole series shows decides: a single old answer after
an hour may be a late timer, one that never fires, or none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mqconform.harness.oracle.judge import Judge
from mqconform.harness.witness import Judgement

PERIOD: Final = 3_600.0
"""Seconds between two refreshes (3.1.3)."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One answer: when it was given, the content that it followed from, and the content that was current."""

    at: float
    """Seconds since initialisation."""
    version: int | None
    """Number of the content that explains the answer; None if none does."""
    current: int
    due: int
    """Number of the content that the table has if it is refreshed every hour."""

    def __str__(self) -> str:
        """Return what was seen in words."""
        seen = "an answer of no content" if self.version is None else f"content {self.version}"
        return f"{seen} after {self.at:g} s"


class Refresh(StrEnum):
    """What a series of answers shows."""

    HOURLY = "the table is refreshed every hour"
    LIVE = "each change shows at once, so that no timer is seen"
    EARLY = "the table is refreshed before the timer's 3,600 seconds are over"
    LATE = "the table is refreshed, but later than the timer's 3,600 seconds"
    ONCE = "the table is refreshed after 3,600 seconds and never again"
    NEVER = "the table is never refreshed"
    UNEXPLAINED = "an answer follows from no content that the directory had"


def refresh_of(series: Sequence[Sighting]) -> Refresh:
    """Return what a series shows; it has to hold answers on both sides of at least two refreshes."""
    if any(one.version is None for one in series):
        return Refresh.UNEXPLAINED
    odd = next((one for one in series if one.version != one.due), None)
    if odd is None:
        return Refresh.HOURLY
    if odd.version is not None and odd.version > odd.due:
        return Refresh.LIVE if all(one.version == one.current for one in series) else Refresh.EARLY
    if all(one.version == odd.version for one in series if one.at >= odd.at):
        return Refresh.ONCE if odd.version else Refresh.NEVER
    return Refresh.LATE


def timer_is_kept(judge: Judge, series: Sequence[Sighting]) -> Judgement:
    """Judge that there is a timer, started at initialisation (3.1.2, 3.1.3)."""
    return _judged(judge, series, "a timer runs and refreshes the table", {Refresh.EARLY, Refresh.LATE})


def timer_is_set(judge: Judge, series: Sequence[Sighting]) -> Judgement:
    """Judge that the timer is set to 3,600 seconds (3.1.3).

    That a new table may be in use early (BR-47) is no leave to set the timer to something else: a table that was
    seen to stand and then changed before its time shows another period.
    """
    expected = "the timer is set to 3,600 seconds"
    if refresh_of(series) in {Refresh.EARLY, Refresh.LATE}:
        return judge.says(False, expected, _told(series))
    return _judged(judge, series, expected, {Refresh.ONCE})


def table_stands(judge: Judge, series: Sequence[Sighting]) -> Judgement:
    """Judge how long the table stands before it is brought up to date (3.1.2.1)."""
    return _judged_by_register(judge, series, "the table stands for one period of the timer")


def table_is_rebuilt(judge: Judge, series: Sequence[Sighting]) -> Judgement:
    """Judge that the timer's expiry builds the table anew (3.1.2.1, 3.1.6.1)."""
    return _judged_by_register(judge, series, "the table is built anew whenever the timer fires")


def _judged(judge: Judge, series: Sequence[Sighting], expected: str, shown_by: set[Refresh]) -> Judgement:
    """Judge a requirement on the timer itself, which a router that shows each change at once does not let one see."""
    match refresh_of(series):
        case Refresh.LIVE:
            return judge.undecided(expected, _told(series))
        case found if found in shown_by:
            return judge.says(True, expected, _told(series))
        case _:
            return _judged_by_register(judge, series, expected)


def _judged_by_register(judge: Judge, series: Sequence[Sighting], expected: str) -> Judgement:
    match refresh_of(series):
        case Refresh.UNEXPLAINED:
            return judge.says(False, expected, _told(series))
        case found:
            entry, reading = READING_OF[found]
            return judge.reading(entry, reading, expected, _told(series))


def _told(series: Sequence[Sighting]) -> str:
    return f"{refresh_of(series)}: {', '.join(map(str, series))}"


READING_OF: Final = {
    Refresh.HOURLY: ("BR-48", "periodic-refresh"),
    Refresh.LIVE: ("BR-47", "new-table-before-the-timer"),
    Refresh.EARLY: ("BR-47", "new-table-before-the-timer"),
    Refresh.LATE: ("BR-47", "old-table-after-the-timer"),
    Refresh.ONCE: ("BR-48", "refreshed-once"),
    Refresh.NEVER: ("BR-48", "never-refreshed"),
}
"""The reading of the register that each finding is."""
