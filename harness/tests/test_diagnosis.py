"""What a red run behaves like: known faults are held against it, and what else fails in their cases is affected."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.records.case import Case
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.printable import with_guids
from mqconform.harness.records.requirement import RoleName
from mqconform.harness.records.result_file import read_result_file
from mqconform.harness.records.results import Span
from mqconform.harness.records.verdict import Standing, Verdict
from mqconform.harness.records.witness import Judgement, Witness
from mqconform.harness.run import diagnosis
from mqconform.harness.run.diagnosis import Explanation, Fault, diagnose, with_standings
from mqconform.harness.run.violation_text import marked_octets
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.selection import Selection

CHECK = "answer_is_allowed"
COST, SUM, TIMER = "MQBR-3.1.3.1-10", "MQBR-3.1.3.1-11", "MQBR-3.1.2-01"


def case(name: str, *failed: str) -> Case:
    """A case of one scenario each, with a passed witness or failed ones."""
    made = Case(f"mqbr/feature/{name}", "mqbr/feature", name, "", failed or (COST,))
    verdicts = dict.fromkeys(failed, Verdict.FAIL) or {COST: Verdict.PASS}
    judged = [(id_, Judgement(how, "x", "y")) for id_, how in verdicts.items()]
    made.witnesses += [Witness(made.id, id_, "step", judgement, check=CHECK) for id_, judgement in judged]
    return made


def fault(name: str, breaks: str, **fails: str) -> Fault:
    failures = {(f"mqbr/feature/{scenario}", CHECK, id_) for scenario, ids in fails.items() for id_ in ids.split()}
    return Fault(name, RoleName.ROUTER, f"It is {name}.", tuple(breaks.split()), frozenset(failures))


HOPS = fault("hops", COST, one=f"{COST} {SUM}", two=COST)
SUMS = fault("sums", SUM, three=SUM)
TOO_MUCH = fault("too-much", TIMER, one=TIMER, two=COST, three=SUM, four=SUM)


@pytest.fixture
def three_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis, "known_faults", lambda: {each.name: each for each in (HOPS, SUMS, TOO_MUCH)})


def play(name: str, cases: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
    """Fail as the fault of that name is known to."""
    (played,) = (each for each in (HOPS, SUMS, TOO_MUCH) if each.name == name)
    return {id_: {of: "y" for scenario, _, of in played.fails if scenario == id_} for id_ in cases}


def named(explanations: Sequence[Explanation]) -> list[tuple[str, int]]:
    return [(each.fault.name if each.fault else "", len(each.cases)) for each in explanations]


@pytest.mark.usefixtures("three_faults")
def test_one_fault_that_fails_the_same_checks_explains_the_run():
    cases = [case("one", COST, SUM), case("two", COST), case("three"), case("four")]
    assert named(diagnose(cases, play)) == [("hops", 2)]


@pytest.mark.usefixtures("three_faults")
def test_two_faults_together_explain_what_neither_does():
    cases = [case("one", COST, SUM), case("two", COST), case("three", SUM), case("four")]
    assert named(diagnose(cases, play)) == [("hops", 2), ("sums", 1)]


@pytest.mark.usefixtures("three_faults")
def test_no_fault_is_named_that_fails_where_the_run_passed():
    cases = [case("one"), case("two", COST), case("three", SUM), case("four")]
    assert named(diagnose(cases, play)) == [("sums", 1), ("", 1)]


def test_a_case_is_explained_where_a_fault_is_known_to_fail_by_whichever_check(monkeypatch: pytest.MonkeyPatch):
    known = fault("of-16-bits", COST, one=COST, two=COST, three=COST)
    monkeypatch.setattr(diagnosis, "known_faults", lambda: {known.name: known})
    cases = [case("one", COST), case("two", COST), case("three", TIMER)]
    assert [each.requirement for each in diagnose(cases)] == [COST]


def test_of_what_failed_in_the_same_cases_what_was_selected_comes_first():
    both = [case("one", COST, SUM), case("two", COST, SUM)]
    for selected in (COST, SUM):
        assert [each.requirement for each in diagnose(both, selection=Selection((selected,)))] == [selected]


def standings(cases: list[Case], explanations: Sequence[Explanation]) -> dict[str, tuple[Standing, str]]:
    failed = {each.requirement for made in cases for each in made.witnesses if each.judgement.verdict is Verdict.FAIL}
    findings = [Finding(load_catalogue()[id_], Standing.VIOLATED, "", 1) for id_ in sorted(failed)]
    return {each.requirement.id: (each.standing, each.cause) for each in with_standings(findings, cases, explanations)}


def test_what_fails_in_explained_cases_alone_is_affected_and_stays_violated_elsewhere():
    cases = [case("one", COST, SUM), case("two", COST)]
    explanation = Explanation(COST, frozenset(each.id for each in cases))
    assert standings(cases, [explanation]) == {COST: (Standing.VIOLATED, ""), SUM: (Standing.AFFECTED, COST)}
    elsewhere = Explanation(SUM, frozenset([case("five").id]))
    assert standings([*cases, case("five", SUM)], [explanation, elsewhere])[SUM] == (Standing.VIOLATED, "")


def test_a_red_run_says_first_what_it_behaves_like(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    asked = ["run", "--iut", "mutant:hop-count-for-cost", "--req", COST, "--no-bundles", "--out", str(tmp_path)]
    assert run_command([*asked, "--report", "junit", "--report", "github-summary"]) == 1
    assert not (tmp_path / "bundles").exists()
    lines = capsys.readouterr().out.splitlines()
    (says,) = (place for place, line in enumerate(lines) if line.startswith("BEHAVES LIKE a known faulty router, in "))
    assert "  or: Each link costs 1. (mutant:hop-count-for-cost)" in lines[says + 1 :]  # few cases: they tell less
    assert says < next(place for place, line in enumerate(lines) if line.startswith(f"VIOLATED {COST}"))
    footer = read_result_file(tmp_path / "results.ndjson").footer
    assert footer is not None
    assert "hop-count-for-cost" in {other.fault for other in footer.diagnosis[0].others}
    assert 'name="behaves-like" value="behaves like a known' in (tmp_path / "junit.xml").read_text("utf-8")
    assert "Behaves like a known faulty router, in " in (tmp_path / "summary.md").read_text("utf-8")
    assert run_command(["report", str(tmp_path / "results.ndjson"), "--out", str(tmp_path / "site")]) == 0
    assert "It behaves like a known faulty router, in " in (tmp_path / "site" / "index.html").read_text("utf-8")
    capsys.readouterr()
    assert run_command([*asked, "--no-diagnosis"]) == 1
    assert "BEHAVES LIKE" not in capsys.readouterr().out


def test_octets_to_blame_are_marked_without_colours(subtests: pytest.Subtests):
    for octets, span, shown in [
        (bytes(range(6)), Span(2, 2, "f"), "00 01 [02 03] 04 05"),
        (bytes(range(6)), Span(0, 1, "f"), "[00] 01 02 03 04 05"),
        (bytes(range(6)), Span(6, 2, "f"), "00 01 02 03 04 05 []"),
        (bytes(range(6)), Span(3, 0, "f"), "00 01 02 [] 03 04 05"),
        (bytes(98), Span(96, 2, "f"), f"from octet 80:{' 00' * 16} [00 00]"),
        (bytes(98), None, f"{' '.join(['00'] * 64)} ... of 98 octets"),
    ]:
        with subtests.test(octets=octets):
            assert marked_octets(octets, span).plain == shown


def test_a_guid_in_wire_order_is_shown_as_it_is_written():
    text = "expected 61baeae6c6d1db11baac0003ff4e2d22; 32 others: 0061baeae6c6d1db11baac0003ff4e2d22"
    assert with_guids(text).startswith(
        "expected 61baeae6c6d1db11baac0003ff4e2d22 (GUID e6eaba61-d1c6-11db-baac-0003ff4e2d22); "
    )
    assert with_guids(text).count("GUID") == 1


def test_cases_left_open_for_one_reason_are_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    asked = ["--iut", "mutant:client-repeats-requests", "--req", "MQSD-3.1.6.1", "--profile", "strict"]
    assert run_command(["run", *asked, "--out", str(tmp_path)]) == 2
    lines = capsys.readouterr().out.splitlines()
    (told,) = (line for line in lines if line.startswith("INCONCLUSIVE in "))
    assert "  the other profiles decide ambiguities of the specification" in lines
    reasons = [line for line in lines if "[SD-08/request-repeated]" in line]
    others = [int(re.search(r"and (\d+) more case", line)[1]) for line in reasons]  # type: ignore[index]
    number = sum(others) + len(reasons)
    assert told == f"INCONCLUSIVE in {number} cases: the specification leaves it open"
    assert "  what is undecided     mqconform explain SD-08" in lines
