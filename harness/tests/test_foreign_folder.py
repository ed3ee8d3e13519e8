import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mqconform.harness.run.own_processes import SAFE_PATH, inherit_nothing, safe_interpreters
from mqconform.harness.run.pytest_items import PROGRAM

SPAWNS = """
from multiprocessing import get_context
from mqconform.harness.run.own_processes import inherit_nothing, safe_interpreters
with safe_interpreters():
    process = get_context("{method}").Process(target=inherit_nothing)
    process.start()
process.join()
raise SystemExit(process.exitcode)
"""
MATRIX = '[implementations]\na = { target = "ref:" }\nb = { target = "ref:" }\n'
CAPTURE = Path(__file__).parent / "fuzz_seeds" / "capture" / "server.pcapng"
ENTERPRISE = Path(__file__).parents[2] / "examples" / "enterprises" / "faulty.json"
DECISION = "source,destination,next_hops\nS-GW,W-GW,\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a module for each name of the standard library, in which nothing may be imported."""
    place, mark = tmp_path / "folder", tmp_path / "imported"
    place.mkdir()
    for name in (*sys.stdlib_module_names, "sitecustomize", "usercustomize", "conftest", "scapy", "pyspark"):
        place.joinpath(f"{name}.py").write_text(f"open({str(mark)!r}, 'a').write(__name__ + ' ')\n", "utf-8")
    monkeypatch.chdir(place)
    monkeypatch.setenv("MQCONFORM_ALLOW_COMMANDS", "1")
    yield place
    assert not mark.exists(), f"imported from the current folder: {mark.read_text('utf-8')}"


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
@pytest.mark.usefixtures("folder")
def test_processes_of_multiprocessing_import_nothing_from_the_folder(method: str):
    assert subprocess.run([sys.executable, "-P", "-c", SPAWNS.format(method=method)], check=False).returncode == 0


@pytest.mark.parametrize("users", [None, "1"])
def test_an_implementation_inherits_what_its_user_set_and_no_more(users: str | None, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv(SAFE_PATH, raising=False)
    if users:
        monkeypatch.setenv(SAFE_PATH, users)
    with safe_interpreters():
        assert os.environ[SAFE_PATH]
        inherited = os.environ.copy()
    monkeypatch.setattr(os, "environ", inherited)
    inherit_nothing()
    assert inherited.get(SAFE_PATH) == users


COMMANDS = """run --req MQSD-2.2.2; run --req MQSD -n 2; mutants --mutant zero-site-is-own; doctor
matrix ../matrix.toml --kind delivery; triangulate --iut ref: --iut ref: --inputs 2 --out ../triangulated
vectors --enterprises 3 --packets 20 --out ../vectors; audit captures --captures ../server.pcapng --out ../captures
audit routes --directory ../faulty.json --decisions ../decisions.csv --out ../routes
audit deliveries --log ../delivered.ndjson --out ../deliveries; simulate --schedules 2"""


@pytest.mark.long
@pytest.mark.parametrize("arguments", re.split(r"; |\n", COMMANDS))
def test_no_command_imports_anything_from_the_folder(arguments: str, folder: Path):
    folder.with_name("matrix.toml").write_text(MATRIX, "utf-8")
    for file in (CAPTURE, ENTERPRISE):
        shutil.copy(file, folder.parent)
    folder.with_name("decisions.csv").write_text(DECISION, "utf-8")
    log = ["--schedule", "queue a", "--log", "../delivered.ndjson"]
    subprocess.run([*PROGRAM, "simulate", *log], capture_output=True, check=True)
    done = subprocess.run([*PROGRAM, *arguments.split()], capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1, 2}, done.stdout + done.stderr
