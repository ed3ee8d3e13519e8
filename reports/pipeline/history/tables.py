"""The shapes of a history: what is stored, and what is derived from it, each with an explicit schema.

A run is one row in a file of its own: findings and cases lie within the row, and the result file itself, compressed.
"""

from collections.abc import Iterable
from typing import Any, Final

import pyarrow as pa

_TIME: Final = pa.timestamp("us", tz="UTC")
_TEXTS: Final = pa.list_(pa.string())


def _shape(names: Iterable[str], **types: Any) -> pa.Schema:
    """Return a schema of columns that hold text unless a type is given."""
    return pa.schema([(name, types.get(name, pa.string())) for name in names])


RUNS_FILE: Final = _shape(
    (
        *("run", "time", "harness", "specifications", "profile", "seed", "selection", "kind", "target", "vendor"),
        *("name", "version", "build", "roles", "question", "ended", "exit_code", "requirements", "cases"),
        *("environment", "results"),
    ),
    time=_TIME,
    specifications=pa.map_(pa.string(), pa.string()),
    seed=pa.int64(),
    roles=_TEXTS,
    ended=pa.bool_(),
    exit_code=pa.int32(),
    requirements=pa.list_(pa.struct(_shape(("requirement", "level", "standing", "witnesses"), witnesses=pa.int32()))),
    cases=pa.list_(pa.struct(_shape(("case", "status")))),
    results=pa.binary(),
)
"""A stored run.

``run`` is its identity, ``question`` a fingerprint of all that was asked and of whom: runs of one question should
answer alike. ``results`` is the result file, compressed by zlib.
"""

SCORES_FILE: Final = _shape(
    ("score", "time", "harness", "measure", "mutants", "killed", "survivors"),
    time=_TIME,
    mutants=pa.int32(),
    killed=pa.int32(),
    survivors=_TEXTS,
)
MONTH: Final = _shape(["month"])
"""The partition, by which files lie in folders."""

KEY: Final = ("vendor", "name", "profile", "selection")
"""What makes runs comparable over time: one implementation, judged in one way."""
WHEN: Final = ("time", "run", "version")
"""Columns that order runs, and name one."""
_WHEN: Final = pa.struct(_shape(WHEN, time=_TIME))

FINDINGS: Final = _shape((*KEY, "version", "run", "time", "requirement", "level", "standing"), time=_TIME)
ANSWERS: Final = _shape((*KEY, "question", "build", "run", "case", "status"))

STANDINGS: Final = ("verified", "violated", "inconclusive", "unverified")
"""Standings that are counted for each run."""
COVERAGE: Final = _shape(
    (*KEY, "version", "run", "time", "ended", "exit_code", *STANDINGS, "due", "judged", "coverage"),
    time=_TIME,
    ended=pa.bool_(),
    exit_code=pa.int32(),
    coverage=pa.float64(),
    **dict.fromkeys((*STANDINGS, "due", "judged"), pa.int64()),
)
FIRST_BAD: Final = _shape(
    (*KEY, "requirement", "level", "bad_runs", "first_bad", "last_good"),
    bad_runs=pa.int64(),
    first_bad=_WHEN,
    last_good=_WHEN,
)
FLAKES: Final = _shape(
    (*KEY, "case", "runs", "deviating", "rate", "low", "high"),
    **dict.fromkeys(("runs", "deviating"), pa.int64()),
    **dict.fromkeys(("rate", "low", "high"), pa.float64()),
)
VERSIONS: Final = ("vendor", "name", "profile", "requirement", "version")
MATRIX: Final = _shape((*VERSIONS, "standing", "run", "time", "runs"), time=_TIME, runs=pa.int64())
MUTATION: Final = _shape(
    ("score", "time", "harness", "measure", "mutants", "killed", "rate", "survivors"),
    time=_TIME,
    mutants=pa.int32(),
    killed=pa.int32(),
    rate=pa.float64(),
    survivors=_TEXTS,
)
RUN_PAIRS: Final = _shape((*KEY, "then_run", "then_time", "now_run", "now_time"), then_time=_TIME, now_time=_TIME)
CHANGES: Final = _shape(
    (
        *(*KEY, "then_run", "now_run", "kind", "id", "cause", "before", "after", "detail", "formerly"),
        "worse",
    ),
    worse=pa.bool_(),
)
