"""Features that a user adds are part of what a run is: their fingerprints tell one run from another."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.suite.added_features import added_fingerprints

FEATURE = """\
@role:discovery_server
Feature: Mine
  @req:MQSD-3.2.5.1-12
  Scenario: Of another site
    Given a discovery server
    When a client of no site sends a topology request
    Then RespondingSiteID is the server's site
"""
NAME = "own/mine"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "mine.feature").write_text(FEATURE)
    return folder


def judged(out: Path, *more: str) -> int:
    return run_command(["run", "-k", "mine", "--out", str(out), *more])


def header(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "results.ndjson").read_text().splitlines()[0])
    return found


def test_the_header_names_each_added_feature_with_a_fingerprint(own: Path, tmp_path: Path):
    assert judged(tmp_path / "out", "--features", str(own)) == 0
    assert header(tmp_path / "out")["features"] == added_fingerprints((own,))
    assert run_command(["run", "--req", "MQSD-3.2.5.1-12", "--out", str(tmp_path / "plain")]) == 0
    assert "features" not in header(tmp_path / "plain")


def test_a_fingerprint_is_that_of_the_texts_wherever_they_lie(own: Path, tmp_path: Path):
    (before,) = added_fingerprints((own,)).values()
    elsewhere = tmp_path / "elsewhere" / "own"
    shutil.copytree(own, elsewhere)
    assert added_fingerprints((elsewhere,)) == {NAME: before}
    assert added_fingerprints((own / "mine.feature", own)) == {NAME: before}
    (own / "mine.enterprise.json").write_text("{}")
    (with_another_file,) = added_fingerprints((own,)).values()
    (own / "mine.feature").write_text(FEATURE.replace("Of another site", "Of another"))
    (changed,) = added_fingerprints((own,)).values()
    assert len({before, with_another_file, changed}) == 3


def test_a_comparison_names_what_was_added_otherwise(own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with_it, without = tmp_path / "with", tmp_path / "without"
    assert judged(with_it, "--features", str(own), "-k", "mine or without-a-site") == 0
    assert judged(without, "-k", "mine or without-a-site") == 0
    capsys.readouterr()
    run_command(["diff", str(with_it), str(without), "--format", "json"])
    compared = json.loads(capsys.readouterr().out)
    assert "its feature was not among --features" in json.dumps(compared)
    assert f"added features: {NAME}" in json.dumps(compared)


def test_a_step_that_is_not_defined_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    feature = tmp_path / "odd.feature"
    feature.write_text("Feature: odd\n  Scenario: odd\n    Given nothing that is known\n", "utf-8")
    assert run_command(["run", "--features", str(feature), "--out", str(tmp_path / "out")]) == 4
    assert f"{feature}:3: no definition fits 'nothing that is known'" in capsys.readouterr().err
