"""The time of a run, implementations that hang or crash, and what is said of both."""

import json
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from junitparser import JUnitXml

from mqconform.harness.cli import run_command
from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import AdapterOptions, IutFault
from mqconform.harness.iut.protocol import NOT_TRIED
from mqconform.harness.judge.session import JudgingPlan, Session
from mqconform.harness.records.case import Case
from mqconform.harness.records.evidence_text import crash_text
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.results import Moment
from mqconform.harness.records.run_file import ResultWriter
from mqconform.harness.run.diagnosis import broken_operations
from mqconform.harness.run.plugin import note_problem

SLOW = """
import sys, time
from mqconform.harness.iut.connect import open_iut
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.tools.serve.stdio_server import serve
reference = open_iut("ref:", AdapterOptions(deadline=60))
call = reference.call
reference.call = lambda *words: time.sleep(0.2) or call(*words)
serve(reference, sys.stdin.buffer, sys.stdout.buffer)
"""
CRASHES = """
import json, os, sys
WHO = {"protocol": 1, "name": "x", "version": "1", "roles": ["discovery_server"], "capabilities": []}
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] not in ("initialize", "reset"):
        os.kill(os.getpid(), 11)
    result = WHO if asked["method"] == "initialize" else {}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""
PICK = ["--req", "MQSD-2.2.3-11", "--no-diagnosis"]


def records(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "results.ndjson").read_text().splitlines()]


def test_a_case_witness_and_run_have_times_and_junit_has_durations_of_its_own_roles(tmp_path: Path):
    asked = ["run", "--iut", "mutant:size-two-more", *PICK, "--report", "junit"]
    assert run_command([*asked, "--out", str(tmp_path)]) == 1
    kinds = {record["record"]: record for record in records(tmp_path) if "seconds" in record}
    assert kinds.keys() == {"witness", "case", "footer"}
    assert kinds["case"]["began"].endswith("+00:00")
    assert 0 < kinds["witness"]["seconds"] <= kinds["case"]["seconds"] <= kinds["footer"]["seconds"]
    cases = [case for suite in JUnitXml.fromfile(str(tmp_path / "junit.xml")) for case in suite if suite.name != "run"]
    assert all(case.time > 0 for case in cases if not case.is_skipped)
    assert all("no role" not in result.message for case in cases for result in case.result)


def test_what_there_is_no_time_for_is_not_tried_and_played_when_the_run_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("mqconform.harness.cli.run.monotonic", lambda: time.monotonic() - 1000)
    asked = ["run", *PICK, "--out", str(tmp_path)]
    assert run_command([*asked, "--timeout", "5"]) == 2
    shown = capsys.readouterr().out
    assert "the time limit was reached" in shown
    assert "--resume" in shown
    assert {record.get("reason") for record in records(tmp_path) if record["record"] == "case"} == {NOT_TRIED}
    assert run_command([*asked, "--resume"]) == 0
    assert NOT_TRIED not in (tmp_path / "results.ndjson").read_text()


def test_the_time_of_a_run_ends_a_generated_case_of_an_implementation_that_is_slow(tmp_path: Path):
    (tmp_path / "slow.py").write_text(SLOW)
    iut = ["--iut", f"stdio:{sys.executable} {tmp_path}/slow.py", "--no-probe", "--out", str(tmp_path / "o")]
    began = time.monotonic()
    assert run_command(["run", *iut, "--req", "MQSO-5.1.1.2-01", "-k", "generated", "--timeout", "5"]) == 2
    assert time.monotonic() - began < 30
    assert NOT_TRIED in (tmp_path / "o" / "results.ndjson").read_text()


def test_a_crash_is_headlined_once_and_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "crashes.py").write_text(CRASHES)
    iut = f"stdio:{sys.executable} {tmp_path}/crashes.py"
    options = ["--no-probe", "-k", "one-short", "--report", "junit", "--out", str(tmp_path / "o")]
    assert run_command(["run", "--iut", iut, *PICK, *options]) == 1
    shown = capsys.readouterr().out
    assert shown.index("CRASHED: the implementation ended with signal 11 (SIGSEGV) in case ") < 300
    assert "VIOLATED" not in shown
    assert "violated in such cases alone: MQSD-2.2.3-" in shown
    assert "signal 11" in (tmp_path / "o" / "junit.xml").read_text()


def test_endings_in_words(subtests: pytest.Subtests):
    for reason, words in [
        ("exited: reset: its output ended, process killed by SIGKILL", "ended with signal 9 (SIGKILL) in case a/b/c"),
        ("exited: reset: its output ended, process exit status 3", "ended: exit status 3 in case a/b/c"),
        ("exited: the server is gone", "ended in case a/b/c"),
        ("deadline: reset: no answer within 5 s", "did not answer in time in case a/b/c"),
        ("oversize: reset: too long", "broke the IUT protocol in case a/b/c"),
    ]:
        with subtests.test(reason):
            case = SimpleNamespace(id="a/b/c", crashed=True, reason=reason)
            assert crash_text([case]) == (words and f"the implementation {words}")


def test_an_implementation_that_hangs_is_given_up_by_the_time_that_it_took(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    now = 0.0
    monkeypatch.setattr("mqconform.harness.iut.patience.monotonic", lambda: now)
    plan = JudgingPlan("ref:", AdapterOptions(), Profile.DEFAULT, 0)
    with (
        Session(plan, connect(plan.iut, plan.options)) as session,
        ResultWriter(tmp_path / "results") as session.writer,
    ):
        patience = session.patience
        for number in range(1, 20):
            patience.began, now = now, now + 15.0
            note_problem(session, Case(f"a/b/{number}", "a/b", "", "", ()), IutFault("deadline", "no answer"))
            if patience.dead_since:
                break
    assert patience.dead_since == "a/b/2"
    assert now == 30.0


def test_an_operation_that_never_answers_correctly_is_one_cause():
    wrong, right = Moment(0.0, "x", "look at inbox", "failure", ("m1",)), Moment(0.0, "x", "receive from inbox", "m1")
    cases = [Case(f"a/{number}/x", "a/b", "", "", (), timeline=(right, wrong)) for number in range(3)]
    assert broken_operations(cases) == dict.fromkeys(("a/0/x", "a/1/x", "a/2/x"), "look")
    elsewhere = Case("a/b/3", "a/b", "", "", (), timeline=(Moment(0.0, "x", "look at orders", "m1"), wrong))
    assert broken_operations([*cases, elsewhere]) == {}
