"""A failing row, explained by the readable model: what was asked, what was answered, what is allowed and why."""

import re
from typing import Any, Final, NamedTuple

from mqconform.reference.directory import Directory, DirectoryView, QueueManagerId
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops
from mqconform.reports.pipeline.routes.enterprise import Enterprise
from mqconform.reports.pipeline.routes.judging import NO_ROUTE, SEPARATORS
from mqconform.reports.pipeline.routes.kept_rows import KeptRow
from mqconform.reports.pipeline.routes.machine_columns import identifier_of

MOST_ALLOWED: Final = 10
"""Allowed answers that are shown of one question."""


class Example(NamedTuple):
    """One row that failed, machines by their identifiers."""

    version: int
    source: str
    destination: str
    hops: tuple[str | None, ...] | None
    """None for a failed routing attempt."""
    time: Any
    row: int
    """Place in the file of verdicts."""
    split: int
    """Number of the file of verdicts."""


def example_of(enterprise: Enterprise, row: KeptRow) -> Example:
    """Return a kept row, its machines by their identifiers."""
    identifiers = enterprise.identifiers[row.version]

    def named(value: Any) -> str:
        return identifier_of(value, identifiers, windows_octets=enterprise.windows_octets)

    columns = row.columns
    listed = _hops(columns["next_hops"], columns.get("outcome"))
    hops = None if listed is None else tuple(None if hop is None else named(hop) for hop in listed)
    ends = named(columns["source"]), named(columns["destination"])
    return Example(row.version, *ends, hops, columns.get("time"), row.row, row.split)


def _hops(hops: Any, outcome: Any) -> list[Any] | None:
    if hops is None or outcome == NO_ROUTE:
        return None
    return hops if isinstance(hops, list) else re.split(SEPARATORS, hops) if isinstance(hops, str) else [hops]


def explained(enterprise: Enterprise, example: Example) -> dict[str, Any]:
    """Return the readable model's account of a row (MS-MQBR 3.1.5.1)."""
    directory = enterprise.versions[example.version].directory
    state = initialize(DirectoryView(directory), QueueManagerId(example.source))
    decision = decide_next_hops(state, QueueManagerId(example.destination))
    judgement = judge_next_hops(decision, example.hops)
    hops = None if example.hops is None else [hop and _named(directory, hop) for hop in example.hops]
    return {
        "source": _named(directory, example.source),
        "destination": _named(directory, example.destination),
        "next_hops": hops,
        "time": None if example.time is None else str(example.time),
        "file": f"verdicts/part-{example.split:05d}.parquet",
        "row": example.row,
        "explanation": judgement.explanation,
        "ambiguities": sorted(judgement.ambiguities),
        "allowed": _allowed(directory, decision),
    }


def _allowed(directory: Directory, decision: NextHopsDecision) -> list[dict[str, Any]]:
    """Return the allowed answers, those that need the least from the register first."""
    permitted = [answer for answer in decision.allowed if answer.outcome in decision.allowed.outcomes()]
    return [
        {
            "next_hops": [_named(directory, hop) for hop in answer.outcome],
            "derivation": [str(step) for step in answer.derivation],
            "requirements": list(answer.requirements),
            "readings": sorted(map(str, answer.readings)),
        }
        for answer in permitted[:MOST_ALLOWED]
    ]


def _named(directory: Directory, identifier: str) -> dict[str, str]:
    machines = directory.queue_managers_by_identifier.get(QueueManagerId(identifier), ())
    return {"id": identifier, "name": machines[0].name if machines else ""}
