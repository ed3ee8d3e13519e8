"""A router's routing table under the virtual clock (MS-MQBR 3.1.2, 3.1.2.1, 3.1.3, 3.1.6.1).

The table is built at initialisation and each time the QueueManager Query Timer fires; everything else is read live.
A state remembers what the directory held before, because the register lets an implementation act on the new content
early and on the old content for a while (BR-47 to BR-49). States are values; each event returns a new one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mqconform.reference.allowed import Reading
from mqconform.reference.directory.elements import Directory, QueueManagerId
from mqconform.reference.directory.reading import DirectoryView, ReadEvent
from mqconform.reference.errors import ModelError
from mqconform.reference.mqbr import readings
from mqconform.reference.mqbr.routing_table import RoutingTables, initialize_routing_table
from mqconform.reference.mqbr.specification import FACTS


class ClockRunsBackwards(ModelError):
    """A negative time was asked to pass."""


@dataclass(frozen=True)
class Period:
    """A stretch of time in which the directory did not change."""

    since: float
    """Seconds from initialisation to its start."""
    view: DirectoryView
    tables: RoutingTables
    """Tables that an initialisation in this period may give."""


@dataclass(frozen=True)
class RouterState:
    """One queue manager with what it may know at this moment.

    Attributes:
        now: seconds since initialisation.
        periods: what the directory held in the last 12 hours, oldest first; the last one is the present.
        initial: the period of initialisation.
        refreshed: the period whose content the table has by the text.
        first_refresh: the period in which the timer fired for the first time, None before that.
        last_sound: the period of the last refresh that no directory fault spoilt, None if there was none.
    """

    local: QueueManagerId
    now: float
    periods: tuple[Period, ...]
    initial: Period
    refreshed: Period
    first_refresh: Period | None
    last_sound: Period | None

    @property
    def view(self) -> DirectoryView:
        """The directory as it is now."""
        return self.periods[-1].view

    def tables(self) -> Iterator[tuple[Reading, RoutingTables]]:
        """Yield the tables that may be in use now, each with the reading that it rests on, the text's first."""
        live = self.periods[-1]
        yield readings.PERIODIC_REFRESH if live is self.refreshed else readings.OLD_TABLE, self.refreshed.tables
        yielded = [self.refreshed]
        for reading, period in self._others():
            if not any(period is earlier for earlier in yielded):
                yielded.append(period)
                yield reading, period.tables

    def _others(self) -> Iterator[tuple[Reading, Period]]:
        """Yield the further periods whose table may still, or already, be in use."""
        live = self.periods[-1]
        for period in self._recent():
            if period is not live:
                early = period.since > self.refreshed.since
                yield readings.NEW_TABLE_EARLY if early else readings.OLD_TABLE, period
        yield readings.NEW_TABLE_EARLY, live
        # By the text an outage at a refresh wipes a good table: it reads like an empty directory (3.1.3.1).
        if self.last_sound and not self.refreshed.view.sound:
            yield readings.OLD_TABLE_KEPT, self.last_sound
        # The timer, and with it each refresh but the first table, is a SHOULD (3.1.2).
        if self.first_refresh:
            yield readings.REFRESHED_ONCE, self.first_refresh
            yield readings.NEVER_REFRESHED, self.initial

    def views(self) -> Iterator[tuple[Reading, DirectoryView]]:
        """Yield the directory as it may be read now: as it is, as at a refresh, or with stale attributes of sites."""
        # The table alone is kept; each procedure reads the directory at its call (3.1.5.9).
        yield readings.CURRENT_SITE_ATTRIBUTES, self.view
        copies = (copy for period in (self.refreshed, *self._recent()) for copy in _copies(self.view, period.view))
        for copy in dict.fromkeys(view for view in copies if view != self.view):
            yield readings.COPY_OF_THE_DIRECTORY, copy
        site_versions = [self.view.directory.sites]
        for period in reversed(self.periods[:-1]):
            if period.view.directory.sites not in site_versions:
                site_versions.append(period.view.directory.sites)
                yield readings.STALE_SITE_ATTRIBUTES, _with_gates_of(self.view, period.view.directory)

    def _recent(self) -> Iterator[Period]:
        """Yield the present, and the periods that a refresh may have read and none since has had to replace."""
        since = self.now - FACTS.query_timer - FACTS.timer_tolerance
        for period, following in zip(self.periods, self.periods[1:], strict=False):
            if period.since < following.since and following.since > since:
                yield period
        yield self.periods[-1]


def initialize(view: DirectoryView, local: QueueManagerId) -> RouterState:
    """Return the state of a queue manager that has just initialised (MS-MQBR 3.1.3)."""
    start = Period(0.0, view, initialize_routing_table(view, local))
    return RouterState(local, 0.0, (start,), start, start, None, start if view.sound else None)


def change_directory(state: RouterState, directory: Directory) -> RouterState:
    """Return the state after the directory's content changed; the table stays until its timer fires."""
    return _seeing(state, state.view.holding(directory))


def fail_directory(state: RouterState, object_type: str, at: ReadEvent | None) -> RouterState:
    """Return the state in which readings of a type fail at an event, or at none.

    Raises:
        UnknownObjectType: if routing reads no such type.
    """
    return _seeing(state, state.view.failing(object_type, at))


def advance_clock(state: RouterState, seconds: float) -> RouterState:
    """Return the state after time has passed, the table refreshed if the timer fired (MS-MQBR 3.1.6.1).

    Raises:
        ClockRunsBackwards: if ``seconds`` is negative or no number.
    """
    if not seconds >= 0:
        raise ClockRunsBackwards(f"{seconds} seconds cannot pass; give a number that is not negative")
    # Binary fractions add up to a little more or less than the period.
    now = round(state.now + seconds, 6)
    later = replace(state, now=now, periods=_recent(state.periods, now))
    return _refreshed(later) if now // FACTS.query_timer > state.now // FACTS.query_timer else later


def _seeing(state: RouterState, view: DirectoryView) -> RouterState:
    change = Period(state.now, view, initialize_routing_table(view, state.local))
    return replace(state, periods=(*state.periods, change))


def _refreshed(state: RouterState) -> RouterState:
    live = state.periods[-1]
    sound = live if live.view.sound else state.last_sound
    return replace(state, refreshed=live, first_refresh=state.first_refresh or live, last_sound=sound)


def _recent(periods: tuple[Period, ...], now: float) -> tuple[Period, ...]:
    """Return the periods that reach into the last 12 hours."""
    ends = [*(period.since for period in periods[1:]), now + 1]
    return tuple(period for period, end in zip(periods, ends, strict=True) if end > now - FACTS.site_timer)


def _copies(view: DirectoryView, earlier: DirectoryView) -> Iterator[DirectoryView]:
    """Yield an earlier content, as a whole and with queue managers or sites as they are now (BR-49)."""
    yield earlier
    now, then = view.directory, earlier.directory
    yield view.holding(replace(now, sites=then.sites))
    yield view.holding(replace(now, queue_managers=then.queue_managers))


def _with_gates_of(view: DirectoryView, earlier: Directory) -> DirectoryView:
    """Return the view in which sites have the gates that they had in an earlier content of the directory."""
    gates = {site.identifier: site.site_gate_collection for site in earlier.sites}
    sites = tuple(
        replace(site, site_gate_collection=gates.get(site.identifier, site.site_gate_collection))
        for site in view.directory.sites
    )
    return view.holding(replace(view.directory, sites=sites))
