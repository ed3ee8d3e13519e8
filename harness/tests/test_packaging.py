"""The distribution: what is declared is what the tree holds, and what is built is what is declared; extras as well."""

import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from importlib.metadata import EntryPoint, distribution, version
from pathlib import Path

import pytest
from long_tier import long

ROOT = Path(__file__).parents[2]
FOLDERS = ("features", "reference", "harness", "adapters", "reports")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PYPROJECT["tool"]["setuptools"]
LITTER = {"__pycache__", "tests"}


def packages_in_tree() -> list[str]:
    """Return the import name of every folder that has an ``__init__.py``."""
    found = (file.parent for folder in FOLDERS for file in (ROOT / folder).rglob("__init__.py"))
    return sorted(f"mqconform.{'.'.join(folder.relative_to(ROOT).parts)}" for folder in found)


def files_to_install(tree: Path) -> set[str]:
    """Return the path, from the top of the tree, of every file of the five folders that is no test."""
    files = (file for folder in FOLDERS for file in (tree / folder).rglob("*") if file.is_file())
    paths = (file.relative_to(tree) for file in files)
    return {path.as_posix() for path in paths if not LITTER & set(path.parts)}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what a distribution is built from, without what earlier builds left behind."""
    copy = tmp_path_factory.mktemp("tree")
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", *PYPROJECT["project"]["license-files"], PYPROJECT["project"]["readme"]):
        shutil.copy(ROOT / name, copy)
    return copy


@pytest.fixture(scope="module")
def built(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source distribution built from the tree, and a wheel built from that and nothing else."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(tree)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="module")
def wheel(built: Path) -> zipfile.ZipFile:
    (path,) = built.glob("*.whl")
    return zipfile.ZipFile(path)


def test_the_package_list_is_the_tree() -> None:
    assert sorted(SETUPTOOLS["packages"]) == packages_in_tree()


@long
def test_the_wheel_holds_every_file_of_the_five_folders_and_no_other(tree: Path, wheel: zipfile.ZipFile) -> None:
    installed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert installed == {f"mqconform/{path}" for path in files_to_install(tree)}


@long
def test_the_wheel_names_no_place_of_the_machine_that_built_it(wheel: zipfile.ZipFile) -> None:
    places = {str(ROOT), str(Path.home()), tempfile.gettempdir()}
    needles = [f"{place.rstrip('/')}/".encode() for place in places if len(place) > 1]
    found = [name for name in wheel.namelist() if any(needle in wheel.read(name) for needle in needles)]
    assert found == []


@long
def test_the_source_distribution_holds_all_that_a_build_needs(tree: Path, built: Path) -> None:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {"/".join(Path(name).parts[1:]) for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE"} <= names
    assert files_to_install(tree) <= names


def test_the_version_stands_in_one_place() -> None:
    declared = PYPROJECT["project"]["version"]
    assert version("mqconform") == declared
    code = (file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py") if not LITTER & set(file.parts))
    twice = [str(file.relative_to(ROOT)) for file in code if f'"{declared}"' in file.read_text(encoding="utf-8")]
    assert twice == []


def declared_entry_points() -> list[EntryPoint]:
    groups = {"console_scripts": PYPROJECT["project"]["scripts"], **PYPROJECT["project"]["entry-points"]}
    return [EntryPoint(name, value, group) for group, points in groups.items() for name, value in points.items()]


def test_each_entry_point_loads(subtests: pytest.Subtests) -> None:
    for point in declared_entry_points():
        with subtests.test(point=point):
            assert callable(point.load()) or point.group == "pytest11"


def test_the_installed_entry_points_are_the_declared_ones() -> None:
    installed = {(point.group, point.name, point.value) for point in distribution("mqconform").entry_points}
    assert installed == {(point.group, point.name, point.value) for point in declared_entry_points()}


EXTRAS = PYPROJECT["project"]["optional-dependencies"]
SEARCHED = ("features", "reference", "harness", "adapters", "reports", "docs", "examples")
TEXTS = sorted(
    path
    for folder in SEARCHED
    for pattern in ("*.py", "*.md", "*.html")
    for path in (ROOT / folder).rglob(pattern)
    if "tests" not in path.parts
)
INSTALLED = re.compile(r"pip install '\.\[([a-z,-]+)\]'")
FROM_THE_INDEX = re.compile(r"pip install (?:-\S+ )*'?mqconform\b")
"""The name on the package index is not ours: such a remedy would install somebody else's code."""
FOR_THIS_PROJECT = {"all", "brokers", "bench", "docs", "lint", "long", "test", "types"}


def mentions(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """Return the file and the text of each match, README included."""
    paths = [ROOT / "README.md", *TEXTS]
    return [(path.name, match[0]) for path in paths for match in pattern.finditer(path.read_text("utf-8"))]


def test_remedies_name_extras_that_exist() -> None:
    named = {extra for _, text in mentions(INSTALLED) for extra in INSTALLED.match(text)[1].split(",")}  # type: ignore[index]
    assert {"spark", "second-opinion", "docker"} <= named <= set(EXTRAS)


def test_nothing_installs_mqconform_from_the_package_index() -> None:
    assert mentions(FROM_THE_INDEX) == []


def test_the_extra_all_holds_every_extra_that_commands_use() -> None:
    (line,) = EXTRAS["all"]
    assert line == f"mqconform[{','.join(sorted(set(EXTRAS) - FOR_THIS_PROJECT))}]"


def test_the_page_on_extras_lists_every_one() -> None:
    lines = (ROOT / "docs" / "extras.md").read_text("utf-8").splitlines()
    named = " ".join(line.split("|")[1] for line in lines if line.startswith("| "))
    assert [extra for extra in EXTRAS if f"`{extra}`" not in named] == []
