"""Discovery clients with the real clock: the same verdicts as with the virtual one."""

import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from long_tier import long
from sample_iuts import with_a_fault

from mqconform.adapters.datagrams import clients as udp_clients
from mqconform.adapters.networks.namespaces import why_no_namespaces
from mqconform.harness.cli import run_command
from mqconform.harness.iut.facts import load_all_facts
from mqconform.harness.iut.interface import AdapterOptions, ClientFacts
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.result_file import read_results
from mqconform.harness.records.run_file import RESULTS
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.run.execution import Plan, execute
from mqconform.harness.suite.selection import Selection

pytestmark = pytest.mark.real_clock
MQCONFORM = (sys.executable, "-c", "from mqconform.harness.cli import main; main()")
SHORT = "wait-on-the-first-network or version-is-zero or turn-at-once or after-15-seconds or last-wait-ends/one"
"""Cases of half a minute at most."""
SHORTEST = "on-no-other or is-not-kept"
BROADCAST = "udp:discovery-client"
FAULT = ("discovery_client.py", "= 15_000_000", "= 10_000_000")
"""A change to a line of the sample in Python: the module, what stands there, and what instead."""
why_not = cache(why_no_namespaces)
needs_namespaces = pytest.mark.skipif("why_not()", reason="clients with real broadcast not judged: no namespaces here")


def reference_facts(**otherwise: Any) -> ClientFacts:
    start = (*MQCONFORM, "serve", "discovery-client", "--enterprise", "{enterprise}", "--site", "{site}", "{networks}")
    known: dict[str, Any] = {"start": start, "network": ("--network", "{address}/{prefix}"), "outcome": "json"}
    return ClientFacts(**{**known, **otherwise})


def sample_facts(*command: str) -> ClientFacts:
    start = (*command, "discovery-client", "--enterprise", "{enterprise}", "--site", "{site}", "{networks}")
    return ClientFacts(start=start, network=("--network", "{address}/{prefix}"), outcome="exit-status")


@dataclass(frozen=True)
class Run:
    """What a run left, and how it ended."""

    out: Path
    exit_code: int

    def records(self, kind: str) -> list[dict[str, Any]]:
        return [one for one in read_results(self.out) if one["record"] == kind]


def judged(iut: str, out: Path, *, clock: str = "real", expression: str = SHORT, **options: Any) -> Run:
    selection = Selection(("MQSD",), expression)
    done = execute(Plan(iut, AdapterOptions(clock=clock, **options), Profile.DEFAULT, 0, selection, out))
    return Run(out, done.exit_code)


def verdicts(run: Run) -> dict[str, str]:
    return {one["id"]: one["verdict"] for one in run.records("case") if "excused" not in one}


def too_loaded(run: Run) -> set[str]:
    return {one["case"] for one in run.records("witness") if "overloaded" in one["observed"]}


def differing(real: Run, virtual: Run) -> dict[str, str]:
    """Return the verdicts that differ, those left out that the load of this machine has made inconclusive."""
    expected, loaded = verdicts(virtual), too_loaded(real)
    return {
        case: found
        for case, found in verdicts(real).items()
        if found != expected[case] and not (found == "inconclusive" and case in loaded)
    }


def violated(run: Run) -> set[str]:
    return {one["id"] for one in run.records("requirement") if one["standing"] == "violated"}


LATE_CLIENT = """
from mqconform.harness.iut.all_roles import MutantIut
from mqconform.harness.iut.mutants.mqsd_client import OtherClock
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.records.requirement import RoleName


def late_client():
    return MutantIut(Mutant("late", "The wait is 17 s.", RoleName.DISCOVERY_CLIENT, lambda: OtherClock(17)))
"""


