"""A run as the history keeps it, read from what ``mqconform run --out`` left."""

import hashlib
import json
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from mqconform.reports.comparison.cases import status
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.result_file import RESULTS, ResultFault, ResultFile, read_result_file

ENVIRONMENT: Final = "environment.json"
MAX_ENVIRONMENT: Final = 4 * 1024 * 1024
EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)

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
    _check_whole(run)
    environment = _environment(run.path.parent)
    time = _time(run.path, environment, at)
    selection = {"expression": run.header.expression, "requirements": list(run.header.requirements)}
    identity = hashlib.sha256(octets + time.isoformat().encode("ascii")).hexdigest()
    return {
        "run": identity[:32],
        "time": time,
        "harness": run.header.harness,
        "specifications": sorted(run.header.specifications.items()),
        "profile": run.header.profile,
        "seed": _in_64_bits(run),
        "selection": _text(selection) if any(selection.values()) else "",
        **{name: getattr(run.header.iut, name) for name in ("kind", "target", "vendor", "name", "version", "build")},
        "roles": list(run.header.iut.roles),
        "question": hashlib.sha256(octets[: octets.index(b"\n") + 1]).hexdigest()[:16],
        "ended": run.ended,
        "exit_code": run.footer.exit_code if run.footer else None,
        "requirements": [
            {"requirement": one.id, "level": one.level, "standing": one.standing, "witnesses": one.witnesses}
            for one in run.findings
        ],
        "cases": [{"case": one.id, "status": status(one)} for one in run.cases],
        "environment": environment,
        "results": zlib.compress(octets, 9),
    }


def _check_whole(run: ResultFile) -> None:
    if run.header.shard:
        index, of = run.header.shard
        raise UnusableInput(f"{run.path}: is part {index} of {of} of a run; `mqconform merge` makes one result of all")
    if not run.cases:
        raise UnusableInput(f"{run.path}: the run judged nothing; run it again")


def _in_64_bits(run: ResultFile) -> int:
    seed = run.header.seed
    if not -(2**63) <= seed < 2**63:
        raise UnusableInput(f"{run.path}: seed: has more than 64 bits; a history keeps no such run")
    return seed


def _environment(folder: Path) -> str:
    try:
        with (folder / ENVIRONMENT).open("rb") as file:
            return file.read(MAX_ENVIRONMENT).decode("utf-8", "replace")
    except OSError:
        return ""


def _time(path: Path, environment: str, at: datetime | None) -> datetime:
    try:
        found = datetime.fromisoformat(json.loads(environment)["started"])
    except (ValueError, KeyError, TypeError, RecursionError):
        if at is None:
            raise UnusableInput(
                f"{path}: nothing says when the run began: {ENVIRONMENT} beside {RESULTS} is lost or has no time as "
                "`started`; give --at TIME"
            ) from None
        found = at
    time = found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC)
    if not EARLIEST <= time < datetime(2200, 1, 1, tzinfo=UTC):
        raise UnusableInput(f"{path}: began in {time.year}, which cannot be; correct `started`, or give --at TIME")
    return time


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True)
