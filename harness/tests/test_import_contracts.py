"""The contracts on imports hold for the tree, and each one breaks when its rule is broken."""

import ast
import configparser
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTRACTS = ROOT / ".importlinter"
FOLDERS = ("features", "reference", "harness", "adapters", "reports")

ROOMS = ("cli", "compare", "run", "judge", "tools", "iut", "suite", "records")
"""The rooms of the harness, from the roof down."""

OFFENCES = [
    ("features", "features/__init__.py", "import mqconform.reference.errors"),
    ("reference-direction", "reference/errors.py", "import mqconform.harness.records.verdict"),
    ("reference-direction", "reference/errors.py", "import mqconform.features"),
    ("reference-purity", "reference/errors.py", "import socket"),
    ("reference-purity", "reference/errors.py", "from time import monotonic"),
    ("reference-purity", "reference/errors.py", "import random"),
    ("reference-purity", "reference/errors.py", "from pathlib import Path"),
    *(
        ("floors", f"harness/{lower}/__init__.py", f"import mqconform.harness.{upper}")
        for upper, lower in pairwise(ROOMS)
    ),
    ("floors", "harness/iut/__init__.py", "import mqconform.harness.suite"),
    ("floors", "harness/records/verdict.py", "def late():\n    import mqconform.harness.judge"),
    ("roof", "harness/tools/__init__.py", "import mqconform.adapters.datagrams.iut"),
    ("roof", "harness/records/verdict.py", "from mqconform.reports import formats"),
    ("adapters-direction", "adapters/datagrams/iut.py", "import mqconform.harness.records.verdict"),
    ("adapters-direction", "adapters/datagrams/iut.py", "import mqconform.harness.iut.connect"),
    ("adapters-direction", "adapters/datagrams/iut.py", "import mqconform.reference.errors"),
    ("adapters-direction", "adapters/datagrams/iut.py", "import mqconform.reports"),
    *(
        ("reports-direction", "reports/formats/__init__.py", f"import mqconform.harness.{room}")
        for room in ROOMS
        if room != "records"
    ),
    ("reports-direction", "reports/formats/__init__.py", "import mqconform.adapters"),
    ("second-opinion", "harness/judge/independent/__init__.py", "from mqconform.reference.mqsd import packets"),
    ("history-check", "reference/mqso_history/__init__.py", "import mqconform.reference.mqso.explanation"),
    ("no-cycles", "reference/errors.py", "import mqconform.reference.mqsd"),
    ("no-cycles", "harness/cli/options.py", "import mqconform.harness.cli.run"),
    ("no-cycles", "harness/records/__init__.py", "import mqconform.harness.iut"),
    ("no-cycles", "adapters/networks/__init__.py", "import mqconform.adapters.datagrams"),
    ("no-cycles", "reports/comparison/__init__.py", "import mqconform.reports.html"),
]
"""Contract, the file that breaks it, and the line that does."""

LANGUAGE = {
    "__future__",
    "abc",
    "collections",
    "copy",
    "dataclasses",
    "enum",
    "functools",
    "operator",
    "types",
    "typing",
}
TEXT_AND_OCTETS = {"difflib", "hashlib", "re", "string", "struct", "textwrap", "unicodedata", "uuid", "zlib"}
NUMBERS = {"array", "bisect", "fractions", "heapq", "itertools", "math", "numba", "numpy", "rustworkx"}
PURE_MODULES = LANGUAGE | TEXT_AND_OCTETS | NUMBERS | {"mqconform", "msgspec"}
"""What the reference may import: modules that compute, the numeric libraries, msgspec for its values, and itself."""

IMPURE_BUILTINS = frozenset({"open", "input", "print", "eval", "exec", "__import__"})
IMPURE_UUIDS = frozenset({"uuid1", "uuid4", "getnode"})
"""What a pure module could reach without importing it by name: the world, and the random part of uuid."""


