"""The hourly refresh (MS-MQBR 3.1.2, 3.1.3, 3.1.6.1): which content of the directory a router acts on.

The directory's content changes while a router is asked the same question again and again; each content gives another
answer, so that an answer tells how old the table is. What the whole series shows decides: a single old answer after
an hour may be a late timer, one that never fires, or none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from math import inf
from typing import Final

import pytest

from mqconform.harness.iut.interface import NotApplicable
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_scene import then_judged
from mqconform.harness.judge.marks import bears_on
from mqconform.harness.judge.mqbr.enterprise_description import gates_of, links_of, machines_of, named
from mqconform.harness.judge.mqbr.named_enterprise import MACHINE, NamedEnterprise, guid_of
from mqconform.harness.judge.mqbr.routing_scene import Asked, RoutingScene
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then, when
from mqconform.reference.allowed import Standing
from mqconform.reference.directory import DirectoryView, QueueManagerId
from mqconform.reference.mqbr import clock
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops
from mqconform.reference.mqbr.specification import FACTS

PERIOD: Final = float(FACTS.query_timer)
"""Seconds between two refreshes (3.1.3)."""
TOLERANCE: Final = float(FACTS.timer_tolerance)
"""Seconds by which a period may differ: it is a SHOULD."""
SHORTER_PERIODS: Final = range(60, 3_540, 10)
"""Other periods that a table may be refreshed by, tried where answers do not tell early from late."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One answer: when it was given, the content that it followed from, and the content that was current."""

    at: float
    """Seconds since initialisation."""
    versions: frozenset[int]
    """Numbers of the contents that explain the answer; none if it follows from no content."""
    current: int
    due: frozenset[int]
    """Numbers of the contents that the table may have if it is refreshed every hour."""
    changes: tuple[float, ...] = (0.0,)
    """When each content came."""

    def __str__(self) -> str:
        """Return the sighting in words."""
        contents = " or ".join(map(str, sorted(self.versions)))
        return f"{f'content {contents}' if contents else 'an answer that matches no content'} after {self.at:g} s"


class Refresh(StrEnum):
    """What a series of answers shows."""

    HOURLY = "the table is refreshed every hour"
    LIVE = "every change shows at once, without a timer"
    EARLY = "the table is refreshed earlier than every 3,600 seconds"
    LATE = "the table is refreshed later than every 3,600 seconds"
    ONCE = "the table is refreshed once, after 3,600 seconds"
    NEVER = "the table is never refreshed"
    UNEXPLAINED = "an answer matches no content of the directory"


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


@when(r"the (?:routing (?P<links>links)|site (?P<gates>gates)|sites) become (?P<text>.+)")
def content_becomes(routing: RoutingScene, links: str | None, gates: str | None, text: str) -> None:
    """Replace all of a kind while the router runs; what refers to a site that is gone refers to nothing."""
    if links:
        routing.change(replace(routing.enterprise, links=links_of(text)))
    elif gates:
        routing.change(replace(routing.enterprise, gates=gates_of(text)))
    else:
        routing.change(replace(routing.enterprise, sites=named(text)))


@when("the queue managers become")
def queue_managers_become(routing: RoutingScene, datatable: list[list[str]]) -> None:
    routing.change(replace(routing.enterprise, machines=machines_of(datatable)))


@when(r"the directory is filled while (?P<source>\w+) runs")
def directory_is_filled(routing: RoutingScene, source: str) -> None:
    """Start the router with its own record, sites and rank alone, then give the directory the rest of what it holds.

    What the register lets a router keep of the old content has to be gone by then (BR-49).
    """
    whole = routing.enterprise
    own = tuple(machine for machine in whole.machines if machine.name == source)
    sites = tuple(site for site in whole.sites if any(site in machine.sites for machine in own))
    gates = tuple((site, (source,)) for site, listed in whole.gates if site in sites and source in listed)
    routing.enterprise = NamedEnterprise(sites, machines=own, gates=gates)
    routing.load()
    routing.start(source)
    routing.change(whole)
    routing.wait(FACTS.site_timer + 2 * PERIOD)


@when(r"readings of (?P<object_type>\w+) (?:begin to fail at (?P<at>begin|next)|succeed again)")
def readings_fail_or_succeed(routing: RoutingScene, object_type: str, at: str | None) -> None:
    routing.fail(object_type, at)


@when(r"the router runs (?:(?P<times>\d+) times )?for (?P<seconds>\d+(?:\.\d)?) seconds")
def time_passes(routing: RoutingScene, seconds: str, times: str | None) -> None:
    for _ in range(int(times or 1)):
        routing.wait(float(seconds))


