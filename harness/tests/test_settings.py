"""Options from mqconform.toml and pyproject.toml."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.shell_completion import BashComplete

from mqconform.harness.cli import COMMANDS, cli, run_command
from mqconform.harness.cli.settings import CONSENT, defaults_for
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.settings_file import Settings

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"
CONTEXT = click.Context(cli)
QUICK = 'req = ["MQSD-3.2.5.1"]\nk = "client-without"\nprobe = false\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command_of(name: str) -> click.Command:
    command = cli.get_command(CONTEXT, name)
    assert command is not None
    return command


def header(folder: Path) -> dict[str, Any]:
    first, _, _ = (folder / "mqconform-results" / "results.ndjson").read_bytes().partition(b"\n")
    record: dict[str, Any] = json.loads(first)
    return record


def leaves(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield a command and those below it, each with its words."""
    if isinstance(command, click.Group):
        for name in command.list_commands(CONTEXT):
            below = command.get_command(CONTEXT, name)
            assert below is not None
            yield from leaves(below, (*path, name))
    yield path, command


def nested(path: tuple[str, ...], table: dict[str, object]) -> dict[str, object]:
    return {path[0]: nested(path[1:], table)} if path else table


def value_of(option: click.Option) -> object:
    return True if option.is_bool_flag else ["1"] if option.multiple or option.nargs != 1 else "1"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_every_command_but_consent_can_stand_in_the_file(name: str) -> None:
    for path, command in leaves(command_of(name), (name,)):
        for option in (one for one in command.params if isinstance(one, click.Option)):
            table = nested(path, {option.opts[0].lstrip("-"): value_of(option)})
            if option.opts[0] == f"--{CONSENT}":
                with pytest.raises(
                    ConfigurationError, match=f"no file gives leave to start commands; give --{CONSENT}"
                ):
                    defaults_for(Settings(Path("x.toml"), table), name, command_of(name), COMMANDS)
                continue
            found: Any = defaults_for(Settings(Path("x.toml"), table), name, command_of(name), COMMANDS)
            for word in path[1:]:
                found = found[word]
            assert found == {option.name: value_of(option)}


def test_no_help_has_more_than_four_options_to_learn_for_one_job() -> None:
    for name in COMMANDS:
        for path, command in leaves(command_of(name), (name,)):
            usual = command.get_help(click.Context(command)).partition("\nRare")[0]
            for job in usual.split("\n\n"):
                options = [line for line in job.splitlines() if line.startswith("  -") and "--help" not in line]
                assert len(options) <= 4, path


def test_rare_options_of_a_run_are_named_in_its_help_and_described_in_the_page() -> None:
    page = PAGE.read_text("utf-8")
    text = command_of("run").get_help(click.Context(command_of("run")))
    usual, _, rare = text.partition("Rare, at home in mqconform.toml")
    assert usual.index("What is judged:") < usual.index("How it is reached:") < usual.index("Gate:")
    keys = [word.removeprefix("--") for word in rare.replace(",", " ").split() if word.startswith("--")]
    assert [key for key in keys if f"| `{key}` |" not in page] == []
    assert len(keys) > 5


def test_mutants_are_listed_by_role(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["run", "--iut", "mutant:?"]) == 0
    roles = [line for line in capsys.readouterr().out.splitlines() if line[:1].strip()]
    assert roles[:2] == ["router:", "discovery_server:"]


def test_small_letters_get_a_suggestion_and_facts_that_are_not_used_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["run", "--req", "mqsd-2.2"]) == 4
    assert "did you mean MQSD-2.2?" in capsys.readouterr().err
    facts = str(PAGE.parents[1] / "examples" / "facts.toml")
    assert run_command(["run", "--facts", facts, "--req", "MQSD-2.2.3-44", "--no-probe"]) == 0
    assert "--facts: not used, ref: is configured by the harness" in capsys.readouterr().err


def test_a_run_takes_its_options_from_the_file_and_names_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mqconform.toml").write_text(
        f'iut = "mutant:zero-site-is-own"\nprofile = "must"\n[run]\n{QUICK}report = "junit"\nseed = 3\n', "utf-8"
    )
    assert run_command(["run"]) == 1
    told = capsys.readouterr().err
    first, _, _ = told.partition("\n")  # progress may follow, where the machine is slow
    assert first == "options from mqconform.toml: iut, profile, req, k, probe, report, seed"
    said = header(folder)
    assert (said["iut"]["target"], said["profile"], said["seed"]) == ("mutant:zero-site-is-own", "must", 3)
    assert said["selection"] == {"requirements": ["MQSD-3.2.5.1"], "expression": "client-without"}
    assert (folder / "mqconform-results" / "junit.xml").exists()


def test_the_command_line_goes_before_the_file(folder: Path) -> None:
    (folder / "mqconform.toml").write_text(f'iut = "mutant:zero-site-is-own"\n[run]\n{QUICK}seed = 3\n', "utf-8")
    assert run_command(["run", "--iut", "ref:", "--seed", "4"]) == 0
    assert (header(folder)["iut"]["target"], header(folder)["seed"]) == ("ref:", 4)


def test_pyproject_toml_serves_where_it_has_a_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = folder / "pyproject.toml"
    project.write_text('[project]\nname = "mine"\n', "utf-8")
    assert run_command(["list", "--req", "MQSD-3.2.5.1"]) == 0
    whole = capsys.readouterr()
    assert whole.err == ""
    project.write_text('[tool.mqconform.list]\nreq = "MQSD-3.2.5.1"\n', "utf-8")
    assert run_command(["list"]) == 0
    assert capsys.readouterr() == (whole.out, "options from pyproject.toml: req\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("foo = 1", "foo: stands outside the table of a command, such as [run]"),
        ("[rnu]\nx = 1", "[rnu]: no command has that name; did you mean run?"),
        ("[run]\nreqs = 1", "[run] reqs: mqconform run has no such option; did you mean req?"),
        ("[audit.capturs]\nport = 1", "[audit] capturs: mqconform audit has no such command; did you mean captures?"),
        ("run = 3", "run: stands outside"),
        ("iut", "is not TOML"),
    ],
)
def test_what_is_wrong_with_the_file_is_said(
    text: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mqconform.toml").write_text(text, "utf-8")
    assert run_command(["audit" if "audit" in text else "run"]) == 4
    told = capsys.readouterr().err
    assert told.startswith("mqconform: mqconform.toml: ")
    assert said in told


def test_the_page_shows_a_file_that_works() -> None:
    block = PAGE.read_text("utf-8").split("```toml\n")[1].split("```")[0]
    settings = Settings(Path("page"), tomllib.loads(block))
    for name in ("run", "smoke", "audit"):
        assert defaults_for(settings, name, command_of(name), COMMANDS)


def test_shells_complete_commands_and_options() -> None:
    complete = BashComplete(cli, {}, "mqconform", "_MQCONFORM_COMPLETE")
    assert [one.value for one in complete.get_completions([], "tri")] == ["triangulate"]
    assert "--last-failed" in [one.value for one in complete.get_completions(["run"], "--last")]
