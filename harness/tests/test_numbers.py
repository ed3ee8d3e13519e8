"""Numbers that are none, or endless, and names that are empty are refused wherever a user can give one."""

from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.records.exit_codes import ExitCode


def test_an_option_takes_no_number_that_is_not_finite(subtests: pytest.Subtests, capsys: pytest.CaptureFixture[str]):
    for words, reason in [
        ("run --deadline nan", "'--deadline': nan is not a finite number"),
        ("run --deadline inf", "'--deadline': inf is not in the range"),
        ("run --reply-timeout 1e300", "'--reply-timeout': 1e+300 is not in the range"),
        ("run --tolerance nan", "'--tolerance': nan is not a finite number"),
        ("smoke --iut ref: --deadline 1e12", "'--deadline': 1000000000000.0 is not in the range"),
        ("mutants small-faults --at-most nan", "'--at-most': nan is not a finite number"),
    ]:
        with subtests.test(words=words):
            assert run_command(words.split()) == ExitCode.USAGE
            assert reason in capsys.readouterr().err


def test_a_file_has_no_number_that_is_not_finite(
    subtests: pytest.Subtests, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    for number in ["nan", "inf", "-inf", "1e400"]:
        with subtests.test(number=number):
            file = tmp_path / "options.toml"
            file.write_text(f"[run]\ndeadline = {number}\n")
            assert run_command(["--config", str(file), "run"]) == ExitCode.USAGE
            assert f"{file}: is not TOML: {number} is not a finite number" in capsys.readouterr().err


def test_an_empty_name_is_not_the_working_directory(subtests: pytest.Subtests, capsys: pytest.CaptureFixture[str]):
    for words in ["run --iut ref: --out", "directory import samba:x --out", "report"]:
        with subtests.test(words=words):
            assert run_command([*words.split(), ""]) == ExitCode.USAGE
            assert "The name is empty" in capsys.readouterr().err
