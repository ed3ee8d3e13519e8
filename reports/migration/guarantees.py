"""The guarantees that an owner of an application asks for, and the scenarios that show each, of ``guarantees.toml``."""

import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.resources import files
from typing import Final

FOLDER: Final = "mqso/"


@dataclass(frozen=True, slots=True)
class Guarantee:
    """Something that an application may rely on.

    Attributes:
        id: short name.
        promise: what is relied on, in the words of an owner.
        scenarios: patterns of case ids, without the folder.
    """

    id: str
    promise: str
    scenarios: tuple[str, ...]

    def covers(self, case: str) -> bool:
        """Return whether a case shows this guarantee."""
        return any(fnmatchcase(case, FOLDER + pattern) for pattern in self.scenarios)


GUARANTEES: Final = tuple(
    Guarantee(entry["id"], entry["promise"], tuple(entry["scenarios"]))
    for entry in tomllib.loads(files("mqconform.features").joinpath("guarantees.toml").read_text("utf-8"))["guarantee"]
)
