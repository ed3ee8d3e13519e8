"""The farm convicts what is wrong and leaves alone what is not; each of its complaints is made where it is due.

A sample of the mutants: `mqconform mutants` tries them all, and the gate runs it.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.explore.mutation.complaints import KINDS, Complaint, complaints_about, load_exemptions
from mqconform.harness.explore.mutation.farm import Ledger, chosen, run_farm
from mqconform.harness.explore.mutation.kills import Kills
from mqconform.harness.explore.mutation.matrix import Matrix, markdown_of, text_of
from mqconform.harness.explore.mutation.readings import FOLLOWED, executed, followers_in
from mqconform.harness.explore.mutation.trial import REFERENCE, Job, Statement, Trial, tried
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.iut.mutants.mutant import Kind, Mutant
from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.requirement import RoleName
from mqconform.harness.records.schema_text import complaint as schema_complaint
from mqconform.harness.records.schema_text import validator
from mqconform.harness.suite.ambiguity import load_register

SAMPLE = ("hop-count-for-cost", "tries-directly")
CONVICTED = Statement("mqbr/file/scenario/row", "MQBR-3.1.5.1-01", "next_hop_is")


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Matrix:
    ledger = Ledger(tmp_path_factory.mktemp("farm") / "trials.ndjson")
    return run_farm(chosen(SAMPLE), Kills.load(), whole=False, ledger=ledger)


def about(one: Mutant, trial: Trial, *, kills: Kills | None = None, whole: bool = True) -> list[Complaint]:
    reference = Trial(REFERENCE, exit_code=0, behaviour={"mqbr/file/scenario/row": "same"})
    trials = {one.name: trial, REFERENCE: reference}
    return [*complaints_about([one], trials, kills or Kills({}, {}), load_exemptions(), whole=whole)]


def faulty(**changes: object) -> Mutant:
    plain = Mutant("wrong", "It is wrong.", RoleName.ROUTER, make=object, breaks=("MQBR-3.1.5.1-01",))
    return replace(plain, **changes)


def found(*statements: Statement, **changes: object) -> Trial:
    asserted = {"mqbr/file/scenario/row": 1}
    behaviour = {"mqbr/file/scenario/row": "other"}
    plain = Trial("wrong", exit_code=1, statements=statements, assertions=asserted, behaviour=behaviour)
    return replace(plain, **changes)


def test_a_sample_of_all_kinds_gives_no_cause_for_complaint(matrix: Matrix) -> None:
    assert matrix.complaints == ()
    assert [*matrix.convicted(Kind.FAULTY)] == [SAMPLE[0]]
    assert matrix.rows()["MQBR-3.1.3.1-10"]["router"] == ["hop-count-for-cost"]


def test_the_command_writes_what_it_found_of_a_mutant(tmp_path: Path) -> None:
    assert run_command(["mutants", "--mutant", SAMPLE[0], "--out", str(tmp_path)]) == 0
    assert SAMPLE[0] in (tmp_path / "kill-matrix.json").read_text("utf-8")


def test_the_same_command_goes_on_where_it_was_stopped(matrix: Matrix, tmp_path: Path) -> None:
    path = tmp_path / "trials.ndjson"
    job = Job("tries-directly", "module:callable")
    Ledger(path).add(job, matrix.trials[job.name])
    with path.open("a") as file:
        file.write('{"key": "cut sho')
    again = Ledger(path)
    assert again.done([job, replace(job, name="other")]).keys() == {job.name}
    assert again.done([job]) == {job.name: matrix.trials[job.name]}


def test_trials_of_other_code_are_not_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "trials.ndjson"
    path.write_text(json.dumps({"fingerprint": "another"}) + "\n" + json.dumps({"key": "k", "trial": {}}) + "\n")
    assert Ledger(path).earlier == {}
    assert len(path.read_text().splitlines()) == 1


def test_a_trial_that_takes_too_long_is_stopped_and_one_whose_process_dies_is_told() -> None:
    jobs = [Job("slow", ""), Job("dead", "")]
    ended = {one.name: one for one in tried(jobs, processes=2, limit=3.0, work=misbehave)}
    assert ended["slow"].ended == "timeout"
    assert (ended["dead"].ended, ended["dead"].errors) == ("crash", ("the process ended with code 7",))


def misbehave(job: Job) -> Trial:
    import os
    import threading

    if job.name == "dead":
        os._exit(7)
    threading.Event().wait()
    raise AssertionError


def test_a_survivor_is_complained_of() -> None:
    assert [one.kind for one in about(faulty(), found())] == ["survivor"]


def test_a_mutant_that_answers_as_the_reference_does_is_complained_of() -> None:
    same = found(exit_code=0, behaviour={"mqbr/file/scenario/row": "same"})
    assert [one.kind for one in about(faulty(), same)] == ["survivor", "unobservable"]
    assert [one.kind for one in about(faulty(breaks=()), same)] == ["unobservable"]


def test_a_kill_by_unrelated_requirements_alone_is_complained_of() -> None:
    elsewhere = CONVICTED._replace(requirement="MQBR-3.1.5.7-01")
    assert [one.kind for one in about(faulty(), found(elsewhere))] == ["unrelated", "besides"]


def test_what_is_violated_besides_is_complained_of_unless_a_search_found_it() -> None:
    elsewhere = CONVICTED._replace(requirement="MQBR-3.1.5.7-01")
    assert [one.kind for one in about(faulty(), found(CONVICTED, elsewhere))] == ["besides"]
    known = Kills({}, {("mqbr/file/another", CONVICTED.check, "MQBR-3.1.5.7-01"): ("wrong",)})
    assert about(faulty(), found(CONVICTED, elsewhere), kills=known) == []
    searched = elsewhere._replace(case="mqbr/generated_enterprises/scenario")
    assert about(faulty(), found(CONVICTED, searched)) == []


def test_a_failure_where_the_requirement_alone_plays_nothing_is_complained_of() -> None:
    elsewhere = CONVICTED._replace(case="mqso/3_3_4_6_identifiers/an-abort-gives-it-back-to-its-place")
    assert [one.kind for one in about(faulty(), found(elsewhere))] == ["not played"]


def test_a_conviction_of_what_conforms_is_complained_of_and_so_is_another_verdict() -> None:
    conforming = faulty(breaks=())
    assert about(conforming, found(exit_code=0)) == []
    assert [one.kind for one in about(conforming, found(CONVICTED))] == ["convicted"]
    assert [one.kind for one in about(conforming, found(exit_code=2))] == ["verdict"]


def test_an_assertion_that_no_longer_convicts_is_complained_of() -> None:
    kills = Kills(
        {},
        {
            ("mqbr/file/scenario", CONVICTED.check, CONVICTED.requirement): ("wrong", "another"),
            ("mqbr/file/scenario", CONVICTED.check, "MQBR-3.1.5.1-02"): ("wrong",),
            ("mqbr/file/gone", CONVICTED.check, "MQBR-3.1.5.1-01"): ("wrong",),
        },
    )
    assert [(one.kind, one.subject) for one in about(faulty(), found(CONVICTED), kills=kills)] == [
        ("lost kill", "mqbr/file/scenario"),
    ]


def test_an_assertion_that_says_of_a_mutant_what_it_says_of_the_reference_is_complained_of() -> None:
    place = ("mqbr/file/scenario", CONVICTED.check, CONVICTED.requirement)
    literal, sensible = (CONVICTED._replace(verdict="pass", reading=f"BR-69/{one}") for one in ("a", "b"))
    reference = Trial(REFERENCE, statements=(literal,))
    apart, same = Trial("wrong", statements=(sensible,)), Trial("wrong", statements=(literal,))
    kept = Kills.of(reference, [apart], {})
    assert kept.sets_apart == {place: ("wrong",)}
    assert kept.scenarios_against("wrong", ()) == {"mqbr/file/scenario"}
    assert [*kept.lost_distinctions(reference, {"wrong": apart})] == []
    assert [*kept.lost_distinctions(reference, {"wrong": found(CONVICTED)})] == []
    assert [*kept.lost_distinctions(reference, {"wrong": same})] == [(place, "wrong")]
    assert [*kept.lost_distinctions(reference, {"wrong": Trial("wrong")})] == [(place, "wrong")]


def test_a_reading_that_is_followed_no_longer_is_complained_of_and_so_is_another_verdict_than_the_registers() -> None:
    kills = Kills({}, {}, readings={"BR-54/own-out-list-honoured": "wrong", "BR-52/destination-only": "another"})
    conforming = faulty(breaks=())
    as_registered = CONVICTED._replace(verdict="pass", reading="BR-54/own-out-list-honoured")
    assert about(conforming, found(as_registered, exit_code=0), kills=kills) == []
    lost = about(conforming, found(exit_code=0), kills=kills)
    assert [(one.kind, one.subject) for one in lost] == [("lost reading", "BR-54/own-out-list-honoured")]
    doubted = as_registered._replace(verdict="inconclusive")
    said = about(conforming, found(doubted, exit_code=0), kills=kills)
    assert [(one.kind, one.text) for one in said] == [
        ("reading verdict", "wrong follows it: inconclusive instead of pass")
    ]


def test_of_the_implementations_that_follow_a_reading_the_one_that_follows_fewest_others_is_kept() -> None:
    names = ("61/order-kept", "54/own-out-list-honoured", "53/direct-attempt")
    usual, rare, other = (CONVICTED._replace(verdict="pass", reading=f"BR-{name}") for name in names)
    trials = {"b": Trial("b", statements=(usual, rare)), "a": Trial("a", statements=(rare, other))}
    reference = Trial(REFERENCE, statements=(usual,))
    assert executed(reference, [faulty(name=name, breaks=()) for name in "ab"], trials) == {
        "BR-61/order-kept": REFERENCE,
        "BR-54/own-out-list-honoured": "b",
        "BR-53/direct-attempt": "a",
    }


def test_a_profile_tries_what_conforms_and_what_shows_the_worth_of_a_reading() -> None:
    conforming, unnamed = faulty(name="conforming", breaks=()), faulty(name="unnamed")
    late, wrong = faulty(name="late"), faulty(name="wrong", breaks=("MQBR-3.1.5.7-01",))
    named = {"BR-47/old-table-after-the-timer": "late", "SD-32/trailing-octets": "wrong", "BR-61/order-kept": "unnamed"}
    tried = followers_in(Profile.MUST, [conforming, unnamed, late, wrong], named)
    assert [(one.name, one.breaks) for one in tried] == [
        ("conforming", ()),
        ("late", ()),  # what only a SHOULD asks for
        ("wrong", load_register().reading("SD-32", "trailing-octets").breaks),
    ]


def test_the_list_of_readings_by_making_names_implementations_and_readings_that_exist() -> None:
    assert set(FOLLOWED) <= {REFERENCE, *all_mutants()}
    for readings in FOLLOWED.values():
        for reading in readings:
            assert load_register().reading(*reading.split("/")).unseen == ""


def test_a_list_of_kills_is_read_as_it_was_written(tmp_path: Path) -> None:
    convicts = {("a/b/c", "d", requirement): ("one", "two") for requirement in ("X-1-01", "X-1-02")}
    convicts |= {("a/b/c", "d", "X-1-03"): ("one",), ("a/b/d", "d", "X-1-01"): ("two",)}
    apart = {("a/b/c", "e", "X-1-01"): ("three",)}
    kept = Kills({"a/b/c": 2, "a/b/d": 1}, convicts, apart, {"BR-61/order-kept": "one"})
    kept.save(tmp_path / "kills.json")
    assert Kills.load(tmp_path / "kills.json") == kept


def test_a_scenario_that_asserts_less_or_is_gone_is_complained_of() -> None:
    kills = Kills({"mqbr/file/scenario": 2, "mqbr/file/gone": 1}, {})
    reference = Trial(REFERENCE, assertions={"mqbr/file/scenario/row": 1})
    assert [*kills.lost_assertions(reference)] == [
        ("mqbr/file/scenario", "1 assertions instead of 2"),
        ("mqbr/file/gone", "the scenario no longer runs"),
    ]


def test_a_judged_requirement_without_mutant_and_a_needless_exemption_are_complained_of() -> None:
    routers = [one for one in all_mutants().values() if one.role == "router"]
    trials = {one.name: Trial(one.name) for one in routers} | {REFERENCE: Trial(REFERENCE)}
    bare = {one.subject for one in complaints_about(routers, trials, Kills({}, {}), {}, whole=True)}
    assert "MQBR-3.1.3.1-10" in bare
    exempt = {("router", "MQBR-3.1.3.1-10"): "a reason"}
    aimed = next(one for one in routers if "MQBR-3.1.3.1-10" in one.breaks)
    trials[aimed.name] = found(CONVICTED._replace(requirement="MQBR-3.1.3.1-10"))
    said = [*complaints_about(routers, trials, Kills({}, {}), exempt, whole=True)]
    assert Complaint("needless exemption", "MQBR-3.1.3.1-10", "router: remove it from the list of exemptions") in said


def test_the_document_has_the_published_shape_and_the_texts_name_what_is_wrong(matrix: Matrix) -> None:
    judge = validator("kill_matrix")
    assert judge is not None
    assert schema_complaint(judge, matrix.document(), "matrix") == ""
    wrong = replace(matrix, complaints=(Complaint("survivor", "greedy", "a | b"),))
    assert any(KINDS["survivor"] in line for line in text_of(wrong))
    assert "| survivor | greedy | a / b |" in markdown_of(wrong)


def test_a_name_that_no_mutant_has_and_a_selection_of_nothing_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="no mutant has that name"):
        chosen(names=("nobody",))
    with pytest.raises(ConfigurationError, match="no mutant is left"):
        chosen(roles=("router",), part="client-version")
