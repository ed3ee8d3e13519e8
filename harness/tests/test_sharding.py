"""A run in parts is the run: the merged file has the octets of the single one, and no part can go missing unseen."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from mixed_readings import FOREIGN
from timeless import timeless

from mqconform.harness.cli import run_command
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.run_file import ENVIRONMENT, RESULTS
from mqconform.harness.records.shard import Shard, shard_of
from mqconform.harness.run.execution import execute
from mqconform.harness.run.plan import Outcome, Plan
from mqconform.harness.run.sharding.merge import merge
from mqconform.harness.suite.selection import Selection

MQCONFORM = (sys.executable, "-c", "from mqconform.harness.cli import main; main()")
SERVER = Selection(("MQSD-3.2", "MQSD-1.5"))
"""Requirements of one role and of two, wire and unobservable, generated scenarios among them."""


def plan(out: Path, iut: str = "ref:", selection: Selection = SERVER, seed: int = 0) -> Plan:
    return Plan(iut, AdapterOptions(), Profile.DEFAULT, seed, selection, out, diagnosis=True)


def parts(whole: Plan, folder: Path, of: int) -> list[Path]:
    """Run each part of a plan; return their folders."""
    for index in range(1, of + 1):
        execute(replace(whole, shard=Shard(index, of), out=folder / str(index)))
    return [folder / str(index) for index in range(1, of + 1)]


def octets(outcome: Outcome) -> bytes:
    return timeless(outcome.results.read_bytes())


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two shards of one run, in the folders 1 and 2, never written to again."""
    folder = tmp_path_factory.mktemp("halves")
    parts(plan(folder / "whole"), folder, 2)
    return folder


def test_merged_shards_have_the_octets_of_the_single_run(tmp_path: Path):
    whole = plan(tmp_path / "whole", "mutant:zero-site-is-own")
    single = execute(whole)
    merged = merge(list(reversed(parts(whole, tmp_path / "parts", 2))), tmp_path / "merged", [])
    assert octets(merged) == octets(single)
    assert merged.exit_code == single.exit_code


def test_several_processes_leave_what_one_leaves(tmp_path: Path):
    """Results and bundles, each process with another seed for its hashes."""
    asked = ["--iut", "mutant:zero-site-is-own", "--req", "MQSD-3.2.5.1-12", "-k", "without-a-site"]
    assert run_command(["run", *asked, "--out", str(tmp_path / "one")]) == 1
    command = [*MQCONFORM, "run", *asked, "-n", "2", "--out", str(tmp_path / "two")]
    surroundings = {key: value for key, value in os.environ.items() if key != "PYTHONHASHSEED"}
    assert subprocess.run(command, env=surroundings, capture_output=True, check=False, timeout=240).returncode == 1
    one, two = (dict(contents(tmp_path / out)) for out in ("one", "two"))
    assert any(name.startswith("bundles") for name in one)
    assert one == two


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield what lies in a folder, where and when it was made left out."""
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.name != ENVIRONMENT:
            yield str(file.relative_to(folder)), timeless(file.read_bytes())


def test_readings_that_differ_between_shards_are_mixed_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Neither shard sees both readings; only the merge can."""
    feature = tmp_path / "foreign.feature"
    feature.write_text(FOREIGN)
    whole = plan(tmp_path / "whole", "api:mixed_readings:Iut", Selection((), "a-foreign-client"))
    seen_by_each = []
    for index, behaviour in ((1, "answers"), (2, "silent")):
        monkeypatch.setenv("FOREIGN", behaviour)
        part = replace(whole, features=(feature,), shard=Shard(index, 2), out=tmp_path / str(index))
        seen_by_each.append(execute(part).mixed)
    merged = merge([tmp_path / "1", tmp_path / "2"], tmp_path / "merged", [])
    assert seen_by_each == [[], []]
    assert [mixture.ambiguity for mixture in merged.mixed] == ["SD-13"]


@pytest.mark.parametrize(
    ("given_folders", "said"),
    [
        (["1"], "shard 2/2 is missing"),
        (["1", "2", "copy"], "given more than once"),
        (["1", "absent"], "name a result file"),
        (["1", "whole"], "is not part of a run"),
        (["1", "torn"], "shard 2/2 did not end"),
        (["1", "foreign-seed"], "seed is 1, not 0"),
        (["1", "other-count"], "is not a shard of 2"),
        (["1", "lost-case"], "cases are missing"),
        (["1", "damaged"], ":2: "),
    ],
)
def test_parts_that_do_not_make_one_run_are_refused(
    given_folders: list[str], said: str, halves: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    damaged_copies(halves, tmp_path)
    folders = [str((halves if name in "12" else tmp_path) / name) for name in given_folders]
    assert run_command(["merge", *folders, "--out", str(tmp_path / "out")]) == 4
    told = capsys.readouterr().err
    assert said in told
    assert "Traceback" not in told
    assert not (tmp_path / "out" / RESULTS).exists()


def damaged_copies(halves: Path, folder: Path) -> None:
    """Make what a merge has to refuse, out of the second half of a run."""
    text = (halves / "2" / RESULTS).read_text()
    lines = text.splitlines(keepends=True)
    header, case = json.loads(lines[0]), next(at for at, line in enumerate(lines) if '"record":"case"' in line)
    whole = {key: value for key, value in header.items() if key != "shard"}
    witnesses = next(at for at in range(case, 0, -1) if json.loads(lines[at - 1])["record"] != "witness")
    copies = {
        "copy": text,
        "whole": json.dumps(whole) + "\n" + "".join(lines[1:]),
        "torn": "".join(lines[:-1]),
        "foreign-seed": json.dumps(header | {"seed": 1}) + "\n" + "".join(lines[1:]),
        "other-count": json.dumps(header | {"shard": {"index": 2, "of": 3}}) + "\n" + "".join(lines[1:]),
        "lost-case": "".join(lines[:witnesses] + lines[case + 1 :]),
        "damaged": lines[0] + '{"record":"case"}\n' + "".join(lines[2:]),
    }
    for name, content in copies.items():
        (folder / name).mkdir()
        (folder / name / RESULTS).write_text(content)


def test_what_else_the_shards_left_comes_along(halves: Path, tmp_path: Path):
    shutil.copytree(halves, tmp_path / "halves")
    for index in ("1", "2"):
        (tmp_path / "halves" / index / "cases").mkdir()
        (tmp_path / "halves" / index / "cases" / f"{index}.feature").write_text(f"Feature: {index}\n")
    merge([tmp_path / "halves" / "1", tmp_path / "halves" / "2"], tmp_path / "out", [])
    assert sorted(path.name for path in (tmp_path / "out" / "cases").iterdir()) == ["1.feature", "2.feature"]
    environment = json.loads((tmp_path / "out" / "environment.json").read_text())
    assert len(environment["parts"]) == 2


def test_what_is_no_shard_is_refused():
    for text in ("0/2", "3/2", "1", "1/0", "a/b", "1/2/3", "-1/2", "1/99999", "\x1b[31m/2", ""):
        with pytest.raises(ConfigurationError, match="--shard"):
            shard_of(text)


def test_a_shard_in_several_processes_is_refused(capsys: pytest.CaptureFixture[str]):
    assert run_command(["run", "--shard", "1/2", "-n", "2"]) == 4
    assert "exclude each other" in capsys.readouterr().err