SPOILING = """
import json, sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from importlinter.cli import lint_imports

def judged():
    with redirect_stdout(StringIO()) as printed:
        return lint_imports(), printed.getvalue()

outcomes = [judged()]
for name, line in json.load(sys.stdin):
    file = Path("mqconform", name)
    before = file.read_text("utf-8")
    file.write_text(f"{before}\\n{line}\\n", "utf-8")
    outcomes.append(judged())
    file.write_text(before, "utf-8")
json.dump(outcomes, sys.stdout)
"""
"""Holds the contracts against a tree, and against it with each offence, in one process, which caches the rest."""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[int, str]]:
    """Exit code and output for the five folders as they install, and with each offence in its turn."""
    base = tmp_path_factory.mktemp("contracts")
    for folder in FOLDERS:
        ignored = shutil.ignore_patterns("tests", "__pycache__")
        shutil.copytree(ROOT / folder, base / "mqconform" / folder, ignore=ignored)
    shutil.copy(CONTRACTS, base)
    done = subprocess.run(
        [sys.executable, "-c", SPOILING],
        cwd=base,
        env={**os.environ, "PYTHONPATH": str(base)},  # before any installed mqconform
        input=json.dumps([(file, line) for _, file, line in OFFENCES]),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=600,
    )
    return [(code, printed) for code, printed in json.loads(done.stdout)]


def contracts() -> dict[str, str]:
    """Return the name of each contract by its id."""
    parser = configparser.ConfigParser()
    parser.read(CONTRACTS)
    start = "importlinter:contract:"
    return {one.removeprefix(start): parser[one]["name"] for one in parser.sections() if one.startswith(start)}


def test_the_tree_keeps_every_contract(outcomes: list[tuple[int, str]]) -> None:
    code, printed = outcomes[0]
    assert code == 0, printed


@pytest.mark.parametrize(
    ("number", "contract"),
    [
        pytest.param(number, contract, id=f"{contract}:{line}")
        for number, (contract, _, line) in enumerate(OFFENCES, start=1)
    ],
)
def test_one_offending_import_breaks_its_contract(outcomes: list[tuple[int, str]], number: int, contract: str) -> None:
    code, printed = outcomes[number]
    assert code == 1, printed
    assert f"{contracts()[contract]} BROKEN" in printed


def test_every_contract_is_broken_once() -> None:
    assert {contract for contract, _, _ in OFFENCES} == set(contracts())


def test_every_room_of_the_harness_has_its_floor() -> None:
    folders = {file.parent.name for file in (ROOT / "harness").glob("*/__init__.py")}
    assert folders == set(ROOMS)
    parser = configparser.ConfigParser()
    parser.read(CONTRACTS)
    floors = parser["importlinter:contract:floors"]["layers"].replace("|", " ").split()
    assert [floor.removeprefix("mqconform.harness.") for floor in floors] == [
        *ROOMS,
        "mqconform.reference",
        "mqconform.features",
    ]


def python_files(folder: str) -> Iterator[Path]:
    return (file for file in (ROOT / folder).rglob("*.py") if "tests" not in file.parts)


def imported(tree: ast.AST) -> set[str]:
    """Return the first part of the name of every module that a syntax tree imports."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found.update(name.name.partition(".")[0] for name in names)
            case ast.ImportFrom(module=str(module), level=0):
                found.add(module.partition(".")[0])
            case ast.ImportFrom():
                found.add("a relative import")
    return found


def impurities(tree: ast.AST) -> set[str]:
    """Return the impure names that a syntax tree uses; a field of its own may be named like one of them."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in IMPURE_BUILTINS | IMPURE_UUIDS:
                found.add(name)
            case ast.Attribute(attr=name) | ast.alias(name=name) if name in IMPURE_UUIDS:
                found.add(name)
    return found


@pytest.mark.parametrize("file", list(python_files("reference")), ids=lambda file: str(file.relative_to(ROOT)))
def test_the_reference_imports_what_computes_and_nothing_else(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    assert imported(tree) <= PURE_MODULES
    assert impurities(tree) == set()


def test_features_holds_no_code() -> None:
    for file in python_files("features"):
        assert imported(ast.parse(file.read_text(encoding="utf-8"))) == set()


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import os.path", {"os"}),
        ("def f():\n    from asyncio import run", {"asyncio"}),
        ("from . import packets", {"a relative import"}),
        ("x = 1", set()),
    ],
)
def test_imports_are_found_wherever_they_stand(source: str, found: set[str]) -> None:
    assert imported(ast.parse(source)) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("open('x')", {"open"}),
        ("read = open", {"open"}),
        ("import uuid\nuuid.uuid4()", {"uuid4"}),
        ("from uuid import uuid1 as new", {"uuid1"}),
        ("tables.open", set()),
        ("class Tables:\n    open: int", set()),
    ],
)
def test_an_impure_name_is_told_from_a_field_of_that_name(source: str, found: set[str]) -> None:
    assert impurities(ast.parse(source)) == found
