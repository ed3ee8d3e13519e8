"""A failing row, explained by the readable model: what was asked, what was answered, what is allowed and why."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from mqconform.reference.directory import Directory, DirectoryView, QueueManagerId
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops
from mqconform.reports.pipeline.routes.counts import place_in
from mqconform.reports.pipeline.routes.enterprise import Enterprise
from mqconform.reports.pipeline.routes.judging import NO_ROUTE, READ, SEPARATORS
from mqconform.reports.pipeline.routes.machine_columns import identifier_of
from mqconform.reports.pipeline.storage import Place

MOST_ALLOWED: Final = 10
"""Allowed answers that are shown of one question."""
VERDICTS_FOLDER: Final = "verdicts"


def part_name(split: int) -> str:
    """Return the name of the file of verdicts of a split."""
    return f"part-{split:05d}.parquet"


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
    file: str


def explained_rows(enterprise: Enterprise, parts: Place, places: Sequence[int]) -> list[dict[str, Any]]:
    """Return accounts of failing rows, which are read from the files of verdicts in a folder."""
    columns = dict(_rows_at(parts, places))
    return [explained(enterprise, _example(enterprise, place, columns[place])) for place in places]


def _example(enterprise: Enterprise, place: int, columns: Mapping[str, Any]) -> Example:
    version, split, row = place_in(place)
    identifiers = enterprise.identifiers[version]

    def named(value: Any) -> str:
        return identifier_of(value, identifiers, windows_octets=enterprise.windows_octets)

    listed = _hops(columns["next_hops"], columns.get("outcome"))
    hops = None if listed is None else tuple(None if hop is None else named(hop) for hop in listed)
    ends = named(columns["source"]), named(columns["destination"])
    return Example(version, *ends, hops, columns.get("time"), row, part_name(split))


def _rows_at(parts: Place, places: Iterable[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield places with the columns of their rows that a verdict may depend on; a row group is read once."""
    ordered = sorted((*place_in(place)[1:], place) for place in places)
    for split, of_split in groupby(ordered, key=itemgetter(0)):
        system, path = (parts / part_name(split)).resolve()
        with system.open_input_file(path) as stream:
            read = [field for field in pq.read_schema(stream) if field.name in READ]
            words = [field.name for field in read if pa.types.is_string(field.type)]  # of which few are looked at
            parquet = pq.ParquetFile(stream, read_dictionary=words)
            groups = [parquet.metadata.row_group(group).num_rows for group in range(parquet.num_row_groups)]
            starts = [*accumulate(groups, initial=0)]
            for group, of_group in groupby(of_split, key=lambda place: bisect_right(starts, place[1]) - 1):
                table = parquet.read_row_group(group, columns=[field.name for field in read])
                yield from ((place, table.slice(row - starts[group], 1).to_pylist()[0]) for _, row, place in of_group)


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
        "file": f"{VERDICTS_FOLDER}/{example.file}",
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