@long
def test_a_late_client_is_not_convicted_where_the_machine_stood_still_as_long(tmp_path: Path) -> None:
    """One that waits for 17 seconds: the whole run, client and harness, is stopped for four of them."""
    (tmp_path / "late.py").write_text(LATE_CLIENT, "utf-8")
    iut = "api:late:late_client"
    program = [*MQCONFORM, "run", "--iut", iut, "--clock", "real", "-k", "last-wait-ends/one"]
    run = subprocess.Popen(
        [*program, "--out", str(tmp_path / "out")],
        cwd=tmp_path,  # where the module of the client lies
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        while not (tmp_path / "out" / RESULTS).exists():
            assert run.poll() is None, run.communicate()
            threading.Event().wait(0.1)
        while run.poll() is None:  # one of them hits the wait, however long the start takes
            threading.Event().wait(4)
            os.killpg(run.pid, signal.SIGSTOP)
            threading.Event().wait(4)
            os.killpg(run.pid, signal.SIGCONT)
        told, _ = run.communicate(timeout=240)
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
            run.communicate()
    assert run.returncode == ExitCode.INCONCLUSIVE, told
    witnesses = [one for one in read_results(tmp_path / "out") if one["record"] == "witness"]
    assert witnesses
    for one in witnesses:
        assert "overloaded" in one["observed"]
        assert one["timing"]["lag"] > 3
        assert one["verdict"] == "inconclusive"


@long
@needs_namespaces
def test_over_real_broadcast_a_fault_is_found(tmp_path: Path) -> None:
    facts = sample_facts(*with_a_fault(tmp_path / "with-a-fault", *FAULT))
    run = judged(BROADCAST, tmp_path / "out", clock="", client=facts, expression="nearly-15")
    assert run.exit_code == ExitCode.FAIL
    assert "MQSD-3.1.2.1-01" in violated(run)


@needs_namespaces
def test_over_real_broadcast_the_reference_gets_the_verdicts_of_the_virtual_clock(tmp_path: Path) -> None:
    """Each verdict says what its time is worth, and where the packets are."""
    broadcast = judged(BROADCAST, tmp_path / "real", clock="", client=reference_facts(), expression=SHORTEST)
    virtual = judged("mutant:client-two-packets-after-success", tmp_path, clock="virtual", expression=SHORTEST)
    assert len(verdicts(broadcast)) > 1
    assert differing(broadcast, virtual) == {}
    assert violated(broadcast) == set()
    witnesses = broadcast.records("witness")
    assert witnesses
    for one in witnesses:
        assert one["timing"]["tolerance"] == 0.5
        assert one["timing"]["lag"] >= 0
        assert (broadcast.out / one["timing"]["capture"]).read_bytes()[:4] == b"\x0a\x0d\x0d\x0a"
    judge = validator("results")
    assert judge
    assert [complaint(judge, one, "") for one in read_results(broadcast.out) if complaint(judge, one, "")] == []


def test_where_no_networks_can_be_made_the_run_says_what_it_did_not_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(udp_clients, "why_not", lambda: "no network namespace can be made: forbidden here")
    facts = tmp_path / "facts.toml"
    facts.write_text('[discovery_client]\nstart = ["true", "{enterprise}", "{site}"]\n')
    assert load_all_facts(facts)[1]
    asked = ["run", "--iut", BROADCAST, "--facts", str(facts), "--out", str(tmp_path / "out")]
    assert run_command(asked) == ExitCode.INCOMPLETE
    told = capsys.readouterr().out
    assert "cases, real broadcast is not tried, as no networks can be made" in told
    assert "NOT ALL WAS JUDGED" in told
    last = read_results(tmp_path / "out")[-1]
    assert set(last["cases"]) <= {"not-applicable", "unsupported"}
    assert last["cases"]["not-applicable"] > 100


def test_a_clock_that_the_client_does_not_have_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = tmp_path / "facts.toml"
    facts.write_text('[discovery_client]\nstart = ["true", "{enterprise}", "{site}"]\n')
    asked = ["run", "--iut", BROADCAST, "--facts", str(facts), "--clock", "virtual"]
    assert run_command([*asked, "--out", str(tmp_path / "out")]) == 4
    assert "--clock virtual" in capsys.readouterr().err


def test_the_command_broadcasts_nowhere_unasked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mqconform.adapters.networks.broadcast.in_a_namespace_of_its_own", lambda: False)
    guids = ["--enterprise", "e6eaba61-d1c6-11db-baac-0003ff4e2d22", "--site", "dcc51bf6-d4ad-4543-8739-71568e8f9128"]
    asked = ["serve", "discovery-client", *guids, "--network", "192.0.2.10/24"]
    assert run_command(asked) == 4
    assert "--allow-broadcast" in capsys.readouterr().err
    assert run_command([*asked, "--allow-broadcast"]) == 4
    assert "not an address of this machine" in capsys.readouterr().err
