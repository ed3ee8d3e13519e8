"""Whole runs against UDP servers that say anything: bounded, clean, and a verdict each."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from long_tier import long, mostly_long
from measured_runs import MEBIBYTE, Ended, measured

from mqconform.harness.iut.server_configurations import USUAL

pytestmark = pytest.mark.hostile
HOSTILE = Path(__file__).parent / "hostile.py"
PATIENT = 900
"""Seconds; servers that take one for each reply take minutes."""
MOST_MORE = 150 * MEBIBYTE
"""What a run with a hostile server may cost: what is kept of one exchange, read and written in hexadecimal."""
MOST_ON_DISK = 100_000_000
HANGS = 120
"""Seconds; whoever needs them waits for what never comes."""
STEPS, LISTENS = "MQSD-3.2.5.1-01", "MQSD-3.2.5-02"
JUDGED = {
    "garbage": {STEPS},
    "mutated": {STEPS},
    "many-overlong": {STEPS},
    "flood-of-large": {LISTENS},
    "drip": {STEPS, LISTENS},  # as it is seen to answer wrongly or to send without end
    "escapes": {STEPS},
}
FIRST = ("escapes",)
"""What terminals obey; test_run_udp.py has servers that lie, flood, die and fall silent."""


@contextlib.contextmanager
def server(how: str) -> Iterator[int]:
    """A server in a process of its own; gives its port."""
    with subprocess.Popen([sys.executable, str(HOSTILE), "udp", how], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    known = USUAL.params()
    servers = ", ".join(
        "{" + ", ".join(f"{name} = {json.dumps(value)}" for name, value in one.items()) + "}"
        for one in known.pop("directory_servers")
    )
    path = tmp_path_factory.mktemp("facts") / "facts.toml"
    lines = [f"{name} = {json.dumps(value)}" for name, value in known.items()]
    path.write_text("\n".join(["[discovery_server]", *lines, f"directory_servers = [{servers}]", ""]))
    return path


def judged(how: str, facts: Path, out: Path) -> Ended:
    with server(how) as port:
        asked = ["--iut", f"udp:127.0.0.1:{port}", "--facts", str(facts), "--reply-timeout", "0.3"]
        return measured(out, *asked, "--req", "MQSD-3.2.5.1")


@pytest.mark.timeout(HANGS)
@pytest.mark.parametrize("how", mostly_long(JUDGED, first=FIRST))
def test_a_hostile_server_gets_its_verdict_and_costs_little(how: str, facts: Path, tmp_path: Path):
    ended = judged(how, facts, tmp_path)
    assert ended.exit_code == 1, ended.printed
    wrong = {one["requirement"] for one in ended.records if one.get("verdict") == "fail" and "requirement" in one}
    assert JUDGED[how] & wrong
    assert not [one for one in ended.records if one.get("verdict") == "error"]
    assert ended.records[-1]["record"] == "footer"
    assert ended.memory < MOST_MORE
    assert sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file()) < MOST_ON_DISK
    assert not [sign for sign in ("\x1b", "\x07", "\u202e", "Traceback") if sign in ended.printed]


@long
@pytest.mark.timeout(PATIENT)
@pytest.mark.parametrize(
    ("how", "picked"),
    [
        ("slow", "MQSD-3.2.5"),
        ("in-any-order", "MQSD-3.2"),
        ("slow-at-times", "MQSD-3.2"),
        ("doubled-on-the-way", "MQSD-3.2"),
    ],
)
def test_a_server_that_takes_its_time_is_not_convicted_by_our_impatience(
    how: str, picked: str, facts: Path, tmp_path: Path
):
    with server(how) as port:
        ended = measured(tmp_path, "--iut", f"udp:127.0.0.1:{port}", "--facts", str(facts), "--req", picked)
    assert not [one for one in ended.records if one.get("verdict") in {"fail", "inconclusive"}]
    assert ended.exit_code == 0, ended.printed
