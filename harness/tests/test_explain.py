"""What is known of a requirement, a register entry and a mutant; and of an id that nothing has."""

import json
from typing import Any

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.requirement import RoleName
from mqconform.harness.suite.ambiguity import load_register
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.index import load_suite_index
from mqconform.harness.tools import explain as explaining
from mqconform.harness.tools.explain import explain

OWN_SITE = "MQSD-3.2.5.1-10"


@pytest.fixture
def mutants(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two mutants in place of those of the registry."""
    breaks = (OWN_SITE, "MQSD-3.2.5.1-11")
    two = (
        Mutant("list-for-everybody", "Everybody gets the list.", RoleName.DISCOVERY_SERVER, object, breaks),
        Mutant("other-order", "The list has another order.", RoleName.DISCOVERY_SERVER, object),
    )
    monkeypatch.setattr(explaining, "all_mutants", lambda: {mutant.name: mutant for mutant in two})


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run_command(["explain", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.usefixtures("mutants")
def test_a_requirement_is_shown_with_all_that_hangs_on_it(capsys: pytest.CaptureFixture[str]):
    requirement = load_catalogue()[OWN_SITE]
    text = shown(capsys, OWN_SITE)
    assert text.startswith(f"{OWN_SITE}  must, section 3.2.5.1 of MS-MQSD 13.0\n")
    assert requirement.summary in text
    assert "discovery_server; in every profile" in text
    assert "judged     in datagrams" in text
    for scenario in load_suite_index().of_requirement(OWN_SITE):
        assert f"{scenario.feature}: {scenario.name}" in text
    assert "list-for-everybody  Everybody gets the list." in text
    for entry in load_register().for_requirement(OWN_SITE):
        assert f"{entry.id}  section" in text
        assert entry.problem in text
        for reading in entry.readings:
            assert f"{reading.id}" in text
            assert reading.summary in text


def test_a_requirement_that_nothing_shows_says_why(capsys: pytest.CaptureFixture[str]):
    unseen = next(one for one in load_catalogue().values() if one.judged == "no")
    text = shown(capsys, unseen.id)
    assert "not at all: nothing that an implementation shows could tell" in text
    assert unseen.reason in text


def test_profiles_follow_the_level():
    by_level = {requirement.level: requirement.id for requirement in load_catalogue().values()}
    found = {level: explain(one)[0].record()["profiles"] for level, one in by_level.items()}
    every = [profile.value for profile in Profile]
    binding = {"must": every, "must-not": every, "should": every[1:], "should-not": every[1:]}
    assert found == binding | {"may": [], "informative": []}


def test_a_prefix_explains_each_requirement_below_it(capsys: pytest.CaptureFixture[str]):
    ids = [one for one in load_catalogue() if one.startswith(("MQSD-3.2.5-", "MQSD-3.2.5."))]
    headings = [
        line.split()[0] for line in shown(capsys, "mqsd-3.2.5").splitlines() if line[:1].strip() and "MQSD" in line
    ]
    assert headings == ids


def test_a_reading_is_shown_with_its_verdict_in_each_profile(capsys: pytest.CaptureFixture[str]):
    text = shown(capsys, "SD-26")
    assert "list-order (order): pass in every profile" in text
    assert "own-name-left-out (own name): fail in every profile" in text
    assert "because: All entries of the list are copied, the own name among them.\n    breaks MQSD-3.2.5.1-13" in text
    assert "An implementation may choose anew each time." in text
    assert shown(capsys, "sd-26/own-name-left-out") == text, "a run prints entries with the reading that is followed"
    assert run_command(["explain", "SD-26/other"]) == 4
    assert "SD-26 has no such reading; it has list-order," in capsys.readouterr().err


def test_a_reading_that_no_scenario_sees_says_why(capsys: pytest.CaptureFixture[str]):
    page = shown(capsys, "QM-39").splitlines()
    assert page[2].startswith("  No scenario sees its readings: No scenario waits for an outgoing queue to go")
    assert not any("sees it:" in line for line in page)
    page = shown(capsys, "QM-26").splitlines()
    reasons = [line for line in page if "No scenario sees" in line]
    assert reasons == 2 * ["    No scenario sees it: The IUT protocol shows no phases of a transaction."]
    assert [one["unseen"] != "" for one in explain("QM-26")[0].record()["readings"]] == 2 * [False] + 2 * [True]


@pytest.mark.usefixtures("mutants")
def test_a_mutant_is_shown_with_what_it_breaks(capsys: pytest.CaptureFixture[str]):
    lines = shown(capsys, "MUTANT:List-For-Everybody").splitlines()
    assert shown(capsys, "list-for-everybody").splitlines() == lines
    assert lines[:3] == ["mutant:list-for-everybody", "  Everybody gets the list.", "  breaks at least one of"]
    assert f"    {OWN_SITE}  must  {load_catalogue()[OWN_SITE].summary}" in lines
    also = next(line.split() for line in lines if line.startswith("  also fails"))
    assert "MQSD-3.2.5.1-01" in also, "by the list of kills"
    assert OWN_SITE not in also
    assert lines[-1].endswith("mqconform run --iut mutant:list-for-everybody")


def test_json_says_the_same_one_object_per_line(capsys: pytest.CaptureFixture[str]):
    found: list[dict[str, Any]] = [json.loads(line) for line in shown(capsys, "MQSD-3.2.5.1", "--json").splitlines()]
    assert [one["requirement"] for one in found] == [one for one in load_catalogue() if "-3.2.5.1-" in one[4:]]
    own = next(one for one in found if one["requirement"] == OWN_SITE)
    listed = [case.id for scenario in load_suite_index().of_requirement(OWN_SITE) for case in scenario.cases]
    assert [case for scenario in own["scenarios"] for case in scenario["cases"]] == listed
    assert [one["entry"] for one in own["register"]] == [one.id for one in load_register().for_requirement(OWN_SITE)]
    (entry,) = map(json.loads, shown(capsys, "SD-26", "--json").splitlines())
    reading = next(one for one in entry["readings"] if one["id"] == "own-name-left-out")
    assert reading["verdict"] == dict.fromkeys(("must", "default", "strict", "windows"), "fail")
    assert (reading["breaks"], bool(reading["because"])) == (["MQSD-3.2.5.1-13"], True)


@pytest.mark.usefixtures("mutants")
def test_an_unknown_id_gets_close_ones(capsys: pytest.CaptureFixture[str]):
    for name, near in [
        ("MQSD-3.2.5.1-1O", "did you mean MQSD-3.2.5.1-1"),
        ("SD-2", "did you mean SD-20, SD-21, SD-22, SD-23?"),
        ("list-for-everybod", "list-for-everybody"),
        ("qwertyuiop", "`mqconform list` shows the requirements"),
        ("\x1b[31m\u202e", r"\u001b[31m\u202e: unknown id"),
    ]:
        assert run_command(["explain", name]) == 4
        told = capsys.readouterr().err
        assert "unknown id" in told
        assert near in told
