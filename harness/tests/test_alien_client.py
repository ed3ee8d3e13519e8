"""A discovery client written in JavaScript from the specification alone, over its stdin and stdout.

With any one of the usual mistakes it is convicted; with any one permitted reading that it follows throughout it is not.
"""

import shlex
import shutil
from pathlib import Path

import pytest
from long_tier import mostly_long

from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Standing
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.suite.selection import Selection

ALIEN = Path(__file__).parent / "alien" / "discovery_client.mjs"
NODE = shutil.which("node")
IPX = {f"MQSD-2.2.2-{number}" for number in ("07", "08", "10", "11", "13")}
NOT_SEEN = {"MQSD-2.1-01", "MQSD-2.2-01", "MQSD-2.3-01", "MQSD-2.3-03", "MQSD-3.1.5.1-05"}
"""A client that is called shows no transport; no trace of LDAP reaches the harness."""
FAULTS = [
    ("waits-10", "MQSD-3.1.2.1-01"),
    ("waits-30", "MQSD-3.1.2.1-03"),
    ("first-network-only", "MQSD-3.1.4.1-04"),
    ("any-network", "MQSD-3.1.5.2-01"),
    ("any-id", "MQSD-3.1.5.2-03"),
    ("keeps-flags", "MQSD-3.1.7.1-04"),
    ("appends", "MQSD-3.1.7.1-02"),
    ("never-completes", "MQSD-3.1.5.2-34"),
    ("completes-twice", "MQSD-3.1.5.2-34"),
    ("ipx-fields", "MQSD-2.2.2-01"),
    ("version-1", "MQSD-2.2.1-03"),
    ("same-id", "MQSD-3.1.4.1-07"),
    ("wait-not-restarted", "MQSD-3.1.5.2-09"),
    ("success-on-failure", "MQSD-3.1.6.1-03"),
]
CONFORMING = ["", "asks-again", "asks-again-once", "one-wait-for-each-network", "busy-is-busy", "strict-header"]
CONFORMING += ["keeps-foreign-list-out", "accepts-more-octets"]
UNDECIDED = ["own-reply-counts", "copies-ignored"]
"""Readings that the default profile leaves open."""

pytestmark = pytest.mark.skipif(NODE is None, reason="the client is written in JavaScript, and no node is installed")


def judged(out: Path, word: str = "", requirements: tuple[str, ...] = ("MQSD",)) -> Outcome:
    command = shlex.join(filter(None, [str(NODE), str(ALIEN), word]))
    return execute(
        Plan(f"stdio:{command}", AdapterOptions(deadline=30), Profile.DEFAULT, 0, Selection(requirements), out)
    )


def standings(outcome: Outcome, standing: Standing) -> set[str]:
    return {one.requirement.id for one in outcome.findings if one.standing is standing}


@pytest.mark.parametrize("reading", mostly_long(CONFORMING, first=["", "one-wait-for-each-network"]))
def test_with_one_permitted_reading_it_conforms(reading: str, tmp_path: Path) -> None:
    outcome = judged(tmp_path, reading)
    assert (outcome.exit_code, outcome.mixed) == (ExitCode.OK, [])
    assert standings(outcome, Standing.UNSUPPORTED) == IPX | NOT_SEEN
    assert standings(outcome, Standing.UNVERIFIED) == set()


@pytest.mark.parametrize("reading", mostly_long(UNDECIDED, first=["copies-ignored"]))
def test_a_reading_that_the_profile_leaves_open_convicts_nobody(reading: str, tmp_path: Path) -> None:
    outcome = judged(tmp_path, reading)
    assert (outcome.exit_code, outcome.mixed) == (ExitCode.INCONCLUSIVE, [])
    assert standings(outcome, Standing.VIOLATED) == set()


@pytest.mark.parametrize(("fault", "requirement"), FAULTS)
def test_a_usual_mistake_is_found_by_the_scenarios_of_its_requirement(
    fault: str, requirement: str, tmp_path: Path
) -> None:
    wanted = "MQSD-2.2.2" if fault == "ipx-fields" else requirement  # whose breach shows in the cases of its neighbours
    outcome = judged(tmp_path, fault, (wanted,))
    assert outcome.exit_code == ExitCode.FAIL
    assert requirement in standings(outcome, Standing.VIOLATED)