@when(r"(?P<source>\w+) is asked for the way to (?P<destination>\w+) (?P<moments>[\d, and]+) seconds after its start")
def asked_again_and_again(
    routing: RoutingScene, sightings: list[Sighting], source: str, destination: str, moments: str
) -> None:
    """Ask the same at several moments, and keep which content of the directory each answer follows from."""
    for moment in map(int, named(moments)):
        routing.wait(moment - routing.started.now)
        asked = routing.ask(source, destination)
        sightings.append(_sighting(routing, sightings, asked))


@when(
    r"(?P<source>\w+) is asked for the way to (?P<destination>\w+) every (?P<pause>\d+) seconds, "
    r"(?P<times>\d+) times, and then the routing links become in turn"
)
def asked_between_changes(  # noqa: PLR0913, PLR0917 - the words of the step
    routing: RoutingScene,
    sightings: list[Sighting],
    datatable: list[list[str]],
    source: str,
    destination: str,
    pause: str,
    times: str,
) -> None:
    links = [links_of(row[0]) for row in datatable[1:]]
    for turn in range(int(times)):
        routing.wait(int(pause))
        sightings.append(_sighting(routing, sightings, routing.ask(source, destination)))
        routing.change(replace(routing.enterprise, links=links[turn % len(links)]))


def _sighting(routing: RoutingScene, before: Sequence[Sighting], asked: Asked) -> Sighting:
    decisions = [_decision(content, asked.source, asked.destination) for content in routing.contents]
    answers = {decision.allowed.outcomes(Standing.PERMITTED) for decision in decisions}
    assert len(answers) > 1 or len(decisions) == 1, "all contents of the directory give the same answer"
    at = routing.started.now
    versions = frozenset(number for number, decision in enumerate(decisions) if _follows(decision, asked.hops))
    due = contents_due(at, before[0].at if before else at, routing.changes)
    return Sighting(at, versions, len(routing.contents) - 1, due, tuple(routing.changes))


def contents_due(
    at: float,
    first_question: float,
    changes: Sequence[float],
    period: float = PERIOD,
    tolerance: float = TOLERANCE,
) -> frozenset[int]:
    """Return the numbers of the contents that a table refreshed by a timer may have at a moment.

    The first table is built at initialisation or at the first question (BR-48). Each refresh follows the one before
    by the timer's period, give or take the tolerance, so that what is open grows from refresh to refresh.

    Args:
        at: the moment, in seconds since initialisation as all times.
        first_question: when the router was first asked.
        changes: when each content came, the first at initialisation.
        period: seconds from refresh to refresh.
        tolerance: by how much each period may differ.
    """
    due: set[int] = set()
    refresh = 0
    while (earliest := refresh * (period - tolerance)) <= at:
        latest = first_question + refresh * (period + tolerance)
        if latest + period + tolerance >= at:
            ends = (*changes[1:], inf)
            due |= {
                number
                for number, (since, until) in enumerate(zip(changes, ends, strict=True))
                if since <= min(latest, at) and until >= earliest
            }
        refresh += 1
    return frozenset(due)


@cache
def _decision(content: NamedEnterprise, source: str, destination: str) -> NextHopsDecision:
    """Return the question to a router that has started with this content, with its answers."""
    state = clock.initialize(DirectoryView(content.directory), QueueManagerId(guid_of(MACHINE, source)))
    return decide_next_hops(state, QueueManagerId(guid_of(MACHINE, destination)))


def _follows(decision: NextHopsDecision, hops: Sequence[str | None] | None) -> bool:
    """Tell whether an answer is one that the text or the register permits, alternate routes (BR-71) included."""
    return judge_next_hops(decision, hops).outcome in {Outcome.ALLOWED, Outcome.BY_REGISTER}


def refresh_of(series: Sequence[Sighting]) -> Refresh:
    """Return what a series shows; it has to hold answers on both sides of at least two refreshes."""
    if any(not sighting.versions for sighting in series):
        return Refresh.UNEXPLAINED
    odd = next((sighting for sighting in series if sighting.versions.isdisjoint(sighting.due)), None)
    if odd is None:
        return Refresh.HOURLY
    # Content that no refresh can have read yet: it was read live, or the timer is short.
    if max(odd.versions) > max(odd.due):
        return Refresh.LIVE if all(sighting.current in sighting.versions for sighting in series) else Refresh.EARLY
    stays = frozenset[int].intersection(*(sighting.versions for sighting in series if sighting.at >= odd.at))
    if not stays:
        return Refresh.EARLY if any(_fits(series, period) for period in SHORTER_PERIODS) else Refresh.LATE
    return Refresh.NEVER if stays.intersection(*(sighting.versions for sighting in series)) else Refresh.ONCE


