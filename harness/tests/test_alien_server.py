"""Discovery servers written in other languages from the specification alone: they conform, and their faults are found.

One in JavaScript is spoken to over its stdin and stdout and opens a UDP port when told to; one in C knows UDP only.
"""

import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mqconform.harness.iut.facts import load_facts
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Standing
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.suite.selection import Selection

ALIEN = Path(__file__).parent / "alien"
NODE, CC = shutil.which("node"), shutil.which("cc")
needs_node = pytest.mark.skipif(NODE is None, reason="the server is written in JavaScript, and no node is installed")
needs_cc = pytest.mark.skipif(CC is None, reason="the server is written in C, and no cc is installed")

FAULTS_OVER_STDIO = [
    ("id-as-text", "MQSD-2.2.3-03"),
    ("count-network-order", "MQSD-2.2.3-04"),
    ("mask-everywhere", "MQSD-2.2.3-08"),
    ("size-in-characters", "MQSD-2.2.3-11"),
    ("list-for-all", "MQSD-2.2.3-13"),
    ("site-of-client", "MQSD-2.2.3-17"),
    ("no-final-null", "MQSD-2.2.3-44"),
    ("stops-at-short", "MQSD-3.2.5-02"),
    ("needs-exact-length", "MQSD-3.2.5.1-02"),
    ("to-well-known-port", "MQSD-3.2.3-01"),
]
FAULTS_OVER_UDP = [
    ("id-of-site", "MQSD-2.2.3-03"),
    ("big-endian", "MQSD-2.2.3-04"),
    ("version-checked", "MQSD-2.2.1-04"),
    ("one-octet-characters", "MQSD-2.2.3-19"),
    ("semicolons", "MQSD-2.2.3-43"),
    ("half-a-site", "MQSD-3.2.5.1-12"),
    ("twice", "MQSD-3.2.5-01"),
    ("dies-at-short", "MQSD-3.2.5-02"),
    ("to-first-client", "MQSD-3.2.5.1-15"),
    ("to-first-client", "MQSD-2.1-03"),
]
UNUSUAL_NAMES = {f"MQSD-2.2.3-{number}" for number in (32, 33, 34, 35, 37, 38, 39, 41, 42)}
"""Rules for characters that the names below do not have."""
PORT_OF_THE_TEXT = "MQSD-2.1-04"
"""Is seen only where that port is tried; these servers have others."""

FACTS = """\
[discovery_server]
enterprise = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9"
site = "11121314-1516-1718-191a-1b1c1d1e1f20"
connected_networks = ["c1c2c3c4-c5c6-c7c8-c9ca-cbcccdcecfd0", "a1a2a3a4-a5a6-a7a8-a9aa-abacadaeafb0"]
directory_servers = [
  { name = "PSC-WEST", ip = true, ipx = false },
  { name = "archive01", ip = true, ipx = true },
]
"""
CONFIGURED = [
    "1413121116151817191a1b1c1d1e1f20",
    "c4c3c2c1c6c5c8c7c9cacbcccdcecfd0" + "a4a3a2a1a6a5a8a7a9aaabacadaeafb0",
    "10PSC-WEST",
    "11archive01",
]
"""The same as the facts, in the octets of a packet."""


def over_stdio(out: Path, fault: str = "", requirements: tuple[str, ...] = ("MQSD",)) -> Outcome:
    command = shlex.join(filter(None, [str(NODE), str(ALIEN / "discovery_server.mjs"), fault]))
    options = AdapterOptions(deadline=30, reply_timeout=1.0)
    return execute(Plan(f"stdio:{command}", options, Profile.DEFAULT, 0, Selection(requirements), out))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("alien") / "discovery_server"
    source = str(ALIEN / "discovery_server.c")
    subprocess.run([str(CC), "-std=c11", "-D_GNU_SOURCE", "-o", str(built), source], check=True)
    return built


@pytest.fixture
def over_udp(program: Path, tmp_path: Path) -> Iterator[Callable[..., Outcome]]:
    started: list[subprocess.Popen[str]] = []

    def run(behaviour: str = "right", requirements: tuple[str, ...] = ("MQSD",)) -> Outcome:
        server = subprocess.Popen([program, behaviour, *CONFIGURED], stdout=subprocess.PIPE, text=True)
        started.append(server)
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        facts = tmp_path / "facts.toml"
        facts.write_text(FACTS)
        options = AdapterOptions(reply_timeout=1.0, facts=load_facts(facts))
        plan = Plan(f"udp:127.0.0.1:{port}", options, Profile.DEFAULT, 0, Selection(requirements), tmp_path / "out")
        return execute(plan)

    yield run
    for server in started:
        server.kill()
        server.communicate()


def standings(outcome: Outcome, standing: Standing) -> set[str]:
    return {one.requirement.id for one in outcome.findings if one.standing is standing}


def judged(outcome: Outcome, *kinds: str) -> set[str]:
    return {one.requirement.id for one in outcome.findings if one.requirement.judged in kinds}


@needs_node
def test_over_stdio_it_verifies_every_requirement_but_those_of_failing_sends(tmp_path: Path) -> None:
    outcome = over_stdio(tmp_path)
    assert (outcome.exit_code, outcome.mixed) == (ExitCode.OK, [])
    assert judged(outcome, "wire", "api") - standings(outcome, Standing.VERIFIED) == {
        "MQSD-1.8-01",
        "MQSD-3.2.5-03",
        "MQSD-3.2.5-04",
    }


@needs_node
@pytest.mark.parametrize(("fault", "requirement"), FAULTS_OVER_STDIO)
def test_over_stdio_a_fault_is_found_by_the_scenarios_of_its_requirement(
    fault: str, requirement: str, tmp_path: Path
) -> None:
    outcome = over_stdio(tmp_path, fault, (requirement,))
    assert outcome.exit_code == ExitCode.FAIL
    assert requirement in standings(outcome, Standing.VIOLATED)


@needs_cc
@pytest.mark.parametrize("behaviour", ["right", "other-port", "rising-order"])
def test_over_udp_it_verifies_every_wire_requirement_that_its_names_allow(
    behaviour: str, over_udp: Callable[..., Outcome]
) -> None:
    outcome = over_udp(behaviour)
    assert (outcome.exit_code, outcome.mixed) == (ExitCode.OK, [])
    assert judged(outcome, "wire") - standings(outcome, Standing.VERIFIED) == {
        *UNUSUAL_NAMES,
        PORT_OF_THE_TEXT,
        "MQSD-1.8-01",
    }


@needs_cc
@pytest.mark.parametrize(("fault", "requirement"), FAULTS_OVER_UDP)
def test_over_udp_a_fault_is_found_by_the_scenarios_of_its_requirement(
    fault: str, requirement: str, over_udp: Callable[..., Outcome]
) -> None:
    outcome = over_udp(fault, (requirement,))
    assert outcome.exit_code == ExitCode.FAIL
    assert requirement in standings(outcome, Standing.VIOLATED)
