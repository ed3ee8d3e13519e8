"""What a file of somebody else's names is shown and not started before the user allows it."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from long_tier import LONG

from mqconform.harness.cli import options, run_command
from mqconform.harness.iut.interface import ClientFacts
from mqconform.harness.run.pytest_items import PROGRAM

SEEDS = Path(__file__).parent / "fuzz_seeds"
PICK = ["--req", "MQSD-3.2.5.1-07"]


@pytest.fixture(autouse=True)
def _nothing_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(options.VARIABLE)


@pytest.fixture
def started(tmp_path: Path) -> Path:
    """A file that is there once the command of ``evil`` has run."""
    return tmp_path / "started"


@pytest.fixture
def evil(started: Path) -> list[str]:
    return [sys.executable, "-c", f"open({str(started)!r}, 'w')"]


@pytest.fixture
def bundle(tmp_path: Path, evil: list[str]) -> Path:
    folder = tmp_path / "bundle"
    folder.mkdir()
    manifest = json.loads((SEEDS / "bundle" / "server.json").read_text())
    (folder / "bundle.json").write_text(json.dumps(manifest | {"iut": f"stdio:{shlex.join(evil)}"}))
    return folder


@pytest.fixture
def client_bundle(bundle: Path, evil: list[str], tmp_path: Path) -> Path:
    folder = tmp_path / "client-bundle"
    folder.mkdir()
    client = msgspec.to_builtins(ClientFacts(tuple(evil), enterprise="e6eaba61-d1c6-11db-baac-0003ff4e2d22"))
    manifest = json.loads((bundle / "bundle.json").read_text()) | {"iut": "udp:discovery-client", "client": client}
    (folder / "bundle.json").write_text(json.dumps(manifest))
    return folder


@pytest.fixture
def facts(tmp_path: Path, evil: list[str]) -> Path:
    file = tmp_path / "facts.toml"
    table = "[discovery_client]\nenterprise = '{0}'\nsite = '{0}'\nstart = {1}\n"
    file.write_text(table.format("e6eaba61-d1c6-11db-baac-0003ff4e2d22", json.dumps(evil)))
    return file


@pytest.fixture
def matrix(tmp_path: Path, evil: list[str]) -> Path:
    file = tmp_path / "matrix.toml"
    target = json.dumps(f"stdio:{shlex.join(evil)}")
    file.write_text(f"[implementations.ours]\ntarget = 'ref:'\n[implementations.theirs]\ntarget = {target}\n")
    return file


@pytest.fixture
def question(tmp_path: Path, evil: list[str]) -> Path:
    seed = SEEDS / "question" / "router.json"
    named = [{"label": label, "target": f"stdio:{shlex.join(evil)}"} for label in "AB"]
    file = tmp_path / "question.json"
    file.write_text(json.dumps(json.loads(seed.read_text()) | {"implementations": named}))
    return file


@pytest.fixture
def commands(  # noqa: PLR0913, PLR0917 - each kind of file
    bundle: Path, client_bundle: Path, facts: Path, matrix: Path, question: Path, tmp_path: Path
) -> dict[str, list[str]]:
    out = ["--out", str(tmp_path / "out")]
    return {
        "bundle": ["replay", str(bundle)],
        "client bundle": ["replay", str(client_bundle)],
        "facts": ["run", "--iut", "udp:discovery-client", "--facts", str(facts), *PICK, *out],
        "smoke": ["smoke", "--iut", "udp:discovery-client", "--facts", str(facts)],
        "matrix": ["matrix", str(matrix), *out],
        "question": ["triangulate", "--replay", str(question)],
    }


@pytest.mark.parametrize("kind", ["bundle", "client bundle", "facts", "smoke", "matrix", "question"])
def test_without_leave_commands_are_shown_and_not_started(
    kind: str, commands: dict[str, list[str]], started: Path, capsys: pytest.CaptureFixture[str]
):
    capsys.readouterr()
    assert run_command(commands[kind]) == 4
    told = capsys.readouterr().err
    assert "names commands that would run with your rights:\n  " in told
    assert str(started) in told
    assert "--allow-commands" in told
    assert not started.exists()


@pytest.mark.parametrize(
    ("kind", "by"), [("bundle", "option"), ("question", "variable"), pytest.param("matrix", "option", marks=LONG)]
)
def test_with_leave_they_are(
    kind: str, by: str, commands: dict[str, list[str]], started: Path, monkeypatch: pytest.MonkeyPatch
):
    if by == "variable":
        monkeypatch.setenv(options.VARIABLE, "1")
    run_command([*commands[kind], *(["--allow-commands"] if by == "option" else [])])
    assert started.exists()


@pytest.mark.parametrize("answer", ["y\n", ""])
def test_on_a_terminal_the_user_is_asked(answer: str, question: Path, started: Path):
    code = "import sys; sys.stdin.isatty = sys.stderr.isatty = lambda: True\n" + PROGRAM[-1]
    asked = [sys.executable, "-c", code, "triangulate", "--replay", str(question)]
    done = subprocess.run(asked, input=answer, capture_output=True, text=True, check=False)
    assert "Start them? [y/N]" in done.stderr + done.stdout
    assert started.exists() is (answer == "y\n")


def test_what_the_command_line_names_is_not_asked_about(bundle: Path, question: Path, started: Path):
    assert run_command(["replay", str(bundle), "--iut", "ref:"]) == 0
    assert run_command(["triangulate", "--replay", str(question), "--iut", "ref:", "--iut", "ref:"]) == 0
    assert not started.exists()


def test_what_a_command_says_does_nothing_to_the_terminal(matrix: Path, capsys: pytest.CaptureFixture[str]):
    matrix.write_text('[implementations.theirs]\ntarget = "stdio:x \\u001b[2J\\u202e"\n')
    assert run_command(["matrix", str(matrix)]) == 4
    assert "stdio:x \\u001b[2J\\u202e" in capsys.readouterr().err
