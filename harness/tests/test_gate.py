"""The exit code is the gate: each way a run can end has its own, and nothing ends green without having been judged."""

import os
import subprocess
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mixed_readings import FOREIGN

from mqconform.harness.cli import run_command
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.result_file import read_results
from mqconform.harness.records.verdict import Standing, Verdict, standing
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.run.pytest_items import PROGRAM
from mqconform.harness.run.summary import summary
from mqconform.harness.suite.selection import Selection

SECTION = Selection(("MQSD-3.2.5",))


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return Plan("ref:", AdapterOptions(), Profile.DEFAULT, 0, SECTION, tmp_path / "out")


def standing_of(outcome: Outcome, requirement: str) -> Standing:
    return next(one.standing for one in outcome.findings if one.requirement.id == requirement)


Api = Callable[[str], str]


@pytest.fixture
def api_iut(module: Callable[[str], str]) -> Api:
    """Write a module with a faulty server and return how the command line names it."""
    head = """
        from mqconform.harness.iut.all_roles import ReferenceIut
        from mqconform.harness.iut.reference_iut.discovery_server import ReferenceDiscoveryServer

        class Server(ReferenceDiscoveryServer):
    """
    tail = """
        class Iut(ReferenceIut):
            def make(self, role):
                return Server() if role == "discovery_server" else super().make(role)
    """
    return lambda body: f"api:{module(head + textwrap.indent(textwrap.dedent(body), ' ' * 12) + tail)}:Iut"


def test_the_reference_conforms_and_every_record_is_on_disk(plan: Plan):
    outcome = execute(plan)
    assert outcome.exit_code == 0
    assert {case.verdict for case in outcome.cases if not case.excused} == {Verdict.PASS}
    records = read_results(outcome.results)
    assert [records[0]["record"], records[-1]["record"]] == ["header", "footer"]
    witnesses = sum(len(case.witnesses) for case in outcome.cases)
    assert sum(one["record"] == "witness" for one in records) == witnesses


def test_a_crash_on_a_malformed_datagram_is_the_implementations_fault_and_does_not_hide_the_rest(
    plan: Plan, api_iut: Api
):
    iut = api_iut(
        """
        def replies(self, network, datagram):
            if len(datagram) < 4:
                raise RuntimeError("\\x1b[31mcannot read")
            return super().replies(network, datagram)
        """,
    )
    outcome = execute(replace(plan, iut=iut))
    assert outcome.exit_code == 1
    assert standing_of(outcome, "MQSD-3.2.5-02") is Standing.VIOLATED
    assert standing_of(outcome, "MQSD-3.2.5-01") is Standing.VERIFIED
    assert not [case for case in outcome.cases if case.error]


def test_a_step_that_nobody_wrote_is_an_error_of_the_harness(plan: Plan, tmp_path: Path):
    feature = tmp_path / "added.feature"
    feature.write_text(
        "@role:discovery_server\nFeature: Added\n  @req:MQSD-3.2.5-01\n  Scenario: Unknown step\n"
        "    Given a discovery server\n    When nobody knows this\n"
    )
    outcome = execute(replace(plan, features=(feature,)))
    assert outcome.exit_code == 3
    assert [case.id for case in outcome.cases if case.error] == [f"{tmp_path.name}/added/unknown-step"]