def _fits(series: Sequence[Sighting], period: float) -> bool:
    """Return whether a table refreshed at multiples of a period explains a series."""
    return all(
        not sighting.versions.isdisjoint(contents_due(sighting.at, 0, sighting.changes, period, 0))
        for sighting in series
    )


@then_judged("a timer keeps the table up to date")
def timer_is_kept(routing: RoutingScene, sightings: list[Sighting]) -> Judgement:
    """Judge that there is a timer, started at initialisation (3.1.2, 3.1.3)."""
    _stop_where_no_timer_shows(sightings)
    return _by_timer(routing.judge, sightings, "a timer runs and refreshes the table", {Refresh.EARLY, Refresh.LATE})


@then_judged("the timer is set to 3600 seconds")
def timer_is_set(routing: RoutingScene, sightings: list[Sighting]) -> Judgement:
    """Judge that the timer is set to 3,600 seconds (3.1.3).

    That a new table may be in use early (BR-47) is no leave to set the timer to something else: a table that was
    seen to stand and then changed before its time shows another period.
    """
    _stop_where_no_timer_shows(sightings)
    judge, series = routing.judge, sightings
    expected = "the timer is set to 3,600 seconds"
    if refresh_of(_explained(series)) in {Refresh.EARLY, Refresh.LATE}:
        return judge.says(False, expected, _series_text(series))
    return _by_timer(judge, series, expected, {Refresh.ONCE})


@then_judged("the table stands until the timer fires")
def table_stands(routing: RoutingScene, sightings: list[Sighting]) -> Judgement:
    """Judge how long the table stands before it is brought up to date (3.1.2.1)."""
    return _by_timer(routing.judge, sightings, "the table stands for one period of the timer", set())


@then("the table is built anew whenever the timer fires")
def table_is_rebuilt(routing: RoutingScene, sightings: list[Sighting]) -> None:
    for check in (judge_expiry, judge_rebuilt_table):
        routing.witness(check(routing.judge, sightings), check)


@bears_on("MQBR-3.1.2.1-02")
def judge_expiry(judge: Judge, series: Sequence[Sighting]) -> Judgement:
    """Judge that the timer's expiry has an effect, whatever becomes of the table (3.1.2.1)."""
    return _by_timer(judge, series, "the timer's expiry renews the table", set())


@bears_on("MQBR-3.1.6.1-01")
def judge_rebuilt_table(judge: Judge, series: Sequence[Sighting]) -> Judgement:
    """Judge that the timer's expiry builds the table anew (3.1.6.1)."""
    return _by_register(judge, series, "the table is built anew whenever the timer fires")


def _stop_where_no_timer_shows(series: Sequence[Sighting]) -> None:
    """Leave the case of a router that shows each change at once.

    Raises:
        NotApplicable: it does.
    """
    if refresh_of(series) is Refresh.LIVE:
        raise NotApplicable(_series_text(series))


def _by_timer(judge: Judge, series: Sequence[Sighting], expected: str, shown_by: set[Refresh]) -> Judgement:
    """Judge a requirement on the timer itself: by times alone, whatever else is wrong with the answers."""
    timed = _explained(series)
    refresh = refresh_of(timed) if timed else Refresh.UNEXPLAINED
    if refresh is Refresh.UNEXPLAINED or (len(timed) < len(series) and refresh in {Refresh.HOURLY, Refresh.LIVE}):
        return judge.undecided(expected, _series_text(series))
    if refresh in shown_by:
        return judge.says(True, expected, _series_text(series))
    return _by_register(judge, timed, expected)


def _explained(series: Sequence[Sighting]) -> list[Sighting]:
    """Return the answers that follow from some content: the others tell nothing of times."""
    return [sighting for sighting in series if sighting.versions]


def _by_register(judge: Judge, series: Sequence[Sighting], expected: str) -> Judgement:
    match refresh_of(series):
        case Refresh.UNEXPLAINED:
            return judge.says(False, expected, _series_text(series))
        case found:
            entry, reading = READING_OF[found]
            return judge.reading(entry, reading, expected, _series_text(series))


def _series_text(series: Sequence[Sighting]) -> str:
    return f"{refresh_of(series)}: {', '.join(map(str, series))}"
