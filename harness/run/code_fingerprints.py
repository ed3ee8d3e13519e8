"""Fingerprints of the code that judges, and of the implementations that the package itself brings.

They are taken of packages and ignore the names of files: a file that moves, and the import statements that
follow it, change nothing.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from mqconform.harness.iut.roles import ROLES
from mqconform.harness.records.fingerprint import fingerprint

JUDGES_ALL = ("mqconform.reference.*", "mqconform.harness.judge.*", "mqconform.harness.iut.operations")
"""What every family is judged with; ``.*`` is a package without the packages in it."""
BUILT_IN = (
    "mqconform.reference",
    "mqconform.harness.iut.operations",
    "mqconform.harness.iut.reference_iut",
    "mqconform.harness.iut.mutants",
)
"""Packages that the reference and the mutants are made of."""
_IMPORTS = re.compile(r"^[ ]*(?:from \S+ import (?:\([^)]*\)|[^\n]*)|import [^\n]*)\n", re.MULTILINE)


@cache
def judging_fingerprints() -> Mapping[str, str]:
    """Return the fingerprint of the code that judges, for each folder of features."""
    judges: dict[str, tuple[str, ...]] = {role.family: JUDGES_ALL for role in ROLES.values()}
    for role in ROLES.values():
        judges[role.family] += role.judging_packages
    return {family: packages_fingerprint(tuple(dict.fromkeys(packages))) for family, packages in judges.items()}


@cache
def built_in_fingerprint() -> str:
    """Return the fingerprint of the reference and the mutants as implementations under test."""
    return packages_fingerprint(BUILT_IN)


def packages_fingerprint(packages: tuple[str, ...]) -> str:
    """Return the fingerprint of the code in some packages."""
    return fingerprint(sorted(text for package in packages for text in _texts_of(package)))


def _texts_of(package: str) -> Iterator[str]:
    name = package.removesuffix(".*")
    for text in _python_texts(files(name), deep=name == package):
        yield _IMPORTS.sub("", text)


def _python_texts(folder: Traversable, *, deep: bool) -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.is_dir() and deep and entry.name not in {"tests", "__pycache__"}:
            yield from _python_texts(entry, deep=True)
        elif entry.name.endswith(".py"):
            yield entry.read_text(encoding="utf-8")
