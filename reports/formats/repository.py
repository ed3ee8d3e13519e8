"""Where in the user's repository a finding is shown: the file that the run noted beside its results."""

from pathlib import Path, PurePosixPath
from typing import Any, Final

from mqconform.harness.records.run_file import read_environment

LONGEST: Final = 400
"""Characters of a path that is believed."""


def source_of(results: Path) -> str:
    """Return the path that stands for the implementation, from the top of its repository; empty where none is known."""
    environment = read_environment(results.parent)
    noted: list[Any] = [environment, *_parts(environment)]
    return next((part["source"] for part in noted if isinstance(part, dict) and _is_path(part.get("source"))), "")


def _parts(environment: dict[str, Any]) -> list[Any]:
    parts = environment.get("parts")
    return parts if isinstance(parts, list) else []


def _is_path(text: object) -> bool:
    """Tell whether something is a path inside a repository: a result folder may come from anybody."""
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST or not text.isprintable():
        return False
    path = PurePosixPath(text)
    return not path.is_absolute() and ".." not in path.parts
