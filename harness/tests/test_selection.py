"""What a run is asked for is checked before anything is started."""

from pathlib import Path

import pytest

from mqconform.harness.cli import run_command


@pytest.mark.parametrize("expression", ["a(b)", "and", "x=3", "'", "(" * 5000])
def test_an_expression_that_cannot_be_read_is_an_error_of_use(
    expression: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert run_command(["run", "-k", expression, "--out", str(tmp_path / "out")]) == 4
    assert f"mqconform: -k {expression[:200]}: " in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
