"""What a user gets wrong, or the system refuses, is told in a line with its exit code; the rest is an error of ours."""

import errno
from pathlib import Path

import click
import pytest

from mqconform.harness.cli import cli, run_command
from mqconform.harness.records.exit_codes import ExitCode


def test_an_error_of_the_system_ends_with_its_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for error, code, told in [
        (PermissionError(errno.EACCES, "no", "secret"), 4, "'secret'; name another file"),
        (NotADirectoryError(errno.ENOTDIR, "no", "f/x"), 4, "'f/x'; name another file"),
        (PermissionError(errno.EPERM, "no"), 3, "error of the harness itself"),
        (FileNotFoundError(errno.ENOENT, "no", "gone"), 3, "error of the harness itself"),
    ]:

        @click.command("doctor")
        def fails(error: OSError = error) -> None:
            raise error

        monkeypatch.setattr(type(cli), "get_command", lambda *_, command=fails: command)
        assert run_command(["doctor"]) == code
        assert told in capsys.readouterr().err


def test_a_mistyped_command_is_answered_with_those_it_comes_near_to(capsys: pytest.CaptureFixture[str]):
    for word, told in (("rnu", "'run'"), ("repaly", "'replay'"), ("xyzzy", "")):
        assert run_command([word]) == 4
        error = capsys.readouterr().err
        assert f"No such command '{word}'." in error
        assert (f"Did you mean one of: {told}" in error) == bool(told)


def test_a_path_that_does_not_fit_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    junk = tmp_path / "junk"
    junk.write_bytes(b"\x00\x01\xff")
    for command, told in (
        (["report", str(junk), "--pdf", str(tmp_path / "none" / "x.pdf")], "there is no folder"),
        (["run", "--features", str(junk)], "octet 2 is not UTF-8"),
        (["diff", str(junk), str(junk)], "it is not a result file"),
    ):
        assert run_command(command) == 4
        (line,) = capsys.readouterr().err.splitlines()
        assert told in line


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


def test_an_expression_that_cannot_be_read_is_an_error_of_use(
    subtests: pytest.Subtests, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    for expression in ["a(b)", "and", "x=3", "'", "(" * 5000]:
        with subtests.test(expression=expression):
            assert run_command(["run", "-k", expression, "--out", str(tmp_path / "out")]) == 4
            assert f"mqconform: -k {expression[:200]}: " in capsys.readouterr().err
            assert not (tmp_path / "out").exists()
