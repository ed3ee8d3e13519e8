"""The shapes of a history: what is stored, and what is derived from it, each with an explicit schema.

A run is one row in a file of its own: findings and cases lie within the row, and the result file itself, compressed.
"""

from typing import Final

import pyarrow as pa

_TEXT: Final = pa.string()

RUNS_FILE: Final = pa.schema(
    [
        ("run", _TEXT),
        ("time", pa.timestamp("us", tz="UTC")),
        ("harness", _TEXT),
        ("specifications", pa.map_(_TEXT, _TEXT)),
        ("profile", _TEXT),
        ("seed", pa.int64()),
        ("selection", _TEXT),
        ("kind", _TEXT),
        ("target", _TEXT),
        ("vendor", _TEXT),
        ("name", _TEXT),
        ("version", _TEXT),
        ("build", _TEXT),
        ("roles", pa.list_(_TEXT)),
        ("question", _TEXT),
        ("ended", pa.bool_()),
        ("exit_code", pa.int32()),
        (
            "requirements",
            pa.list_(
                pa.struct([("requirement", _TEXT), ("level", _TEXT), ("standing", _TEXT), ("witnesses", pa.int32())])
            ),
        ),
        ("cases", pa.list_(pa.struct([("case", _TEXT), ("status", _TEXT)]))),
        ("environment", _TEXT),
        ("results", pa.binary()),
    ]
)
"""A stored run.

``run`` is its identity, ``question`` a fingerprint of all that was asked and of whom: runs of one question should
answer alike. ``results`` is the result file, compressed by zlib.
"""

RUNS: Final = (
    "run string, time timestamp, harness string, specifications map<string, string>, profile string, seed long, "
    "selection string, kind string, target string, vendor string, name string, version string, build string, "
    "roles array<string>, question string, ended boolean, exit_code int, "
    "requirements array<struct<requirement: string, level: string, standing: string, witnesses: int>>, "
    "cases array<struct<case: string, status: string>>, environment string, results binary, month string"
)
"""The same as Spark reads it; ``month`` is the partition."""

SCORES_FILE: Final = pa.schema(
    [
        ("score", _TEXT),
        ("time", pa.timestamp("us", tz="UTC")),
        ("harness", _TEXT),
        ("measure", _TEXT),
        ("mutants", pa.int32()),
        ("killed", pa.int32()),
        ("survivors", pa.list_(_TEXT)),
    ]
)
SCORES: Final = (
    "score string, time timestamp, harness string, measure string, mutants int, killed int, survivors array<string>, "
    "month string"
)

KEY: Final = ("vendor", "name", "profile", "selection")
"""What makes runs comparable over time: one implementation, judged in one way."""
_KEY: Final = "vendor string, name string, profile string, selection string"

FINDINGS: Final = (
    f"{_KEY}, version string, run string, time timestamp, requirement string, level string, standing string"
)
ANSWERS: Final = f"{_KEY}, question string, build string, run string, case string, status string"

COVERAGE: Final = (
    f"{_KEY}, version string, run string, time timestamp, ended boolean, exit_code int, verified long, violated long, "
    "inconclusive long, unverified long, due long, judged long, coverage double"
)
FIRST_BAD: Final = (
    f"{_KEY}, requirement string, level string, bad_runs long, "
    "first_bad struct<time: timestamp, run: string, version: string>, "
    "last_good struct<time: timestamp, run: string, version: string>"
)
FLAKES: Final = f"{_KEY}, case string, runs long, deviating long, rate double, low double, high double"
MATRIX: Final = (
    "vendor string, name string, profile string, requirement string, version string, standing string, run string, "
    "time timestamp, runs long"
)
MUTATION: Final = (
    "score string, time timestamp, harness string, measure string, mutants int, killed int, rate double, "
    "survivors array<string>"
)
PAIRS: Final = (
    f"{_KEY}, then_run string, then_time timestamp, then_results binary, then_environment string, "
    "now_run string, now_time timestamp, now_results binary, now_environment string, again array<binary>"
)
RUN_PAIRS: Final = f"{_KEY}, then_run string, then_time timestamp, now_run string, now_time timestamp"
CHANGES: Final = (
    f"{_KEY}, then_run string, now_run string, kind string, id string, cause string, before string, after string, "
    "detail string, formerly string, worse boolean"
)
