"""The complete samples, written apart in their languages, against each other and the reference on generated inputs."""

import json
from pathlib import Path

import pytest
from long_tier import LONG
from sample_iuts import TOOLS, build

from mqconform.harness.cli import run_command
from mqconform.harness.compare.triangulate.subjects import SUBJECTS

pytestmark = [LONG, pytest.mark.samples]
INPUTS = 25
"""For each role."""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The samples that this machine can build."""
    built = []
    for language in TOOLS:
        try:
            built.append(f"stdio:{build(language, tmp_path_factory)}")
        except pytest.skip.Exception:  # its own test says why
            continue
    if len(built) < 2:
        pytest.skip("fewer than two sample IUTs can be built here; their own tests say why")
    return built


@pytest.mark.parametrize("role", [*SUBJECTS])
def test_samples_and_reference_agree_wherever_the_text_decides(
    role: str, programs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    targets = ["ref:", "ref:shuffled?seed=5", *programs]
    asked = [part for target in targets for part in ("--iut", target)]
    asked += ["--role", role, "--inputs", str(INPUTS), "--out", str(tmp_path / "out")]
    code = run_command(["triangulate", *asked])
    text = "".join(capsys.readouterr())
    assert code == 0, text
    lines = (tmp_path / "out" / "triangulation.ndjson").read_text("ascii").splitlines()
    (counted,) = (one for one in map(json.loads, lines) if one["record"] == "role")
    assert len(counted["took_part"]) == len(targets)
    assert counted["questions"] == counted["agreed"] + counted["kinds"]["open-choice"] > 0
