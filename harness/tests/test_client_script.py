"""Scenarios of the discovery client as scripts: each sentence is read as what it says of itself."""

from importlib.resources import files
from pathlib import Path

from pytest_bdd.parser import FeatureParser

from mqconform.harness.iut.drivers.discovery_client.recordings import name_of, without_beginnings
from mqconform.harness.iut.drivers.discovery_client.script import (
    Configuration,
    Passes,
    Script,
    Starts,
    networks_named,
    scripts_from,
    stimulus_from,
)

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
