"""``mqconform explain ID --where`` names a scenario, a model function, a check and the mutants, at lines that exist."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mqconform.harness.cli import cli
from mqconform.harness.cli.explain_where import Place, places_of
from mqconform.harness.compare.mutation.exemptions import load_exemptions
from mqconform.harness.records.requirement import Requirement
from mqconform.harness.suite.catalogue import load_catalogue

JUDGED = [one for one in load_catalogue().values() if one.is_judged]


def of_kind(places: tuple[Place, ...], kind: str) -> list[Place]:
    return [place for place in places if place.kind == kind]


@pytest.mark.parametrize("requirement", JUDGED[::23], ids=lambda one: one.id)
def test_every_place_is_the_line_that_it_names(requirement: Requirement):
    places = places_of(requirement)
    for place in places:
        lines = place.file.read_text("utf-8").split("\n")[place.line - 1 : place.line + 6]
        assert place.line == 1 or any(place.name in line for line in lines), place


def test_each_judged_requirement_has_a_scenario_a_model_a_check_and_a_mutant():
    exempt = {requirement for _, requirement in load_exemptions()}
    places = {one.id: places_of(one) for one in JUDGED}
    without = {
        kind: [name for name, known in places.items() if not of_kind(known, kind)]
        for kind in ("scenario", "model", "check", "mutant")
    }
    assert without["scenario"] == without["check"] == []
    assert set(without["mutant"]) <= exempt
    assert without["model"] == []


FEATURE_AND_CATALOGUE = 2
"""Found by the number of the section in the name of one, and by the specification in the name of the other."""


@pytest.mark.parametrize("section", ["MQBR-3.1.5.4", "MQBR-3.1.3.1", "MQSD-3.1.4.1", "MQSD-2.2.3", "EOD-4"])
def test_a_reader_of_a_section_opens_seven_files(section: str):
    of_section = [one for one in JUDGED if one.id.rpartition("-")[0] == section]
    places = [place for one in of_section for place in places_of(one)]
    kinds = {kind: {place.file for place in of_kind(tuple(places), kind)} for kind in ("model", "check", "mutant")}
    assert all(kinds.values())
    assert len(set().union(*kinds.values())) + FEATURE_AND_CATALOGUE <= 7, kinds


def test_a_place_is_written_as_an_editor_understands_it(monkeypatch: pytest.MonkeyPatch):
    root = Path(__file__).parents[2]
    monkeypatch.chdir(root)
    done = CliRunner().invoke(cli, ["explain", "MQBR-3.1.5.4-B01", "--where"])
    assert done.exit_code == 0, done.output
    lines = done.output.partition("  where\n")[2].splitlines()
    assert any("features/mqbr/3_1_5_4_to_9_directory_lookups.feature:" in line for line in lines), lines
    assert any("reference/mqbr/lookups.py:" in line and "get_queue_manager" in line for line in lines), lines


def test_json_has_the_places_too():
    done = CliRunner().invoke(cli, ["explain", "MQBR-3.1.5.4-B01", "--where", "--json"])
    kinds = {place["kind"] for place in json.loads(done.output)["where"]}
    assert kinds == {"scenario", "model", "check", "mutant"}