def test_usage_errors_say_what_to_change_and_cost_no_run(
    subtests: pytest.Subtests, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    for arguments, said in [
        (["--req", "MQSD-9.9"], "--req MQSD-9.9"),
        (["--iut", "nonsense"], "KIND:ID"),
        (["--report", "poem"], "junit"),
        (["--facts", "/no/such/facts.toml", "--iut", "udp:127.0.0.1:9"], "facts.toml"),
        (["--features", "/no/such.feature"], "/no/such.feature"),
        (["-k", "and and"], "-k and and: expected"),
        (["-k", "no-such-case"], "-k no-such-case: no case has an id that matches"),
        (["-x", "-n", "2"], "-x stops one process"),
    ]:
        with subtests.test(arguments=arguments):
            assert run_command(["run", "--out", str(tmp_path / "out"), *arguments]) == 4
            complaint = capsys.readouterr().err
            assert said in complaint
            assert "Traceback" not in complaint


def test_a_selection_that_matches_no_case_is_not_green(plan: Plan):
    assert execute(replace(plan, selection=Selection((), "no-such-case"))).exit_code == 5


def test_the_terminal_names_what_is_broken_beyond_the_selection(plan: Plan):
    asked, broken = "EOD-3.1.1.6.2-04", "EOD-3.1.1.3.1-03"
    iut = "mutant:receiver-acknowledges-after-two-seconds"
    outcome = execute(replace(plan, iut=iut, selection=Selection((asked,))))
    assert outcome.exit_code == 1
    assert standing_of(outcome, asked) is Standing.VERIFIED
    told = f"violated but not selected: {broken}; no selected requirement is violated"
    assert told in {f"{line}".strip() for line in summary(outcome)}


def test_an_assertion_that_vanishes_turns_its_requirement_unverified_and_the_gate_red(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
):
    """Stands for deleting a Then: the witnesses of one requirement are never recorded."""
    record = Session.witness

    def forgetful(run: Session, case: Case, requirements: Iterable[str], *rest: Any) -> None:
        record(run, case, [one for one in requirements if one != "MQSD-3.2.5-01"], *rest)

    monkeypatch.setattr(Session, "witness", forgetful)
    outcome = execute(plan)
    assert standing_of(outcome, "MQSD-3.2.5-01") is Standing.UNVERIFIED
    assert outcome.exit_code == 5


def test_two_readings_in_one_run_are_reported_and_held_against_nobody(plan: Plan, tmp_path: Path):
    iut, feature = "api:mixed_readings:Iut", tmp_path / "foreign.feature"
    feature.write_text(FOREIGN)
    outcome = execute(replace(plan, iut=iut, features=(feature,)))
    (mixture,) = outcome.mixed
    assert set(mixture.readings) == {"any-enterprise", "silent-for-foreign-enterprise"}
    assert f"{mixture}".startswith("SD-13/")
    assert outcome.exit_code == 0, "to mix permitted readings breaks no sentence"
    strict = execute(replace(plan, iut=iut, features=(feature,), profile=Profile.STRICT, out=tmp_path / "strict"))
    assert strict.inconstant


def test_a_run_leaves_nothing_where_the_user_stands(tmp_path: Path):
    """The case draws texts, for which Hypothesis keeps a table of characters."""
    here, home = tmp_path / "here", tmp_path / "home"
    here.mkdir()
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("HYPOTHESIS_", "XDG_"))}
    asked = [*PROGRAM, "run", "-k", "generated-configurations-get", "--out", str(tmp_path / "out")]
    subprocess.run(asked, cwd=here, env=plain | {"HOME": str(home)}, stdout=subprocess.DEVNULL, check=True)
    assert [*here.iterdir()] == []
    assert [*(home / ".cache" / "mqconform" / "hypothesis").iterdir()]


def test_standing_of_a_requirement(subtests: pytest.Subtests):
    for verdicts, expected in [
        ([], Standing.UNVERIFIED),
        ([Verdict.PASS], Standing.VERIFIED),
        ([Verdict.PASS, Verdict.INCONCLUSIVE], Standing.VERIFIED),
        ([Verdict.INCONCLUSIVE], Standing.INCONCLUSIVE),
        ([Verdict.PASS, Verdict.FAIL], Standing.VIOLATED),
        ([Verdict.FAIL, Verdict.ERROR], Standing.VIOLATED),
        ([Verdict.PASS, Verdict.ERROR], Standing.ERROR),
    ]:
        with subtests.test(verdicts=verdicts):
            assert standing(verdicts) is expected
