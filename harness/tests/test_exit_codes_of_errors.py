"""What the system refuses a user is the user's to mend; whatever is not known stays an error of the harness."""

import errno
import os

import click
import pytest

from mqconform.harness.cli import COMMANDS, cli, run_command


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (PermissionError(errno.EACCES, os.strerror(errno.EACCES), "secret"), 4, "'secret'; name another file"),
        (NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), "f/x"), 4, "'f/x'; name another file"),
        (PermissionError(errno.EPERM, os.strerror(errno.EPERM)), 3, "error of the harness itself"),
        (FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "gone"), 3, "error of the harness itself"),
    ],
    ids=["not readable", "no folder", "no file at all", "not there"],
)
def test_an_error_of_the_system_ends_with_its_exit_code(
    error: OSError, code: int, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    @click.command("doctor")
    def fails() -> None:
        raise error

    assert "doctor" in COMMANDS
    monkeypatch.setattr(type(cli), "get_command", lambda *_: fails)
    assert run_command(["doctor"]) == code
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(("word", "told"), [("rnu", "'run'"), ("repaly", "'replay'"), ("xyzzy", "")])
def test_a_mistyped_command_is_answered_with_those_it_comes_near_to(
    word: str, told: str, capsys: pytest.CaptureFixture[str]
):
    assert run_command([word]) == 4
    error = capsys.readouterr().err
    assert f"No such command '{word}'." in error
    assert (f"Did you mean one of: {told}" in error) == bool(told)
