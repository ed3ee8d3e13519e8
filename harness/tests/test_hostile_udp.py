"""Whole runs against UDP servers that take their time: none is convicted of that."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from long_tier import long
from measured_runs import measured

from mqconform.harness.iut.server_configurations import USUAL

pytestmark = pytest.mark.hostile
HOSTILE = Path(__file__).parent / "hostile.py"
PATIENT = 900
"""Seconds; servers that take one for each reply take minutes."""


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
