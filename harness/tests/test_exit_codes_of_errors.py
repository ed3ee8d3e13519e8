"""What the system refuses a user is the user's to mend; whatever is not known stays an error of the harness."""

import errno
from pathlib import Path

import click
import pytest

from mqconform.harness.cli import cli, run_command


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
