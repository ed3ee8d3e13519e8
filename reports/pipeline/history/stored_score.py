"""A mutation score as the history keeps it: how many wrong implementations the suite found out."""

import hashlib
import json
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from mqconform.harness.records.printable import visible
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.records.text_file import read_octets
from mqconform.reports.pipeline.history.stored_run import moment, storable
from mqconform.reports.pipeline.problems import UnusableInput

MAX_SIZE: Final = 64 * 1024 * 1024
MEASURE: Final = "kill matrix"

Row = dict[str, Any]


def stored_score(path: Path, at: datetime | None = None) -> Row:
    """Return the row of ``SCORES_FILE`` that a kill matrix becomes.

    Args:
        path: the document, JSON.
        at: when it was made; the document does not say so.

    Raises:
        UnusableInput: it is no kill matrix, or nothing says when it was made.
    """
    octets = _octets(path)
    try:
        document = json.loads(octets)
    except (ValueError, RecursionError) as error:
        raise UnusableInput(f"{path}: is no JSON ({str(error)[:100]}); name {_NAMED}") from error
    _check(path, document)
    faulty = {name: mutant for name, mutant in document["mutants"].items() if mutant["kind"] == "faulty"}
    survivors = sorted(name for name, mutant in faulty.items() if not mutant["killed_by"])
    time = moment(path, None, at)
    identity = hashlib.sha256(octets + time.isoformat().encode("ascii")).hexdigest()
    row = {
        "score": identity[:32],
        "time": time,
        "harness": document["harness"],
        "measure": MEASURE,
        "mutants": len(faulty),
        "killed": len(faulty) - len(survivors),
        "survivors": survivors,
    }
    return {name: storable(value) for name, value in row.items()}


_NAMED: Final = "the kill-matrix.json of `mqconform mutants`"


def _octets(path: Path) -> bytes:
    try:
        return read_octets(path, MAX_SIZE, _NAMED)
    except ConfigurationError as error:
        raise UnusableInput(str(error)) from error


def _check(path: Path, document: object) -> None:
    judge = validator("kill_matrix")
    assert judge is not None
    if wrong := complaint(judge, document, ""):
        raise UnusableInput(f"{path}: {visible(wrong)}; name {_NAMED}")
