"""The hourly refresh (MS-MQBR 3.1.2, 3.1.3, 3.1.6.1): which content of the directory a router acts on.

The directory's content changes while a router is asked the same question again and again; each content gives another
answer, so that an answer tells how old the table is. What the whole series shows decides: a single old answer after
an hour may be a late timer, one that never fires, or none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import pytest
from pytest_bdd import parsers, then, when

from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqbr.enterprise_description import gates_of, links_of, named
from mqconform.harness.judge.mqbr.named_enterprise import MACHINE, NamedEnterprise, guid_of
from mqconform.harness.judge.mqbr.routing_scene import RoutingScene
from mqconform.harness.records.witness import Judgement
from mqconform.reference.allowed import Standing
from mqconform.reference.directory import DirectoryView, QueueManagerId
from mqconform.reference.mqbr import clock
from mqconform.reference.mqbr.decision import decide_next_hops
from mqconform.reference.mqbr.specification import FACTS

PERIOD: Final = float(FACTS.query_timer)
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


READING_OF: Final = {
    Refresh.HOURLY: ("BR-48", "periodic-refresh"),
    Refresh.LIVE: ("BR-47", "new-table-before-the-timer"),
    Refresh.EARLY: ("BR-47", "new-table-before-the-timer"),
    Refresh.LATE: ("BR-47", "old-table-after-the-timer"),
    Refresh.ONCE: ("BR-48", "refreshed-once"),
    Refresh.NEVER: ("BR-48", "never-refreshed"),
}
"""The reading of the register that each finding is."""


@pytest.fixture
def sightings() -> list[Sighting]:
    """Return where a scenario collects the answers to a question that it asks again and again."""
    return []


@when(parsers.re(r"the routing links become (?P<links>.+)"))
def links_become(routing: RoutingScene, links: str) -> None:
    """Replace all routing links while the router runs."""
    routing.change(replace(routing.enterprise, links=links_of(links)))


@when(parsers.re(r"the site gates become (?P<gates>.+)"))
def gates_become(routing: RoutingScene, gates: str) -> None:
    """Replace the gates of all sites while the router runs."""
    routing.change(replace(routing.enterprise, gates=gates_of(gates)))


@when(parsers.re(r"the sites become (?P<names>.+)"))
def sites_become(routing: RoutingScene, names: str) -> None:
    """Replace the sites while the router runs; what refers to one that is gone refers to nothing."""
    routing.change(replace(routing.enterprise, sites=named(names)))


@when(parsers.re(r"readings of (?P<object_type>\w+) begin to fail at (?P<at>begin|next)"))
def readings_begin_to_fail(routing: RoutingScene, object_type: str, at: str) -> None:
    """Let readings of one type fail while the router runs."""
    routing.fail(object_type, at)


@when(parsers.re(r"the router runs for (?P<seconds>\d+) seconds"))
def time_passes(routing: RoutingScene, seconds: str) -> None:
    """Advance the virtual clock."""
    routing.wait(int(seconds))


@when(
    parsers.re(
        r"(?P<source>\w+) is asked for the way to (?P<destination>\w+) (?P<moments>[\d, and]+) seconds after its start"
    )
)
def asked_again_and_again(
    routing: RoutingScene, sightings: list[Sighting], source: str, destination: str, moments: str
) -> None:
    """Ask the same at several moments, and keep which content of the directory each answer follows from."""
    for moment in map(int, named(moments)):
        routing.wait(moment - routing.started.now)
        asked = routing.ask(source, destination)
        due = _content_at(routing, (moment // PERIOD) * PERIOD)
        version = _version_of(routing, source, destination, asked.hops)
        sightings.append(Sighting(moment, version, len(routing.contents) - 1, due))


def _content_at(routing: RoutingScene, moment: float) -> int:
    """Return the number of the content that the directory had when a refresh at ``moment`` read it.

    A change and a refresh at the same moment do not occur: features keep them apart.
    """
    return sum(1 for change in routing.changes[1:] if change < moment)


def _version_of(routing: RoutingScene, source: str, destination: str, hops: Sequence[str | None] | None) -> int | None:
    found = frozenset(hop.lower() for hop in hops or () if hop is not None)
    answers = [_answers(content, source, destination) for content in routing.contents]
    shared = [one for place, one in enumerate(answers) if one in answers[:place]]
    assert not shared, "two contents of the directory give the same answer: the feature cannot tell them apart"
    return next((place for place, one in enumerate(answers) if found in one), None)


def _answers(content: NamedEnterprise, source: str, destination: str) -> frozenset[frozenset[str]]:
    """Return the answers of a router that has started with this content."""
    state = clock.initialize(DirectoryView(content.directory), QueueManagerId(guid_of(MACHINE, source)))
    decision = decide_next_hops(state, QueueManagerId(guid_of(MACHINE, destination)))
    return frozenset(frozenset(one) for one in decision.allowed.outcomes(Standing.PERMITTED))


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


@then("a timer keeps the table up to date")
def timer_is_kept(routing: RoutingScene, sightings: list[Sighting]) -> None:
    """Judge from a series of answers that there is a timer."""
    routing.witness(judge_timer(routing.judge, sightings))


def judge_timer(judge: Judge, series: Sequence[Sighting]) -> Judgement:
    """Judge that there is a timer, started at initialisation (3.1.2, 3.1.3)."""
    return _by_timer(judge, series, "a timer runs and refreshes the table", {Refresh.EARLY, Refresh.LATE})


@then("the timer is set to 3600 seconds")
def timer_is_set(routing: RoutingScene, sightings: list[Sighting]) -> None:
    """Judge from a series of answers how long the timer runs."""
    routing.witness(judge_period(routing.judge, sightings))


def judge_period(judge: Judge, series: Sequence[Sighting]) -> Judgement:
    """Judge that the timer is set to 3,600 seconds (3.1.3).

    That a new table may be in use early (BR-47) is no leave to set the timer to something else: a table that was
    seen to stand and then changed before its time shows another period.
    """
    expected = "the timer is set to 3,600 seconds"
    if refresh_of(series) in {Refresh.EARLY, Refresh.LATE}:
        return judge.says(False, expected, _series_text(series))
    return _by_timer(judge, series, expected, {Refresh.ONCE})


@then("the table stands until the timer fires")
def table_stands(routing: RoutingScene, sightings: list[Sighting]) -> None:
    """Judge from a series of answers how long the table stands."""
    routing.witness(judge_standing_table(routing.judge, sightings))


def judge_standing_table(judge: Judge, series: Sequence[Sighting]) -> Judgement:
    """Judge how long the table stands before it is brought up to date (3.1.2.1)."""
    return _by_register(judge, series, "the table stands for one period of the timer")


@then("the table is built anew whenever the timer fires")
def table_is_rebuilt(routing: RoutingScene, sightings: list[Sighting]) -> None:
    """Judge from a series of answers that the timer's expiry renews the table."""
    routing.witness(judge_rebuilt_table(routing.judge, sightings))


def judge_rebuilt_table(judge: Judge, series: Sequence[Sighting]) -> Judgement:
    """Judge that the timer's expiry builds the table anew (3.1.2.1, 3.1.6.1)."""
    return _by_register(judge, series, "the table is built anew whenever the timer fires")


def _by_timer(judge: Judge, series: Sequence[Sighting], expected: str, shown_by: set[Refresh]) -> Judgement:
    """Judge a requirement on the timer itself, which a router that shows each change at once does not let one see."""
    match refresh_of(series):
        case Refresh.LIVE:
            return judge.undecided(expected, _series_text(series))
        case found if found in shown_by:
            return judge.says(True, expected, _series_text(series))
        case _:
            return _by_register(judge, series, expected)


def _by_register(judge: Judge, series: Sequence[Sighting], expected: str) -> Judgement:
    match refresh_of(series):
        case Refresh.UNEXPLAINED:
            return judge.says(False, expected, _series_text(series))
        case found:
            entry, reading = READING_OF[found]
            return judge.reading(entry, reading, expected, _series_text(series))


def _series_text(series: Sequence[Sighting]) -> str:
    return f"{refresh_of(series)}: {', '.join(map(str, series))}"
