"""A comparison as JSON, in the shape of features/schemas/comparison.schema.json."""

import json
from typing import Any

from mqconform.harness.records.results import Header
from mqconform.reports.comparison.change import Change
from mqconform.reports.comparison.compare import Comparison

SCHEMA = 1


def document(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison as a JSON object."""
    return {
        "schema": SCHEMA,
        "then": _run(comparison.setting.then),
        "now": _run(comparison.setting.now),
        "differences": list(comparison.differences),
        "remarks": list(comparison.remarks),
        "counts": {cause.value: number for cause, number in comparison.counts().items()},
        "changes": [_change(change) for change in comparison.changes],
    }


def json_text(comparison: Comparison) -> str:
    """Return the comparison as JSON text, ASCII and with sorted keys."""
    return json.dumps(document(comparison), indent=2, sort_keys=True) + "\n"


def _run(header: Header) -> dict[str, Any]:
    made_by = {"name": header.iut.name, "version": header.iut.version, "build": header.iut.build}
    return {"implementation": made_by, "profile": header.profile, "seed": header.seed, "harness": header.harness}


def _change(change: Change) -> dict[str, Any]:
    record = {
        "kind": change.kind,
        "id": change.id,
        "cause": change.cause.value,
        "detail": change.detail,
        "worse": change.worse,
    }
    extra = {"before": change.before, "after": change.after, "formerly": change.formerly}
    return record | {key: value for key, value in extra.items() if value}
