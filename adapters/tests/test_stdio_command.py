"""Commands: those that cannot be started, and how the others are."""

import signal
import sys
from pathlib import Path

import pytest

from mqconform.adapters.programs import child_process
from mqconform.adapters.programs.child_process import ChildProcess
from mqconform.adapters.programs.stdio import open_iut, words_of
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("", "names no command"),
        ("   ", "names no command"),
        ("'unbalanced", "No closing quotation"),
        ("/nowhere/at-all", "No such file"),
        ("/", "Permission denied"),
        ("{script}", "Permission denied"),
        ("a\0b", "null byte"),
    ],
)
def test_a_command_that_cannot_start_is_a_matter_of_configuration(tmp_path: Path, target: str, told: str):
    script = tmp_path / "not-executable"
    script.write_text("echo")
    with pytest.raises(ConfigurationError, match=told):
        open_iut(target.format(script=script), AdapterOptions())


def test_a_script_without_a_first_line_is_told_what_it_lacks(tmp_path: Path):
    script = tmp_path / "script"
    script.write_text("print('hello')\n")
    script.chmod(0o755)
    with pytest.raises(ConfigurationError, match="#! line"):
        open_iut(str(script), AdapterOptions())


def test_a_supervisor_that_tells_of_no_start_is_not_waited_for(monkeypatch: pytest.MonkeyPatch):
    """A program may stop its supervisor before that has told of the start."""
    monkeypatch.setattr(child_process, "START_SECONDS", 0.2)
    monkeypatch.setattr(child_process, "SUPERVISOR", (sys.executable, "-c", "import signal; signal.pause()"))
    with pytest.raises(ConfigurationError, match="cannot be started: its supervisor was stopped or ended"):
        open_iut("true", AdapterOptions())


def test_the_command_ignores_no_signal_that_python_ignores():
    child = ChildProcess(["grep", "SigIgn", "/proc/self/status"])
    assert child.wait(20)
    ignored = int(child.stdout.read(100).split()[1], 16)
    assert not ignored & sum(1 << number - 1 for number in (signal.SIGPIPE, signal.SIGXFSZ))  # others are the shell's
    child.end(gently=False)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (r"C:\srv\my.exe --root D:\x", [r"C:\srv\my.exe", "--root", r"D:\x"]),
        (r'"C:\Program Files\my.exe" -a', [r"C:\Program Files\my.exe", "-a"]),
        (r"\\host\share\my.exe", [r"\\host\share\my.exe"]),
        (r"./a\ b 'c d' #e", ["./a b", "c d", "#e"]),
    ],
)
def test_a_path_of_windows_keeps_its_backslashes(command: str, words: list[str]):
    assert words_of(command) == words
