"""A check is renamed, a judging file moves, a sentence is reworded: what a run establishes stays the same."""

import inspect
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from mqconform.harness.iut.roles import ROLES
from mqconform.harness.judge.bears_on import own_requirements
from mqconform.harness.records.result_file import read_results

ROOT = Path(__file__).parents[2]
FOLDERS = ("features", "reference", "harness", "adapters", "reports")
SENTENCE = "does not bind in profile"
REWORDED = "is left out by the user, who chose profile"
PROGRAM = "from mqconform.harness.cli import main; main()"
Runs = tuple[tuple[int, list[dict]], tuple[int, list[dict]]]
ASKED = ("--profile", "must", "--req", "MQSD-2.2.3", "--req", "MQBR-3.1.5.4", "--req", "MQBR-3.1.3", "--seed", "7")


def copied(into: Path) -> Path:
    for folder in FOLDERS:
        skipped = shutil.ignore_patterns("tests", "*.nb?")  # what is compiled comes along: copies keep their times
        shutil.copytree(ROOT / folder, into / "mqconform" / folder, ignore=skipped)
    return into


def replaced(copy: Path, pattern: str, by: str) -> int:
    """Replace in all Python files of a copy, and return in how many."""
    changed = 0
    for file in (copy / "mqconform").rglob("*.py"):
        text = file.read_text("utf-8")
        new = re.sub(pattern, by, text)
        if new != text:
            file.write_text(new, "utf-8")
            changed += 1
    return changed


def established(copy: Path, out: Path) -> tuple[int, list[dict]]:
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "run", *ASKED, "--out", str(out)],
        env=environment,
        cwd=copy,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode != 3, done.stdout + done.stderr
    return done.returncode, read_results(out)


def some_check() -> str:
    """Return the name of a check of discovery servers that says what it bears on."""
    folder = Path(inspect.getfile(import_module("mqconform.harness.judge.mqsd_server"))).parent
    modules = [
        import_module(f"mqconform.harness.judge.mqsd_server.{file.stem}") for file in sorted(folder.glob("*.py"))
    ]
    names = [name for module in modules for name, value in vars(module).items() if own_requirements(value)]
    return next(name for name in names if name.startswith("count_"))


def some_judging_module() -> str:
    """Return the name of a module of judges of routers that holds no steps."""
    steps = {module.rpartition(".")[2] for role in ROLES.values() for module in role.step_modules}
    files = sorted((ROOT / "harness" / "judge" / "mqbr").glob("*.py"))
    return next(file.stem for file in files if file.stem not in steps | {"__init__", "scene"})


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    base = tmp_path_factory.mktemp("names")
    plain = copied(base / "plain")
    before = established(plain, base / "before")
    check, module = some_check(), some_judging_module()
    assert replaced(plain, rf"\b{check}\b", f"{check}_under_another_name") > 0
    judges = plain / "mqconform" / "harness" / "judge" / "mqbr"
    (judges / f"{module}.py").rename(judges / f"{module}_moved.py")
    replaced(plain, rf"\bjudge\.mqbr\.{module}\b", f"judge.mqbr.{module}_moved")
    replaced(plain, rf"\bjudge\.mqbr import {module}\b", f"judge.mqbr import {module}_moved as {module}")
    assert replaced(plain, SENTENCE, REWORDED) > 0
    return before, established(plain, base / "after")


def test_exit_code_and_records_are_the_same(runs: Runs):
    (code, before), (code_after, after) = runs
    assert code == code_after
    header, *rest = before
    header_after, *rest_after = after
    for one in (header, header_after):
        del one["judging"]["mqsd"]  # the renamed check is in the code that judges discovery
    assert header == header_after  # the moved file changed nothing in what judges routers
    assert [_reworded(record) for record in rest] == rest_after


def test_something_was_judged_and_something_left_out_by_the_profile(runs: Runs):
    (_, before), (_, after) = runs
    assert sum(record["record"] == "witness" for record in before) > 100
    assert any(SENTENCE in record.get("reason", "") for record in before)
    assert any(REWORDED in record.get("reason", "") for record in after)


def _reworded(record: dict) -> dict:
    return record | ({"reason": record["reason"].replace(SENTENCE, REWORDED)} if "reason" in record else {})
