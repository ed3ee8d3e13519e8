"""Matrix files: what they may say, and what is told to those who mistyped something."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from mqconform.harness.cli import run_command
from mqconform.harness.explore.matrix.matrix_file import read_matrix
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.schema_text import published

EXAMPLE = Path(__file__).parents[2] / "examples" / "matrix.toml"
DEVIATION = """
[implementations.a]
target = "ref:"
[[deviations]]
kind = "routing"
pair = ["a", "a"]
verdict = "fail"
error = "x"
reason = "r"
issue = "i"
owner = "o"
since = "2026-01-01"
expires = "2026-12-31"
"""


def refused(tmp_path: Path, text: str) -> str:
    path = tmp_path / "matrix.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigurationError) as caught:
        read_matrix(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_the_example_names_the_complete_samples_and_the_reference():
    matrix = read_matrix(EXAMPLE)
    assert list(matrix.implementations) == ["reference", "go", "javascript", "python"]
    sample = matrix.implementations["go"]
    assert sample.target == f"stdio:{EXAMPLE.resolve().parent}/iut/go/build/mqsample"
    assert sample.discovery_client is not None
    assert sample.discovery_client.start[0] == f"{EXAMPLE.resolve().parent}/iut/go/build/mqsample"
    assert matrix.tried.enterprises == (f"{EXAMPLE.resolve().parent}/enterprises/hub_and_spoke.yaml",)


def test_what_is_wrong_is_told_by_file_and_field(subtests: pytest.Subtests, tmp_path: Path):
    for text, told in [
        ("", "implementations: is missing"),
        ("[implementations]", "implementations: is {}; expected a table of implementations by name"),
        ("[implementations.a]", "implementations.a.target: is missing"),
        ("[implementations.a]\ntarget = 'udp:127.0.0.1:1801'", "implementations.a.target: takes no orders over udp:"),
        (
            "[implementations.all]\ntarget = 'ref:'",
            "implementations.all: is the reserved name of the walk of all routers",
        ),
        ("[implementations.a]\ntarget = 'ref:'\ncolour = 'red'", "implementations.a.colour: is not a field here"),
        ("[implementations.a]\ntarget = 'ref:'\nroles = ['postman']", "implementations.a.roles[0]: is 'postman'"),
        ("[implementations.'../a']\ntarget = 'ref:'", "at most 40 letters, digits"),
        ("[implementations.a]\ntarget = 'ref:'\n[discovery]\nscenarios = ['x']", "discovery.scenarios[0]: is 'x'"),
        (
            "[implementations.a.discovery_client]\nstart = ['c', '{networks}']",
            "implementations.a.discovery_client.network: is missing",
        ),
        (
            "[implementations.a.discovery_server]\nstart = ['s', '{directory_servers}']",
            "implementations.a.discovery_server.directory_server: is missing",
        ),
        (DEVIATION.replace('"x"', '"("'), "deviations[0].error: is not a regular expression"),
        (DEVIATION.replace("2026-01-01", "2026-02-30"), "deviations[0].since: is 2026-02-30"),
        (DEVIATION.replace("2026-12-31", "2025-12-31"), "deviations[0].expires: is before since"),
        (DEVIATION.replace('owner = "o"', ""), "deviations[0].owner: is missing"),
    ]:
        with subtests.test(text=text):
            assert told in refused(tmp_path, text)


def test_what_cannot_be_used_is_exit_code_4(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "matrix.toml"
    path.write_text("[implementations.a]\ntarget = 'ref:'\n[routing]\nenterprises = ['none.yaml']", "utf-8")
    assert run_command(["matrix", str(path), "--kind", "routing", "--out", str(tmp_path / "out")]) == 4
    assert "none.yaml" in capsys.readouterr().err
    assert run_command(["matrix", str(path), "--only", "b", "--out", str(tmp_path / "out")]) == 4
    assert "--only b: no such implementation; there are a" in capsys.readouterr().err
    assert run_command(["matrix", str(tmp_path / "absent.toml")]) == 4
    assert "name a matrix file that can be read" in capsys.readouterr().err


def test_the_schemas_are_schemas():
    for name in ("matrix", "matrix_results"):
        Draft202012Validator.check_schema(json.loads(json.dumps(published(name))))
