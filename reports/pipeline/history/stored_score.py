"""A mutation score as the history keeps it: how many wrong implementations the suite found out.

Both documents that ``mqconform mutants`` writes are taken: the kill matrix of the faulty mutants, and the score of
changes that a machine made. They are measures of their own.
"""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from mqconform.harness.records.printable import shortened, visible
from mqconform.reports.pipeline.history.stored_run import moment, storable
from mqconform.reports.pipeline.problems import UnusableInput

MAX_SIZE: Final = 64 * 1024 * 1024
MATRIX, MACHINE = "kill matrix", "machine changes"
_DETECTED, _MISSED = ("killed", "timeout"), ("survived", "undecided")

Row = dict[str, Any]


class _Count(NamedTuple):
    measure: str
    killed: int
    survivors: Sequence[str]


def stored_score(path: Path, at: datetime | None = None) -> Row:
    """Return the row of ``SCORES_FILE`` that a kill matrix, or a score of machine-made changes, becomes.

    Args:
        path: the document, JSON.
        at: when it was made; neither document says so.

    Raises:
        UnusableInput: it is no such document, or nothing says when it was made.
    """
    octets = _octets(path)
    try:
        document = json.loads(octets)
    except (ValueError, RecursionError) as error:
        raise UnusableInput(f"{path}: is no JSON ({str(error)[:100]}); {_REMEDY}") from error
    if isinstance(document, dict) and "not_killed" in document:
        _check(path, document, "mutation_score")
        counted = _of_changes(document)
    else:
        _check(path, document, "kill_matrix")
        counted = _of_matrix(document)
    time = moment(path, None, at)
    identity = hashlib.sha256(octets + time.isoformat().encode("ascii")).hexdigest()
    row = {
        "score": identity[:32],
        "time": time,
        "harness": document["harness"],
        "measure": counted.measure,
        "mutants": counted.killed + len(counted.survivors),
        "killed": counted.killed,
        "survivors": sorted(counted.survivors),
    }
    return {name: storable(value) for name, value in row.items()}


_REMEDY: Final = "name the kill-matrix.json or mutation-score.json of `mqconform mutants`"


def _octets(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            octets = file.read(MAX_SIZE + 1)
    except OSError as error:
        raise UnusableInput(f"{path}: {error.strerror or error}; {_REMEDY}") from error
    if len(octets) > MAX_SIZE:
        raise UnusableInput(f"{path}: is longer than {MAX_SIZE} octets; {_REMEDY}")
    return octets


def _check(path: Path, document: object, shape: str) -> None:
    schema = json.loads(files("mqconform.features").joinpath("schemas", f"{shape}.schema.json").read_text("utf-8"))
    error = best_match(Draft202012Validator(schema).iter_errors(document))
    if error is not None:
        field = error.json_path.removeprefix("$").removeprefix(".") or "document"
        raise UnusableInput(f"{path}: {visible(field)}: {shortened(visible(error.message), 120)}; {_REMEDY}")


def _of_matrix(document: dict[str, Any]) -> _Count:
    """Count the faulty mutants; those that conform, or about which nothing is decided, are not there to be killed."""
    faulty = {name: one for name, one in document["mutants"].items() if one["kind"] == "faulty"}
    survivors = [name for name, one in faulty.items() if not one["killed_by"]]
    return _Count(MATRIX, len(faulty) - len(survivors), survivors)


def _of_changes(document: dict[str, Any]) -> _Count:
    """Count what the score counts: changes that a scenario reaches and that are not equivalent."""
    killed = sum(document["counts"][fate] for fate in _DETECTED)
    return _Count(MACHINE, killed, [one["place"] for one in document["not_killed"] if one["fate"] in _MISSED])
