"""Result files of real runs: every line fits the published shape."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mixed_readings import FOREIGN

from mqconform.harness.cli import run_command
from mqconform.harness.records.schema_text import complaint, validator

WITH_ALL = ("--expected-failures", "baseline.yaml", "--clock", "real")
ONE_REQUIREMENT = ("--req", "MQSD-3.2.5-01")
MIXED_IN_STRICT = (*ONE_REQUIREMENT, "--profile", "strict", "--features", "own")
SECTIONS = ("MQSD-2.1-04", "MQSD-2.2.2-04", "MQSD-3.1.6", "MQSD-3.2.5", "MQBR-3.1.3.1-08", "EOD-3-02")
SOME_OF_EACH_FAMILY = [word for section in SECTIONS for word in ("--req", section)]
SERVERS = r'''
from mqconform.harness.iut.all_roles import ReferenceIut

class Raises(ReferenceIut):
    """Raises where it should answer, with text that no terminal should see."""

    name = "raises \0\x1b[31m \u202e ]]>"

    def call(self, method, params):
        if method == "discovery_server.receive":
            raise ValueError("boom \0 ]]> \u202e \ud800 " + "x" * 10_000)
        return super().call(method, params)
'''
FEATURE = """\
@role:discovery_server
Feature: Mine
  @req:MQSD-3.2.5.1-12
  Scenario: Mine
    Given a discovery server
"""
FACTS = """\
[discovery_server]
enterprise = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"
site = "e6eaba60-d1c6-11db-baac-0003ff4e2d22"
connected_networks = ["e6eaba62-d1c6-11db-baac-0003ff4e2d22"]
directory_servers = [{ name = "nt4pec", ip = true, ipx = false }]
"""


class Runs:
    """Runs ``mqconform run`` below one directory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "servers.py").write_text(SERVERS)
        (folder / "facts.toml").write_text(FACTS)
        (folder / "own").mkdir()
        (folder / "own" / "mine.feature").write_text(FEATURE)
        (folder / "own" / "foreign.feature").write_text(FOREIGN)
        (folder / "baseline.yaml").write_text("version: 1\nexpected: []\n")

    def end(self, out: str, *arguments: str) -> int:
        """Run in this process, and return the exit code."""
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.folder)
            patch.syspath_prepend(str(self.folder))
            return run_command(["run", "--out", str(self.folder / out), *arguments])

    def records(self, out: str) -> list[dict[str, Any]]:
        lines = (self.folder / out / "results.ndjson").read_bytes().splitlines()
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return Runs(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def finished(runs: Runs) -> dict[str, int]:
    """Exit codes of finished runs, by their directories; each ends in another way."""
    at_nobody = ("--iut", f"udp:127.0.0.1:{port_of_nobody()}", "--facts", "facts.toml", "--reply-timeout", "0.2")
    return {
        "some": runs.end("some", *SOME_OF_EACH_FAMILY),
        "raises": runs.end("raises", "--iut", "api:servers:Raises", *ONE_REQUIREMENT),
        "nobody": runs.end("nobody", *at_nobody, *ONE_REQUIREMENT, "--req", "MQSD-3.2.5-03"),
        "gone": runs.end("gone", "--iut", "stdio:false"),
        "nothing": runs.end("nothing", "--req", "MQSD-1.5-01"),
        "part": runs.end("part", *ONE_REQUIREMENT, "--shard", "1/2", "--features", "own", "--thorough", "2"),
        "queues": runs.end(
            "queues", "--iut", "mutant:queue-last-first", "-k", "first-in-first-out or dead-letters-are-in"
        ),
        "undecided": runs.end("undecided", "--iut", "api:mixed_readings:Iut", *MIXED_IN_STRICT),
        "lost": runs.end("lost", *ONE_REQUIREMENT, "--req", "MQSD-1.5-01", *WITH_ALL),
    }


def port_of_nobody() -> int:
    """A UDP port that was free a moment ago."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def complaints(records: list[dict[str, Any]]) -> Iterator[str]:
    for number, record in enumerate(records, start=1):
        judge = validator("results", record["record"])
        assert judge, record["record"]
        if wrong := complaint(judge, record, ""):
            yield f"line {number}: {wrong}"


EXPECTED_EXIT = {"raises": 1, "nobody": 2, "gone": 2, "nothing": 5, "undecided": 1}


@pytest.mark.parametrize("out", ["some", *EXPECTED_EXIT])
def test_every_line_of_a_run_fits_the_published_shape(runs: Runs, finished: dict[str, int], out: str):
    records = runs.records(out)
    assert list(complaints(records)) == []
    assert records[0]["record"] == "header"
    assert records[-1]["record"] == "footer"
    assert records[-1]["exit_code"] == finished[out] == EXPECTED_EXIT.get(out, finished[out])


def test_the_runs_show_every_kind_of_record_and_every_optional_field_that_a_run_can_have(
    runs: Runs, finished: dict[str, int]
):
    seen: dict[str, set[str]] = {}
    for out in finished:
        for record in runs.records(out):
            seen.setdefault(record["record"], set()).update(record)
    for kind in ("header", "witness", "case", "requirement", "footer"):
        # Errors of the harness have no run of their own: it would take a defect. Runs by the real clock, which alone
        # have a timing, have tests of their own, and so have those that wait in vain or refuse an operation.
        assert set(shape(kind)["properties"]) - seen[kind] <= {"error", "trace", "timing", "patience", "refused"}, kind


def shape(kind: str) -> dict[str, Any]:
    judge = validator("results", kind)
    assert judge
    found: dict[str, Any] = dict(judge.schema)
    return found
