"""The shapes of what a history stores (docs/history.md).

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

STANDINGS: Final = ("verified", "violated", "inconclusive", "unverified")
"""Standings that are counted for each run."""
VERSIONS: Final = ("vendor", "name", "profile", "requirement", "version")
