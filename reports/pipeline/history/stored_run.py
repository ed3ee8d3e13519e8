"""Runs and mutation scores as the history keeps them, from what ``mqconform run --out`` and ``mutants`` left."""

import hashlib
import json
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from mqconform.harness.records.printable import visible
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.result_file import ResultFault, read_result_file
from mqconform.harness.records.run_file import RESULTS
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.records.text_file import read_octets
from mqconform.reports.comparison.cases import status
from mqconform.reports.pipeline.problems import UnusableInput

ENVIRONMENT: Final = "environment.json"
MAX_ENVIRONMENT: Final = 4 * 1024 * 1024
EARLIEST, LATEST = 2000, 2200
"""Years between which runs are made."""

MOST_COUNTED: Final = 2**31 - 1
MOST_OCTETS: Final = 64 * 1024 * 1024
"""Of a kill matrix."""
MEASURE: Final = "kill matrix"

Row = dict[str, Any]


def stored_run(results: Path, at: datetime | None = None) -> Row:
    """Return the row of ``RUNS_FILE`` that a run becomes.

    Its identity follows from the result file and the time at which the run began, so that the same run has the same
    one however often it is added, and a repetition of it another.

    Args:
        results: a result file, or the directory of a run.
        at: when the run began, where ``environment.json`` beside the results does not say so.

    Raises:
        UnusableInput: the results cannot be used, or nothing says when the run began.
    """
    try:
        run = read_result_file(results)
        octets = run.path.read_bytes()
    except (ResultFault, OSError) as error:
        raise UnusableInput(str(error)) from error
    if part := run.header.shard:
        raise UnusableInput(f"{run.path}: is part {part} of a run; `mqconform merge` makes one result of all")
    if not run.cases:
        raise UnusableInput(f"{run.path}: the run judged nothing; run it again")
    if not -(2**63) <= run.header.seed < 2**63:
        raise UnusableInput(f"{run.path}: seed: has more than 64 bits; a history keeps no such run")
    environment = _environment(run.path.parent)
    time = _time(run.path, environment, at)
    asked = run.header.selection
    selection = {"expression": asked.expression, "requirements": list(asked.requirements)}
    identity = hashlib.sha256(octets + time.isoformat().encode("ascii")).hexdigest()
    row = {
        "run": identity[:32],
        "time": time,
        "harness": run.header.harness,
        "specifications": sorted(run.header.specifications.items()),
        "profile": run.header.profile,
        "seed": run.header.seed,
        "selection": json.dumps(selection, sort_keys=True) if any(selection.values()) else "",
        **{name: getattr(run.header.iut, name) for name in ("kind", "target", "vendor", "name", "version", "build")},
        "roles": list(run.header.iut.roles),
        "question": hashlib.sha256(octets[: octets.index(b"\n") + 1]).hexdigest()[:16],
        "ended": run.ended,
        "exit_code": run.footer.exit_code if run.footer else None,
        "requirements": [
            {
                "requirement": finding.id,
                "level": finding.level,
                "standing": finding.standing,
                "witnesses": min(finding.witnesses, MOST_COUNTED),
            }
            for finding in run.findings
        ],
        "cases": [{"case": case.id, "status": status(case)} for case in run.cases],
        "environment": environment,
        "results": zlib.compress(octets, 9),
    }
    return {name: storable(value) for name, value in row.items()}


def storable(value: Any) -> Any:
    """Return a value with its texts as UTF-8 can hold them: JSON may carry halves of characters, Parquet may not."""
    match value:
        case str():
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        case list() | tuple():
            return type(value)(storable(part) for part in value)
        case dict():
            return {key: storable(part) for key, part in value.items()}
        case _:
            return value


def _environment(folder: Path) -> str:
    try:
        with (folder / ENVIRONMENT).open("rb") as file:
            return file.read(MAX_ENVIRONMENT).decode("utf-8", "replace")
    except OSError:
        return ""


def _time(path: Path, environment: str, at: datetime | None) -> datetime:
    try:
        started = json.loads(environment)["started"]
    except (ValueError, KeyError, TypeError, RecursionError):
        started = None
    return moment(path, started, at)


def moment(path: Path, started: object, at: datetime | None) -> datetime:
    """Return when something began, in UTC: what it says itself, else ``at``.

    Raises:
        UnusableInput: neither is a time, or not one of this age.
    """
    try:
        start = datetime.fromisoformat(str(started))
    except ValueError:
        if at is None:
            raise UnusableInput(
                f"{path}: its start is unknown: no time as `started`, which stands in {ENVIRONMENT} "
                f"beside {RESULTS}; give --at TIME"
            ) from None
        start = at
    if not EARLIEST < start.year < LATEST:
        raise UnusableInput(f"{path}: began in {start.year}, which cannot be; correct `started`, or give --at TIME")
    return start.replace(tzinfo=start.tzinfo or UTC).astimezone(UTC)


def stored_score(path: Path, at: datetime | None = None) -> Row:
    """Return the row of ``SCORES_FILE`` that a kill matrix becomes; ``at`` is when it was made, which it does not say.

    Raises:
        UnusableInput: it is not a kill matrix, or nothing says when it was made.
    """
    try:
        octets = read_octets(path, MOST_OCTETS, _NAMED)
        document = json.loads(octets)
    except ConfigurationError as error:
        raise UnusableInput(str(error)) from error
    except (ValueError, RecursionError) as error:
        raise UnusableInput(f"{path}: is not valid JSON ({str(error)[:100]}); name {_NAMED}") from error
    judge = validator("kill_matrix")
    assert judge is not None
    if wrong := complaint(judge, document, ""):
        raise UnusableInput(f"{path}: {visible(wrong)}; name {_NAMED}")
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
