"""A mutation score as the history keeps it: how many wrong implementations the suite found out."""

import hashlib
import json
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from mqconform.harness.records.printable import shortened, visible
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
        raise UnusableInput(f"{path}: is no JSON ({str(error)[:100]}); {_REMEDY}") from error
    _check(path, document)
    faulty = {name: one for name, one in document["mutants"].items() if one["kind"] == "faulty"}
    survivors = sorted(name for name, one in faulty.items() if not one["killed_by"])
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


_REMEDY: Final = "name the kill-matrix.json of `mqconform mutants`"


def _octets(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            octets = file.read(MAX_SIZE + 1)
    except OSError as error:
        raise UnusableInput(f"{path}: {error.strerror or error}; {_REMEDY}") from error
    if len(octets) > MAX_SIZE:
        raise UnusableInput(f"{path}: is longer than {MAX_SIZE} octets; {_REMEDY}")
    return octets


def _check(path: Path, document: object) -> None:
    schema = json.loads(files("mqconform.features").joinpath("schemas", "kill_matrix.schema.json").read_text("utf-8"))
    error = best_match(Draft202012Validator(schema).iter_errors(document))
    if error is not None:
        field = error.json_path.removeprefix("$").removeprefix(".") or "document"
        raise UnusableInput(f"{path}: {visible(field)}: {shortened(visible(error.message), 120)}; {_REMEDY}")
