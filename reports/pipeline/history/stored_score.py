"""A mutation score as the history keeps it: how many of the faulty implementations a suite found out."""

import hashlib
import json
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from mqconform.reports.pipeline.history.stored_run import moment
from mqconform.reports.pipeline.problems import UnusableInput

MAX_SIZE: Final = 64 * 1024 * 1024

Row = dict[str, Any]


def stored_score(path: Path, at: datetime | None = None) -> Row:
    """Return the row of ``SCORES_FILE`` that a kill matrix becomes.

    The document is an object with ``mutants``, a list of objects with ``name`` and ``killed``, and optionally
    ``harness`` and ``started``; whatever else it holds is not looked at.

    Args:
        path: the document, JSON.
        at: when it was made, where it does not say so.

    Raises:
        UnusableInput: it is no such document, or nothing says when it was made.
    """
    try:
        with path.open("rb") as file:
            octets = file.read(MAX_SIZE + 1)
        document = json.loads(octets)
    except OSError as error:
        raise UnusableInput(f"{path}: {error.strerror or error}; name a kill matrix") from error
    except (ValueError, RecursionError) as error:
        raise UnusableInput(f"{path}: is no JSON of {MAX_SIZE} octets at most ({str(error)[:100]})") from error
    mutants = _mutants(path, document)  # an object, from here on
    time = moment(path, document.get("started"), at)
    identity = hashlib.sha256(octets + time.isoformat().encode("ascii")).hexdigest()
    return {
        "score": identity[:32],
        "time": time,
        "harness": str(document.get("harness", "")),
        "mutants": len(mutants),
        "killed": sum(mutants.values()),
        "survivors": sorted(name for name, killed in mutants.items() if not killed),
    }


def _mutants(path: Path, document: Any) -> dict[str, bool]:
    listed = document.get("mutants") if isinstance(document, dict) else None
    if not isinstance(listed, list):
        raise UnusableInput(f"{path}: mutants: has to be a list; name a kill matrix, or the directory of a run")
    found: dict[str, bool] = {}
    for place, one in enumerate(listed):
        name, killed = (one.get("name"), one.get("killed")) if isinstance(one, dict) else (None, None)
        if not isinstance(name, str) or not isinstance(killed, bool):
            raise UnusableInput(f"{path}: mutants[{place}]: has to have a name, and killed as true or false")
        if name in found:
            raise UnusableInput(f"{path}: mutants[{place}].name: {name[:60]!r} is there twice")
        found[name] = killed
    return found
