"""Where a run took place, from the file that lies beside its results."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ENVIRONMENT = "environment.json"
MAX_SIZE = 4 * 1024 * 1024
TELLING = ("python", "platform", "cores", "packages")
"""What of it can change a verdict; when it was and by which command cannot."""

Surroundings = Mapping[str, str]


def read_surroundings(results: Path) -> Surroundings:
    """Return what may change a verdict of where a result file was written; nothing where that is lost."""
    folder = results if results.is_dir() else results.parent
    try:
        with (folder / ENVIRONMENT).open("rb") as file:
            facts = json.loads(file.read(MAX_SIZE))
    except (OSError, ValueError, RecursionError):
        return {}
    return dict(_flat(facts)) if isinstance(facts, dict) else {}


def _flat(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name in TELLING:
        value = facts.get(name)
        if isinstance(value, dict):
            pairs += [(str(key), str(version)) for key, version in value.items()]
        elif value is not None:
            pairs.append((name, str(value)))
    return pairs
