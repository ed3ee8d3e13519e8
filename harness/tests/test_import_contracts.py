"""The contracts on imports break when their rules are broken, and the picture of the house is the one that they make.

That the tree keeps the contracts is for ``tox -e imports`` to say.
"""

import configparser
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONTRACTS = ROOT / ".importlinter"
FOLDERS = ("features", "reference", "harness", "adapters", "reports")


OFFENCES = {
    "features": ("features/__init__.py", "import mqconform.reference.errors"),
    "reference-direction": ("reference/errors.py", "import mqconform.harness.records.verdict"),
    "reference-purity": ("reference/errors.py", "import socket"),
    "floors": ("harness/iut/__init__.py", "import mqconform.harness.suite"),
    "roof": ("harness/tools/__init__.py", "import mqconform.adapters.datagrams.iut"),
    "adapters-direction": ("adapters/datagrams/iut.py", "import mqconform.harness.iut.connect"),
    "reports-direction": ("reports/formats/__init__.py", "import mqconform.harness.run"),
    "second-opinion": ("harness/judge/independent/__init__.py", "from mqconform.reference.mqsd import packets"),
    "history-check": ("reference/history/__init__.py", "import mqconform.reference.mqso.explanation"),
    "no-cycles": ("adapters/networks/__init__.py", "import mqconform.adapters.datagrams"),
}
"""For each contract, a file and the line that breaks it there."""


def contracts() -> configparser.ConfigParser:
    parser = configparser.ConfigParser()
    parser.read(CONTRACTS)
    return parser


def test_each_contract_breaks_where_its_rule_is_broken(tmp_path: Path) -> None:
    for folder in FOLDERS:
        ignored = shutil.ignore_patterns("tests", "__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / "mqconform" / folder, ignore=ignored)
    shutil.copy(CONTRACTS, tmp_path)
    for name, line in OFFENCES.values():
        with (tmp_path / "mqconform" / name).open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports; lint_imports(no_cache=True)"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},  # before any installed mqconform
        capture_output=True,
        text=True,
        check=False,
    )
    start = "importlinter:contract:"
    known = {one.removeprefix(start): parser["name"] for one, parser in contracts().items() if one.startswith(start)}
    assert set(OFFENCES) == set(known)
    assert [name for name in known.values() if f"{name} BROKEN" not in done.stdout] == [], done.stdout + done.stderr


SCRIPT = ROOT / "docs" / "generated" / "house_picture.py"


def drawing():
    spec = importlib.util.spec_from_file_location("house_picture", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_is_that_of_the_contracts():
    house = drawing()
    assert house.PICTURE.read_text("utf-8") == house.picture(), f"run python {SCRIPT.relative_to(ROOT)}"


def test_the_page_speaks_of_every_room_and_of_no_other():
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text("utf-8")
    rooms = {package.rpartition(".")[2] for floor in drawing().floors() for package in floor if "harness." in package}
    assert rooms == {path.parent.name for path in (ROOT / "harness").glob("*/__init__.py")}
    assert [room for room in rooms if f"`{room}`" not in page] == []
