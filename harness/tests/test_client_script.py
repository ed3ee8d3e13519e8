"""Scenarios of the discovery client as scripts, and when their stimuli come with a real clock.

Each sentence is read as what it says of itself; stimuli are on the right side of the ends of waits, and not near them.
"""

from importlib.resources import files
from pathlib import Path

from pytest_bdd.parser import FeatureParser

from mqconform.harness.iut.drivers.discovery_client.recordings import name_of, without_beginnings
from mqconform.harness.iut.drivers.discovery_client.script import (
    Brings,
    Configuration,
    Passes,
    ReplyDraft,
    Script,
    Starts,
    networks_named,
    scripts_from,
    stimulus_from,
)
from mqconform.harness.iut.drivers.discovery_client.stimulus_schedule import StimulusSchedule
from mqconform.reference.mqsd.client import SECOND

FEATURES = sorted(Path(str(files("mqconform.features")), "mqsd").glob("*.feature"))
ONE, TWO = Configuration(networks_named("1")), Configuration(networks_named("1, 2"))


def test_a_second_client_of_a_scenario_has_a_script_of_its_own() -> None:
    own, background = ["a client on networks 1 and 2", "1 seconds pass"], ["a client on network 1", f"{Starts()}"]
    sentences = [*background, *own]
    assert scripts_from(sentences) == (Script(ONE, (Starts(),)), Script(TWO, (Passes(10),)))


def test_what_is_about_no_client_makes_no_script() -> None:
    assert scripts_from(["a discovery server", "the client starts discovery"]) == ()


def test_every_step_of_the_client_features_is_part_of_a_script() -> None:
    left_out = set()
    for path in FEATURES:
        feature = FeatureParser(str(path.parent), path.name).parse()
        for template in feature.scenarios.values():
            if "role:discovery_client" not in template.tags | feature.tags:
                continue
            for row in [row for examples in template.examples for row in examples.as_contexts()] or [{}]:
                whens = [one.name for one in template.render(row).steps if one.type == "when"]
                left_out |= {one for one in whens if stimulus_from(one) is None}
    assert left_out == {"generated histories are played to it", "the client is started afresh on networks 3 and 4"}


def test_the_beginning_of_a_script_is_not_played_by_itself() -> None:
    short, long = Script(ONE, (Starts(),)), Script(ONE, (Starts(), Passes(10)))
    other, elsewhere = Script(ONE, (Starts(), Passes(20))), Script(TWO, (Starts(),))
    assert without_beginnings([short, long, short, other, elsewhere]) == [long, other, elsewhere]
    assert len({name_of(one) for one in (short, long, other, elsewhere)}) == 4


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
