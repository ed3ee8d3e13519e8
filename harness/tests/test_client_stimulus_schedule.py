"""When stimuli come with a real clock: on the right side of the ends of waits, and not near them."""

from mqconform.harness.iut.drivers.discovery_client.script import (
    Brings,
    Configuration,
    Passes,
    ReplyDraft,
    Starts,
    networks_named,
)
from mqconform.harness.iut.drivers.discovery_client.stimulus_schedule import StimulusSchedule
from mqconform.reference.mqsd.client import SECOND

MARGIN = SECOND // 2
OWN = Brings("1", ReplyDraft("own"))


def started(networks: str = "1, 2", at: int = 0) -> StimulusSchedule:
    schedule = StimulusSchedule(Configuration(networks_named(networks)), MARGIN, now=0)
    assert schedule.happens(Starts(), at)
    return schedule


def test_nearly_15_seconds_end_well_before_the_wait_and_15_seconds_well_after() -> None:
    schedule = started()
    assert schedule.end_of(Passes(149), 0) == 15 * SECOND - MARGIN
    assert schedule.end_of(Passes(1), 15 * SECOND - MARGIN) == 15 * SECOND + MARGIN


def test_the_time_of_the_scenario_counts_from_when_the_client_really_started() -> None:
    schedule = started(at=7 * SECOND)
    assert schedule.end_of(Passes(100), 7 * SECOND) == 17 * SECOND


def test_a_wait_that_a_reply_began_late_is_waited_for_in_full() -> None:
    schedule = started()
    assert schedule.end_of(Passes(100), 0) == 10 * SECOND
    assert schedule.happens(OWN, 11 * SECOND)  # a second late, as the client took its time before
    assert schedule.end_of(Passes(149), 11 * SECOND) == 249 * SECOND // 10
    assert schedule.end_of(Passes(1), 25 * SECOND) == 26 * SECOND + MARGIN


def test_where_no_wait_is_pending_time_is_what_the_scenario_says_up_to_a_limit() -> None:
    schedule = started("1")
    assert schedule.end_of(Passes(300), 0) == 30 * SECOND
    over = schedule.end_of(Passes(700), 30 * SECOND)
    assert over == 50 * SECOND
    assert schedule.happens(Starts(), over)
    assert schedule.end_of(Passes(100), over) == over + 10 * SECOND


def test_a_reply_that_nothing_comes_of_is_known_beforehand() -> None:
    schedule = started()
    assert not schedule.happens(Brings("2", ReplyDraft("own")), SECOND)
    assert not schedule.happens(Brings("1", ReplyDraft("own"), "to another request"), SECOND)
    assert schedule.happens(OWN, SECOND)
