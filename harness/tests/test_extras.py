"""Extras: each remedy names one that exists, and the page on extras lists them all."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
FOLDERS = ("features", "reference", "harness", "adapters", "reports", "docs", "examples")
TEXTS = sorted(
    path
    for folder in FOLDERS
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
