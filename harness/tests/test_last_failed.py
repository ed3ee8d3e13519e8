"""``--last-failed`` runs what did not pass, and ``-x`` stops at the first failure."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.records.case import Case
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement, Witness
from mqconform.harness.run.last_failed import LAST_FAILED, any_of, write_last_failed
from mqconform.harness.suite.index import load_suite_index
from mqconform.harness.suite.selection import Selection, checked_selection

SECTION = ["--req", "MQSD-3.2.5.1", "--no-probe"]
FAULTY = "mutant:zero-site-is-own"
FAILING = [
    "mqsd/3_2_discovery_server/a-client-without-a-site-is-a-client-of-another-site",
    "mqsd/3_2_discovery_server/generated-requests-get-the-reply-that-the-steps-make",
]
BASELINE = """version: 1
expected:
  - scenario: {case}
    iut: "*"
    verdict: fail
    error: absent
    reason: known
    issue: https://issues.example/1
    owner: routing team
    since: 2026-01-01
    expires: 2999-01-01
"""


def run(out: Path, iut: str, *more: str) -> int:
    return run_command(["run", "--iut", iut, *SECTION, "--out", str(out), *more])


def failing(case: str) -> Case:
    return Case(case, "f", "s", "", (), error="broken")


def passing(case: str) -> Case:
    seen = Witness(case, "MQSD-2.2.2-04", "Then", Judgement(Verdict.PASS, "a", "a"))
    return Case(case, "f", "s", "", (), witnesses=[seen])


def judged(out: Path) -> list[str]:
    records: list[dict[str, Any]] = [json.loads(line) for line in (out / "results.ndjson").read_bytes().splitlines()]
    return sorted(one["id"] for one in records if one["record"] == "case" and not one.get("excused"))


@pytest.fixture(scope="module")
def quiet() -> io.StringIO:
    """What the run of ``failed`` prints."""
    return io.StringIO()


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory, quiet: io.StringIO) -> Path:
    out = tmp_path_factory.mktemp("failed")
    with redirect_stdout(quiet):
        assert run(out, FAULTY, "-q") == 1
    return out


def test_quiet_leaves_a_line_for_each_cause_and_the_verdict(failed: Path, quiet: io.StringIO) -> None:
    alike, fault, violated, verdict = quiet.getvalue().splitlines()
    assert alike == "BEHAVES LIKE a known faulty discovery server, in 2 of 2 failed cases:"
    assert fault.endswith(f"({FAULTY})")
    assert violated.startswith("VIOLATED MQSD-3.2.5.1-12  To a client of another site")
    assert violated.endswith("RespondingSiteID is the server's site.")
    assert verdict == f"DOES NOT CONFORM  results in {failed / 'results.ndjson'}"


def test_the_cases_that_failed_are_run_again_until_they_pass(failed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (failed / LAST_FAILED).read_text("utf-8").split() == FAILING
    assert run(failed, FAULTY, "--last-failed") == 1
    assert judged(failed) == FAILING
    assert run(failed, FAULTY, "--lf", "-x") == 1
    assert judged(failed) == FAILING[:1]
    assert (failed / LAST_FAILED).read_text("utf-8").split() == FAILING, "what -x left out has not passed"
    assert run(failed, "ref:", "--lf") == 0
    assert judged(failed) == FAILING
    assert not (failed / LAST_FAILED).exists()
    capsys.readouterr()
    assert run(failed, "ref:", "--lf", "-k", "a-client-without") == 0
    assert "no case of" in capsys.readouterr().err


def test_a_failure_that_the_baseline_expects_does_not_stop_the_run(tmp_path: Path) -> None:
    baseline = tmp_path / "known.yaml"
    baseline.write_text(BASELINE.format(case=FAILING[0]), "utf-8")
    assert run(tmp_path, FAULTY, "-x", "-k", " or ".join(FAILING), "--expected-failures", str(baseline)) == 1
    assert judged(tmp_path) == FAILING


def test_a_case_that_was_not_judged_again_keeps_its_place(tmp_path: Path) -> None:
    write_last_failed(tmp_path, [failing("a"), failing("b")])
    write_last_failed(tmp_path, [passing("b")])
    assert (tmp_path / LAST_FAILED).read_text("utf-8") == "a\n"


def test_all_cases_of_the_suite_may_have_failed() -> None:
    cases = [case.id for scenario in load_suite_index().scenarios for case in scenario.cases]
    assert checked_selection(Selection(expression=any_of(cases)))


@pytest.mark.skipif(sys.platform != "linux", reason="signals of a process group")
def test_ctrl_c_stops_several_processes_with_one_line(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text('from mqconform.harness.cli import main\nif __name__ == "__main__":\n    main()\n', "utf-8")
    command = [sys.executable, str(program), "run", "-n", "2", "--out", str(tmp_path / "out")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        while len([*tmp_path.glob("out/shards/*/results.ndjson")]) < 2 and process.poll() is None:
            threading.Event().wait(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        told = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert len(told.splitlines()) == 1
    assert "--resume" in told
