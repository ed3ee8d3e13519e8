"""``mqconform matrix`` as a user meets it: records, document, page, and exit codes."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from matrices import implementations

from mqconform.harness.cli import run_command
from mqconform.harness.explore.matrix.matrix_cell import result_from
from mqconform.harness.records.run_file import run_directory
from mqconform.harness.records.schema_text import published

SMALL = "[routing]\ngenerated = 2\nquestions = 20\n[delivery]\nschedules = 10\n"
KINDS = ("--kind", "routing", "--kind", "delivery")
KNOWN = """
[[deviations]]
kind = "routing"
pair = ["{pair}", "*"]
verdict = "fail"
error = "MQBR-3.1.5"
reason = "counts hops instead of costs"
issue = "https://example.org/1"
owner = "somebody"
since = "2026-01-01"
expires = "2999-12-31"
"""


def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "matrix.toml"
    path.write_text(text + SMALL, "utf-8")
    return path


def records(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (out / "cells.ndjson").read_text("utf-8").splitlines()]


def test_records_and_document_fit_their_schema_and_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = file(tmp_path, implementations({"ref": "ref:", "hops": "mutant:hop-count-for-cost"}, hops="router"))
    out = tmp_path / "out"
    assert run_command(["matrix", str(path), *KINDS, "--out", str(out)]) == 1
    judge = Draft202012Validator(dict(published("matrix_results")))
    lines = records(out)
    document = json.loads((out / "matrix.json").read_text("utf-8"))
    for one in (*lines, document):
        judge.validate(one)
    assert [one["record"] for one in lines] == ["header", *["cell"] * 5, "footer"]
    cells = [one for one in lines if one["record"] == "cell"]
    assert sorted(cells, key=str) == sorted(document["cells"], key=str)
    assert all(result_from(one).record() == {**one, "known": [], "tolerated": False} for one in cells)
    printed = capsys.readouterr().out
    assert "FAIL routing: ref with hops, at fault: hops (second)" in printed
    assert "routing: 1 pass, 3 fail" in printed
    assert (out / "index.html").is_file()


@pytest.mark.parametrize(
    ("pair", "code", "told"), [("hops", 1, ""), ("*", 0, ""), ("ref", 1, "is not what goes wrong")]
)
def test_known_deviations_are_the_gate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pair: str, code: int, told: str
):
    targets = implementations({"ref": "ref:", "hops": "mutant:hop-count-for-cost"}, hops="router")
    path = file(tmp_path, targets + KNOWN.format(pair=pair))
    if pair == "ref":  # it names another requirement than the one that fails
        path.write_text(path.read_text("utf-8").replace("MQBR-3.1.5", "MQBR-3.1.9"), "utf-8")
    assert run_command(["matrix", str(path), "--kind", "routing", "--out", str(tmp_path / "out")]) == code
    assert told in capsys.readouterr().out


def test_a_deviation_that_no_longer_occurs_is_exit_code_7(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = file(tmp_path, implementations({"ref": "ref:"}) + KNOWN.format(pair="ref"))
    assert run_command(["matrix", str(path), "--kind", "routing", "--out", str(tmp_path / "out")]) == 7
    assert "no longer occurs; remove it" in capsys.readouterr().out


def test_who_cannot_be_reached_is_counted_and_may_be_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    absent = implementations({"ref": "ref:", "absent": "stdio:/nowhere/router"})
    arguments = ["matrix", str(file(tmp_path, absent)), *KINDS, "--out", str(tmp_path / "out")]
    assert run_command(arguments) == 5
    assert "6 cells were not played" in capsys.readouterr().out
    file(tmp_path, absent.replace("/nowhere/router'", "/nowhere/router'\noptional = true"))
    assert run_command(arguments) == 0
    output = capsys.readouterr().out
    assert "routing: 1 pass, 3 not-applicable" in output
    assert "THOSE THAT WERE PLAYED WORK TOGETHER  2 of 8 cells" in output


def test_two_matrices_into_one_folder_do_not_mix(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path, out = file(tmp_path, implementations({"ref": "ref:"})), tmp_path / "out"
    arguments = ["matrix", str(path), "--kind", "delivery", "--out", str(out)]
    assert run_command(arguments) == 0
    before = contents(out)
    with run_directory(out, clear=False):
        assert run_command(arguments) == 4
    assert "another run is writing there; name another directory" in capsys.readouterr().err
    assert contents(out) == before


def contents(folder: Path) -> dict[Path, bytes]:
    return {one: one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def test_a_matrix_does_not_go_on_with_another_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = file(tmp_path, implementations({"ref": "ref:"}))
    arguments = ["matrix", str(path), "--kind", "routing", "--out", str(tmp_path / "out"), "--resume"]
    assert run_command(arguments) == 4
    assert "leave it out to start again" in capsys.readouterr().err
    assert run_command(arguments[:-1]) == 0
    assert run_command([*arguments, "--seed", "1"]) == 4
    assert "is of another matrix" in capsys.readouterr().err
    assert run_command(arguments) == 0
    cells = tmp_path / "out" / "cells.ndjson"
    changed = cells.read_text("utf-8").replace('"excused": false', '"excused": 7', 1)
    cells.write_text(changed, "utf-8")
    assert run_command(arguments) == 4
    assert "cells.ndjson:2: excused: is 7" in capsys.readouterr().err
    assert cells.read_text("utf-8") == changed
    cells.write_bytes(b"".join(cells.read_bytes().splitlines(keepends=True)[:1]) + b"\xff[" + b"[" * 9_000)
    assert run_command(arguments) == 0
