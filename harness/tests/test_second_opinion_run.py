"""A run with a second opinion: both oracles agree on every question, and a bug seeded in one is an error of ours."""

import itertools
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from mqconform.harness.cli.next_hops import command as next_hops
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.judge.independent import routing_opinion
from mqconform.harness.judge.independent.routing_opinion import (
    HopSets,
    OracleDisagreement,
    Relations,
    answers_for,
    hold_against_second_opinion,
)
from mqconform.harness.records.profile import Profile
from mqconform.harness.run.execution import Plan, execute
from mqconform.harness.suite.selection import Selection
from mqconform.harness.tools.enterprise.file import read_enterprise
from mqconform.reference.directory import document_from_directory

EXAMPLE = Path(__file__).parents[2] / "examples" / "enterprises" / "section_4_first_costs.yaml"


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    chosen = Selection(("MQBR-3.1.5.1", "MQBR-3.1.5.3", "MQBR-3.1.3.1"))
    return Plan("ref:", AdapterOptions(), Profile.DEFAULT, 0, chosen, tmp_path / "out", second_opinion=True)


def test_both_oracles_agree_on_every_question_of_the_features(plan: Plan):
    assert execute(plan).exit_code == 0


def test_a_bug_in_one_oracle_is_an_error_of_the_harness(plan: Plan, monkeypatch: pytest.MonkeyPatch):
    def buggy(*_: object) -> HopSets:
        return frozenset({frozenset({"00000000-0000-0000-0000-000000000000"})})

    monkeypatch.setattr(routing_opinion, "allowed_next_hops", buggy)
    outcome = execute(plan)
    assert outcome.exit_code == 3
    assert any(OracleDisagreement.__name__ in case.error for case in outcome.cases)


def test_next_hops_asks_for_the_second_opinion_too(monkeypatch: pytest.MonkeyPatch):
    asked = ["--directory", str(EXAMPLE), "--from", "gate-a", "--to", "client-a", "--second-opinion"]
    assert CliRunner().invoke(next_hops, asked).exit_code == 0
    monkeypatch.setattr(routing_opinion, "allowed_next_hops", lambda *_: frozenset())
    assert isinstance(CliRunner().invoke(next_hops, asked).exception, OracleDisagreement)


def test_without_its_library_the_second_opinion_says_what_to_install():
    code = (
        "import sys; sys.modules['rustworkx'] = None\n"
        "from mqconform.harness.judge.independent.routing_opinion import allowed_next_hops\n"
        "allowed_next_hops({}, 'a', 'b')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "SecondOpinionMissing: " in run.stderr
    assert "pip install '.[second-opinion]'" in run.stderr


def test_exactly_one_row_of_the_table_fits_whatever_the_relations():
    for flags in itertools.product([False, True], repeat=6):
        assert len(answers_for(Relations(*flags))) == 1


def test_what_is_by_the_text_is_in_the_sets_and_they_are_permitted():
    directory = read_enterprise(str(EXAMPLE)).directory
    ids = {one.name: str(one.identifier) for one in directory.queue_managers}
    ends = (document_from_directory(directory), ids["gate-a"], ids["client-b"])
    route = [ids["gate-b"].upper()]
    hold_against_second_opinion(*ends, [route], [route, []])
    with pytest.raises(OracleDisagreement, match=r"first .* alone allows no route, the second alone nothing"):
        hold_against_second_opinion(*ends, [route, []], [route, []])
    with pytest.raises(OracleDisagreement, match=f"alone allows nothing, the second alone .*{ids['gate-b']}"):
        hold_against_second_opinion(*ends, [], [[]])
