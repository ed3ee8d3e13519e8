"""Wrappers around real brokers: nothing is left of a server, and what the brokers are known to do is judged so."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from long_tier import LONG
from sample_iuts import EXAMPLES

from mqconform.harness.cli import run_command
from mqconform.harness.records.result_file import read_results
from mqconform.harness.records.run_file import RESULTS

BROKERS = EXAMPLES / "iut" / "brokers"
sys.path.append(str(BROKERS))
KEEPER = BROKERS / "brokers" / "keeper.py"
INSTALLED = {
    "rabbitmq": (Path("/usr/lib/rabbitmq/bin/rabbitmq-server"), "pika"),
    "redis": (Path("/usr/bin/redis-server"), "redis"),
    "activemq": (Path("/usr/share/activemq/bin/activemq.jar"), "stomp"),
}
SECONDS = 60
"""How long the end of a server may take, one that just starts too."""


def why_not(broker: str) -> str:
    """Return what is missing for a broker."""
    program, library = INSTALLED[broker]
    missing = [] if program.exists() else [str(program)]
    return ", ".join(missing + ([] if find_spec(library) else [f"Python library {library}"]))


def real(broker: str, *values: object) -> object:
    """Return a parameter of the second tier, skipped where the broker is not installed."""
    skip = pytest.mark.skipif(bool(why_not(broker)), reason=f"{broker} is not tried: no {why_not(broker)}")
    return pytest.param(broker, *values, marks=(LONG, pytest.mark.brokers, skip))


def test_what_was_confirmed_and_never_received_is_lost_and_what_was_never_sent_invented():
    from brokers.cuts import Tally

    tally = Tally(confirmed={"a", "b", "c"}, unanswered={"d", "e"}, received=Counter("aadf"), left_open=Counter("b"))
    assert (tally.lost(), tally.doubled(), tally.invented()) == (["c"], ["a"], ["f"])
    assert tally.found()["unanswered_and_arrived"] == 1


def wrapper(broker: str) -> list[str]:
    return [sys.executable, str(BROKERS), broker]


class Kept:
    """A keeper whose server is a program that does nothing for ten minutes."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(KEEPER), "nothing"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.folder = Path(self.answer()["folder"])
        self.order(
            do="start", programs=[["sh", "-c", "echo $$ > pid; exec sleep 600"]], environment={"PATH": os.defpath}
        )
        written = self.folder / "pid"
        assert happens(lambda: written.exists() and bool(written.read_text().strip()))
        self.server = int(written.read_text())

    def order(self, **order: object) -> dict[str, object]:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self) -> dict[str, str]:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())


@pytest.fixture
def kept() -> Iterator[Kept]:
    if shutil.which("setpriv") is None:
        pytest.skip("no setpriv on PATH")
    one = Kept()
    yield one
    one.process.kill()
    one.process.wait()
    shutil.rmtree(one.folder, ignore_errors=True)


def happens(what: object) -> bool:
    """Return whether something becomes true in some time."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        if what():
            return True
        time.sleep(0.05)
    return False


def runs(process: int) -> bool:
    """Return whether a process is there and not merely waiting to be reaped."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_keeper_removes_what_those_have_left_that_were_killed_and_nothing_else(kept: Kept):
    other = Kept()
    kept.process.kill()
    kept.process.wait()
    assert happens(lambda: not runs(kept.server))
    subprocess.run([sys.executable, str(KEEPER), "nothing"], stdin=subprocess.DEVNULL, check=True)
    assert not kept.folder.exists()
    assert other.folder.exists()
    assert other.process.stdin is not None
    other.process.stdin.close()
    other.process.wait()
    assert not other.folder.exists()


@pytest.mark.parametrize(
    ("broker", "cases", "violated"),
    [
        real("rabbitmq", "transactions/an-abort or takes-messages-within or a-second-after", {"MQSO-3.2.1-07"}),
        real("activemq", "transactions/an-abort or takes-messages-within or a-second-after", {"MQSO-3.2.1-07"}),
        real("redis", "transactions/an-abort or takes-messages-within or express-messages",
             {"MQSO-3.2.1-07", "MQSO-5.5.1-08"}),
    ],
)  # fmt: skip
def test_a_broker_is_judged_by_what_it_does(broker: str, cases: str, violated: set[str], tmp_path: Path):
    target = f"stdio:{shlex.join(wrapper(broker))}"
    code = run_command(
        ["run", "--iut", target, "--req", "MQSO", "--deadline", "90", "--no-probe", "-k", cases, "--out", str(tmp_path)]
    )
    records = list(read_results(tmp_path / RESULTS))
    found = {one["id"] for one in records if one["record"] == "requirement" and one["standing"] == "violated"}
    assert found == violated
    assert code == bool(violated)


@pytest.mark.parametrize("broker", [real("rabbitmq"), real("redis"), real("activemq")])
def test_a_cut_connection_neither_loses_nor_doubles_a_recoverable_message(broker: str):
    done = subprocess.run([*wrapper(broker), "--cut", "40"], capture_output=True, text=True, check=False, timeout=300)
    found = json.loads(done.stdout)
    assert found["unanswered"]
    assert found["confirmed"]
    assert (done.returncode, found["lost"], found["doubled"], found["invented"]) == (0, [], [], [])
