"""What a run is asked for is checked before anything is started."""

from pathlib import Path

import pytest

from mqconform.harness.cli import run_command


def test_an_expression_that_cannot_be_read_is_an_error_of_use(
    subtests: pytest.Subtests, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    for expression in ["a(b)", "and", "x=3", "'", "(" * 5000]:
        with subtests.test(expression=expression):
            assert run_command(["run", "-k", expression, "--out", str(tmp_path / "out")]) == 4
            assert f"mqconform: -k {expression[:200]}: " in capsys.readouterr().err
            assert not (tmp_path / "out").exists()
