"""``mqconform diff`` on real runs of one server that changes."""

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.records.schema_text import complaint, published, validator
from mqconform.reports.comparison.change import Cause

SERVER = """
    import os
    from mqconform.harness.iut.all_roles import ReferenceIut
    from mqconform.harness.iut.reference_iut.discovery_server import ReferenceDiscoveryServer

    class Server(ReferenceDiscoveryServer):
        def replies(self, network, datagram):
            return [] if os.environ["SERVER"] == "silent" else super().replies(network, datagram)

    class Iut(ReferenceIut):
        def make(self, role):
            return Server() if role == "discovery_server" else super().make(role)
"""
REQUIREMENT = "MQSD-3.2.5-01"
SELECTED = ["--req", REQUIREMENT, "-k", "answered-with-a-reply or the-same-request-is or another-enterprise-is"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of one server, in the folders of their names."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "changing_server.py").write_text(textwrap.dedent(SERVER))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        for name, behaviour, options in (
            ("old", "answers", ["--build", "1"]),
            ("same", "answers", ["--build", "1"]),
            ("broken", "silent", ["--build", "2"]),
            ("broken-again", "silent", ["--build", "2"]),
            ("flaky", "silent", ["--build", "1"]),
            ("strict", "silent", ["--build", "2", "--profile", "strict"]),
            ("fewer", "answers", ["--build", "1", "-k", "answered-with-a-reply/own-site"]),
            ("part", "answers", ["--shard", "1/2"]),
        ):
            patch.setenv("SERVER", behaviour)
            command = ["run", "--iut", "api:changing_server:Iut", *SELECTED, *options]
            assert run_command([*command, "--out", str(folder / name)]) in {0, 1}
    return folder


def diff(runs: Path, old: str, new: str, *options: str) -> int:
    return run_command(["diff", str(runs / old), str(runs / new), *options])


def document(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    judge = validator("comparison")
    assert judge
    assert complaint(judge, found, "") == ""
    return found


def test_the_same_twice_is_no_change(runs: Path, capsys: pytest.CaptureFixture[str]):
    capsys.readouterr()
    assert diff(runs, "old", "same") == 0
    assert capsys.readouterr().out == "\nchanges: none\n"


def test_a_change_has_its_cause_and_its_exit_code(
    subtests: pytest.Subtests, runs: Path, capsys: pytest.CaptureFixture[str]
):
    for new, options, code, cause in [
        ("broken", [], 1, "regression"),
        ("broken", ["--fail-on", "nothing"], 0, "regression"),
        ("flaky", [], 0, "flake"),
        ("flaky", ["--fail-on", "flake"], 1, "flake"),
        ("strict", [], 0, "profile change"),
        ("fewer", [], 1, "removed"),
    ]:
        with subtests.test(new=new, options=options):
            capsys.readouterr()
            assert diff(runs, "old", new, "--format", "json", *options) == code
            assert list(document(capsys)["counts"]) == [cause]


def test_what_was_broken_and_is_not_is_a_fix(runs: Path, capsys: pytest.CaptureFixture[str]):
    assert diff(runs, "broken", "old") == 0
    assert "FIX\n" in capsys.readouterr().out


def test_a_repetition_that_agrees_makes_no_flake(runs: Path, capsys: pytest.CaptureFixture[str]):
    assert diff(runs, "old", "broken", "--again", str(runs / "broken-again")) == 1
    assert f"requirement {REQUIREMENT}: verified -> violated" in capsys.readouterr().out


def test_a_run_that_did_not_end_is_not_found_alike(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    lines = (runs / "old" / "results.ndjson").read_bytes().splitlines(keepends=True)
    (tmp_path / "results.ndjson").write_bytes(b"".join(lines[:2]))
    assert run_command(["diff", str(runs / "old"), str(tmp_path)]) == 5
    assert "the run did not end" in capsys.readouterr().out


def test_markdown_goes_into_a_file(runs: Path, tmp_path: Path):
    comment = tmp_path / "comment.md"
    assert diff(runs, "old", "broken", "--format", "markdown", "--out", str(comment)) == 1
    assert comment.read_text().startswith("### Conformance: ")


def test_what_cannot_be_compared_is_refused(runs: Path, capsys: pytest.CaptureFixture[str]):
    for new, options, said in [
        ("part", [], "mqconform merge"),
        ("absent", [], "absent"),
        ("broken", ["--again", str(runs / "old")], "is not a repetition"),
        ("broken", ["--out", "no/such/folder/x"], "no/such/folder"),
    ]:
        assert diff(runs, "old", new, *options) == 4
        assert said in capsys.readouterr().err


def test_the_schema_knows_every_cause():
    assert set(Cause) == set(published("comparison")["$defs"]["cause"]["enum"])
